import { type Delivery, MOST_LOGGED_ATTEMPTS } from '#shared/domain/delivery.ts';
import type { Deliveries, LoggedAttempt } from '#shared/dynamodb/deliveries.ts';
import type { ClaimedDelivery, DeliveryClaims } from '#shared/dynamodb/delivery-claims.ts';
import { type DeliveryQueue, lostAfter } from '#shared/dynamodb/delivery-queue.ts';
import { deliveryExpiry } from '#shared/dynamodb/expiry.ts';
import { shardOf } from '#shared/dynamodb/shards.ts';

interface Kept {
  readonly delivery: Delivery;
  readonly expiresAt: number;
  /** Absent from the index of those to come without it. */
  readonly dueAt?: string | undefined;
  readonly lease?: { readonly token: string; readonly until: string } | undefined;
  readonly attempts: readonly { readonly attempt: LoggedAttempt; readonly expiresAt: number }[];
}

export interface DeliveriesInMemory extends Deliveries, DeliveryQueue, DeliveryClaims {
  /** The delivery as it is kept now, expired or not, with when the sweep takes it up and who holds it. */
  kept(deliveryId: string): Pick<Kept, 'delivery' | 'dueAt' | 'lease'> | undefined;
  all(): readonly Delivery[];
}

/** Keeps what the table keeps, under the same conditions. */
export function deliveriesInMemory(...stored: readonly Kept['delivery'][]): DeliveriesInMemory {
  const items = new Map<string, Kept>();

  function put(delivery: Delivery, dueAt: string, now: Date): void {
    items.set(delivery.deliveryId, { delivery, expiresAt: deliveryExpiry(now), dueAt, attempts: [] });
  }

  function change(kept: Kept, delivery: Partial<Delivery>, record: Partial<Kept>): Delivery {
    const next = { ...kept, ...record, delivery: { ...kept.delivery, ...delivery } };
    items.set(next.delivery.deliveryId, next);
    return next.delivery;
  }

  /** Ends a claim, if it is still the holder's. */
  function settle(held: ClaimedDelivery, to: Partial<Delivery>, record: Partial<Kept>): boolean {
    const kept = items.get(held.deliveryId);
    if (kept?.lease?.token !== held.claimToken) return false;
    const cleared = { reason: undefined, nextAttemptAt: undefined, claims: 0 };
    change(kept, { ...cleared, ...to }, { lease: undefined, dueAt: undefined, ...record });
    return true;
  }

  for (const delivery of stored) {
    const createdAt = new Date(delivery.createdAt);
    put(delivery, lostAfter(createdAt), createdAt);
  }

  return {
    kept: (deliveryId) => items.get(deliveryId),
    all: () => [...items.values()].map(({ delivery }) => delivery),

    async find(deliveryId, now) {
      const isLive = ({ expiresAt }: Pick<Kept, 'expiresAt'>) => expiresAt * 1000 > now.getTime();
      const kept = items.get(deliveryId);
      if (kept === undefined || !isLive(kept)) return undefined;
      return { delivery: kept.delivery, attempts: kept.attempts.filter(isLive).map(({ attempt }) => attempt) };
    },

    async *idsOfWebhook(webhookId, after) {
      const place = ({ createdAt, deliveryId }: Delivery) => `${createdAt} ${deliveryId}`;
      const listed = [...items.values()]
        .map(({ delivery }) => delivery)
        .filter((delivery) => delivery.webhookId === webhookId)
        .filter((delivery) => after === undefined || place(delivery) < place(after))
        .toSorted((one, other) => (place(one) < place(other) ? 1 : -1));
      for (const { deliveryId } of listed) yield deliveryId;
    },

    async create(delivery, dueAt, now) {
      if (items.has(delivery.deliveryId)) return false;
      put(delivery, dueAt, now);
      return true;
    },

    async askAgain(deliveryId, { trigger, requestedAt, dueAt, unlessPendingSince }, now) {
      const [kept, at] = [items.get(deliveryId), now.toISOString()];
      if (kept === undefined || kept.delivery.queuedAt >= requestedAt || isLeased(kept, now)) return undefined;
      if (kept.delivery.attemptsLogged >= MOST_LOGGED_ATTEMPTS) return undefined;
      const isPending = kept.delivery.status === 'PENDING';
      const { queuedAt } = kept.delivery;
      if (unlessPendingSince !== undefined && isPending && queuedAt >= unlessPendingSince) return undefined;
      const asked = { status: 'PENDING', trigger, queuedAt: at, nextAttemptAt: at, reason: undefined } as const;
      return change(kept, { ...asked, attemptsMade: 0, claims: 0 }, { dueAt, lease: undefined });
    },

    async *dueBefore(shard, before) {
      const due = [...items.values()]
        .flatMap(({ delivery: { deliveryId, webhookId, clientId, nextAttemptAt = '' }, dueAt }) =>
          dueAt === undefined ? [] : [{ deliveryId, webhookId, clientId, nextAttemptAt, dueAt }],
        )
        .filter(({ deliveryId, dueAt }) => shardOf('DELIVERY', deliveryId) === shard && dueAt < before)
        .toSorted((one, other) => one.dueAt.localeCompare(other.dueAt));
      yield* due;
    },

    async takeOn({ deliveryId, dueAt }, lostAt) {
      const kept = items.get(deliveryId);
      return kept?.dueAt === dueAt ? change(kept, {}, { dueAt: lostAt }) : undefined;
    },

    async claim(deliveryId, attempt, token, now) {
      const seconds = (offset: number) => new Date(now.getTime() + offset * 1000).toISOString();
      const kept = items.get(deliveryId);
      const next = kept?.delivery.nextAttemptAt;
      if (kept === undefined || next === undefined) return { state: 'NOT_TO_MAKE' };
      const isToCome = kept.delivery.status === 'PENDING' && kept.delivery.attemptsLogged === attempt - 1;
      const isEarly = isToCome && next > seconds(2);
      if (!isToCome || isEarly || isLeased(kept, now)) {
        if (kept.lease?.token === token) return { state: 'CLAIMED', delivery: { ...kept.delivery, claimToken: token } };
        return isEarly ? { state: 'EARLY', nextAttemptAt: next } : { state: 'NOT_TO_MAKE' };
      }
      const claims = kept.delivery.claims + 1;
      const claimed = change(kept, { claims }, { lease: { token, until: seconds(60) } });
      return { state: 'CLAIMED', delivery: { ...claimed, claimToken: token } };
    },

    async finish(held, attempt, verdict, due) {
      const attemptsLogged = held.attemptsLogged + 1;
      const isToCome = verdict.status === 'PENDING';
      return settle(
        held,
        {
          status: verdict.status,
          reason: verdict.status === 'FAILED' ? verdict.reason : undefined,
          nextAttemptAt: isToCome ? verdict.nextAttemptAt : undefined,
          attemptsMade: held.attemptsMade + 1,
          attemptsLogged,
        },
        {
          dueAt: isToCome ? due.dueAt : undefined,
          attempts: [
            ...(items.get(held.deliveryId)?.attempts ?? []),
            { attempt: { ...attempt, trigger: held.trigger }, expiresAt: deliveryExpiry(due.now) },
          ],
        },
      );
    },

    async putOff(held, nextAttemptAt, dueAt) {
      return settle(held, { status: 'PENDING', nextAttemptAt }, { dueAt });
    },

    async end(held, status, reason) {
      return settle(held, { status, reason }, {});
    },
  };
}

function isLeased({ lease }: Kept, now: Date): boolean {
  return lease !== undefined && lease.until >= now.toISOString();
}
