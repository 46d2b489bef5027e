import * as z from 'zod/mini';
import { instant } from '#shared/platform/http/fields.ts';
import { type CustodianTransfer, custodianTransfer, notifiedTransfer } from './custodians/custodian-transfer.ts';
import { arrivingKey } from './deposit-key.ts';

/** A transfer that the custodian notified, or that was found by its hash, and its state. */
export const deposit = z.extend(notifiedTransfer, {
  firstNotifiedAt: instant,
  lastNotifiedAt: instant,
  /** The operation that it was credited to; never changed. */
  creditedTo: z.optional(z.string()),
  creditedAt: z.optional(instant),
  /** As last seen; absent until then. */
  transfer: z.optional(custodianTransfer),
  /** While it is on its way: the key by which the operation that awaits it finds it. */
  arrivingAt: z.optional(z.string()),
  /** Finance operations have to look at it: nobody awaits it, or it was credited and then taken back. */
  unmatched: z.optional(z.enum(['UNMATCHED', 'REVERSED'])),
  unmatchedSince: z.optional(instant),
  /** When it is polled next; absent when no poll is to come. */
  nextPollAt: z.optional(instant),
});

export type Deposit = Readonly<z.infer<typeof deposit>>;

/** What a poll changes. An attribute that is present and undefined is removed. */
export type DepositChange = Pick<Partial<Deposit>, 'transfer' | 'arrivingAt' | 'unmatched' | 'unmatchedSince'>;

/** Since when it is among those that finance operations have to look at. */
type Since = Pick<Deposit, 'unmatchedSince'>;

const NOT_UNMATCHED = { unmatched: undefined, unmatchedSince: undefined };

/** Seen and not final yet: the operation that awaits it cannot be cancelled meanwhile. */
export function arriving(transfer: CustodianTransfer): DepositChange {
  return { transfer, arrivingAt: arrivingKey(transfer) };
}

/** The custodian does not know it (any more). That is no proof: the known facts stay. */
export const notFound: DepositChange = { arrivingAt: undefined };

/** It will never be final, so there is nothing to credit or to send back. */
export function failed(transfer: CustodianTransfer): DepositChange {
  return { transfer, arrivingAt: undefined, ...NOT_UNMATCHED };
}

/** It is kept for finance operations, since the first time that it was. */
export function unmatched(seen: Since, transfer: CustodianTransfer, now: Date): DepositChange {
  const unmatchedSince = seen.unmatchedSince ?? now.toISOString();
  return { transfer, arrivingAt: undefined, unmatched: 'UNMATCHED', unmatchedSince };
}

/** Credited, and no longer confirmed: nothing is reversed by itself; a person has to decide. */
export function reversed(seen: Since, transfer: CustodianTransfer, now: Date): DepositChange {
  return { transfer, unmatched: 'REVERSED', unmatchedSince: seen.unmatchedSince ?? now.toISOString() };
}

/** Credited, and confirmed (again). */
export function confirmed(transfer: CustodianTransfer): DepositChange {
  return { transfer, ...NOT_UNMATCHED };
}
