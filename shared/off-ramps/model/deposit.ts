import * as z from 'zod/mini';
import { sequence } from '#shared/events/event-envelope.ts';
import { type Network, parseAddress, txHash } from '#shared/networks/network.ts';
import { type CustodianTransfer, custodianTransfer, notifiedTransfer } from '#shared/off-ramps/custodians/custodian.ts';
import { canonicalAmount } from '#shared/platform/amount.ts';
import { documentValues } from '#shared/platform/http/document.ts';
import { id, instant } from '#shared/platform/http/fields.ts';
import { digestId } from '#shared/platform/ids.ts';
import type { ExpectedDeposit } from './off-ramp.ts';

/** The id that clients see, derived from the custodian's name and its id of the transfer. */
export function depositIdOf(custodianTransferId: string): string {
  return digestId(custodianTransferId);
}

export const depositStatuses = [
  'DETECTED',
  'HELD',
  'CREDITED',
  'UNMATCHED',
  'FAILED',
  'REVERSED',
  'RETURN_REQUESTED',
  'RETURNED',
] as const;

export type DepositStatus = (typeof depositStatuses)[number];

export const depositStatus = z.enum(depositStatuses);

documentValues('DepositStatus', depositStatus, 'Status of a deposit.', {
  DETECTED: 'It was seen, but is not final yet.',
  HELD: 'The custodian holds it for a review.',
  CREDITED: 'It funds the operation.',
  UNMATCHED: 'It is final, and not what the operation awaits. Its `reasons` say why.',
  FAILED: 'It has failed, or its network does not have it any more.',
  REVERSED: 'It funded the operation, and was taken back.',
  RETURN_REQUESTED: 'It is to be sent back, or is being sent. Its `return` says what is sent, and where to.',
  RETURNED: 'It was sent back. Its `return` has the hash.',
});

/** In the order in which answers list them. */
export const depositReasons = [
  'WRONG_TOKEN',
  'WRONG_AMOUNT',
  'WRONG_SENDER',
  'ALREADY_FUNDED',
  'OPERATION_ENDED',
  'FUNDS_ANOTHER_OPERATION',
] as const;

export type DepositReason = (typeof depositReasons)[number];

const depositReason = z.enum(depositReasons);

documentValues('DepositReason', depositReason, 'Why a deposit funds nothing.', {
  WRONG_TOKEN: 'It is of another token, or on another network.',
  WRONG_AMOUNT:
    'Its amount is not exactly that of the operation. Amounts are never added up: the whole amount must come in one transfer.',
  WRONG_SENDER: 'It was sent from another wallet than the declared one.',
  ALREADY_FUNDED: 'The operation already has its deposit.',
  OPERATION_ENDED: 'The operation was cancelled, or has failed.',
  FUNDS_ANOTHER_OPERATION: 'Its transaction funds another operation.',
});

/** Why clients do not see a transfer as a deposit (decisions.md 9, What is no deposit). */
const ignoredReason = z.enum(['FROM_CUSTODIAN', 'NOT_OURS', 'BELOW_MINIMUM', 'TOO_MANY', 'RECORDED_TWICE']);

export type IgnoredReason = z.infer<typeof ignoredReason>;

/**
 * How finance operations settled a deposit outside the service: nobody has to act on it any more. WRITTEN_OFF is one that
 * was taken back after its credit, or never became final: it ends once the deposit is there. RETURNED is only in items
 * from before the service made returns; such a deposit reads as RETURNED.
 */
const settlement = z.object({
  outcome: z.enum(['RETURNED', 'KEPT', 'WRITTEN_OFF']),
  /** The hash of the return. */
  hash: z.optional(txHash),
  by: z.string(),
  at: instant,
  reason: z.string(),
  /** The second person; absent if it was settled when one was enough. */
  confirmedBy: z.optional(z.string()),
});

export type Settlement = Readonly<z.infer<typeof settlement>>;

/**
 * The return of a deposit, frozen when it is requested (decisions.md 9): from then on it decides the status, and what the
 * custodian says of the transfer changes facts only.
 */
