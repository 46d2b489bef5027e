import { COMPLIANCE, PAYOUTS } from '#shared/events/incoming-events.ts';
import { parseChange } from '#shared/events/service-event.ts';
import { OPERATION_STATUS_CHANGED } from '#shared/off-ramps/contract/off-ramp-events.ts';
import type { AwsInMemory } from '#test/simulation/aws/aws-in-memory.ts';
import type { Host } from '#test/simulation/aws/host.ts';
import type { Transaction } from '#test/simulation/books/change.ts';
import { instant, text } from '#test/simulation/books/items.ts';
import type { Ledger } from '#test/simulation/books/ledger.ts';
import { must, Violation } from '#test/simulation/books/violation.ts';
import type { Random } from '#test/simulation/kernel/random.ts';
import type { FunctionShape } from '#test/simulation/topology/topology.ts';
import { type Console, createConsole } from '#test/simulation/world/operators/console.ts';
import type { Outside } from '#test/simulation/world/outside.ts';
import { HOUR, MINUTE, OPENING, SECOND, START } from '#test/simulation/world/script/moments.ts';
import type { Script } from '#test/simulation/world/script/script.ts';
import { createBackup, type Torn } from './backup.ts';
import { unmatchedOf } from './movements.ts';
import { redriveAll } from './redrive.ts';
import { allItems, bringBack, changedSince } from './tables.ts';

/** Steps of the runbook. A test leaves each one out, and finds the damage that the step prevents. */
export type Step = 'put back' | 'redrive' | 'ledgers' | 'hold' | 'setting';

/** A restore of all tables but the append-only ones to their state at `to`. Milliseconds since 1970. */
export interface Restore {
  readonly to: number;
  readonly at: number;
  readonly tears: Torn;
  readonly leftOut?: Step | undefined;
}

/** How long functions stay closed: longer than any call, and than a provider's list lags. */
const CLOSED = 5 * MINUTE;

/** By then the indexes of the new tables are complete, and no read sees the old state. */
const SETTLED = 15 * SECOND;

/** By then the custodian's list was read, and final deposits are credited. */
const CREDITED_AGAIN = 75 * MINUTE;

/** By how much a restore prolongs a round. */
const PUT_RIGHT = 12 * HOUR;

/** How long the bus retries: a notice of before the second may have been applied after it. */
const DELIVERED_LATE = 24 * HOUR;

/** `ops since` begins this much earlier: work that began before the second may have been written after it. */
const MARGIN = MINUTE;

/** Draws a second of a round, and the later time at which its tables are restored to it. */
export function drawRestore(random: Random, script: Script): Restore {
  const length = script.quietFrom - START;
  const after = random.below(random.pick([2 * MINUTE, 20 * MINUTE, 2 * HOUR, length]));
  const to = Math.floor((START + OPENING + after) / SECOND) * SECOND;
  const at = to + MINUTE + random.below(random.pick([10 * MINUTE, 2 * HOUR, 12 * HOUR]));
  return { to, at, tears: random.pick([undefined, 'ANY', 'DEPOSIT', 'DEPOSIT']) };
}

/** Returns the script with enough time to put the restore right. */
export function withTimeFor(restore: Restore, script: Script): Script {
  const quietFrom = Math.max(script.quietFrom, restore.at + PUT_RIGHT);
  return { ...script, isQuiet: false, quietFrom, endsAt: quietFrom + 3 * HOUR };
}

interface Parts extends Outside {
  readonly aws: Pick<AwsInMemory, 'engine'>;
  readonly functions: readonly FunctionShape[];
  readonly books: {
    readonly ledger: Ledger;
    restored(items: Transaction): void;
    writeOff(custodianTransferId: string): void;
  };
}

