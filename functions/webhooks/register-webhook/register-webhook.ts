import type * as z from 'zod/mini';
import { clientErrors } from '#shared/clients/client-errors.ts';
import type { FindUser } from '#shared/clients/user-repository.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';
import { retryOnOwnConflict } from '#shared/platform/http/own-conflict.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';
import { describeWebhook, type registerWebhookContract } from '#shared/webhooks/contract/webhook-contract.ts';
import type { IssueSecret } from '#shared/webhooks/http-client/send-event.ts';
import type { GuardTarget } from '#shared/webhooks/http-client/ssrf-guard.ts';
import type { Webhook } from '#shared/webhooks/model/webhook.ts';
import {
  refuseOtherClient,
  refuseTooManyWebhooks,
  refuseUnacceptableUrl,
} from '#shared/webhooks/store/owned-webhook.ts';
import type { CreateWebhook } from '#shared/webhooks/store/webhook-repository.ts';

type Body = z.infer<typeof registerWebhookContract.body>;

interface Dependencies {
  readonly createWebhook: CreateWebhook;
  readonly findUser: FindUser;
  readonly guardUrl: GuardTarget;
  readonly issueSecret: IssueSecret;
  readonly clock: Clock;
  readonly newId: () => string;
}

/** The default `userId` is the client's own id, which is also the id of the client's person (interface 2.2). */
export function registerWebhook(deps: Dependencies): UseCase<typeof registerWebhookContract> {
  return async ({ clientId, path, body }) => {
    refuseOtherClient(clientId, path);
    const given = body();
    const { url, userId = clientId } = given;
    // Every field of the request is a field of the webhook: any other does not compile.
    const sent: Pick<Webhook, keyof Body> = { ...given, userId };
    if (userId !== clientId && (await deps.findUser(clientId, userId)) === undefined) {
      throw new ApiError(clientErrors.USER_NOT_FOUND);
    }
    await refuseUnacceptableUrl(deps.guardUrl, url);
    const webhookId = deps.newId();
    const { secret, ciphertext } = await deps.issueSecret(webhookId);
    const now = deps.clock.now().toISOString();
    const webhook: Webhook = {
      ...sent,
      clientId,
      webhookId,
      status: true,
      createdAt: now,
      activeSince: now,
      sequence: 1,
      secrets: [{ ciphertext }],
    };
    await refuseTooManyWebhooks(retryOnOwnConflict(deps.clock, () => deps.createWebhook(webhook)));
    return { body: { ...describeWebhook(webhook), secret }, ids: { webhookId } };
  };
}