export const depositReturn = z.object({
  /** What is sent: the amount of the deposit less the fee. */
  amount: z.string(),
  fee: z.string(),
  assetId: z.string(),
  /** The account or address that it is sent from. */
  from: z.string(),
  address: z.string(),
  tag: z.optional(z.string()),
  requestedAt: instant,
  /** The person of finance, or `client <id>`. */
  requestedBy: z.string(),
  approversNeeded: z.int(),
  approvals: z.array(z.object({ by: z.string(), at: instant })),
  /** The money is sent by a person, outside the service. */
  isByHand: z.optional(z.literal(true)),
  /** Finance has named the address: each approver repeats it. */
  isAddressGiven: z.optional(z.literal(true)),
  /** Since when it is being sent, and by whom, if by hand: from then on only the result of that ends the return. */
  sendingAt: z.optional(instant),
  startedBy: z.optional(z.string()),
  /** When the custodian said that this sending has ended without success: it is asked once more before the next one. */
  endedAt: z.optional(instant),
  /** How many of its sendings have failed. */
  failed: z.optional(z.int()),
  /** The custodian gave it up, but its chain may still take it: two persons decide. It ends once the custodian says so again. */
  mayStillArrive: z.optional(z.literal(true)),
  givenUpAt: z.optional(instant),
  txHash: z.optional(txHash),
  returnedAt: z.optional(instant),
  /** The number of the block of its transaction, where finality goes by the final block. */
  block: z.optional(z.int()),
});

export type DepositReturn = Readonly<z.infer<typeof depositReturn>>;

/** What the custodian says of the transfer of a deposit, which has its id, network, hash and times itself. */
const depositTransfer = z.omit(custodianTransfer, {
  custodianTransferId: true,
  network: true,
  txHash: true,
  createdAt: true,
});

/** The transfer as it is kept in its deposit. */
export function asKept(transfer: CustodianTransfer): z.infer<typeof depositTransfer> {
  const { custodianTransferId: _, network: __, txHash: ___, createdAt: ____, ...kept } = transfer;
  return kept;
}

/** What is stored of a seen transfer: the transfer, and its place in the index `byDay`. A network that is read by blocks has no book. */
export function seenAs(transfer: CustodianTransfer) {
  const createdAt = new Date(transfer.createdAt).toISOString();
  const place = { createdAt, createdOn: createdAt.slice(0, 'yyyy-mm-dd'.length) };
  return { transfer: asKept(transfer), ...(transfer.block === undefined && place) };
}

/** A transfer that was notified, or found by its hash, and its state. */
export const deposit = z.extend(notifiedTransfer, {
  /** When it was notified, or found and handled like a notified one. */
  firstNotifiedAt: instant,
  lastNotifiedAt: instant,
  /** The custodian itself has notified it, or another transfer of the same transaction. */
  isNotified: z.optional(z.literal(true)),
  /** The operation to which its address was assigned when it was first seen there; absent if it is nobody's. */
  operationId: z.optional(id),
  userId: z.optional(id),
  clientId: z.optional(z.string()),
  /** Why it is nobody's although its address may be known. */
  ignoredReason: z.optional(ignoredReason),
  /** When `ignoredReason` is TOO_MANY: the operation that owns the address. */
  leftOutOf: z.optional(id),
  /** Since when the operation has it. */
  detectedAt: z.optional(instant),
  /** Grows by one with every change of the status that clients see; `updatedAt` is the time of that change. */
  sequence: z.optional(sequence),
  updatedAt: z.optional(instant),
  /** Since when it is credited to its operation; never changed. */
  creditedAt: z.optional(instant),
  /** If credited: since when the custodian does not confirm finality, and whether a person was alerted. */
  missingSince: z.optional(instant),
  isMissingCalled: z.optional(z.literal(true)),
  /** As last seen; absent until then. */
  transfer: z.optional(depositTransfer),
  /** When its custodian first had it, and that day in UTC, by which the books find it. */
  createdAt: z.optional(instant),
  createdOn: z.optional(z.string()),
  /** While it is on its way: the key by which the operation that awaits it finds it. */
  arrivingAt: z.optional(z.string()),
  /** In a list of finance operations: nobody awaits it, or it was credited and then taken back. */
  unmatched: z.optional(z.enum(['UNMATCHED', 'REVERSED'])),
  unmatchedSince: z.optional(instant),
  /** When it was `UNMATCHED` for the first time; kept until it is credited, which does not happen by itself any more. */
  firstUnmatchedAt: z.optional(instant),
  /** Its operation was not paid out, so finance owes it. Polls never change this. */
  owed: z.optional(z.literal('OWED')),
  owedSince: z.optional(instant),
  /** Since when the custodian's answers are unreadable, and which fields. Operators find the deposit by this. */
  unreadable: z.optional(z.literal('UNREADABLE')),
  unreadableSince: z.optional(instant),
  unreadableFields: z.optional(z.string()),
  settled: z.optional(settlement),
  return: z.optional(depositReturn),
  /** The n of the last id under which a custodian was asked to send it: it only grows. */
  lastSending: z.optional(z.int()),
  /**
   * Where its return is in the index of returns: it waits for a person, is to be sent or is being sent, or was sent and is
   * looked at again.
   */
  returnState: z.optional(z.enum(['WAITING', 'DUE', 'WATCHED'])),
  /** Since when it waits, or when it is looked at next. */
  returnDueAt: z.optional(instant),
  /** If final and not awaited: all reasons, as they were at that time. */
  reasons: z.optional(z.array(depositReason)),
  /** When it is polled next; absent when no poll is to come. */
  nextPollAt: z.optional(instant),
});

