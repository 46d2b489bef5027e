import type { StreamConsumer } from '#test/simulation/topology/topology.ts';
import type { StreamRecord } from './dynamodb/change.ts';
import type { Host, Invoke } from './host.ts';
import { inLineage, NO_LINEAGE } from './lineage.ts';
import { standStill } from './stand-still.ts';

/** Probabilities. */
export interface StreamFaults {
  /** Lambda forgets that it gave a batch to the function, before the function is done with it or after: it comes again. */
  readonly repeat: number;
  /** Nobody reads a part of the stream, for up to thirty hours: longer than it is kept. */
  readonly standstill: number;
}

/** A record, and when it came into the stream, in milliseconds since 1970. */
export interface Entry {
  readonly record: StreamRecord;
  readonly at: number;
}

export type Batch = readonly Entry[];

/** Why Lambda gives a batch up. */
export type Discarded = 'RetryAttemptsExhausted' | 'RecordAgeExceeded';

interface Lost {
  /** Lambda gave a batch up after so many calls. */
  discard(batch: Batch, why: Discarded, calls: number): void;
  /** The stream has no longer what nobody read in time. */
  trim(batch: Batch): void;
}

const HOUR = 3600 * 1000;

/** Milliseconds for which a stream keeps a record. */
const KEPT = 24 * HOUR;

const LONGEST_STANDSTILL = 30 * HOUR;

/** Seconds before a batch is tried again, at most. */
const LONGEST_PAUSE = 60;

/**
 * The part of a stream of which Lambda handles one batch after another: the records of a key are all in it, in their
 * order. What cannot be handled holds up this part alone, and that only until Lambda gives it up.
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

  /** Until the function is done with it, or Lambda gives it up. */
  async function handle(batch: Batch, failures = 0, pause = 1): Promise<void> {
    const left = withoutOld(batch, failures);
    if (left.length === 0) return;
    const { state } = await inLineage(NO_LINEAGE, () => invoke(folder, { Records: left.map(({ record }) => record) }));
    if (state === 'DONE') return;
    // A call that did not reach the function is none of the tries.
    const failed = state === 'THROTTLED' ? failures : failures + 1;
    if (failed > 0 && bisects && left.length > 1) return handleHalves(left);
    if (failed > retries) return lost.discard(left, 'RetryAttemptsExhausted', failed);
    await clock.sleep(pause * (0.5 + random.next()) * 1000);
    return handle(left, failed, Math.min(2 * pause, LONGEST_PAUSE));
  }

  /** To split a batch is none of its tries. */
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
