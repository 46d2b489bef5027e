import { marshall } from '@aws-sdk/util-dynamodb';
import { type TableName, tableShapes } from '#infra/stage/table-shapes.ts';
import type { Change } from '#test/simulation/aws/dynamodb/change.ts';
import type { EventBus } from '#test/simulation/aws/event-bus.ts';
import type { Host } from '#test/simulation/aws/host.ts';
import { noMeter } from '#test/simulation/aws/meter.ts';
import { createBooks } from '#test/simulation/books/books.ts';
import type { Transaction } from '#test/simulation/books/change.ts';
import type { TrueError } from '#test/simulation/books/truth.ts';
import { seeded } from '#test/simulation/kernel/random.ts';
import { schedule } from '#test/simulation/kernel/schedule.ts';
import { takeOverLog } from '#test/simulation/kernel/take-over-log.ts';
import { withSettings } from '#test/simulation/service/deployed.ts';
import { createChain } from '#test/simulation/world/chain/chain.ts';
import { createEndpoints } from '#test/simulation/world/endpoints/endpoints.ts';
import { createMemory } from '#test/simulation/world/memory.ts';
import type { Outside } from '#test/simulation/world/outside.ts';
import { play } from '#test/simulation/world/play.ts';
import { createCustodian } from '#test/simulation/world/providers/custodian.ts';
import { createRail, RAIL } from '#test/simulation/world/providers/rail.ts';
import {
  createRestore,
  drawRestore,
  type Restore,
  type Step,
  withTimeFor,
} from '#test/simulation/world/restore/restore.ts';
import { HOUR, START } from '#test/simulation/world/script/moments.ts';
import type { Script } from '#test/simulation/world/script/script.ts';
import { writeScript } from '#test/simulation/world/script/write-script.ts';
import { seedItems } from '#test/simulation/world/seed-tables.ts';
import { createPayouts, SANDBOX_PAYOUTS } from '#test/simulation/world/services/payouts.ts';
import { endpointsOf, truthOf } from '#test/simulation/world/truth.ts';
import { onEveryNetwork } from '#test/support/off-ramp.ts';
import { type AwsInMemory, createAwsInMemory, type Deployed, type WatchersOfAws } from '../aws/aws-in-memory.ts';
import { countFaults } from './count-faults.ts';
import { type Played, playedIn, sendingsIn } from './played.ts';
import { remainsOf, sharesOf, termsOf } from './remains.ts';

/** The numbers that reproduce a round. */
export interface RoundNumber {
  readonly seed: number;
  readonly round: number;
  /** True if tables are restored to an earlier second; `leftOut` is the step of the runbook that is skipped. */
  readonly restores?: boolean | undefined;
  readonly leftOut?: Step | undefined;
}

/** Returns the command that plays a round again, line by line. */
export function commandOf({ seed, round, restores }: RoundNumber): string {
  return `npm run simulate -- --seed ${seed} --round ${round}${restores ? ' --restores' : ''}`;
}

/** A line of a round's history. */
export interface Line {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly who: string;
  readonly text: string;
}

export interface Watchers extends Pick<WatchersOfAws, 'onInvocation' | 'meter' | 'isKeyDisabled'> {
  /** Receives each line of the history. */
  readonly tell?: ((line: Line) => void) | undefined;
  /** Receives the changes that each request wrote. */
  readonly onTransaction?: ((changes: Transaction) => void) | undefined;
  /** Called every virtual minute; must not wait on the schedule. */
  readonly eachMinute?: ((aws: AwsInMemory, now: Date) => Promise<void>) | undefined;
  /** How many payments a page of the rail's list holds. */
  readonly railPage?: number;
}

/** The seed of a history: equal numbers give an equal history. */
export type History = readonly number[];

/**
 * Plays one script of what happens outside of the service, and records what the service does about it. The same seed
 * and number give the same history.
 *
 * @throws {Violation} when a rule does not hold
 */
export function playRound(deployed: Deployed, number: RoundNumber, watchers: Watchers = {}): Promise<Played> {
  const script = scriptOf(number);
  if (!number.restores) return playScript(deployed, script, historyOf(number), watchers);
  const restore = { ...drawRestore(seeded(number.seed, number.round, 2), script), leftOut: number.leftOut };
  return playScript(deployed, withTimeFor(restore, script), historyOf(number), watchers, restore);
}

export function scriptOf({ seed, round }: RoundNumber): Script {
  return writeScript(seeded(seed, round, 0));
}

function historyOf({ seed, round }: RoundNumber): History {
  return [seed, round, 1];
}

