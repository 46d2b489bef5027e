import { ApiError } from '#shared/platform/http/api-error.ts';
import { id } from '#shared/platform/http/fields.ts';
import type { Webhook } from './webhook.ts';
import { TooManyWebhooks, type Webhooks } from './webhook-store.ts';

interface ClientPath {
  readonly clientId: string;
}

/** The webhooks of a path are those of its client, and only that client may name them (decisions.md 1). */
export function refuseOtherClient(clientId: string, path: ClientPath): void {
  if (path.clientId !== clientId) throw new ApiError('FORBIDDEN');
}

/**
 * The webhook that a path names, if it is the calling client's.
 *
 * @throws {ApiError} FORBIDDEN, WEBHOOK_NOT_FOUND
 */
export async function ownedWebhook(
  webhooks: Pick<Webhooks, 'find'>,
  clientId: string,
  path: ClientPath & { readonly webhook_id: string },
): Promise<Webhook> {
  refuseOtherClient(clientId, path);
  const webhookId = id.safeParse(path.webhook_id);
  const webhook = webhookId.success ? await webhooks.find(clientId, webhookId.data) : undefined;
  if (webhook === undefined) throw new ApiError('WEBHOOK_NOT_FOUND');
  return webhook;
}

/** @throws {ApiError} TOO_MANY_WEBHOOKS when that is why the write was refused */
export async function refuseTooMany<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (!(error instanceof TooManyWebhooks)) throw error;
    throw new ApiError('TOO_MANY_WEBHOOKS', { detail: error.message, cause: error });
  }
}
