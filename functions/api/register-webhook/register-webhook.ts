import { describeWebhook } from '#shared/contracts/webhook-answer.ts';
import type { registerWebhook as contract } from '#shared/contracts/webhook-management.ts';
import { Refusal } from '#shared/domain/refusal.ts';
import type { Webhook } from '#shared/domain/webhook.ts';
import { retryOnConflict } from '#shared/dynamodb/retry-on-conflict.ts';
import type { FindUser } from '#shared/dynamodb/users.ts';
import type { CreateWebhook } from '#shared/dynamodb/write-webhook.ts';
import { refuseUnacceptableUrl } from '#shared/http/acceptable-url.ts';
import { refuseOtherClient } from '#shared/http/owned-webhook.ts';
import type { UseCase } from '#shared/http/use-case.ts';
import type { Clock } from '#shared/runtime/clock.ts';
import type { GuardTarget } from '#shared/webhooks/target-guard.ts';
import type { IssueSecret } from '#shared/webhooks/webhook-secret.ts';

interface Dependencies {
  readonly createWebhook: CreateWebhook;
  readonly findUser: FindUser;
  readonly guardTarget: GuardTarget;
  readonly issueSecret: IssueSecret;
  readonly clock: Clock;
  readonly newId: () => string;
}

/** The client's person has the client's own id (interface 2.2), so the webhook's userId is always an id. */
export function registerWebhook(deps: Dependencies): UseCase<typeof contract> {
  return async ({ clientId, path, body }) => {
    refuseOtherClient(clientId, path);
    const { url, process, method, userId = clientId } = body();
    if (userId !== clientId && (await deps.findUser(clientId, userId)) === undefined) {
      throw new Refusal('USER_NOT_FOUND');
    }
    await refuseUnacceptableUrl(deps.guardTarget, url);
    const webhookId = deps.newId();
    const { secret, sealed } = await deps.issueSecret(webhookId);
    const now = deps.clock.now().toISOString();
    const webhook: Webhook = {
      clientId,
      webhookId,
      userId,
      url,
      process,
      method,
      status: true,
      createdAt: now,
      activeSince: now,
      sequence: 1,
      secrets: [{ sealed }],
    };
    if (!(await retryOnConflict(deps.clock, () => deps.createWebhook(webhook)))) throw new Refusal('TOO_MANY_WEBHOOKS');
    return { body: { ...describeWebhook(webhook), secret }, ids: { webhookId } };
  };
}
