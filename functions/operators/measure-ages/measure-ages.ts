import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { ListClientIds } from '#shared/clients/client-directory.ts';
import type { MeasuredIndex } from '#shared/operators/measured-ages.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { inGroups } from '#shared/platform/collections.ts';
import { latestTakeoverAt } from '#shared/platform/dynamodb/due-queue.ts';
import { readFirstEntries } from '#shared/platform/dynamodb/index-entries.ts';
import { describe, type Gauges, log } from '#shared/platform/logger.ts';

interface Dependencies {
  readonly dynamo: DynamoDBDocumentClient;
  readonly tables: Readonly<Record<MeasuredIndex['table'], string>>;
  readonly indexes: readonly MeasuredIndex[];
  readonly listClientIds: ListClientIds;
  readonly clock: Clock;
}

/** Most overdue entries read of a shard whose first entry need not be the oldest. */
const MOST_OF_SHARD = 100;

/** Shards read at a time: as many as the SDK has connections. */
const AT_ONCE = 50;

const MOST_COUNTED = 1000;

/** Reads only the first entries of each index, or those of the next half hour. An unreadable index does not stop the others. */
export function measureAges(deps: Dependencies) {
  return async (): Promise<Gauges> => {
    const clientIds = deps.listClientIds();
    const gauges = await Promise.all(deps.indexes.map((measured) => measureOrReport(deps, measured, clientIds)));
    return Object.fromEntries(gauges.flat());
  };
}

const entrySchema = z.record(z.string(), z.unknown());
type Entry = z.infer<typeof entrySchema>;

type Gauge = readonly [metric: string, value: number];

async function measureOrReport(
  deps: Dependencies,
  measured: MeasuredIndex,
  clientIds: ReturnType<ListClientIds>,
): Promise<readonly Gauge[]> {
  try {
    const shards = typeof measured.shards === 'function' ? measured.shards(await clientIds) : measured.shards;
    return await measure(deps, measured, shards);
  } catch (error) {
    log.error('AGE_NOT_MEASURED', { metric: measured.age, cause: describe(error) });
    return [];
  }
}

async function measure(
  { dynamo, tables, clock }: Dependencies,
  measured: MeasuredIndex,
  shards: readonly string[],
): Promise<readonly Gauge[]> {
  const { age, number, table, index, shard, at, since = at, unless = [] } = measured;
  const most = number === undefined ? (since === at ? 1 : MOST_OF_SHARD) : MOST_COUNTED;
  const now = clock.now();
  const ofShard = (name: string) =>
    readFirstEntries(dynamo, tables[table], entrySchema, {
      index,
      condition: `${shard} = :shard`,
      values: { ':shard': name },
      most,
      // An overdue entry may be behind any number of entries that are not overdue.
      ...(since !== at && {
        condition: `${shard} = :shard AND ${at} <= :by`,
        filter: `${since} < :now`,
        values: { ':shard': name, ':by': latestTakeoverAt(now), ':now': now.toISOString() },
      }),
    });
  const found: Entry[] = [];
  for await (const group of inGroups(shards, AT_ONCE)) {
    found.push(...(await Promise.all(group.map(ofShard))).flat());
  }
  const entries = found.filter((entry) => !unless.some((attribute) => attribute in entry));
  const times = entries.map((entry) => Date.parse(z.string().parse(entry[since])));
  const waited = Math.max(0, ...times.map((time) => (now.getTime() - time) / 1000));
  const oldest: Gauge = [age, Math.round(waited)];
  return number === undefined ? [oldest] : [oldest, [number, entries.length]];
}
