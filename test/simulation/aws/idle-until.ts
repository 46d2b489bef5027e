import type { TableName } from '#infra/platform/table-shapes.ts';
import type { Engine } from './dynamodb/engine.ts';

const MINUTE = 60_000;

/** What a sweep goes through, and how many milliseconds before (with a minus, after) its time it takes an entry. */
interface Sweep {
  readonly table: TableName;
  /** The attribute that an item has as long as it is in the index. */
  readonly shard: string;
  readonly at: string;
  readonly early: number;
}

const sweeps: Readonly<Record<string, Sweep>> = {
  'off-ramps/restart-lost-verifications': {
    table: 'operations',
    shard: 'dueShard',
    at: 'nextCheckAt',
    early: -3 * MINUTE,
  },
  'off-ramps/release-due-deposits': { table: 'deposits', shard: 'dueShard', at: 'dueAt', early: MINUTE },
  'pay-ins/settle-open-payins': { table: 'payins', shard: 'dueShard', at: 'nextPollAt', early: 0 },
  'events/publish-overdue-changes': { table: 'events', shard: 'unpublishedIn', at: 'occurredAt', early: -MINUTE },
  'webhooks/release-due-deliveries': { table: 'deliveries', shard: 'dueShard', at: 'dueAt', early: 1.5 * MINUTE },
};

/** Until when a sweep would find nothing as things are, in milliseconds since 1970: for ever, when nothing is due at any time. */
export function idleUntil({ tables }: Engine, folder: string): number {
  const sweep = sweeps[folder];
  if (sweep === undefined) throw new Error(`Say in aws/idle-until.ts what functions/${folder} goes through.`);
  const { table, shard, at, early } = sweep;
  const items = tables.get(table)?.items() ?? [];
  const times = items.map((item) => (shard in item ? Date.parse(item[at]?.S ?? '') - early : Number.POSITIVE_INFINITY));
  return Math.min(...times, Number.POSITIVE_INFINITY);
}
