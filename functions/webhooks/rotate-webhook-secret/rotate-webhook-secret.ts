import type { Clock } from '#shared/platform/clock.ts';
import { retryOnConflict } from '#shared/platform/dynamodb/retry-on-conflict.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';
import { ownedWebhook } from '#shared/webhooks/owned-webhook.ts';
import { rotatedSecrets } from '#shared/webhooks/webhook.ts';
import { describeWebhook } from '#shared/webhooks/webhook-answer.ts';
import type { rotateWebhookSecret as contract } from '#shared/webhooks/webhook-contract.ts';
import type { IssueSecret } from '#shared/webhooks/webhook-secret.ts';
import type { ChangeWebhook, Webhooks } from '#shared/webhooks/webhook-store.ts';

interface Dependencies {
  readonly webhooks: Pick<Webhooks, 'find'>;
  readonly changeWebhook: ChangeWebhook;
  readonly issueSecret: IssueSecret;
  readonly clock: Clock;
}

/** A secret whose write lost is dropped: nobody has seen it. */
export function rotateWebhookSecret({
  webhooks,
  changeWebhook,
  issueSecret,
  clock,
}: Dependencies): UseCase<typeof contract> {
  return ({ clientId, path }) =>
    retryOnConflict(clock, async () => {
      const webhook = await ownedWebhook(webhooks, clientId, path);
      const { secret, sealed } = await issueSecret(webhook.webhookId);
      const secrets = rotatedSecrets(webhook.secrets, sealed, clock.now());
      return { body: { ...describeWebhook(await changeWebhook(webhook, { secrets })), secret } };
    });
}
