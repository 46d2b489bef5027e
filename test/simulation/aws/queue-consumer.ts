import type { QueueConsumer } from '#test/simulation/topology/topology.ts';
import { ACCOUNT, REGION } from '#test/simulation/topology/values.ts';
import { failedIn } from './batch-failures.ts';
import type { Host, Invocation, Invoke } from './host.ts';
import { inLineage, type Lineage, LONGEST_CHAIN, lengthened } from './lineage.ts';
import type { Queue } from './queue.ts';
import type { Batch, Received } from './queue-messages.ts';
import { standStill } from './stand-still.ts';

/** Probabilities. */
export interface ConsumerFaults {
  /** SQS refuses a request, and Lambda repeats it. */
  readonly refusal: number;
  /** Nobody reads the queue, for up to twelve hours. */
  readonly standstill: number;
}

/** The longest pause before a throttled call is retried, in seconds. */
const LONGEST_PAUSE = 60;

/** The longest pause before SQS is asked again, in seconds. */
const LONGEST_POLL = 20;

/** Milliseconds. */
const LONGEST_STANDSTILL = 12 * 3600 * 1000;

export interface QueueWorker {
  readonly folder: string;
  /** How often AWS has stopped the function because it called itself. */
  stops(): number;
}

/**
 * An event source mapping: receives messages once they are visible, in batches of any size up to the largest, with
 * limited concurrency. It deletes what the function has handled; the rest becomes visible again.
 */
export function consumeQueue(
  host: Host,
  { folder, allowsRecursion, batchSize, maxConcurrency }: QueueConsumer,
  visibilitySeconds: number,
  queue: Queue,
  invoke: Invoke,
  faults: ConsumerFaults,
): QueueWorker {
  const { schedule, random, trace } = host;
  const { clock } = schedule;
  let stops = 0;
  /** Polls that are about to receive. */
  let polls = 0;
  let calls = 0;

  function poll(): void {
    if (polls >= queue.visible() || polls + calls >= maxConcurrency) return;
    polls += 1;
    schedule.start(queue.name, async () => {
      await schedule.turn('REQUEST');
      await standStill(host, faults, LONGEST_STANDSTILL);
      await untilSqsAnswers();
      polls -= 1;
      const batch = queue.receive(1 + random.below(batchSize));
      calls += 1;
      if (batch !== undefined) await handle(batch);
      calls -= 1;
      poll();
    });
  }

  async function untilSqsAnswers(): Promise<void> {
    for (let pause = 1; random.chance(faults.refusal); pause = Math.min(2 * pause, LONGEST_POLL)) {
      await clock.sleep(pause * random.next() * 1000);
    }
  }

  async function handle(batch: Batch): Promise<void> {
    const messages = batch.received.map(({ message }) => message);
    const lineages = messages.map(({ lineage }) => lineage);
    const lineage = lengthened(lineages, folder);
    if (!allowsRecursion && (lineage.get(folder) ?? 0) > LONGEST_CHAIN) {
      trace(() => `${folder} is stopped: it calls itself`);
      stops += 1;
      messages.forEach(queue.reject);
      return batch.close();
    }
    const outcome = await called(batch, lineage);
    if (outcome.state !== 'DONE') return;
    await untilSqsAnswers();
    const ids = messages.map(({ id }) => id);
    const failed = failedIn(outcome.value, ids);
    for (const received of batch.received) {
      if (!failed.has(received.message.id)) queue.delete(batch, received);
    }
  }

  /** Retries a throttled call while the messages are invisible to others. */
  async function called(batch: Batch, lineage: Lineage): Promise<Invocation> {
    const givenBackAt = clock.now().getTime() + visibilitySeconds * 1000;
    for (let tries = 0; ; tries += 1) {
      const outcome = await inLineage(lineage, () => invoke(folder, eventOf(queue.name, batch.received)));
      if (outcome.state !== 'THROTTLED') return outcome;
      const pause = random.next() * Math.min(LONGEST_PAUSE, 2 ** tries) * 1000;
      if (clock.now().getTime() + pause >= givenBackAt) return outcome;
      await clock.sleep(pause);
    }
  }

  queue.onVisible(poll);
  return { folder, stops: () => stops };
}

/** Returns the function's event. */
function eventOf(queueName: string, received: readonly Received[]): object {
  return {
    Records: received.map(({ message: { id, body, sentAt }, receipt }) => ({
      messageId: id,
      receiptHandle: `${id} ${receipt}`,
      body,
      attributes: { ApproximateReceiveCount: String(receipt), SentTimestamp: String(sentAt) },
      messageAttributes: {},
      eventSource: 'aws:sqs',
      eventSourceARN: `arn:aws:sqs:${REGION}:${ACCOUNT}:${queueName}`,
      awsRegion: REGION,
    })),
  };
}
