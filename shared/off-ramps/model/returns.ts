import { createHash } from 'node:crypto';
import { isSameAddress, type Network, type NetworkRules, parseAddress } from '#shared/networks/network.ts';
import type { AccountAddress } from '#shared/networks/network-families.ts';
import type { ReturnOrder } from '#shared/off-ramps/custodians/custodian.ts';
import type { OutgoingTransfer } from '#shared/off-ramps/custodians/outgoing.ts';
import type { ReturnRoutes } from '#shared/off-ramps/custodians/returns-setting.ts';
import { compareAmounts, readAmount, remainingAmount } from '#shared/platform/amount.ts';
import { mayPayFor } from './contradictions.ts';
import { type Deposit, type DepositReturn, depositIdOf, depositStatusOf, transferOf } from './deposit.ts';
import { isFinal } from './deposit-match.ts';
import type { OffRamp } from './off-ramp.ts';

/* Pure rules for the return of a deposit (decisions.md 9). */

export const notReturnableReasons = [
  'STATUS',
  'SETTLED',
  'HELD',
  'NOTHING_LEFT',
  'SENDER_UNKNOWN',
  'NOT_SERVED',
  'OTHER_ADDRESS',
] as const;

export type NotReturnable = (typeof notReturnableReasons)[number];

/** The stage's settings of returns. Fees are amounts, by the custodian's id of the asset. */
export interface ReturnTerms {
  readonly routes: ReturnRoutes;
  readonly fees: Readonly<Record<string, string>>;
  /** The time to which tables were restored, until the books have matched what left since then. Nothing is sent. */
  readonly heldSince?: string;
  /** The same time, until the restore is repaired: only the custodian may know what was sent since then. */
  readonly restoredAt?: string;
}

/** Says why nothing is sent back now. */
export function heldInWords(heldSince: string): string {
  return `Returns are held: tables were restored to ${heldSince}, and the books have not matched every movement out since then.`;
}

/**
 * All reasons why a client cannot request the return of a deposit; none if a request would be accepted. `operation` is
 * that of the deposit's address.
 */
export function returnHindrances(deposit: Deposit, operation: OffRamp, terms: ReturnTerms): readonly NotReturnable[] {
  const status = depositStatusOf(deposit);
  const { transfer, network, settled } = deposit;
  const isHeld = status === 'HELD';
  const holds: Readonly<Record<NotReturnable, boolean>> = {
    STATUS: !isHeld && (!isUnmatched(deposit) || payoutForbids(operation, deposit)),
    SETTLED: settled !== undefined,
    HELD: isHeld,
    NOTHING_LEFT:
      transfer !== undefined && terms.fees[transfer.assetId] !== undefined && !isAnythingLeft(deposit, terms),
    SENDER_UNKNOWN: senderOf(deposit) === undefined,
    NOT_SERVED:
      terms.routes[network] === undefined || transfer === undefined || terms.fees[transfer.assetId] === undefined,
    OTHER_ADDRESS: false,
  };
  return notReturnableReasons.filter((reason) => holds[reason]);
}

/** True if the deposit is final now, readable, and funds nothing. */
function isUnmatched(deposit: Deposit): boolean {
  const transfer = transferOf(deposit);
  if (depositStatusOf(deposit) !== 'UNMATCHED' || deposit.unreadable !== undefined) return false;
  return (
    deposit.settled !== undefined || (deposit.unmatched === 'UNMATCHED' && transfer !== undefined && isFinal(transfer))
  );
}

function isAnythingLeft({ transfer }: Deposit, { fees }: ReturnTerms): boolean {
  const amount = transfer && readAmount(transfer.amount);
  return amount !== undefined && remainingAmount(amount, fees[transfer?.assetId ?? ''] ?? '0') !== undefined;
}