/** @throws {Violation} when a rule does not hold */
export async function playScript(
  service: Deployed,
  script: Script,
  history: History,
  { tell, onTransaction, eachMinute, meter = noMeter, railPage, ...watchers }: Watchers = {},
  restored?: Restore,
): Promise<Played> {
  const deployed = withSettings(service, script.settings);
  // A copy, because the quiet end of a round switches its faults off.
  const happened = (fault: string) => trace(() => `! ${fault}`);
  const { swarm, random, counts, hasFailed } = countFaults(structuredClone(script.swarm), seeded(...history), happened);
  const plan = schedule(random, swarm.chances, START);
  const now = () => plan.clock.now().getTime();
  const trace: Host['trace'] =
    tell === undefined ? () => {} : (text) => tell({ at: now(), who: plan.who(), text: text() });
  const host: Host = { schedule: plan, random, trace };
  const restore = restored && createRestore(restored);
  const world = restore?.expecting(host) ?? host;
  const memory = createMemory();
  const onError = (code: string, fields: TrueError['fields']) => void memory.errors.push({ at: now(), code, fields });
  using _ = takeOverLog({ tell: meter.lines(trace), onError, fail: plan.fail });

  const chain = createChain();
  const endpoints = createEndpoints(world, endpointsOf(script), swarm.endpoints);
  const rail = createRail(host, swarm.rail, swarm.railManners, railPage);
  const custodian = createCustodian(host, chain, swarm.custodian, swarm.custodianManners, (order) =>
    books.onOrder(order, truth),
  );
  const custodians = onEveryNetwork(meter.partner('custodian', custodian));
  const books = createBooks({ now, skew: swarm.lambda.skew, shares: sharesOf(deployed), terms: termsOf(deployed) });
  const truth = truthOf(script, { chain, custodian, rail, endpoints, memory });
  const written = (changes: Transaction) => {
    for (const one of [{ onTransaction }, restore, books]) one?.onTransaction?.(changes);
  };
  const putOnBus: EventBus['put'] = (event) => aws.bus.put(event);
  const payouts = createPayouts({ host: world, memory, putOnBus });
  const consumers = new Map(script.hasOwnPayouts ? [[SANDBOX_PAYOUTS, payouts]] : []);
  const isBroken = (folder: string) =>
    restore?.isClosed(folder) === true ||
    script.badDeployments.some((bad) => bad.folder === folder && bad.from <= now() && now() < bad.until);
  const aws = createAwsInMemory(
    host,
    deployed,
    {
      custodians,
      chains: new Map(),
      notifiers: custodians,
      senders: custodians,
      outgoing: custodians,
      quietFrom: script.quietFrom,
      rails: new Map([[RAIL, meter.partner('rail', rail)]]),
      guardUrl: endpoints.guardUrl,
      callWebhook: meter.partner('webhook', endpoints.callWebhook),
      consumers,
      isBroken,
    },
    swarm,
    {
      ...watchers,
      meter,
      onTransaction: (changes) => written(changes.flatMap(ofTheService)),
      onRequest: books.onRequest,
    },
  );
  for (const { table, item } of seedItems(script)) {
    const after = marshall(item, { removeUndefinedValues: true });
    const into = aws.engine.tables.get(table);
    into?.write(into.keyOf(after), after);
    written([{ table, key: {}, before: undefined, after }]);
  }
  const { request, deploy } = aws;
  const redrive = () => {
    for (const { queue } of deployed.topology.queueConsumers) aws.queues.redrive(queue);
  };
  if (eachMinute !== undefined) {
    plan.start('a watch', async () => {
      for (;;) {
        await plan.clock.sleep(60_000);
        await eachMinute(aws, plan.clock.now());
      }
    });
  }
  const outside: Outside = {
    ...{ host: world, request, putOnBus, chain, custodian, rail, endpoints, memory, swarm, deploy, redrive },
  };
  play(script, outside);
  const { functions } = deployed.topology;
  if (restore !== undefined) plan.start('restore', () => restore.run({ ...outside, aws, functions, books }));
  // A round ends when nothing is pending. Without notifications it must also last until the rail's list is read.
  const { endsAt } = script;
  if (endsAt !== undefined && script.swarm.railNotifications.lost === 1)
    plan.start('the last day', () => plan.clock.sleep(endsAt - 1 - now()));
  await plan.run(endsAt);
  meter.ended(aws);
  restore?.checkFinally();
  books.checkFinally(truth, { ...remainsOf(aws, deployed), tablesRefused: hasFailed('dynamo') });
  const ended = { sendings: sendingsIn(custodian.sendings.all), hours: (now() - START) / HOUR };
  return { ...playedIn(aws), ...ended, faults: Object.fromEntries(counts), restores: restore?.counts ?? {} };
}

function ofTheService({ table, ...change }: Change): Transaction {
  return isTable(table) ? [{ table, ...change }] : [];
}

function isTable(name: string): name is TableName {
  return name in tableShapes;
}
