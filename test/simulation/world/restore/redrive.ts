import type { AwsInMemory } from '#test/simulation/aws/aws-in-memory.ts';
import { maybeText, text } from '#test/simulation/books/items.ts';
import type { Console } from '#test/simulation/world/operators/console.ts';

/** Milliseconds before the restored second: events of that time may have been published after it. */
const EARLIER = 24 * 3600_000;

/** Sends each active webhook the events that it has missed: a restore undoes deliveries, but no events. */
export async function redriveAll(aws: Pick<AwsInMemory, 'engine'>, operator: Console, to: number): Promise<void> {
  const since = new Date(to - EARLIER).toISOString();
  for (const webhook of aws.engine.tables.get('webhooks')?.items() ?? []) {
    if (webhook['status']?.BOOL !== true || maybeText(webhook, 'webhookId') === undefined) continue;
    const about = { clientId: text(webhook, 'clientId'), webhookId: text(webhook, 'webhookId') };
    await operator.change('redrive-deliveries', { ...about, since });
  }
}
