import * as z from 'zod/mini';
import type { Acquisition, Slot, Slots } from '#shared/platform/dynamodb/slots.ts';
import { setting } from '#shared/platform/environment.ts';
import type { Answering } from './webhook-health.ts';

/** Attempts that may be under way at the same time. */
const share = z.object({ perClient: z.int().check(z.minimum(2)), perWebhook: z.int() });

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
 * (decisions.md 7, Isolation): an attempt holds a slot of each. Nor do a client's endpoints that hang take the slots of
 * those that answer (A client's own endpoints): a third of the client's slots is kept for these.
 */
export function createDeliverySlots(slots: Slots, shares: DeliveryShares) {
  const common = (lane: DeliveryLane) => {
    const { perClient } = shares[lane];
    return { from: 0, to: perClient - Math.ceil(perClient / 3) };
  };
  const all = (lane: DeliveryLane) => [{ from: common(lane).to, to: shares[lane].perClient }, common(lane)];

  const ofClient = async (lanes: readonly DeliveryLane[], clientId: string, answering: Answering, token: string) => {
    let heldSeconds = 0;
    for (const lane of lanes) {
      const ranges = answering === 'ANSWERS' ? all(lane) : [common(lane)];
      const found = await slots.acquire(`${lane}#${clientId}`, ranges, token);
      if (found.state === 'ACQUIRED') return found;
      heldSeconds = Math.max(heldSeconds, found.heldSeconds);
    }
    return { state: 'BUSY', heldSeconds } as const;
  };

  return {
    async acquire(
      lane: DeliveryLane,
      { clientId, webhookId }: Whose,
      answering: Answering,
      token: string,
    ): Promise<DeliveryAcquisition> {
      // One slot in all, not one of each lane.
      const ofWebhook =
        answering === 'ANSWERS'
          ? await slots.acquire(`${lane}#${webhookId}`, shares[lane].perWebhook, token)
          : await slots.acquire(`first#${webhookId}`, 1, token);
      if (ofWebhook.state === 'BUSY') return ofWebhook;
      let acquired: Acquisition | undefined;
      try {
        acquired = await ofClient(lanesFor(lane, answering), clientId, answering, token);
      } finally {
        // Nobody would give it back after a failure: a webhook that hangs has this one alone.
        if (acquired?.state !== 'ACQUIRED') await slots.release(ofWebhook.slot);
      }
      return acquired.state === 'BUSY' ? acquired : { state: 'ACQUIRED', slots: [ofWebhook.slot, acquired.slot] };
    },

    async release(held: readonly Slot[]): Promise<void> {
      await Promise.all(held.map(slots.release));
    },
  };
}

export type DeliverySlots = ReturnType<typeof createDeliverySlots>;

/** The first call of a webhook may take any slot that is not kept: it is to show soon whether its endpoint answers. */
function lanesFor(lane: DeliveryLane, answering: Answering): readonly DeliveryLane[] {
  return lane === 'first' && answering === 'UNKNOWN' ? ['first', 'retries'] : [lane];
}
