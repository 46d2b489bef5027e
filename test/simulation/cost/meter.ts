import { AsyncLocalStorage } from 'node:async_hooks';
import { PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { SignCommand } from '@aws-sdk/client-kms';
import * as z from 'zod/mini';
import type { Request } from '#test/simulation/aws/dynamodb/request.ts';
import type { Meter, PartnerKind } from '#test/simulation/aws/meter.ts';
import type { Topology } from '#test/simulation/topology/topology.ts';
import { bytesOfAll, countedAnswer } from './table-units.ts';

/** Counted units by name: `write deliveries`, `call webhooks/deliver-webhook`, `transition`. */
export type Usage = ReadonlyMap<string, number>;

/** Milliseconds of a call to an AWS service or a provider, because the simulation's own time does not pass. */
export const LASTS: Readonly<Record<Exclude<PartnerKind, 'tables'>, number>> = {
  ...{ queue: 8, bus: 15, executions: 25, keys: 8 },
  ...{ custodian: 300, rail: 400, webhook: 250 },
};

/** Milliseconds of a request to the tables. */
export const ANSWERED_IN: Readonly<Record<Request['does'], number>> = {
  ...{ GET: 4, QUERY: 6, BATCH_GET: 6, WRITE: 6, TRANSACTION: 15 },
};

/** Milliseconds for a page of the simulated rail's list, which has 20 payments instead of a real rail's hundred. */
const SHORT_PAGE = 80;

/** Milliseconds of a call without its waits, with 512 MB; more memory gives more processor, up to a whole one. */
const OWN = 10;
const WHOLE_PROCESSOR = 1769;

/** Bytes of a line without its code and fields: time, level, request, the call's fields, and CloudWatch's overhead. */
const ENVELOPE = 350;

/** Bytes of Lambda's own lines about a call, where it writes them. */
const PLATFORM_LINES = 500;

/** Bytes of a line in the API's access log. */
const ACCESS_LINE = 500;

/** The share of API calls and, at most, of messages that X-Ray traces; a message may follow from a traced call. */
const TRACED = 0.02;

/** Not counted: it reads each payment on sixteen nights, and a round ends sooner. docs/cost.md has its cost. */
const BOOKS = 'pay-ins/balance-payments';

/** Not called, for the same reason. */
const BOOKS_OF_DEPOSITS = 'off-ramps/balance-deposits';

/** A call's function, and how many milliseconds have passed. */
interface Progress {
  at: number;
  readonly folder: string;
}

/** Counts the units of everything that is charged by use. */
export function createMeter({ functions, routes, queueConsumers }: Topology) {
  const usage = new Map<string, number>();
  const running = new AsyncLocalStorage<Progress>();
  const count = (what: string, units: number) => {
    if (running.getStore()?.folder !== BOOKS) usage.set(what, (usage.get(what) ?? 0) + units);
  };
  const shapes = new Map(functions.map((shape) => [shape.folder, shape]));
  const routed = new Set(routes.map(({ folder }) => folder));
  const consumers = new Set(queueConsumers.map(({ folder }) => folder));
  function called(kind: PartnerKind, name: string, command: unknown): void {
    if (kind === 'custodian' || kind === 'rail') count(`asked ${kind}.${name} ${running.getStore()?.folder}`, 1);
    if (kind === 'queue') count('queueRequest', 1);
    if (kind === 'keys') count(command instanceof SignCommand ? 'sign' : 'keyUse', 1);
    if (command instanceof PutEventsCommand) count('event', command.input.Entries?.length ?? 0);
  }

  /** Adds waiting time. Waits in sequence add up; concurrent ones overlap. */
  function passes(milliseconds: number, answer: unknown): unknown {
    const progress = running.getStore();
    if (progress === undefined || !(answer instanceof Promise)) return answer;
    const until = progress.at + milliseconds;
    return answer.finally(() => {
      progress.at = Math.max(progress.at, until);
    });
  }

  const meter: Meter = {
    leavesOut: BOOKS_OF_DEPOSITS,
    invoked(folder, work) {
      if (folder === BOOKS) return running.run({ at: 0, folder }, work);
      const { memoryMegabytes = 512, hasPlatformLines = false } = shapes.get(folder) ?? {};
      const size = memoryMegabytes / 1024;
      count(`call ${folder}`, 1);
      if (hasPlatformLines) count('logged', PLATFORM_LINES);
      if (routed.has(folder)) {
        for (const what of ['apiRequest', 'webAclRequest']) count(what, 1);
        count('logged', ACCESS_LINE);
      }
      if (routed.has(folder) || consumers.has(folder)) count('trace', TRACED);
      // One request to receive, one to delete.
      if (consumers.has(folder)) count('queueRequest', 2);
      const progress: Progress = { at: (OWN * 512) / Math.min(memoryMegabytes, WHOLE_PROCESSOR), folder };
      return running.run(progress, work).finally(() => count(`gigabyteSecond ${folder}`, (size * progress.at) / 1000));
    },
    tables: (engine) => countedAnswer(engine, (unit, name, units) => count(`${unit} ${name}`, units)),
    partner(kind, partner) {
      const calling = <Call extends (...given: never[]) => unknown>(call: Call, name: string, self?: unknown) =>
        new Proxy(call, {
          apply(target, _, given: Parameters<Call>) {
            called(kind, name, given[0]);
            return passes(millisecondsOf(kind, name, given[0]), Reflect.apply(target, self, given));
          },
        });
      if (isCall(partner)) return calling(partner, '');
      return new Proxy(partner, {
        get(target, name) {
          const member: unknown = Reflect.get(target, name);
          return isCall(member) ? calling(member, String(name), target) : member;
        },
      });
    },
    lines: (tell) => (text) => {
      const line = text();
      count('logged', Buffer.byteLength(line) + ENVELOPE);
      tell(() => line);
    },
    ended({ engine, executions }) {
      for (const [name, table] of engine.tables) count(`stored ${name}`, bytesOfAll(table.items()));
      for (const { transitions } of executions.all.values()) count('transition', transitions);
    },
  };
  return { meter, usage };
}

function millisecondsOf(kind: PartnerKind, name: string, given: unknown): number {
  // Parses its argument without a call.
  if (name === 'readNotification') return 0;
  if (name === 'listPayments') return SHORT_PAGE;
  return kind === 'tables' ? ANSWERED_IN[requestIn.parse(given).does] : LASTS[kind];
}

const requestIn = z.object({ does: z.enum(['GET', 'QUERY', 'BATCH_GET', 'WRITE', 'TRANSACTION']) });

function isCall(value: unknown): value is (...given: never[]) => unknown {
  return typeof value === 'function';
}
