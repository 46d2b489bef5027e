import { Big } from 'big.js';
import { networkSpecs, networks } from '#shared/networks/network.ts';
import type { Item } from '#test/simulation/aws/dynamodb/attribute-values.ts';
import { contradictionsOf, has, maybeText, text } from './items.ts';
import type { SendingPhase, TrueTransfer } from './truth.ts';

type Phase = TrueTransfer['phases'][number];

/** Milliseconds: the greatest age of a custodian's answer. */
export const STALE = 120_000;

type Facts = { readonly [Fact in 'network' | 'assetId' | 'toAddress' | 'fromAddress' | 'amount']: string } & {
  readonly toTag?: string | undefined;
};

/** Returns the facts of a deposit as the service last read them. */
export function factsOf(deposit: Item): Facts {
  const seen = deposit['transfer']?.M;
  return {
    network: text(deposit, 'network'),
    assetId: text(seen, 'assetId'),
    toAddress: text(seen, 'toAddress'),
    toTag: maybeText(seen, 'toTag'),
    fromAddress: text(seen, 'fromAddress'),
    amount: text(seen, 'amount'),
  };
}

/** True if a transfer is exactly what an operation awaits, independent of the service's code. */
export function fits(operation: Item, facts: Facts): boolean {
  const tag = maybeText(operation, 'addressTag');
  return (
    facts.network === text(operation, 'network') &&
    facts.assetId === text(operation, 'custodianAssetId') &&
    isSameAddress(facts.toAddress, text(operation, 'address')) &&
    (tag === undefined || facts.toTag === tag) &&
    isSameAddress(facts.fromAddress, text(operation, 'senderAddress')) &&
    new Big(facts.amount).eq(text(operation, 'amount'))
  );
}

/** Returns the operation of a transfer: by address and tag, or else the one with the whole account. */
export function ownerOf(operations: Iterable<Item>, facts: TrueTransfer['facts']): Item | undefined {
  const sentTo = [...operations].filter((operation) => isSentTo(operation, facts));
  const tagOf = (operation: Item) => maybeText(operation, 'addressTag');
  return (
    sentTo.find((operation) => tagOf(operation) !== undefined && tagOf(operation) === facts.toTag) ??
    sentTo.find((operation) => tagOf(operation) === undefined)
  );
}

/** True if a transfer is what an operation awaits, and its tag does not make it another operation's. */
export function isAwaitedBy(operation: Item, facts: TrueTransfer['facts'], all: ReadonlyMap<string, Item>): boolean {
  return fits(operation, facts) && ownerOf(all.values(), facts) === operation;
}

/** True if a transfer goes to an operation's address, with any tag, on its network or one of the same family. */
export function isSentTo(
  operation: Item,
  { network, toAddress }: Pick<TrueTransfer['facts'], 'network' | 'toAddress'>,
) {
  const own = networks.find((one) => one === text(operation, 'network'));
  const isFamily = own !== undefined && networkSpecs[own].family === networkSpecs[network].family;
  return isFamily && isSameAddress(toAddress, text(operation, 'address'));
}

export function isSameAddress(one: string, other: string): boolean {
  return one === other || accountOf(one) === accountOf(other);
}

/** Hexadecimal addresses may be in either case; all others have one spelling. */
export function accountOf(address: string): string {
  return address.startsWith('0x') ? address.toLowerCase() : address;
}

/** True if the custodian reports the transfer as confirmed, with the right amount. */
export function isFinal(phase: Phase | undefined): boolean {
  if (phase?.isMisread === true) return false;
  return phase?.state === 'CONFIRMED';
}

/** True if the network keeps its fee: also for a transaction that failed on the chain. */
export function paysFee({ state, txHash, mayStillArrive }: SendingPhase): boolean {
  return state === 'COMPLETED' || (state === 'FAILED' && txHash !== undefined && mayStillArrive !== true);
}

export function phaseAt({ phases }: TrueTransfer, time: number): Phase | undefined {
  return phases.findLast(({ at }) => at <= time);
}

/** True if a transfer is final from a time on. */
export function isFinalFrom(transfer: TrueTransfer, time: number): boolean {
  const later = transfer.phases.filter(({ at }) => at > time);
  return isFinal(phaseAt(transfer, time)) && later.every(isFinal);
}

/** True if the custodian may have reported the transfer as final at some time in the interval. */
export function finalIn(transfer: TrueTransfer, from: number, until: number): boolean {
  const seen = [
    phaseAt(transfer, from - STALE),
    ...transfer.phases.filter(({ at }) => at > from - STALE && at <= until),
  ];
  return seen.some(isFinal);
}

/** True if an operation's deposit is not paid out: the operation ended otherwise, or its payout came back. */
export function isOwed(operation: Item | undefined): boolean {
  const [status, paidOut] = [text(operation, 'status'), operation?.['paidOut']?.BOOL];
  if (!has(operation, 'verifiedTxHash') || paidOut === true) return false;
  const isBack = contradictionsOf(operation).some(
    (one) => text(one, 'status') === 'PAYOUT_RETURNED' && !has(one, 'closedAt'),
  );
  return ['CANCELLED', 'FAILED'].includes(status) || (status === 'COMPLETED' && (paidOut === false || isBack));
}

/** True if the custodian notified the service of a transfer's last phase, late enough for a current answer. */
export function isNotifiedOfEnd({ phases, notifiedAt }: TrueTransfer): boolean {
  const end = phases.at(-1)?.at ?? 0;
  return notifiedAt.some((at) => at >= end + STALE);
}

/** True if the custodian knows the transfer during the whole interval, with the right amount and not as FAILED. */
export function isThere(transfer: TrueTransfer, from: number, until: number): boolean {
  const known = [phaseAt(transfer, from), ...transfer.phases.filter(({ at }) => at > from && at <= until)];
  return known.every((phase) => phase !== undefined && phase.state !== 'FAILED' && phase.isMisread !== true);
}
