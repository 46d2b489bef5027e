import * as z from 'zod/mini';
import { sequence } from '#shared/events/event-envelope.ts';
import { network, txHash } from '#shared/networks/network.ts';
import { derivation } from '#shared/off-ramps/custodians/custodian.ts';
import { documentObject, documentValues } from '#shared/platform/http/document.ts';
import { id, instant } from '#shared/platform/http/fields.ts';

/** The payout as the payout service reports it. This service knows no exchange rate, and does not check the amount. */
export const payout = z.object({
  /** Canonical decimal, in units of the currency. */
  amount: z.optional(z.string()),
  currency: z.optional(z.string()),
  /** The payout service's reference: another reference is another payout. */
  reference: z.optional(z.string()),
  paidAt: z.optional(instant),
});

export type Payout = Readonly<z.infer<typeof payout>>;

documentObject('Payout', payout, 'The payout, as far as the payout service has reported it.', {
  amount: { description: 'The amount, in units of the currency, as decimal text.', pattern: '^\\d+(\\.\\d+)?$' },
  currency: 'The currency, for example `COP`.',
  reference: 'The reference of the payout at the payout service.',
  paidAt: 'When the payout was final.',
});

/** decisions.md 4, Operation statuses. Only a confirmed deposit leads from AWAITING_DEPOSIT to PENDING. */
export const operationStatuses = ['AWAITING_DEPOSIT', 'PENDING', 'COMPLETED', 'CANCELLED', 'FAILED'] as const;

export type OperationStatus = (typeof operationStatuses)[number];

export const operationStatus = z.enum(operationStatuses);

documentValues('OperationStatus', operationStatus, 'Status of an off-ramp.', {
  AWAITING_DEPOSIT: 'It waits for the deposit of the user.',
  PENDING: 'The deposit is verified; compliance review and payout follow.',
  COMPLETED: 'It was paid out. Final.',
  CANCELLED: 'It was cancelled. Final.',
  FAILED: 'It failed. Final.',
});

/** A status of an off-ramp, and the reason if one was given: a code or a text for people. */
export const statusChange = z.object({ status: operationStatus, at: instant, reason: z.optional(z.string()) });

export type StatusChange = Readonly<z.infer<typeof statusChange>>;

/** An event of another service that the operation's status does not allow. */
export const contradiction = z.object({
  eventId: z.string(),
  status: z.enum(['COMPLETED', 'CANCELLED', 'FAILED', 'PAYOUT_RETURNED']),
  source: z.string(),
  reason: z.optional(z.string()),
  payout: z.optional(payout),
  /** When the event arrived. */
  at: instant,
  /** When a person decided, or another payout replaced the returned one; absent while the contradiction is open. */
  closedAt: z.optional(instant),
});

export type Contradiction = Readonly<z.infer<typeof contradiction>>;

/**
 * An off-ramp: the user sends a token from a declared wallet, and is paid out in fiat once the deposit is confirmed.
 * This is the stored form; answers are picked from it.
 */
export const offRamp = z.object({
  operationId: id,
  clientId: z.string(),
  userId: id,
  status: operationStatus,
  /** Grows by one with every write of the operation. Every write is conditional on the sequence as read. */
  sequence,
  network,
  /** Symbol, for example `USDC`. */
  token: z.string(),
  supportedTokenId: z.int(),
  /** The custodian's id of the token on this network: bridged `USDC.e` is not `USDC`. */
  custodianAssetId: z.string(),
  /** The deposit address as people see it; comparisons use its normal form. */
  address: z.string(),
  addressTag: z.optional(z.string()),
  /** How the owner of the keys finds the key of the address; absent if the custodian holds that key. */
  derivation: z.optional(derivation),
  /** Canonical decimal, in units of the token. */
  amount: z.string(),
  /** Address of the declared external wallet. */
  senderAddress: z.string(),
  originExternalWalletId: id,
  externalReference: z.optional(z.string()),
  createdAt: instant,
  /** The end of the first window; a later submission has its own window. */
  expiresAt: instant,
  /** When the operation ends if no deposit has arrived; fixed at the creation. */
  endsAt: instant,
  /** Hash reported by the client, in its normal form. The credit removes it: the verification still has it. */
  txHash: z.optional(txHash),
  /** Hash of the confirmed deposit. */
  verifiedTxHash: z.optional(txHash),
  /** The number of submissions that started a verification; 0 before the first. */
  attempt: z.int(),
  /** When its deposit was credited. */
  creditedAt: z.optional(instant),
  /** When the operation ended, and why, if a reason was given. */
  endedAt: z.optional(instant),
  endReason: z.optional(z.string()),
  /** Id of the event that ended it, or of the payout that replaced a returned one. */
  endedBy: z.optional(z.string()),
  /** The payout, as far as it was reported. */
  payout: z.optional(payout),
  /** Oldest first, closed ones included. */
  contradictions: z.optional(z.readonly(z.array(contradiction))),
  /** The number of contradictions that there was no room for. */
  contradictionsNotKept: z.optional(z.int()),
  /** Present exactly while a contradiction is open. Nothing may move the operation's deposit while it is present. */
  contradictedSince: z.optional(instant),
  /** A person's decision: whether the operation was paid out, whatever its status. */
  paidOut: z.optional(z.boolean()),
  /** When it was put back from the event of its creation, after its table was restored to an earlier time. */
  putBackAt: z.optional(instant),
});

