import * as z from 'zod/mini';
import type { Acquisition, Slot, Slots } from '#shared/platform/dynamodb/slots.ts';
import { setting } from '#shared/platform/environment.ts';
import type { Responsiveness } from '#shared/webhooks/model/webhook-health.ts';

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

interface Owner {
  readonly clientId: string;
  readonly webhookId: string;
  readonly isOnly?: boolean | undefined;
}

type DeliveryAcquisition =
  | { readonly state: 'ACQUIRED'; readonly slots: readonly Slot[] }
  | { readonly state: 'BUSY'; readonly heldSeconds: number };

/**
 * Neither a webhook nor a client, with all its webhooks together, ever has more attempts in progress than its share
 * (decisions.md 7, Isolation): an attempt holds a slot of each. While a client's only webhook answers, its attempts
 * hold a slot of the client alone, so it can use the client's whole share. A third of the client's slots is kept for
 * endpoints that answer, so that hanging ones cannot take all (A client's own endpoints).
 */
export function createDeliverySlots(slots: Slots, shares: DeliveryShares) {
  const common = (lane: DeliveryLane) => {
    const { perClient } = shares[lane];
    return { from: 0, to: perClient - Math.ceil(perClient / 3) };
  };
  const kept = (lane: DeliveryLane) => ({ from: common(lane).to, to: shares[lane].perClient });

  const searches = (lane: DeliveryLane, responsiveness: Responsiveness) => {
    if (responsiveness === 'ANSWERS') return [{ lane, ranges: [kept(lane), common(lane)] }];
    if (responsiveness !== 'UNKNOWN') return [{ lane, ranges: [common(lane)] }];
    // A first call may take any slot: only it shows whether the endpoint answers, and it has its webhook's only slot.
    // The kept slots come last, those of first attempts at the very end.
    return [
      { lane: 'first', ranges: [common('first')] },
      { lane: 'retries', ranges: [common('retries'), kept('retries')] },
      { lane: 'first', ranges: [kept('first')] },
    ] as const;
  };

  const ofClient = async (lane: DeliveryLane, clientId: string, responsiveness: Responsiveness, token: string) => {
    let heldSeconds = 0;
    for (const search of searches(lane, responsiveness)) {
      const found = await slots.acquire(`${search.lane}#${clientId}`, search.ranges, token);
      if (found.state === 'ACQUIRED') return found;
      heldSeconds = Math.max(heldSeconds, found.heldSeconds);
    }
    return { state: 'BUSY', heldSeconds } as const;
  };

  const ofWebhook = async (
    lane: DeliveryLane,
    { webhookId, isOnly }: Owner,
    responsiveness: Responsiveness,
    token: string,
  ) => {
    // One slot for both lanes together.
    if (responsiveness === 'UNKNOWN' || responsiveness === 'HANGS')
      return slots.acquire(`first#${webhookId}`, 1, token);
    // A client's only webhook has all of the client's slots.
    return isOnly ? undefined : slots.acquire(`${lane}#${webhookId}`, shares[lane].perWebhook, token);
  };

  return {
    async acquire(
      lane: DeliveryLane,
      owner: Owner,
      responsiveness: Responsiveness,
      token: string,
    ): Promise<DeliveryAcquisition> {
      const own = await ofWebhook(lane, owner, responsiveness, token);
      if (own?.state === 'BUSY') return own;
      const held = own === undefined ? [] : [own.slot];
      let acquired: Acquisition | undefined;
      try {
        acquired = await ofClient(lane, owner.clientId, responsiveness, token);
      } finally {
        // Without this release the slot is held until its lease ends, and a hanging webhook has no other slot.
        if (acquired?.state !== 'ACQUIRED') await Promise.all(held.map(slots.release));
      }
      return acquired.state === 'BUSY' ? acquired : { state: 'ACQUIRED', slots: [...held, acquired.slot] };
    },

    async release(held: readonly Slot[]): Promise<void> {
      await Promise.all(held.map(slots.release));
    },
  };
}

export type DeliverySlots = ReturnType<typeof createDeliverySlots>;
