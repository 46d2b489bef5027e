import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import type { CustodianTransfer } from '#shared/off-ramps/custodians/custodian.ts';
import { readAmount } from '#shared/platform/amount.ts';
import { log } from '#shared/platform/logger.ts';

/** The network of an asset, by its legacy id; `undefined` when it has none that is known. */
export type NetworkOf = (assetId: unknown) => string | undefined;

/** Where deposits arrive. */
export const OURS = 'VAULT_ACCOUNT';

/** Sources of the workspace itself. A whitelisted wallet is outside it: what comes from there is a stranger's. */
const ownSources: readonly unknown[] = ['GAS_STATION', 'VAULT_ACCOUNT'];

/** Statuses of an incoming transfer, but for COMPLETED (Fireblocks, Primary transaction statuses). */
const states: Readonly<Record<string, CustodianTransfer['state']>> = {
  SUBMITTED: 'UNCONFIRMED',
  PENDING_AML_SCREENING: 'UNCONFIRMED',
  PENDING_ENRICHMENT: 'UNCONFIRMED',
  PENDING_AUTHORIZATION: 'UNCONFIRMED',
  QUEUED: 'UNCONFIRMED',
  PENDING_SIGNATURE: 'UNCONFIRMED',
  PENDING_3RD_PARTY_MANUAL_APPROVAL: 'UNCONFIRMED',
  PENDING_3RD_PARTY: 'UNCONFIRMED',
  BROADCASTING: 'UNCONFIRMED',
  CONFIRMING: 'UNCONFIRMED',
  CANCELLING: 'UNCONFIRMED',
  // What has arrived cannot be refused: it is in the wallet, and frozen (Fireblocks, Rejected substatuses).
  REJECTED: 'HELD',
  BLOCKED: 'HELD',
  FAILED: 'FAILED',
  CANCELLED: 'FAILED',
};

/** Sub-statuses of what is COMPLETED for both sides (Fireblocks, Transaction substatuses). */
export const completed: readonly string[] = ['', 'CONFIRMED', '3RD_PARTY_COMPLETED'];

const word = z.nullish(z.string());

const screening = z.nullish(z.object({ screeningStatus: word }));

/** Their documentation has one where their own library has a list (Fireblocks, ComplianceResult). */
const screenings = z.union([screening, z.array(screening)]);

const statusFields = z.object({
  status: z.string(),
  subStatus: word,
  complianceResults: z.nullish(z.object({ status: word, aml: screenings, tr: screenings, amlList: screenings })),
  amlScreeningResult: screening,
});

/** `undefined` when it cannot be read. */
function stateOf(record: unknown): CustodianTransfer['state'] | undefined {
  const { data } = statusFields.safeParse(record);
  if (data === undefined) return undefined;
  if (data.status !== 'COMPLETED') return states[data.status] ?? noticeStatus(data.status);
  return completed.includes(data.subStatus ?? '') ? screened(data) : 'HELD';
}

/** Each such status once in a process, and not any number of them. */
const noticed = new Set<string>();
const MOST_NOTICED = 100;

export function noticeStatus(status: string) {
  if (noticed.size < MOST_NOTICED && !noticed.has(status) && /^\w{1,50}$/.test(status)) {
    noticed.add(status);
    log.warn('CUSTODIAN_STATUS_UNKNOWN', { status });
  }
  return 'UNCONFIRMED' as const;
}

/**
 * A completed transfer is final unless its screening has neither ended nor been bypassed (decisions.md 12, Finality). One
 * without a screening is of a workspace that has none.
 */
function screened({ complianceResults, amlScreeningResult }: z.output<typeof statusFields>) {
  const { aml, tr, amlList, status } = complianceResults ?? {};
  // The list has all that was ever said: one that was frozen, or has failed, may have been screened again.
  const words = [wordsOf(aml).length > 0 ? aml : amlList, tr, amlScreeningResult].flatMap(wordsOf);
  if (words.includes('FROZEN')) return 'HELD';
  // The next screening has begun, and has no result yet.
  if (status?.endsWith('IncomingStarted')) return 'UNCONFIRMED';
  const isOver = words.length > 0 ? words.every(isEnd) : !status || status.endsWith('Completed');
  return isOver ? 'CONFIRMED' : 'UNCONFIRMED';
}

