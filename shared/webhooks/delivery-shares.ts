import * as z from 'zod/mini';
import { setting } from '#shared/platform/environment.ts';
import type { DeliveryShares } from './delivery-slots.ts';

const share = z.object({ perClient: z.int(), perWebhook: z.int() });
const deliveryShares = z.object({ first: share, retries: share });

/** How many attempts a webhook and a client may have under way, as the stage sets it. */
export function deliverySharesSetting(): DeliveryShares {
  return deliveryShares.parse(JSON.parse(setting('DELIVERY_SHARES')));
}
