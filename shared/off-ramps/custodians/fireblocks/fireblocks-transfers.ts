import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import type { CustodianTransfer } from '#shared/off-ramps/custodians/custodian.ts';
import { readAmount } from '#shared/platform/amount.ts';
import { log } from '#shared/platform/logger.ts';

/** Returns the network of an asset by its legacy id; `undefined` when it is not known. */
export type NetworkOf = (assetId: unknown) => string | undefined;

/** The type of the destinations where deposits arrive. */
export const VAULT_ACCOUNT = 'VAULT_ACCOUNT';

/** Types of sources inside the workspace. A whitelisted wallet is outside: a transfer from there is a stranger's. */
const ownSources: readonly unknown[] = ['GAS_STATION', 'VAULT_ACCOUNT'];

/** The states of incoming transfers by status, except COMPLETED (Fireblocks, Primary transaction statuses). */
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
  // A transfer that has arrived cannot be refused: it is in the wallet, but frozen (Fireblocks, Rejected substatuses).
  REJECTED: 'HELD',
  BLOCKED: 'HELD',
  FAILED: 'FAILED',
  CANCELLED: 'FAILED',
};

/** Sub-statuses with which a transaction is COMPLETED for both sides (Fireblocks, Transaction substatuses). */
export const completedSubStatuses: readonly string[] = ['', 'CONFIRMED', '3RD_PARTY_COMPLETED'];

const word = z.nullish(z.string());

const screening = z.nullish(z.object({ screeningStatus: word }));

/** One screening in Fireblocks' documentation, but a list in its own library (Fireblocks, ComplianceResult). */
const screenings = z.union([screening, z.array(screening)]);

const statusFields = z.object({
  status: z.string(),
  subStatus: word,
  complianceResults: z.nullish(z.object({ status: word, aml: screenings, tr: screenings, amlList: screenings })),
  amlScreeningResult: screening,
});

/** Returns `undefined` when the record cannot be read. */
function stateOf(record: unknown): CustodianTransfer['state'] | undefined {
  const { data } = statusFields.safeParse(record);
  if (data === undefined) return undefined;
  if (data.status !== 'COMPLETED') return states[data.status] ?? logUnknownStatus(data.status);
  return completedSubStatuses.includes(data.subStatus ?? '') ? screened(data) : 'HELD';
}

/** The unknown statuses that this process has logged: each once, and a limited number of them. */
const noticed = new Set<string>();
const MOST_NOTICED = 100;

export function logUnknownStatus(status: string) {
  if (noticed.size < MOST_NOTICED && !noticed.has(status) && /^\w{1,50}$/.test(status)) {
    noticed.add(status);
    log.warn('CUSTODIAN_STATUS_UNKNOWN', { status });
  }
  return 'UNCONFIRMED' as const;
}

/**
 * A completed transfer is final unless its screening has neither ended nor been bypassed (decisions.md 12, Finality). A
 * transfer without a screening belongs to a workspace without screenings.
 */
