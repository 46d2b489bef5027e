import { describeWebhook } from '#shared/contracts/webhook-answer.ts';
import type { rotateWebhookSecret as contract } from '#shared/contracts/webhook-management.ts';
import { rotatedSecrets } from '#shared/domain/webhook.ts';
import { retryOnConflict } from '#shared/dynamodb/retry-on-conflict.ts';
import type { Webhooks } from '#shared/dynamodb/webhooks.ts';
import type { ChangeWebhook } from '#shared/dynamodb/write-webhook.ts';
import { ownedWebhook } from '#shared/http/owned-webhook.ts';
import type { UseCase } from '#shared/http/use-case.ts';
import type { Clock } from '#shared/runtime/clock.ts';
import type { IssueSecret } from '#shared/webhooks/webhook-secret.ts';

interface Dependencies {
  readonly webhooks: Pick<Webhooks, 'find'>;
  readonly changeWebhook: ChangeWebhook;
  readonly issueSecret: IssueSecret;
  readonly clock: Clock;
}

/** A secret that loses the write is thrown away: nobody has seen it. */
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