export type Deposit = Readonly<z.infer<typeof deposit>>;

/** The transfer as it was last seen; one from before its time was kept was created when this service first knew of it. */
export function transferOf(deposit: Deposit): CustodianTransfer | undefined {
  const { transfer, custodianTransferId, network, txHash, firstNotifiedAt, createdAt = firstNotifiedAt } = deposit;
  return transfer && { ...transfer, custodianTransferId, network, txHash, createdAt };
}

/** The operation of its address, whether or not the client was told. */
export function operationOf({ operationId, leftOutOf }: Deposit): string | undefined {
  return operationId ?? leftOutOf;
}

/** The status follows from the deposit and is never stored; `undefined` before it was seen. */
export function depositStatusOf({
  return: returning,
  settled,
  creditedAt,
  unmatched,
  reasons,
  transfer,
}: Pick<Deposit, 'return' | 'settled' | 'creditedAt' | 'unmatched' | 'reasons' | 'transfer'>):
  | DepositStatus
  | undefined {
  if (settled?.outcome === 'RETURNED') return 'RETURNED';
  if (returning !== undefined) return returning.returnedAt === undefined ? 'RETURN_REQUESTED' : 'RETURNED';
  if (creditedAt !== undefined) return unmatched === 'REVERSED' ? 'REVERSED' : 'CREDITED';
  if (transfer === undefined) return undefined;
  if (transfer.state === 'HELD') return 'HELD';
  if (transfer.state === 'FAILED' || transfer.state === 'GONE') return 'FAILED';
  return reasons === undefined ? 'DETECTED' : 'UNMATCHED';
}

/** Statuses from which a deposit can be credited automatically. A status that is added later is not. */
const creditable: readonly (DepositStatus | undefined)[] = [undefined, 'DETECTED', 'HELD', 'FAILED'];

/** Whether a final, awaited deposit is credited automatically (decisions.md 9): only if it was never unmatched. */
export function isCreditedByItself(deposit: Deposit): boolean {
  return (
    deposit.firstUnmatchedAt === undefined &&
    deposit.settled === undefined &&
    creditable.includes(depositStatusOf(deposit))
  );
}

/** It is credited, or waits for a person, so the end of an operation does not wait for it. */
export function isDealtWith({ settled, unmatched, firstUnmatchedAt, creditedAt }: Deposit): boolean {
  return [settled, unmatched, firstUnmatchedAt, creditedAt].some((one) => one !== undefined);
}

/** Whether a final, awaited deposit is credited because its own hash was reported: even if it was unmatched. */
export function isCreditedOnReport(deposit: Deposit): boolean {
  return deposit.settled === undefined && [...creditable, 'UNMATCHED'].includes(depositStatusOf(deposit));
}

/**
 * The key by which an operation finds its deposits on their way, with any tag. It contains all properties, so that
 * strangers' deposits to the same address do not match, however many there are.
 */
export function arrivingKey(transfer: CustodianTransfer): string {
  const to = parseAddress(transfer.network, transfer.toAddress);
  return depositKey(transfer.network, to?.address ?? '', {
    custodianAssetId: transfer.assetId,
    amount: transfer.amount,
    senderAddress: transfer.fromAddress,
  });
}

/** The same key for what an operation awaits. */
export function arrivingKeyFor(expected: ExpectedDeposit): string {
  const to = parseAddress(expected.network, expected.address);
  return depositKey(expected.network, to?.address ?? '', expected);
}

function depositKey(
  network: Network,
  address: string,
  facts: { custodianAssetId: string; amount: string; senderAddress: string },
): string {
  const sender = parseAddress(network, facts.senderAddress)?.address ?? '';
  const amount = canonicalAmount(facts.amount) ?? '';
  return [network, address, facts.custodianAssetId, amount, sender].join('|');
}
