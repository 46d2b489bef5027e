import type { TableName } from '#infra/stage/table-shapes.ts';
import type { Item } from './dynamodb/attribute-values.ts';
import type { Engine } from './dynamodb/engine.ts';

const MINUTE = 60_000;

/** The items that a sweep reads, and how many milliseconds before (negative: after) its time it takes one. */
interface Sweep {
  readonly table: TableName;
  /** The attribute that an item has while it is in the sweep's index. */
  readonly shard: string;
  readonly at: string;
  readonly early: number;
  /** The time until which the sweep skips a due entry. */
  readonly heldUntil?: (tables: Engine['tables'], item: Item) => number;
}

const sweeps: Readonly<Record<string, Sweep>> = {
  'off-ramps/restart-lost-verifications': {
    table: 'operations',
    shard: 'dueShard',
    at: 'nextCheckAt',
    early: -3 * MINUTE,
  },
  // An off-ramp is skipped until its own end, even if the stage's setting has changed.
  'off-ramps/end-expired-operations': {
    table: 'operations',
    shard: 'awaitingShard',
    at: 'endsAt',
    early: 0,
  },
  'off-ramps/release-due-deposits': { table: 'deposits', shard: 'dueShard', at: 'dueAt', early: MINUTE },
  'off-ramps/send-returns': {
    table: 'deposits',
    shard: 'returnState',
    at: 'returnDueAt',
    early: 0,
    heldUntil: (_, { returnState }) => (returnState?.S === 'WAITING' ? Number.POSITIVE_INFINITY : 0),
  },
  'pay-ins/settle-open-payins': { table: 'payins', shard: 'nextPollAt', at: 'nextPollAt', early: 0 },
  'events/publish-overdue-changes': { table: 'events', shard: 'unpublishedIn', at: 'occurredAt', early: -MINUTE },
  'webhooks/release-due-deliveries': {
    table: 'deliveries',
    shard: 'dueAt',
    at: 'dueAt',
    early: 1.5 * MINUTE,
    heldUntil: endOfOpenCircuit,
  },
};

/** Changes nothing, and is called directly by tests that need its measures. */
const MEASURES = 'operators/measure-ages';

/** Reads the rails' lists once a day, which matters while they list a pay-in of the service. */
const READS_RAILS = 'pay-ins/reconcile-payments';

/** They read all lists each night, which matters until the days of these tables' items are closed. */
const keepsBooksOf: Readonly<Record<string, 'deposits' | 'payins'>> = {
  'off-ramps/balance-deposits': 'deposits',
  'pay-ins/balance-payments': 'payins',
};

const bookNames = { deposits: 'deposits of ', payins: 'payments of ' } as const;

/** Milliseconds. */
const CLOSED_AFTER = 4 * 24 * 60 * MINUTE;

function nextNightAt(tables: Engine['tables'], of: 'deposits' | 'payins'): number {
  const isOne = ({ book, name }: Item) => book?.S === 'RUNS' && name?.S?.startsWith(bookNames[of]);
  const runs = (tables.get('books')?.items() ?? []).filter(isOne);
  const nextOf = ({ underWay, asked, answered, nextRunAt }: Item) =>
    underWay || Number(asked?.N ?? 0) > Number(answered?.N ?? 0) ? 0 : Date.parse(nextRunAt?.S ?? '');
  const next = Math.max(0, ...runs.map(nextOf));
  const moved = (tables.get(of)?.items() ?? []).map(({ createdAt }) => Date.parse(createdAt?.S ?? ''));
  return moved.some((at) => next <= at + CLOSED_AFTER) ? next : Number.POSITIVE_INFINITY;
}

/** Milliseconds for which a rail lists an order. */
const LISTED_FOR = 61 * 24 * 60 * MINUTE;

function nextPassAt(tables: Engine['tables']): number {
  const items = tables.get('payins')?.items() ?? [];
  const orders = items.flatMap(({ createdAt }) => (createdAt?.S === undefined ? [] : [Date.parse(createdAt.S)]));
  const next = Math.max(0, ...items.map(({ nextRunAt }) => (nextRunAt?.S === undefined ? 0 : Date.parse(nextRunAt.S))));
  return orders.some((at) => next <= at + LISTED_FOR) ? next : Number.POSITIVE_INFINITY;
}

/** Reads a list each hour, which finds nothing for a time in which nobody sent anything. */
const READS_CUSTODIANS = 'off-ramps/reconcile-custodian';

function endOfLists(tables: Engine['tables'], quietFrom: number): number {
  const lists = (tables.get('deposits')?.items() ?? []).filter((item) => 'isRead' in item);
  const ends = lists.map(({ isRead, until }) => {
    const end = Date.parse(until?.S ?? '');
    if (isRead?.BOOL !== true) return 0;
    return end - 60 * MINUTE > quietFrom ? Number.POSITIVE_INFINITY : end + 60 * MINUTE;
  });
  return ends.length === 0 ? 0 : Math.min(...ends);
}

/** Returns until when a sweep finds nothing as things stand, in milliseconds since 1970; infinity if nothing is due. */
export function idleUntil({ tables }: Engine, folder: string, quietFrom: number): number {
  if (folder === MEASURES) return Number.POSITIVE_INFINITY;
  const booked = keepsBooksOf[folder];
  if (booked !== undefined) return nextNightAt(tables, booked);
  if (folder === READS_RAILS) return nextPassAt(tables);
  if (folder === READS_CUSTODIANS) return endOfLists(tables, quietFrom);
  const { table, shard, at, early, heldUntil = () => 0 } = sweepOf(folder);
  const due = (tables.get(table)?.items() ?? []).filter((item) => shard in item);
  const times = due.map((item) => Math.max(Date.parse(item[at]?.S ?? '') - early, heldUntil(tables, item)));
  // The sweep of deliveries also handles paused webhooks.
  const tended = table === 'deliveries' ? (tables.get('webhookHealth')?.items() ?? []) : [];
  times.push(...tended.flatMap(({ dueAt }) => (dueAt?.S === undefined ? [] : [Date.parse(dueAt.S)])));
  return Math.min(...times, Number.POSITIVE_INFINITY);
}

function sweepOf(folder: string): Sweep {
  const sweep = sweeps[folder];
  if (sweep === undefined) throw new Error(`Say in aws/idle-until.ts what functions/${folder} goes through.`);
  return sweep;
}

/** An active webhook gets nothing while its circuit is open; every change of its configuration closes the circuit. */
function endOfOpenCircuit(tables: Engine['tables'], { webhookId }: Item): number {
  const of = (table: TableName) =>
    tables
      .get(table)
      ?.items()
      .find((item) => item['webhookId']?.S === webhookId?.S);
  const [webhook, health] = [of('webhooks'), of('webhookHealth')];
  const isJudged = Number(health?.['configuration']?.N) >= Number(webhook?.['sequence']?.N);
  if (webhook?.['status']?.BOOL !== true || !isJudged) return 0;
  return Date.parse(health?.['parkedUntil']?.S ?? '1970-01-01T00:00:00Z');
}
