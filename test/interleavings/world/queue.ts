import type { Random } from '#test/simulation/kernel/random.ts';
import type { Schedule } from '#test/simulation/kernel/schedule.ts';

/** One function that takes messages from the queue, as its event source mapping is set. */
export interface Consumer {
  readonly name: string;
  readonly limitSeconds: number;
  readonly visibilitySeconds: number;
  readonly maxReceives: number;
  /** The function's handler. */
  handle(event: unknown): Promise<{ readonly batchItemFailures: readonly unknown[] }>;
}

export interface Queue {
  send(body: string, delaySeconds: number): void;
  /** Messages that nobody could handle. */
  readonly deadLetters: readonly string[];
}

const SOON = 0.2;

/** A standard queue: everything at least once, in no order, again after its time when it was not handled. */
export function createQueue(schedule: Schedule, random: Random, duplicate: number, consumer: Consumer): Queue {
  const deadLetters: string[] = [];
  let sent = 0;

  async function handedOut(body: string, messageId: string): Promise<void> {
    for (let receives = 1; receives <= consumer.maxReceives; receives += 1) {
      const Records = [{ messageId, body, eventSourceARN: `arn:aws:sqs:::${consumer.name}` }];
      const outcome = await schedule.invoke(consumer.name, consumer.limitSeconds, () => consumer.handle({ Records }));
      if (outcome.state === 'THREW') schedule.fail(outcome.error);
      if (outcome.state === 'DONE' && outcome.value.batchItemFailures.length === 0) return;
      await schedule.clock.sleep(consumer.visibilitySeconds * 1000);
    }
    deadLetters.push(body);
  }

  return {
    deadLetters,
    send(body, delaySeconds) {
      sent += 1;
      const messageId = `${consumer.name} ${sent}`;
      for (let copies = random.chance(duplicate) ? 2 : 1; copies > 0; copies -= 1) {
        schedule.start(messageId, async () => {
          await schedule.clock.sleep((delaySeconds + random.next() * SOON) * 1000);
          await handedOut(body, messageId);
        });
      }
    },
  };
}
