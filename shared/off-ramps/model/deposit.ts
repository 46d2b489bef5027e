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

/** The order is that in which answers list the reasons. */
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
 * How finance operations settled a deposit outside the service: nobody has to act on it any more. WRITTEN_OFF is for a
 * deposit that was taken back after its credit, or never became final; this settlement ends if the deposit arrives
 * after all. RETURNED is only in items from before the service made returns; such a deposit has the status RETURNED.
 */
const settlement = z.object({
  outcome: z.enum(['RETURNED', 'KEPT', 'WRITTEN_OFF']),
  /** The hash of the return. */
  hash: z.optional(txHash),
  by: z.string(),
  at: instant,
  reason: z.string(),
  /** The second person; absent in settlements from when one person was enough. */
  confirmedBy: z.optional(z.string()),
});

export type Settlement = Readonly<z.infer<typeof settlement>>;

/**
 * The return of a deposit, frozen when it is requested (decisions.md 9). From then on the return decides the status,
 * and the custodian's answers about the transfer change facts only.
 */
export const depositReturn = z.object({
  /** The amount that is sent: the deposit's amount less the fee. */
  amount: z.string(),
  fee: z.string(),
  assetId: z.string(),
  /** The account or address that the money is sent from. */
  from: z.string(),
  address: z.string(),
  tag: z.optional(z.string()),
  requestedAt: instant,
  /** A person of finance, or `client <id>`. */
  requestedBy: z.string(),
  approversNeeded: z.int(),
  approvals: z.array(z.object({ by: z.string(), at: instant })),
  /** True if a person sends the money, outside the service. */
  isByHand: z.optional(z.literal(true)),
  /** True if finance has named the address: each approver must repeat it. */
  isAddressGiven: z.optional(z.literal(true)),
  /** Since when it is being sent, and by whom if by hand. From then on only the sending's result ends the return. */
  sendingAt: z.optional(instant),
  startedBy: z.optional(z.string()),
  /** When the custodian said that this sending has failed. The custodian is asked once more before the next sending. */
  endedAt: z.optional(instant),
  /** The number of failed sendings. */
  failed: z.optional(z.int()),
  /**
   * True if the custodian gave the sending up, but the chain may still take it: two persons decide, and `givenUpAt` is
   * when they gave it up. The return then ends once the custodian says so again.
   */
  mayStillArrive: z.optional(z.literal(true)),
  givenUpAt: z.optional(instant),
  txHash: z.optional(txHash),
  returnedAt: z.optional(instant),
  /** The hash of its last transaction that a reorganisation has undone: that one may still arrive. */
  undoneTxHash: z.optional(txHash),
  /** The block number of its transaction, on networks whose finality goes by the final block. */
  block: z.optional(z.int()),
});

export type DepositReturn = Readonly<z.infer<typeof depositReturn>>;

/** The custodian's facts about a transfer, without the id, network, hash and time that the deposit has itself. */
const depositTransfer = z.omit(custodianTransfer, {
  custodianTransferId: true,
  network: true,
  txHash: true,
  createdAt: true,
});

/** The transfer as it is stored in its deposit. */
export function storedTransfer(transfer: CustodianTransfer): z.infer<typeof depositTransfer> {
  const { custodianTransferId: _, network: __, txHash: ___, createdAt: ____, ...kept } = transfer;
  return kept;
}

/**
 * The stored attributes of a seen transfer: the transfer, and its place in the index `byDay` of the books. A transfer
 * of a network that is read block by block has no such place, because that network has no book.
 */
export function transferAttributes(transfer: CustodianTransfer) {
  const createdAt = new Date(transfer.createdAt).toISOString();
  const place = { createdAt, createdOn: createdAt.slice(0, 'yyyy-mm-dd'.length) };
  return { transfer: storedTransfer(transfer), ...(transfer.block === undefined && place) };
}

