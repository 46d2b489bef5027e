import { Big } from 'big.js';
import { networkSpecs, networks } from '#shared/networks/network.ts';
import type { Item } from '#test/simulation/aws/dynamodb/attribute-values.ts';
import { contradictionsOf, has, maybeText, text } from './items.ts';
import type { SendingPhase, TrueTransfer } from './truth.ts';

type Phase = TrueTransfer['phases'][number];

/** Milliseconds: a custodian may say what was so until then. */
export const STALE = 120_000;

type Facts = { readonly [Fact in 'network' | 'assetId' | 'toAddress' | 'fromAddress' | 'amount']: string } & {
  readonly toTag?: string | undefined;
};

/** What a deposit was seen to be. */
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

/** Whether a transfer is exactly what an operation awaits, however the service would judge it. */
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

/** The operation that a transfer was sent to: that of its address and tag, or else of the whole account. */
export function ownerOf(operations: Iterable<Item>, facts: TrueTransfer['facts']): Item | undefined {
  const sentTo = [...operations].filter((operation) => isSentTo(operation, facts));
  const tagOf = (operation: Item) => maybeText(operation, 'addressTag');
  return (
    sentTo.find((operation) => tagOf(operation) !== undefined && tagOf(operation) === facts.toTag) ??
    sentTo.find((operation) => tagOf(operation) === undefined)
  );
}

/** Whether a transfer is what an operation awaits, and not another's by its tag. */
export function isAwaitedBy(operation: Item, facts: TrueTransfer['facts'], all: ReadonlyMap<string, Item>): boolean {
  return fits(operation, facts) && ownerOf(all.values(), facts) === operation;
}

/** Whether a transfer goes to the address of an operation, whatever its tag, on its network or one of the same family. */
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

/** Hexadecimal addresses are written in either case, all others in one. */
export function accountOf(address: string): string {
  return address.startsWith('0x') ? address.toLowerCase() : address;
}

/** Whether the custodian says that the transfer is there to stay, and what was sent. */
export function isFinal(phase: Phase | undefined): boolean {
  if (phase?.isMisread === true) return false;
  return phase?.state === 'CONFIRMED';
}

/** The network keeps its fee of what has failed there, too. */
export function paysFee({ state, txHash, mayStillArrive }: SendingPhase): boolean {
  return state === 'COMPLETED' || (state === 'FAILED' && txHash !== undefined && mayStillArrive !== true);
}

export function phaseAt({ phases }: TrueTransfer, time: number): Phase | undefined {
  return phases.findLast(({ at }) => at <= time);
}

/** Whether a transfer is final from a time on. */
export function isFinalFrom(transfer: TrueTransfer, time: number): boolean {
  const later = transfer.phases.filter(({ at }) => at > time);
  return isFinal(phaseAt(transfer, time)) && later.every(isFinal);
}

/** Whether a transfer was final at any time, from one to another, as far as the custodian may say. */
export function finalIn(transfer: TrueTransfer, from: number, until: number): boolean {
  const seen = [
    phaseAt(transfer, from - STALE),
    ...transfer.phases.filter(({ at }) => at > from - STALE && at <= until),
  ];
  return seen.some(isFinal);
}

/** Whether the deposit of an operation is not paid out: it has ended otherwise, or its payout came back. */
export function isOwed(operation: Item | undefined): boolean {
  const [status, paidOut] = [text(operation, 'status'), operation?.['paidOut']?.BOOL];
  if (!has(operation, 'verifiedTxHash') || paidOut === true) return false;
  const isBack = contradictionsOf(operation).some(
    (one) => text(one, 'status') === 'PAYOUT_RETURNED' && !has(one, 'closedAt'),
  );
  return ['CANCELLED', 'FAILED'].includes(status) || (status === 'COMPLETED' && (paidOut === false || isBack));
}

/** Whether the custodian notified the service of what became of a transfer, late enough to know it. */
export function isNotifiedOfEnd({ phases, notifiedAt }: TrueTransfer): boolean {
  const end = phases.at(-1)?.at ?? 0;
  return notifiedAt.some((at) => at >= end + STALE);
}

/** Whether the custodian knows what was sent, and not that it has failed, from one time to another. */
export function isThere(transfer: TrueTransfer, from: number, until: number): boolean {
  const known = [phaseAt(transfer, from), ...transfer.phases.filter(({ at }) => at > from && at <= until)];
  return known.every((phase) => phase !== undefined && phase.state !== 'FAILED' && phase.isMisread !== true);
}