const wordsOf = (results: z.output<typeof screenings>): readonly string[] =>
  [results].flat().flatMap((one) => one?.screeningStatus ?? []);

const isEnd = (screeningStatus: string) => screeningStatus === 'COMPLETED' || screeningStatus === 'BYPASSED';

/** What moved, with its fields as given. */
export interface Movement {
  readonly custodianTransferId: unknown;
  readonly txHash: unknown;
  readonly source: unknown;
  readonly fromAddress: unknown;
  readonly destination: unknown;
  readonly toAddress: unknown;
  readonly assetId: unknown;
  readonly amount: unknown;
  /** It is COMPLETED before its `networkRecords` are there, which an event of their own tells of. */
  readonly isUnnamed?: boolean;
}

/**
 * The incoming transfers of a transaction of Fireblocks, with its values as given: the boundary reads them, each for
 * itself. A transaction with several movements has them in `networkRecords`, none of which has an id of its own. One
 * between our vaults has no hash until it is on its chain, and nothing has arrived before that.
 */
export function transfersOf(record: unknown, networkOf: NetworkOf): readonly CustodianTransfer[] {
  const transfers = movementsOf(record)
    .filter(isIncoming)
    .map((one) => transferOf(record, one, networkOf));
  const isOnChain = ({ txHash, state }: CustodianTransfer) => Boolean(txHash) || isDecisive(state);
  return transfers.filter(isOnChain);
}

/** All that a transaction moves, in and out. */
export function movementsOf(record: unknown): readonly Movement[] {
  const { networkRecords } = Object(record);
  const isSeveral = Array.isArray(networkRecords) && networkRecords.length > 0;
  const named = isSeveral ? several(record, networkRecords) : [];
  // Before its block it may have several without their addresses: something is on its way all the same.
  const isUnnamed = isSeveral && named.length === 0 && networkRecords.some((one) => !isDropped(one) && !addressOf(one));
  return isSeveral && !isUnnamed ? named : [single(record)];
}

/** A state that counts without a hash: it is final all the same, or cannot be read. */
const isDecisive = (state: CustodianTransfer['state'] | undefined) => state === 'CONFIRMED' || state === undefined;

/**
 * What arrives: a fee that an exchange or the network keeps of the amount that was ordered is not in it, and is told later
 * (Fireblocks, AmountInfo). The amount is that of the text; the number beside it is a float.
 */
function arriving({ amount, netAmount }: Record<string, unknown>): unknown {
  const net = typeof netAmount === 'string' ? readAmount(netAmount) : undefined;
  return net === undefined || net === '0' ? amount : net;
}

function single(record: unknown): Movement {
  const { id: custodianTransferId, txHash, assetId, amountInfo, networkRecords = [], ...to } = Object(record);
  const isReadable = networkRecords === null || Array.isArray(networkRecords);
  const amount: unknown = isReadable ? arriving(Object(amountInfo)) : networkRecords;
  const from = { source: to.source, fromAddress: to.sourceAddress };
  const common = { custodianTransferId, txHash, assetId, amount, ...from };
  // Of several destinations there are no addresses: it is kept, and is no operation's.
  const split = [to.destinations].flat().find((one) => typeOf(Object(one).destination) === OURS);
  if (split !== undefined) return { ...common, destination: split.destination, toAddress: '' };
  const { destination, destinationAddress: toAddress = '' } = to;
  return { ...common, destination, toAddress, isUnnamed: toAddress === '' };
}

/**
 * The id of a movement is that of its transaction with a digest of address, asset and amount, and counts those that are
 * alike: it stays the same in whatever order they come, and when others are added or dropped. The one that is what the
 * transaction itself says keeps the transaction's id, which it had while it was the only one.
 */