/** A transfer that was notified or found, with everything that the service knows of it. */
export const deposit = z.extend(notifiedTransfer, {
  /** When it was first and last notified, or found and handled like a notified transfer. */
  firstNotifiedAt: instant,
  lastNotifiedAt: instant,
  /** True if the custodian itself has notified it, or another transfer of the same transaction. */
  isNotified: z.optional(z.literal(true)),
  /** The operation to which its address was assigned when it was first seen; absent if it has no owner. */
  operationId: z.optional(id),
  userId: z.optional(id),
  clientId: z.optional(z.string()),
  /** Why it has no owner although its address may be known. */
  ignoredReason: z.optional(ignoredReason),
  /** When `ignoredReason` is TOO_MANY: the operation that owns the address. */
  leftOutOf: z.optional(id),
  /** Since when it belongs to the operation. */
  detectedAt: z.optional(instant),
  /** Grows by one with every change of the status that clients see; `updatedAt` is the time of that change. */
  sequence: z.optional(sequence),
  updatedAt: z.optional(instant),
  /** When it was credited to its operation; never changed. */
  creditedAt: z.optional(instant),
  /** For a credited deposit: since when the custodian does not confirm finality, and whether a person was alerted. */
  missingSince: z.optional(instant),
  isMissingCalled: z.optional(z.literal(true)),
  /** The transfer as last seen; absent before that. */
  transfer: z.optional(depositTransfer),
  /** When its custodian first had it, and the UTC day of that time, by which the books find it. */
  createdAt: z.optional(instant),
  createdOn: z.optional(z.string()),
  /** While the deposit is on its way: the key by which the operation that awaits it finds it. */
  arrivingAt: z.optional(z.string()),
  /** Why it is in a list of finance operations: no operation awaits it, or it was credited and then taken back. */
  unmatched: z.optional(z.enum(['UNMATCHED', 'REVERSED'])),
  unmatchedSince: z.optional(instant),
  /** When it was first `UNMATCHED`; kept until its credit. From then on it is not credited automatically. */
  firstUnmatchedAt: z.optional(instant),
  /** Set if its operation was not paid out, so that finance owes the money. Polls never change this. */
  owed: z.optional(z.literal('OWED')),
  owedSince: z.optional(instant),
  /** Since when the custodian's answers are unreadable, and which fields. Operators find the deposit by this. */
  unreadable: z.optional(z.literal('UNREADABLE')),
  unreadableSince: z.optional(instant),
  unreadableFields: z.optional(z.string()),
  settled: z.optional(settlement),
  return: z.optional(depositReturn),
  /**
   * The numbers in the last id under which a custodian was asked to send it, and in the last one that two persons have
   * given up although it might still arrive. They only grow, but a sending that has not ended after all is the last
   * again.
   */
  lastSending: z.optional(z.int()),
  lastGivenUp: z.optional(z.int()),
  /** In the index of returns. WAITING: for a person. DUE: to be sent, or being sent. WATCHED: sent, and checked again. */
  returnState: z.optional(z.enum(['WAITING', 'DUE', 'WATCHED'])),
  /** Since when the return waits, or the time of its next step. */
  returnDueAt: z.optional(instant),
  /** For a final deposit that is not awaited: all reasons, as they were when it became unmatched. */
  reasons: z.optional(z.array(depositReason)),
  /** The time of the next poll; absent when none is planned. */
  nextPollAt: z.optional(instant),
});

export type Deposit = Readonly<z.infer<typeof deposit>>;

/** The transfer as last seen. Old items have no time of creation: the first notification stands in for it. */
export function transferOf(deposit: Deposit): CustodianTransfer | undefined {
  const { transfer, custodianTransferId, network, txHash, firstNotifiedAt, createdAt = firstNotifiedAt } = deposit;
  return transfer && { ...transfer, custodianTransferId, network, txHash, createdAt };
}

/** The operation that the deposit's address was assigned to, even if its client does not see the deposit. */
export function operationOf({ operationId, leftOutOf }: Deposit): string | undefined {
  return operationId ?? leftOutOf;
}

/** Derives the status from the deposit; it is never stored. `undefined` before the transfer was seen. */
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

/** Statuses from which a deposit can be credited automatically. A status that is added later is excluded by default. */
const creditable: readonly (DepositStatus | undefined)[] = [undefined, 'DETECTED', 'HELD', 'FAILED'];

/** True if a final, awaited deposit is credited automatically (decisions.md 9): only if it was never unmatched. */
export function isCreditedAutomatically(deposit: Deposit): boolean {
  const { firstUnmatchedAt, settled } = deposit;
  return firstUnmatchedAt === undefined && settled === undefined && creditable.includes(depositStatusOf(deposit));
}

/** True if the deposit is credited, settled or left to a person. The end of an operation does not wait for it. */
export function isDealtWith({ settled, unmatched, firstUnmatchedAt, creditedAt }: Deposit): boolean {
  return [settled, unmatched, firstUnmatchedAt, creditedAt].some((one) => one !== undefined);
}

/** True if a report of its hash credits a final, awaited deposit, even if it was unmatched. */
export function isCreditedOnReport(deposit: Deposit): boolean {
  return deposit.settled === undefined && [...creditable, 'UNMATCHED'].includes(depositStatusOf(deposit));
}

/**
 * The key by which an operation finds its deposits on their way, with any tag. It contains every other fact, so that no
 * number of strangers' deposits to the same address slows this down: they have other keys.
 */
export function arrivingKey(transfer: CustodianTransfer): string {
  const to = parseAddress(transfer.network, transfer.toAddress);
  return depositKey(transfer.network, to?.address ?? '', {
    custodianAssetId: transfer.assetId,
    amount: transfer.amount,
    senderAddress: transfer.fromAddress,
  });
}

/** The same key for the deposit that an operation awaits. */
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
