import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { inject } from 'vitest';
import type { DemoClient } from '#infra/cli/local-outputs.ts';
import { systemClock } from '#shared/platform/clock.ts';
import { createWebhookHealthRepository } from '#shared/webhooks/store/webhook-health-repository.ts';
import { createWebhookRepository } from '#shared/webhooks/store/webhook-repository.ts';
import { REFUSED_CALL } from './call-summaries.ts';
import type { Subscription } from './webhook-subscriber.ts';

/** Makes a webhook of the deployed stack fail at these times, one after the other: no test can wait that long. */
export async function failsAt(
  dynamo: DynamoDBDocumentClient,
  { clientId }: DemoClient,
  { webhookId }: Subscription,
  times: readonly number[],
): Promise<void> {
  const stack = inject('stack');
  const webhook = await createWebhookRepository(dynamo, stack['webhooksTable'] ?? '').find(clientId, webhookId);
  if (webhook === undefined) throw new Error('The webhook is not in the table.');
  for (const at of times) {
    const clock = { ...systemClock, now: () => new Date(at) };
    const health = createWebhookHealthRepository(dynamo, stack['webhookHealthTable'] ?? '', clock);
    await health.requestAttempt(webhook, `call ${at}`, false);
    await health.recordResult(webhook, `call ${at}`, REFUSED_CALL);
  }
}