function several(record: unknown, given: readonly unknown[]): readonly Movement[] {
  const { id, status, txHash: ofAll, destination: ofRecord, ...whole } = Object(record);
  const ofWhole = digestOf([whole.destinationAddress, whole.assetId, arriving(Object(whole.amountInfo))]);
  const isNamed = given.some((one) => addressOf(one) && !isDropped(one));
  const alike = new Map<string, number>();
  // Of those that are alike, the dropped ones are last: the others keep their ids.
  const ordered = given.toSorted((one, other) => Number(isDropped(one)) - Number(isDropped(other)));
  return ordered.flatMap((one) => {
    const { txHash = ofAll, destination = ofRecord, destinationAddress: toAddress, ...moved } = Object(one);
    const { assetId, netAmount, isDropped: dropped = false, source = whole.source, sourceAddress } = moved;
    // Its id needs the address, which comes with the block.
    if (!toAddress && (status !== 'COMPLETED' || !isNamed)) return [];
    const digest = digestOf([toAddress, assetId, netAmount]);
    const number = alike.get(digest) ?? 0;
    alike.set(digest, number + 1);
    if (dropped === true) return [];
    const isWhole = digest === ofWhole && number === 0;
    const custodianTransferId: unknown = typeof id === 'string' && !isWhole ? `${id}#${digest}.${number}` : id;
    // What may be dropped or not has no amount that counts.
    const amount: unknown = dropped === false ? netAmount : dropped;
    // The sender of the transaction need not be that of the movement: a contract sends what others gave it.
    const from = { source, fromAddress: sourceAddress || whole.sourceAddress };
    return [{ custodianTransferId, txHash, ...from, destination, toAddress, assetId, amount }];
  });
}

/** A digest of address, asset and amount, in whichever spelling: 16 hexadecimal digits. */
function digestOf([address, assetId, amount]: readonly unknown[]): string {
  const isHexadecimal = typeof address === 'string' && /^0x/i.test(address);
  const plain = typeof amount === 'string' ? readAmount(amount) : undefined;
  const normal = [isHexadecimal ? address.toLowerCase() : address, assetId, plain ?? amount];
  return createHash('sha256').update(JSON.stringify(normal)).digest('hex').slice(0, 16);
}

const isDropped = (one: unknown): boolean => Object(one).isDropped === true;

const addressOf = (one: unknown): unknown => Object(one).destinationAddress;

/** The id of the transaction that a transfer is of. */
export function transactionIdOf(custodianTransferId: string): string {
  return custodianTransferId.split('#')[0] ?? '';
}

export const typeOf = (peer: unknown): unknown => Object(peer).type;

/** What cannot be read is the boundary's. */
function isIncoming({ destination }: Movement): boolean {
  const type = typeOf(destination);
  return typeof type !== 'string' || type === OURS;
}

function transferOf(
  record: unknown,
  { source, fromAddress, destination, toAddress, isUnnamed = false, ...movement }: Movement,
  networkOf: NetworkOf,
): CustodianTransfer {
  const { destinationTag, numOfConfirmations, createdAt } = Object(record);
  const said = typeof typeOf(destination) === 'string' ? stateOf(record) : undefined;
  const state = isUnnamed && said === 'CONFIRMED' ? 'UNCONFIRMED' : said;
  /** What is not CONFIRMED may lack what Fireblocks does not know yet. */
  const orNone = (value: unknown, none: unknown) =>
    value === undefined || (value === null && state !== 'CONFIRMED') ? none : value;
  const type = source === undefined ? '' : typeOf(source);
  return Object({
    ...movement,
    network: networkOf(movement.assetId),
    state,
    toAddress: orNone(toAddress, ''),
    toTag: destinationTag === '' || destinationTag === null ? undefined : destinationTag,
    fromAddress: orNone(fromAddress, ''),
    confirmations: orNone(numOfConfirmations, undefined),
    createdAt: instantOf(createdAt),
    isFromCustodian: typeof type === 'string' ? ownSources.includes(type) || undefined : type,
  });
}

/** The time of milliseconds since 1970; anything else as given. */
export function instantOf(given: unknown): unknown {
  const isTime = typeof given === 'number' && Math.abs(given) <= MOST_MILLISECONDS;
  return isTime ? new Date(given).toISOString() : given;
}

/** Beyond it there are no dates (ECMAScript, Time values). */
const MOST_MILLISECONDS = 8.64e15;