/** The senders of newly minted tokens, for example from a bridge (ERC-20, TRC-20): money sent back there is lost. */
const MINTING_ADDRESSES: readonly string[] = [`0x${'0'.repeat(40)}`, 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb'];

/** The account that sent the deposit, if it is known. */
export function senderOf({ network, transfer }: Deposit): AccountAddress | undefined {
  const sender = transfer && parseAddress(network, transfer.fromAddress);
  return sender && MINTING_ADDRESSES.includes(sender.address) ? undefined : sender;
}

/** True if `to` is the sender. A tag inside the sender's address must be the same, because it identifies the user. */
export function isSender(sender: AccountAddress, to: Pick<DepositReturn, 'address' | 'tag'> | undefined): boolean {
  return to?.address === sender.address && (sender.tag === undefined || to.tag === sender.tag);
}

/** Milliseconds for which the payout of an ended off-ramp may still be reported. */
const STILL_REPORTED = 24 * 3600_000;

/**
 * Why the payout of an off-ramp forbids sending a deposit to its address back now. If the off-ramp has a credited
 * deposit, the payout is for that one only.
 */
export function payoutHindrance(operation: OffRamp, deposit: Deposit, now: Date): string | undefined {
  const { contradictedSince, paidOut, status, endedAt } = operation;
  if (!mayPayFor(operation, deposit)) return undefined;
  if (contradictedSince !== undefined)
    return 'The reports of its payout contradict each other: resolve-contradiction comes first.';
  if (paidOut === true) return 'Its off-ramp was paid out.';
  if (deposit.creditedAt === undefined) return undefined;
  if (status === 'COMPLETED')
    return paidOut === false ? undefined : 'Its off-ramp was paid out, as far as anybody has said.';
  if (status !== 'CANCELLED' && status !== 'FAILED') return `Its off-ramp is ${status}.`;
  const at = Date.parse(endedAt ?? '') + STILL_REPORTED;
  return now.getTime() < at
    ? `Its off-ramp ended at ${endedAt}: wait for 24 hours, because its payout may still be reported.`
    : undefined;
}

function payoutForbids(operation: OffRamp, deposit: Deposit): boolean {
  const { contradictedSince, paidOut } = operation;
  return mayPayFor(operation, deposit) && (contradictedSince !== undefined || paidOut === true);
}

/** Why finance cannot request the return of a deposit. `operation` is that of the deposit's address, if it has one. */
export function financeHindrance(
  deposit: Deposit,
  operation: OffRamp | undefined,
  terms: ReturnTerms,
  now: Date,
): string | undefined {
  const { network, settled, unreadable } = deposit;
  const [status, transfer] = [depositStatusOf(deposit), transferOf(deposit)];
  if (settled !== undefined) return `It is settled: ${settled.outcome}, at ${settled.at}.`;
  if (unreadable !== undefined) return "The custodian's answers about it cannot be read.";
  if (status !== 'CREDITED' && !isUnmatched(deposit))
    return `It is ${status ?? 'not seen yet'}: only what is UNMATCHED and final, or credited and not paid out, is sent back.`;
  if (transfer === undefined || !isFinal(transfer)) return 'It is not final: the custodian has taken that back.';
  if (!isAnythingLeft(deposit, terms)) return 'Nothing is left of it after the fee of sending it back.';
  if (terms.routes[network] === undefined)
    return `The settings name no account that returns on ${network} are sent from.`;
  if (status === 'CREDITED' && operation === undefined) return 'Its off-ramp is unknown.';
  return operation && payoutHindrance(operation, deposit, now);
}

/** True if an account is the declared wallet of an off-ramp. */
export function isToDeclaredWallet(
  { network, senderAddress }: OffRamp,
  deposit: Deposit,
  { address, tag }: AccountAddress,
): boolean {
  const declared = parseAddress(network, senderAddress);
  return deposit.network === network && isSameAddress(network, address, senderAddress) && tag === declared?.tag;
}

interface Request {
  readonly to: AccountAddress;
  readonly by: string;
  readonly isAddressGiven: boolean;
  /** The amount up to which one approver is enough for the declared wallet, by asset. Without an entry: two. */
  readonly onePersonUpTo: Readonly<Record<string, string>>;
}

/**
 * Makes the return that is frozen when it is requested. The number of approvers is frozen, too: if the stage raises the
 * limit for one approver later, a return that waits for a second approver still waits.
 */
export function newReturn(
  deposit: Deposit,
  operation: OffRamp | undefined,
  { routes, fees }: ReturnTerms,
  { to, by, isAddressGiven, onePersonUpTo }: Request,
  now: Date,
): DepositReturn {
  const { transfer, network } = deposit;
  const [route, gross] = [routes[network], transfer && readAmount(transfer.amount)];
  const fee = fees[transfer?.assetId ?? ''] ?? '0';
  const amount = gross && remainingAmount(gross, fee);
  if (transfer === undefined || route === undefined || gross === undefined || amount === undefined)
    throw new Error(`${deposit.custodianTransferId} cannot be returned.`);
  const most = onePersonUpTo[transfer.assetId];
  const isSmall = most !== undefined && compareAmounts(gross, most) <= 0;
  const isToDeclared = operation !== undefined && isToDeclaredWallet(operation, deposit, to);
  return {
    ...{ amount, fee, assetId: transfer.assetId, from: route.from, address: to.address },
    ...(to.tag !== undefined && { tag: to.tag }),
    ...{ requestedAt: now.toISOString(), requestedBy: by, approvals: [] },
    approversNeeded: isSmall && isToDeclared && !isAddressGiven ? 1 : 2,
    ...(route.isByHand && { isByHand: true }),
    ...(isAddressGiven && { isAddressGiven: true }),
  };
}

export function hasApprovals({ approvals, approversNeeded }: DepositReturn): boolean {
  return approvals.length >= approversNeeded;
}

/** An account with its tag. Money that is sent there without the tag has no owner. */
export function accountInWords({ address, tag }: Pick<DepositReturn, 'address' | 'tag'>): string {
  return tag === undefined ? address : `${address} with the tag ${tag}`;
}

/** The digest that the audit keeps of an address that a person has confirmed. */
export function addressDigest({ address, tag }: Pick<DepositReturn, 'address' | 'tag'>): string {
  return createHash('sha256')
    .update(JSON.stringify([address, tag]))
    .digest('hex');
}

/** The id of a sending at the custodian. It is never used for another sending. */
export function sendingIdOf({
  custodianTransferId,
  lastSending = 0,
}: Pick<Deposit, 'custodianTransferId' | 'lastSending'>): string {
  return `${depositIdOf(custodianTransferId)}-${lastSending}`;
}

export function returnOrderOf(deposit: Deposit, { assetId, amount, from, address, tag }: DepositReturn): ReturnOrder {
  const to = { address, ...(tag !== undefined && { tag }) };
  return { externalId: sendingIdOf(deposit), network: deposit.network, assetId, amount, from, to };
}

/** True if the transfer still fits the frozen return: the custodian may have corrected its data. */
export function fitsFrozenReturn(
  network: Network,
  transfer: NonNullable<Deposit['transfer']>,
  { assetId, amount, fee, isAddressGiven, ...to }: DepositReturn,
): boolean {
  const gross = readAmount(transfer.amount);
  const sender = parseAddress(network, transfer.fromAddress);
  const isToSender = isAddressGiven === true || (sender !== undefined && isSender(sender, to));
  const isSameAmount = gross !== undefined && remainingAmount(gross, fee) === amount;
  return transfer.assetId === assetId && isSameAmount && isToSender;
}

const isSameIn = (network: Network) => (text: string, other: string) =>
  text === other || isSameAddress(network, text, other);

/** True if a transfer out of an account of the stage goes to the address and tag of the return. */
export function isSentToReturnAddress(
  { address, tag = '' }: DepositReturn,
  { network, toAddress, toTag = '' }: OutgoingTransfer,
): boolean {
  return isSameIn(network)(toAddress, address) && toTag === tag;
}

/** True if a transfer out is this return: out of an account of the stage, to its address, with its asset and amount. */
export function isReturnOf(
  { network, custodianTransferId }: Deposit,
  frozen: DepositReturn,
  one: OutgoingTransfer,
  { routes }: Pick<ReturnTerms, 'routes'>,
): boolean {
  const isSame = isSameIn(network);
  const ours = [frozen.from, ...(routes[network]?.treasury ?? [])];
  const { externalId } = one;
  return (
    one.network === network &&
    ours.some((account) => isSame(one.from, account)) &&
    isSentToReturnAddress(frozen, one) &&
    one.assetId === frozen.assetId &&
    readAmount(one.amount) === frozen.amount &&
    // A sending that the service ordered for another deposit belongs to that one.
    (externalId === undefined || externalId.startsWith(`${depositIdOf(custodianTransferId)}-`))
  );
}

/**
 * The earliest time at which a return may have left: its request or, if that is earlier, the restore. After a restore,
 * a return that was already sent may be requested again.
 */
export function mayHaveLeftSince({ requestedAt }: DepositReturn, restoredTo = requestedAt): string {
  return restoredTo < requestedAt ? restoredTo : requestedAt;
}

const HOUR = 3600;

/**
 * When a transaction that has returned a deposit is checked again, because a reorganisation may undo it: at finality,
 * after an hour and after a day.
 */
export function nextReturnCheck(returnedAt: Date, now: Date, { finalitySeconds }: NetworkRules): string | undefined {
  const times = [finalitySeconds, HOUR, 24 * HOUR].map((after) => new Date(returnedAt.getTime() + after * 1000));
  return times.find((at) => at.getTime() > now.getTime())?.toISOString();
}
