import type { StreamConsumer } from '#test/simulation/topology/topology.ts';
import { ACCOUNT, REGION } from '#test/simulation/topology/values.ts';
import { type OnChange, streamRecord } from './dynamodb/change.ts';
import { compilePattern } from './event-pattern.ts';
import type { Host, Invoke } from './host.ts';
import type { Queues } from './queues.ts';
import { type Batch, createLane, type Discarded, type Lane, type StreamFaults } from './stream-lane.ts';

export interface StreamReader {
  /** Receives each change of any table. */
  readonly onChange: OnChange;
  /** The number of records that left the stream before anybody read them. */
  trimmed(): number;
}

/** Shards of a small table that is charged on demand. */
const MOST_SHARDS = 4;

/** A table's stream, with the function that Lambda calls for its records: in order per key, at least once. */
export function createStreamConsumer(
  host: Host,
  shape: StreamConsumer,
  invoke: Invoke,
  queues: Pick<Queues, 'send'>,
  faults: StreamFaults,
): StreamReader {
  const { schedule, random, trace } = host;
  const { clock } = schedule;
  const filters = shape.filters.map(compilePattern);
  const lanes: Lane[] = [];
  let [sequence, trimmed] = [0, 0];

  /** Sends a message that says where the records were, without their contents. */
  function discard(batch: Batch, condition: Discarded, calls: number, shard: number): void {
    const message = failureMessage(shape, batch, { condition, calls, shard, at: clock.now() });
    trace(() => `${shape.folder}: ${condition}, ${batch.length} records`);
    queues.send(shape.onFailure, JSON.stringify(message));
  }

  // AWS does not document the number of shards: with few, records share batches; with many, they overtake each other.
  const count = 1 + random.below(MOST_SHARDS * shape.parallelization);
  for (let index = 0; index < count; index += 1) {
    const lost = {
      discard: (...[batch, why, calls]: [Batch, Discarded, number]) => discard(batch, why, calls, index % MOST_SHARDS),
      trim(batch: Batch) {
        trimmed += batch.length;
        trace(() => `${shape.folder}: ${batch.length} records are gone`);
      },
    };
    lanes.push(createLane(host, shape, invoke, faults, lost));
  }

  return {
    trimmed: () => trimmed,
    onChange(change) {
      if (change.table !== shape.table) return;
      sequence += 1;
      const now = clock.now();
      const record = streamRecord(change, sequence, now);
      if (!filters.some((matches) => matches(record))) return;
      lanes[hash(JSON.stringify(change.key)) % count]?.add({ record, at: now.getTime() });
    },
  };
}

interface Failure {
  readonly condition: Discarded;
  readonly calls: number;
  readonly shard: number;
  readonly at: Date;
}

function failureMessage(
  { folder, table }: StreamConsumer,
  batch: Batch,
  { condition, calls, shard, at }: Failure,
): object {
  const [first, last] = [batch.at(0), batch.at(-1)];
  return {
    requestContext: {
      requestId: `${first?.record.eventID}`,
      functionArn: `arn:aws:lambda:${REGION}:${ACCOUNT}:function:${folder.replace('/', '-')}`,
      condition,
      approximateInvokeCount: calls,
    },
    responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' },
    version: '1.0',
    timestamp: at.toISOString(),
    DDBStreamBatchInfo: {
      shardId: `shardId-${String(shard).padStart(20, '0')}`,
      startSequenceNumber: first?.record.dynamodb.SequenceNumber,
      endSequenceNumber: last?.record.dynamodb.SequenceNumber,
      approximateArrivalOfFirstRecord: new Date(first?.at ?? 0).toISOString(),
      approximateArrivalOfLastRecord: new Date(last?.at ?? 0).toISOString(),
      batchSize: batch.length,
      streamArn: `arn:aws:dynamodb:${REGION}:${ACCOUNT}:table/${table}/stream/2026-01-01T00:00:00.000`,
    },
  };
}

/** Equal keys have equal hashes. */
function hash(text: string): number {
  let value = 7;
  for (let index = 0; index < text.length; index += 1) value = (Math.imul(value, 31) + text.charCodeAt(index)) >>> 0;
  return value;
}
