import * as z from 'zod/mini';
import { id } from '#shared/platform/http/fields.ts';

/* Apart from the contracts, so that a function bundles no other route than its own. */

export const WEBHOOKS_PATH = '/api/webhooks/{clientId}';
export const WEBHOOK_PATH = `${WEBHOOKS_PATH}/{webhook_id}` as const;

export const ofClient = z.object({ clientId: id });

/** A webhook's id is a UUID. Any other text names no webhook, which is checked after the client. */
export const ofWebhook = z.object({ clientId: id, webhook_id: z.string() });
