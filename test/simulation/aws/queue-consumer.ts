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
  /** SQS refuses a request: Lambda asks again. */
  readonly refusal: number;
  /** Nobody looks into the queue for up to twelve hours. */
  readonly standstill: number;
}

/** Seconds before a throttled call is tried again, at most. */
const LONGEST_PAUSE = 60;

/** Seconds before SQS is asked again, at most. */
const LONGEST_POLL = 20;

/** Milliseconds. */
const LONGEST_STANDSTILL = 12 * 3600 * 1000;

export interface QueueWorker {
  readonly folder: string;
  /** How often AWS has stopped the function, because it called itself. */
  stops(): number;
}

/**
 * An event source mapping: takes messages as soon as they can be received, in batches of any size up to the largest,
 * with so many calls at the same time. It deletes what the function has handled, and leaves the rest to come back.
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
  /** About to receive. */
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

  /** A throttled call is repeated for as long as nobody else can receive the messages. */
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

/** What the function is given. */
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
