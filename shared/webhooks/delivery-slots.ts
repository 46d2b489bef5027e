import * as z from 'zod/mini';
import type { Slot, Slots } from '#shared/platform/dynamodb/slots.ts';
import { setting } from '#shared/platform/environment.ts';

/** Attempts that may be under way at the same time. */
const share = z.object({ perClient: z.int(), perWebhook: z.int() });

/** First attempts and later ones have slots of their own, as they have queues. */
const deliveryShares = z.object({ first: share, retries: share });

export type DeliveryShares = Readonly<z.infer<typeof deliveryShares>>;
export type DeliveryLane = keyof DeliveryShares;

/** How many attempts a webhook and a client may have under way, as the stage sets it. */
export function deliverySharesSetting(): DeliveryShares {
  return deliveryShares.parse(JSON.parse(setting('DELIVERY_SHARES')));
}

interface Whose {
  readonly clientId: string;
  readonly webhookId: string;
}

type DeliveryAcquisition =
  | { readonly state: 'ACQUIRED'; readonly slots: readonly Slot[] }
  | { readonly state: 'BUSY'; readonly heldSeconds: number };

/**
 * Neither a webhook nor a client, with all its webhooks together, ever has more attempts under way than its share
 * (decisions.md 7, Isolation): an attempt holds a slot of each.
 */
export function createDeliverySlots(slots: Slots, shares: DeliveryShares) {
  return {
    async acquire(lane: DeliveryLane, { clientId, webhookId }: Whose, token: string): Promise<DeliveryAcquisition> {
      const ofWebhook = await slots.acquire(`${lane}#${webhookId}`, shares[lane].perWebhook, token);
      if (ofWebhook.state === 'BUSY') return ofWebhook;
      const ofClient = await slots.acquire(`${lane}#${clientId}`, shares[lane].perClient, token);
      if (ofClient.state === 'ACQUIRED') return { state: 'ACQUIRED', slots: [ofWebhook.slot, ofClient.slot] };
      await slots.release(ofWebhook.slot);
      return ofClient;
    },

    async release(held: readonly Slot[]): Promise<void> {
      await Promise.all(held.map(slots.release));
    },
  };
}

export type DeliverySlots = ReturnType<typeof createDeliverySlots>;