/** Follows the runbook of docs/disaster.md. */
export function createRestore(restore: Restore) {
  const backup = createBackup(restore);
  let { to } = restore;
  let open: 'ALL' | 'OPERATORS' | 'NOBODY' = 'ALL';
  let isUndone = false;
  /** Ids of movements out that are not explained yet. */
  let unexplained: readonly string[] = [];
  const counts: Record<string, number> = {};
  const writtenOff = new Set<string>();
  const count = (what: string, number = 1) => {
    counts[what] = (counts[what] ?? 0) + number;
  };
  const does = (step: Step) => restore.leftOut !== step;

  function set({ functions, deploy }: Parts, settings: Readonly<Record<string, string>>): void {
    for (const { environment } of functions) {
      for (const name of ['RESTORED_AT', 'HELD_SINCE']) Reflect.deleteProperty(environment, name);
      Object.assign(environment, settings);
    }
    deploy();
  }

  async function putBack({ aws }: Parts, operator: Console): Promise<void> {
    for (const event of aws.engine.tables.get('events')?.items() ?? []) {
      const { type, sequence } = parseChange(text(event, 'change')) ?? {};
      const isCreation = type === OPERATION_STATUS_CHANGED && sequence === 1;
      if (!isCreation || instant(event, 'occurredAt') < to - MARGIN) continue;
      const answer = await operator.change('put-back', { operationId: text(event, 'subject').split('#')[1] ?? '' });
      if (answer?.status === 200) count('off-ramps put back');
    }
  }

  /** Repeats the notices of other services since then, in their order. */
  async function sayAgain({ memory, putOnBus, host }: Parts): Promise<void> {
    const notices = memory.notices.filter(({ at: time, source }) => time >= to - DELIVERED_LATE && isAsked(source));
    for (const { source, type, detail } of notices) {
      putOnBus({ source, type, detail });
      count('notices repeated');
      await host.schedule.clock.sleep(2 * SECOND);
    }
  }

  /** Polls deposits that have changed, or were notified, since then, because the custodian does not notify twice. */
  async function pollChanged({ chain, aws }: Parts, operator: Console): Promise<void> {
    for (const custodianTransferId of changedSince(chain, aws.engine, to)) {
      const answer = await operator.change('poll-deposit', { custodianTransferId });
      if (answer?.status === 200) count('deposits polled');
    }
  }

  async function run(parts: Parts): Promise<void> {
    const { clock } = parts.host.schedule;
    const { second, tables, isTorn } = await backup.take(parts);
    to = second;
    parts.host.trace(() => 'nobody is served');
    open = 'NOBODY';
    await clock.sleep(CLOSED);
    count('transactions torn', Number(isTorn));
    count('items undone', bringBack(tables));
    parts.books.restored(allItems(parts.aws.engine));
    isUndone = true;
    parts.host.trace(() => `tables are as they were at ${new Date(to).toISOString()}`);
    const since = new Date(to).toISOString().replace('.000Z', 'Z');
    const setting = does('setting') ? { RESTORED_AT: since } : {};
    set(parts, { ...setting, ...(does('hold') && { HELD_SINCE: since }) });
    await clock.sleep(SETTLED);
    open = 'OPERATORS';
    const operator = createConsole(parts);
    if (does('put back')) await putBack(parts, operator);
    parts.host.trace(() => 'everybody is served again');
    open = 'ALL';
    count('played');
    if (does('redrive')) await redriveAll(parts.aws, operator, to);
    await clock.sleep(CREDITED_AGAIN);
    if (does('ledgers')) await pollChanged(parts, operator);
    if (does('ledgers')) await sayAgain(parts);
    if (!does('hold')) return;
    await match(parts, operator);
    parts.host.trace(() => 'the books have matched every movement out');
    set(parts, setting);
  }

  /** Matches each movement out since then with its deposit's return, or leaves it to people. */
  async function match({ books, custodian, host: { schedule } }: Parts, operator: Console): Promise<void> {
    const sent = () => custodian.sendings.all.filter(({ takenAt }) => takenAt >= to - MARGIN);
    count('movements out since then', sent().length);
    for (;;) {
      const now = schedule.clock.now().getTime();
      unexplained = await unmatchedOf({ ledger: books.ledger, operator, now }, sent(), writtenOff);
      for (const id of writtenOff) books.writeOff(id);
      counts['left to people'] = writtenOff.size;
      if (unexplained.length === 0) break;
      await schedule.clock.sleep(15 * MINUTE);
    }
    count('gates opened');
  }

  /** Returns are held until every movement out is explained, which must happen before the round ends. */
  function checkFinally(): void {
    must('returns go on after a restore', counts['gates opened'] === 1 || restore.leftOut !== undefined, {
      unexplained,
    });
  }

  /** After the restore, ignores failed expectations of the world (which secrets sign), but no rule of the books. */
  function expecting(host: Host): Host {
    const fail = (error: unknown) => {
      if (error instanceof Violation || !isUndone) host.schedule.fail(error);
      else count('expectations undone');
    };
    return { ...host, schedule: { ...host.schedule, fail } };
  }

  return {
    onTransaction: backup.onTransaction,
    expecting,
    isClosed: (folder: string) => open === 'NOBODY' || (open === 'OPERATORS' && !isOperators(folder)),
    run,
    checkFinally,
    counts,
  };
}

const isAsked = (source: string) => [PAYOUTS, COMPLIANCE].includes(source);
const isOperators = (folder: string) => /\/(operate|look-up)/.test(folder);