function screened({ complianceResults, amlScreeningResult }: z.output<typeof statusFields>) {
  const { aml, tr, amlList, status } = complianceResults ?? {};
  // `amlList` also has outdated results: a transfer that was frozen, or whose screening failed, may be screened again.
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

/** A movement of a transaction, with its fields as given. */
export interface Movement {
  readonly custodianTransferId: unknown;
  readonly txHash: unknown;
  readonly source: unknown;
  readonly fromAddress: unknown;
  readonly destination: unknown;
  readonly toAddress: unknown;
  readonly assetId: unknown;
  readonly amount: unknown;
  /** True without an address: a transaction is COMPLETED before its `networkRecords`, which have their own event. */
  readonly isUnnamed?: boolean;
}

/**
 * Returns the incoming transfers of a transaction of Fireblocks, with their values as given: the boundary parses each
 * on its own. A transaction with several movements has them in `networkRecords`, which have no ids of their own. A
 * transaction between our vaults has no hash until it is on its chain, and nothing has arrived before that.
 */
export function transfersOf(record: unknown, networkOf: NetworkOf): readonly CustodianTransfer[] {
  const transfers = movementsOf(record)
    .filter(isIncoming)
    .map((one) => transferOf(record, one, networkOf));
  const isOnChain = ({ txHash, state }: CustodianTransfer) => Boolean(txHash) || isDecisive(state);
  return transfers.filter(isOnChain);
}

/** Returns all movements of a transaction, in and out. */
export function movementsOf(record: unknown): readonly Movement[] {
  const { networkRecords } = Object(record);
  const isSeveral = Array.isArray(networkRecords) && networkRecords.length > 0;
  const named = isSeveral ? several(record, networkRecords) : [];
  // Before its block a transaction may have several movements without addresses: then it counts as one movement.
  const isUnnamed = isSeveral && named.length === 0 && networkRecords.some((one) => !isDropped(one) && !addressOf(one));
  return isSeveral && !isUnnamed ? named : [single(record)];
}

/** True for a state that counts even without a hash: it is final, or cannot be read. */
const isDecisive = (state: CustodianTransfer['state'] | undefined) => state === 'CONFIRMED' || state === undefined;

/**
 * Returns the amount that arrives. It is without a fee that an exchange or the network keeps of the ordered amount,
 * which is known only later (Fireblocks, AmountInfo). The text is exact; the number beside it is a float.
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
  // Several destinations come without addresses: the transfer is kept, but belongs to no operation.
  const split = [to.destinations].flat().find((one) => peerTypeOf(Object(one).destination) === VAULT_ACCOUNT);
  if (split !== undefined) return { ...common, destination: split.destination, toAddress: '' };
  const { destination, destinationAddress: toAddress = '' } = to;
  return { ...common, destination, toAddress, isUnnamed: toAddress === '' };
}

/**
 * Reads the movements in `networkRecords`. A movement's id is the transaction's id with a digest of address, asset and
 * amount, and the number of equal movements before it. So the id stays the same in any order of the movements, and when
 * others are added or dropped. The movement that equals the transaction's own fields keeps the transaction's id, which
 * it had while it was the only one.
 */
function several(record: unknown, given: readonly unknown[]): readonly Movement[] {
  const { id, status, txHash: wholeHash, destination: wholeDestination, ...whole } = Object(record);
  const wholeDigest = digestOf([whole.destinationAddress, whole.assetId, arriving(Object(whole.amountInfo))]);
  const isNamed = given.some((one) => addressOf(one) && !isDropped(one));
  const alike = new Map<string, number>();
  // Among equal movements the dropped ones come last, so that the others keep their ids.
  const ordered = given.toSorted((one, other) => Number(isDropped(one)) - Number(isDropped(other)));
  return ordered.flatMap((one) => {
    const { txHash = wholeHash, destination = wholeDestination, destinationAddress: toAddress, ...moved } = Object(one);
    const { assetId, netAmount, isDropped: dropped = false, source = whole.source, sourceAddress } = moved;
    // The id needs the address, which is known only with the block.
    if (!toAddress && (status !== 'COMPLETED' || !isNamed)) return [];
    const digest = digestOf([toAddress, assetId, netAmount]);
    const number = alike.get(digest) ?? 0;
    alike.set(digest, number + 1);
    if (dropped === true) return [];
    const isWhole = digest === wholeDigest && number === 0;
    const custodianTransferId: unknown = typeof id === 'string' && !isWhole ? `${id}#${digest}.${number}` : id;
    // If it cannot be read whether the movement was dropped, the amount is unreadable too.
    const amount: unknown = dropped === false ? netAmount : dropped;
    // A movement's sender may differ from the transaction's: a contract sends money that others gave it.
    const from = { source, fromAddress: sourceAddress || whole.sourceAddress };
    return [{ custodianTransferId, txHash, ...from, destination, toAddress, assetId, amount }];
  });
}

/** Returns a digest of address, asset and amount, whatever their spelling: 16 hexadecimal digits. */
function digestOf([address, assetId, amount]: readonly unknown[]): string {
  const isHexadecimal = typeof address === 'string' && /^0x/i.test(address);
  const plain = typeof amount === 'string' ? readAmount(amount) : undefined;
  const normal = [isHexadecimal ? address.toLowerCase() : address, assetId, plain ?? amount];
  return createHash('sha256').update(JSON.stringify(normal)).digest('hex').slice(0, 16);
}

const isDropped = (one: unknown): boolean => Object(one).isDropped === true;

const addressOf = (one: unknown): unknown => Object(one).destinationAddress;

/** Returns the id of the transaction that a transfer belongs to. */
export function transactionIdOf(custodianTransferId: string): string {
  return custodianTransferId.split('#')[0] ?? '';
}

export const peerTypeOf = (peer: unknown): unknown => Object(peer).type;

/** True for an unreadable destination, too: the boundary handles it. */
function isIncoming({ destination }: Movement): boolean {
  const type = peerTypeOf(destination);
  return typeof type !== 'string' || type === VAULT_ACCOUNT;
}

function transferOf(
  record: unknown,
  { source, fromAddress, destination, toAddress, isUnnamed = false, ...movement }: Movement,
  networkOf: NetworkOf,
): CustodianTransfer {
  const { destinationTag, numOfConfirmations, createdAt } = Object(record);
  const recordState = typeof peerTypeOf(destination) === 'string' ? stateOf(record) : undefined;
  const state = isUnnamed && recordState === 'CONFIRMED' ? 'UNCONFIRMED' : recordState;
  /** A transfer that is not CONFIRMED may lack values that Fireblocks does not know yet. */
  const orNone = (value: unknown, none: unknown) =>
    value === undefined || (value === null && state !== 'CONFIRMED') ? none : value;
  const type = source === undefined ? '' : peerTypeOf(source);
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

/** Converts milliseconds since 1970 to RFC 3339; returns anything else as given. */
export function instantOf(given: unknown): unknown {
  const isTime = typeof given === 'number' && Math.abs(given) <= MOST_MILLISECONDS;
  return isTime ? new Date(given).toISOString() : given;
}

/** The last valid date, in milliseconds since 1970 (ECMAScript, Time values). */
const MOST_MILLISECONDS = 8.64e15;
