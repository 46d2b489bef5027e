import { ApiError, invalid } from '#shared/platform/http/api-error.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { authorityOf, id, isUri } from '#shared/platform/http/fields.ts';
import { describe, log } from '#shared/platform/logger.ts';
import { webhookErrors } from '#shared/webhooks/contract/webhook-errors.ts';
import { BlockedUrl, type GuardTarget } from '#shared/webhooks/http-client/ssrf-guard.ts';
import { type Delivery, delivery } from '#shared/webhooks/model/delivery.ts';
import type { Webhook } from '#shared/webhooks/model/webhook.ts';
import type { Deliveries } from './delivery-repository.ts';
import type { WebhookHealths } from './webhook-health-repository.ts';
import { TooManyWebhooks, type Webhooks } from './webhook-repository.ts';

interface ClientPath {
  readonly clientId: string;
}

/** Only the client in the path may use it (decisions.md 1). @throws {ApiError} FORBIDDEN */
export function refuseOtherClient(clientId: string, path: ClientPath): void {
  if (path.clientId !== clientId) throw new ApiError(apiErrors.FORBIDDEN);
}

/**
 * Returns the webhook that a path names, if it belongs to the calling client.
 *
 * @throws {ApiError} FORBIDDEN, WEBHOOK_NOT_FOUND
 */
export async function findOwnedWebhook(
  webhooks: Pick<Webhooks, 'find'>,
  clientId: string,
  path: ClientPath & { readonly webhook_id: string },
): Promise<Webhook> {
  refuseOtherClient(clientId, path);
  const webhookId = id.safeParse(path.webhook_id);
  const webhook = webhookId.success ? await webhooks.find(clientId, webhookId.data) : undefined;
  if (webhook === undefined) throw new ApiError(webhookErrors.WEBHOOK_NOT_FOUND);
  return webhook;
}

/** @throws {ApiError} TOO_MANY_WEBHOOKS when the write failed for this reason */
export async function refuseTooManyWebhooks<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (!(error instanceof TooManyWebhooks)) throw error;
    throw new ApiError(webhookErrors.TOO_MANY_WEBHOOKS, { detail: error.message, cause: error });
  }
}

/** Finds a delivery by the id that a client gave, if it belongs to the webhook. */
export async function findDeliveryOfWebhook(
  deliveries: Pick<Deliveries, 'find'>,
  { webhookId }: Webhook,
  givenId: string,
  now: Date,
): Promise<Delivery | undefined> {
  const id = delivery.shape.deliveryId.safeParse(givenId);
  const found = id.success ? await deliveries.find(id.data, now) : undefined;
  return found?.webhookId === webhookId ? found : undefined;
}

/** Refuses the `url` of a body if a webhook may not point to it. @throws {ApiError} VALIDATION_FAILED */
export async function refuseUnacceptableUrl(guardUrl: GuardTarget, url: string): Promise<void> {
  // Checked before the guard, which queries DNS. The guard has its own message for a text that is no URL at all.
  if (authorityOf(url) !== undefined && !isUri(url)) {
    throw invalid({ path: 'body.url', code: 'INVALID_FORMAT', message: NOT_A_URI });
  }
  try {
    await guardUrl(url);
  } catch (error) {
    if (!(error instanceof BlockedUrl)) throw error;
    throw invalid({ path: 'body.url', code: error.fault, message: error.message });
  }
}

const NOT_A_URI =
  'must be a URI by RFC 3986: other characters are percent-encoded, and a host with them is in Punycode';

/**
 * Ends the pause of a webhook that its client has just changed, so that missed events are sent soon. A failure is only
 * logged, because the change is already saved: the sweep then ends the pause within half an hour.
 */
export async function endPause(health: Pick<WebhookHealths, 'applyChange'>, changed: Webhook): Promise<void> {
  try {
    await health.applyChange(changed);
  } catch (error) {
    log.warn('PAUSE_NOT_ENDED', { webhookId: changed.webhookId, cause: describe(error) });
  }
}