export type OffRamp = Readonly<z.infer<typeof offRamp>>;

/** The fields that the creation fixed. Its event stores them, unpublished (decisions.md 4, Putting back). */
export const fixedAtCreation = z.pick(offRamp, {
  network: true,
  token: true,
  supportedTokenId: true,
  custodianAssetId: true,
  address: true,
  addressTag: true,
  derivation: true,
  amount: true,
  senderAddress: true,
  originExternalWalletId: true,
  externalReference: true,
  expiresAt: true,
  endsAt: true,
});

/** The deposit that an operation awaits; fixed at its creation. */
export type ExpectedDeposit = Pick<
  OffRamp,
  'network' | 'address' | 'addressTag' | 'custodianAssetId' | 'amount' | 'senderAddress'
>;

const transitions: Record<OperationStatus, readonly OperationStatus[]> = {
  AWAITING_DEPOSIT: ['PENDING', 'CANCELLED', 'FAILED'],
  PENDING: ['COMPLETED', 'FAILED', 'CANCELLED'],
  COMPLETED: [],
  CANCELLED: [],
  FAILED: [],
};

/** All statuses that an off-ramp has had, oldest first. It enters each status once, and keeps the time of that. */
export function statusHistoryOf({ status, createdAt, creditedAt, endedAt, endReason }: OffRamp): StatusChange[] {
  return [
    { status: 'AWAITING_DEPOSIT', at: createdAt },
    ...(creditedAt === undefined ? [] : [{ status: 'PENDING', at: creditedAt } as const]),
    ...(endedAt === undefined ? [] : [{ status, at: endedAt, ...(endReason !== undefined && { reason: endReason }) }]),
  ];
}

export function mayBecome(from: OperationStatus, to: OperationStatus): boolean {
  return transitions[from].includes(to);
}

/** Statuses that an operation does not leave. */
export const endStatuses = ['COMPLETED', 'CANCELLED', 'FAILED'] as const satisfies readonly OperationStatus[];

export type EndStatus = (typeof endStatuses)[number];

/** The ends that other services may give an operation. */
export function mayEndAs(from: OperationStatus, to: OperationStatus): to is EndStatus {
  return to !== 'PENDING' && mayBecome(from, to);
}

export const hashStatuses = ['NOT_SUBMITTED', 'VERIFYING', 'VERIFIED', 'NOT_VERIFIED'] as const;

export type HashStatus = (typeof hashStatuses)[number];

export const hashStatus = z.enum(hashStatuses);

documentValues('HashStatus', hashStatus, "Status of the verification of an off-ramp's deposit.", {
  NOT_SUBMITTED: 'No hash was reported, and no deposit is confirmed.',
  VERIFYING: 'A hash was reported, and its deposit is not confirmed. The status stays after the window has ended.',
  VERIFIED: 'The deposit is confirmed.',
  NOT_VERIFIED: 'The operation ended without a confirmed deposit.',
});

/** The hash status is derived from the operation alone and never stored (interface 3.2, decisions.md 4). */
export function hashStatusOf(operation: Pick<OffRamp, 'status' | 'txHash' | 'verifiedTxHash'>): HashStatus {
  if (operation.verifiedTxHash !== undefined) return 'VERIFIED';
  if (operation.status !== 'AWAITING_DEPOSIT') return 'NOT_VERIFIED';
  return operation.txHash === undefined ? 'NOT_SUBMITTED' : 'VERIFYING';
}

/** The end of a submission's window: `expiresAt`, or a fixed time after a later submission. */
export function windowEndFor(operation: OffRamp, submittedAt: Date, lateWindowSeconds: number): string {
  return submittedAt.toISOString() < operation.expiresAt
    ? operation.expiresAt
    : new Date(submittedAt.getTime() + lateWindowSeconds * 1000).toISOString();
}
