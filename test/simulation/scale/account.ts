import { stageNamed } from '#infra/stage/stages.ts';
import { type TableName, tableShapes } from '#infra/stage/table-shapes.ts';
import { shardOf, shards } from '#shared/platform/dynamodb/index-entries.ts';
import { type Bound, type Kind, type Load, SHARES } from './load.ts';

/** Default quotas of AWS for an account in us-east-1, per second or at once. */
const quotas = {
  concurrentCalls: 1000,
  transitions: 5000,
  transitionsElsewhere: 800,
  starts: 300,
  startsElsewhere: 150,
  openExecutions: 1_000_000,
  /** Write units of one key of a table or an index, per second. */
  partition: 1000,
  table: 40_000,
  entriesOfBus: 10_000,
  requests: 10_000,
};

const { windowSeconds } = stageNamed('prod');

/** Returns the bounds of the account and of the tables. */
export function boundsOfAccount({ units, busySeconds }: Load): readonly Bound[] {
  const kinds = ['off-ramps', 'pay-ins'] as const;
  const transitions = units('off-ramps', 'transition');
  const reports = units('off-ramps', 'call off-ramps/submit-offramp-hash');
  return [
    ...kinds.flatMap((kind) => [
      {
        kind,
        what: `${quotas.concurrentCalls.toLocaleString('en-US')} concurrent calls of Lambda`,
        holds: quotas.concurrentCalls / busySeconds(kind),
        change: 'ask AWS for more; reservedConcurrency shares them out',
      },
      tightest(kind, units),
    ]),
    {
      kind: 'off-ramps',
      what: `${quotas.transitions.toLocaleString('en-US')} transitions of executions a second in us-east-1, ${transitions.toFixed(1)} each`,
      holds: quotas.transitions / transitions,
      change: 'ask AWS for more StateTransition',
    },
    {
      kind: 'off-ramps',
      what: `${quotas.transitionsElsewhere} transitions a second in most other regions`,
      holds: quotas.transitionsElsewhere / transitions,
      change: 'ask AWS for more StateTransition',
    },
    {
      kind: 'off-ramps',
      what: `${quotas.starts} starts of executions a second in us-east-1, one for each reported hash`,
      holds: quotas.starts / reports,
      change: 'ask AWS for more StartExecution',
    },
    {
      kind: 'off-ramps',
      what: `${quotas.startsElsewhere} starts of executions a second in most other regions`,
      holds: quotas.startsElsewhere / reports,
      change: 'ask AWS for more StartExecution',
    },
    {
      kind: 'off-ramps',
      what: `${quotas.openExecutions.toLocaleString('en-US')} open executions: a hash that is never found has one for its window`,
      holds: quotas.openExecutions / (SHARES['off-ramps'].neverFound * windowSeconds),
      change: 'ask AWS for more open executions',
    },
    {
      kind: 'off-ramps',
      what: `${quotas.requests.toLocaleString('en-US')} requests of API Gateway a second`,
      holds: quotas.requests / units('off-ramps', 'apiRequest'),
      change: 'ask AWS for a higher throttle rate',
    },
    {
      kind: 'off-ramps',
      what: `${quotas.entriesOfBus.toLocaleString('en-US')} events on the bus a second`,
      holds: quotas.entriesOfBus / units('off-ramps', 'event'),
      change: 'ask AWS for more PutEvents',
    },
  ];
}

/** Indexes whose keys all clients share, with the share of writes that the fullest key gets. */
const sharedKeys: readonly (readonly [table: TableName, index: string, share: number])[] = [
  ['events', 'unpublished', fullestShard('UNPUBLISHED')],
  ['deposits', 'due', fullestShard('DEPOSIT')],
  ['operations', 'pending', fullestShard('PENDING')],
  ['payins', 'completed', fullestShard('COMPLETED')],
  ['deposits', 'byDay', 1],
];

/** Returns the bound of the index key or table that is exhausted first. */
function tightest(kind: Kind, units: Load['units']): Bound {
  const keys = sharedKeys.map(([table, index, share]) => ({
    what: `${quotas.partition.toLocaleString('en-US')} writes a second of one key of ${table}.${index}`,
    holds: quotas.partition / (units(kind, `index ${table}.${index}`) * share),
    change: 'SHARDS of index-entries.ts, or the day of byDay in parts',
  }));
  const tables = Object.keys(tableShapes).map((table) => ({
    what: `${quotas.table.toLocaleString('en-US')} writes a second of the table ${table}`,
    holds: quotas.table / units(kind, `write ${table}`),
    change: 'ask AWS for more write units of a table',
  }));
  const [first] = [...keys, ...tables].toSorted((one, other) => one.holds - other.holds);
  if (first === undefined) throw new Error('There is no table.');
  return { kind, ...first };
}

/** Returns the share of ids in the fullest shard. Counts all id endings, which decide the shard. */
function fullestShard(kind: string): number {
  const counts = new Map(shards(kind).map((shard) => [shard, 0]));
  for (let end = 0; end < 0x10000; end += 1) {
    const shard = shardOf(kind, end.toString(16).padStart(4, '0'));
    counts.set(shard, (counts.get(shard) ?? 0) + 1);
  }
  return Math.max(...counts.values()) / 0x10000;
}
