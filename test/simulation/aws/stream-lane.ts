import type { StreamConsumer } from '#test/simulation/topology/topology.ts';
import type { StreamRecord } from './dynamodb/change.ts';
import type { Host, Invoke } from './host.ts';
import { inLineage, NO_LINEAGE } from './lineage.ts';
import { standStill } from './stand-still.ts';

/** Probabilities. */
export interface StreamFaults {
  /** Lambda gives a batch to the function twice, at the same time or again afterwards. */
  readonly repeat: number;
  /** Nobody reads a shard for up to thirty hours, which is longer than it keeps records. */
  readonly standstill: number;
}

/** A record with its arrival in the stream, in milliseconds since 1970. */
export interface Entry {
  readonly record: StreamRecord;
  readonly at: number;
}

export type Batch = readonly Entry[];

/** Why Lambda gives up a batch. */
export type Discarded = 'RetryAttemptsExhausted' | 'RecordAgeExceeded';

interface Lost {
  /** Lambda gave up a batch after this many calls. */
  discard(batch: Batch, why: Discarded, calls: number): void;
  /** The stream dropped records that nobody read in time. */
  trim(batch: Batch): void;
}

const HOUR = 3600 * 1000;

/** Milliseconds for which a stream keeps a record. */
const KEPT = 24 * HOUR;

const LONGEST_STANDSTILL = 30 * HOUR;

/** The longest pause before a batch is retried, in seconds. */
const LONGEST_PAUSE = 60;

/**
 * A part of a stream that Lambda handles batch by batch: it has all records of its keys, in order. A failing batch
 * blocks only this part, until Lambda gives it up.
 */
export function createLane(
  host: Host,
  { folder, batchSize, bisects, retries, maxAgeSeconds }: StreamConsumer,
  invoke: Invoke,
  faults: StreamFaults,
  lost: Lost,
) {
  const { schedule, random } = host;
  const { clock } = schedule;
  const waiting: Entry[] = [];
  let isRead = false;

  const isOlderThan = (milliseconds: number) => {
    const now = clock.now().getTime();
    return ({ at }: Entry) => now - at > milliseconds;
  };

  async function read(): Promise<void> {
    while (waiting.length > 0) {
      await schedule.turn('REQUEST');
      await standStill(host, faults, LONGEST_STANDSTILL);
      const trimmed = waiting.filter(isOlderThan(KEPT));
      if (trimmed.length > 0) lost.trim(waiting.splice(0, trimmed.length));
      const batch = waiting.slice(0, 1 + random.below(batchSize));
      if (random.chance(faults.repeat / 2)) schedule.start(folder, () => handle(batch));
      await handle(batch);
      if (!random.chance(faults.repeat / 2)) waiting.splice(0, batch.length);
    }
    isRead = false;
  }

  /** Retries until the function succeeds, or Lambda gives up. */
  async function handle(batch: Batch, failures = 0, pause = 1): Promise<void> {
    const left = withoutOld(batch, failures);
    if (left.length === 0) return;
    const { state } = await inLineage(NO_LINEAGE, () => invoke(folder, { Records: left.map(({ record }) => record) }));
    if (state === 'DONE') return;
    // A throttled call did not reach the function, and is no attempt.
    const failed = state === 'THROTTLED' ? failures : failures + 1;
    if (failed > 0 && bisects && left.length > 1) return handleHalves(left);
    if (failed > retries) return lost.discard(left, 'RetryAttemptsExhausted', failed);
    await clock.sleep(pause * (0.5 + random.next()) * 1000);
    return handle(left, failed, Math.min(2 * pause, LONGEST_PAUSE));
  }

  /** Splitting a batch does not count as an attempt. */
  async function handleHalves(batch: Batch): Promise<void> {
    const half = Math.floor(batch.length / 2);
    await handle(batch.slice(0, half));
    await handle(batch.slice(half));
  }

  function withoutOld(batch: Batch, calls: number): Batch {
    const isOld = isOlderThan(maxAgeSeconds * 1000);
    const old = batch.filter(isOld);
    if (old.length === 0) return batch;
    lost.discard(old, 'RecordAgeExceeded', calls);
    return batch.filter((entry) => !isOld(entry));
  }

  return {
    add(entry: Entry): void {
      waiting.push(entry);
      if (isRead) return;
      isRead = true;
      schedule.start(folder, read);
    },
  };
}

export type Lane = ReturnType<typeof createLane>;
