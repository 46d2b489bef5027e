import * as z from 'zod/mini';
import type { AwsInMemory, Deployed } from '#test/simulation/aws/aws-in-memory.ts';
import type { Remains } from '#test/simulation/books/remains.ts';
import type { Terms } from '#test/simulation/books/written.ts';

const shares = z.object({
  first: z.object({ perClient: z.int(), perWebhook: z.int() }),
  retries: z.object({ perClient: z.int(), perWebhook: z.int() }),
});

/** Returns the delivery slots of a client and of a webhook, as set for the deliver function. */
export function sharesOf({ topology }: Deployed): z.infer<typeof shares> {
  const deliver = topology.functions.find(({ folder }) => folder === 'webhooks/deliver-webhook');
  return shares.parse(JSON.parse(deliver?.environment['DELIVERY_SHARES'] ?? ''));
}

const amounts = z.record(z.string(), z.string());

/** Returns the return settings of the operators' function. */
export function termsOf({ topology }: Deployed): Terms {
  const operate = topology.functions.find(({ folder }) => folder === 'off-ramps/operate-off-ramps');
  const of = (name: string) => amounts.parse(JSON.parse(operate?.environment[name] ?? ''));
  return { fees: of('RETURN_FEES'), onePersonUpTo: of('ONE_PERSON_UP_TO') };
}

/** Returns what is left when a round is over. */
export function remainsOf(
  { executions, queues, bus }: AwsInMemory,
  { topology }: Deployed,
): Omit<Remains, 'tablesRefused'> {
  const names = topology.queueConsumers.map(({ queue }) => queue);
  return {
    executions: [...executions.all.values()],
    messages: new Map(names.map((name) => [name, queues.messages(name)])),
    undelivered: bus.undelivered,
    stopped: queues.stopped(),
    deadLetters: new Map(names.map((name) => [name, queues.deadLetters(name)])),
  };
}
