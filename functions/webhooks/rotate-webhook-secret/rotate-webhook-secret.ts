import type { Clock } from '#shared/platform/clock.ts';
import { retryOnOwnConflict } from '#shared/platform/http/own-conflict.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';
import { describeWebhook, type rotateWebhookSecretContract } from '#shared/webhooks/contract/webhook-contract.ts';
import type { IssueSecret } from '#shared/webhooks/http-client/send-event.ts';
import { rotatedSecrets } from '#shared/webhooks/model/webhook.ts';
import { endPause, findOwnedWebhook } from '#shared/webhooks/store/owned-webhook.ts';
import type { WebhookHealths } from '#shared/webhooks/store/webhook-health-repository.ts';
import type { ChangeWebhook, Webhooks } from '#shared/webhooks/store/webhook-repository.ts';

interface Dependencies {
  readonly webhooks: Pick<Webhooks, 'find'>;
  readonly changeWebhook: ChangeWebhook;
  readonly health: Pick<WebhookHealths, 'applyChange'>;
  readonly issueSecret: IssueSecret;
  readonly clock: Clock;
}

/** Creates the secret before the write and its retries, because each secret costs a call of KMS. */
export function rotateWebhookSecret({
  webhooks,
  changeWebhook,
  health,
  issueSecret,
  clock,
}: Dependencies): UseCase<typeof rotateWebhookSecretContract> {
  return async ({ clientId, path }) => {
    const owned = () => findOwnedWebhook(webhooks, clientId, path);
    const { secret, ciphertext } = await issueSecret((await owned()).webhookId);
    return retryOnOwnConflict(clock, async () => {
      const webhook = await owned();
      const secrets = rotatedSecrets(webhook.secrets, ciphertext, clock.now());
      const changed = await changeWebhook(webhook, { secrets });
      await endPause(health, changed);
      return { body: { ...describeWebhook(changed), secret } };
    });
  };
}
