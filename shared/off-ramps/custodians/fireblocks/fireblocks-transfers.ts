import * as z from 'zod/mini';
import type { CustodianTransfer } from '#shared/off-ramps/custodians/custodian.ts';
import { log } from '#shared/platform/logger.ts';

/** The network of an asset, by its legacy id; `undefined` when it has none that is known. */
export type NetworkOf = (assetId: unknown) => string | undefined;

/** Where deposits arrive. */
const OURS = 'VAULT_ACCOUNT';

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

/** Of what is COMPLETED for both sides (Fireblocks, Transaction substatuses). */
const completed: readonly string[] = ['', 'CONFIRMED', '3RD_PARTY_COMPLETED'];

const word = z.nullish(z.string());

const screening = z.nullish(z.object({ screeningStatus: word }));

const statusFields = z.object({
  status: z.string(),
  subStatus: word,
  complianceResults: z.nullish(
    z.object({ status: word, aml: screening, tr: screening, amlList: z.nullish(z.array(screening)) }),
  ),
  amlScreeningResult: screening,
});

/** `undefined` when it cannot be read. */
function stateOf(record: unknown): CustodianTransfer['state'] | undefined {
  const { data } = statusFields.safeParse(record);
  if (data === undefined) return undefined;
  if (data.status !== 'COMPLETED') return states[data.status] ?? unknownStatus(data.status);
  return completed.includes(data.subStatus ?? '') ? screened(data) : 'HELD';
}

/** Each such status once in a process. */
const noticed = new Set<string>();

function unknownStatus(status: string) {
  const isPlain = /^\w{1,50}$/.test(status);
  if (isPlain && noticed.size < 100 && !noticed.has(status)) log.warn('CUSTODIAN_STATUS_UNKNOWN', { status });
  noticed.add(isPlain ? status : '');
  return 'UNCONFIRMED' as const;
}

/**
 * A completed transfer is final unless its screening has neither ended nor been bypassed (decisions.md 12, Finality). One
 * without a screening is of a workspace that has none.
 */
function screened({ complianceResults, amlScreeningResult }: z.output<typeof statusFields>) {
  const { aml, tr, amlList, status } = complianceResults ?? {};
  const words = [aml, tr, amlScreeningResult, ...(amlList ?? [])].flatMap((one) => one?.screeningStatus ?? []);
  if (words.includes('FROZEN')) return 'HELD';
  const isOver = words.length > 0 ? words.every(isEnd) : (status ?? '').endsWith('Completed') || !status;
  return isOver ? 'CONFIRMED' : 'UNCONFIRMED';
}

const isEnd = (screeningStatus: string) => screeningStatus === 'COMPLETED' || screeningStatus === 'BYPASSED';

/** What moved, with its fields as given. */
interface Movement {
  readonly custodianTransferId: unknown;
  readonly txHash: unknown;
  readonly destination: unknown;
  readonly toAddress: unknown;
  readonly assetId: unknown;
  readonly amount: unknown;
}

/**
 * The incoming transfers of a transaction of Fireblocks, with its values as given: the boundary reads them, each for
 * itself. A transaction with several movements has them in `networkRecords`, none of which has an id of its own.
 */
export function transfersOf(record: unknown, networkOf: NetworkOf): readonly CustodianTransfer[] {
  const { networkRecords } = Object(record);
  const isSeveral = Array.isArray(networkRecords) && networkRecords.length > 0;
  const movements = isSeveral ? numbered(record, networkRecords) : [single(record)];
  return movements.filter(isIncoming).map((one) => transferOf(record, one, networkOf));
}

/** The amount is that of the text; the number beside it is a float (Fireblocks, TransactionResponse). */
function single(record: unknown): Movement {
  const { id: custodianTransferId, txHash, assetId, amountInfo, networkRecords = [], ...to } = Object(record);
  const isReadable = networkRecords === null || Array.isArray(networkRecords);
  const amount: unknown = isReadable ? Object(amountInfo).amount : networkRecords;
  const common = { custodianTransferId, txHash, assetId, amount };
  // Of several destinations there are no addresses: it is kept, and is no operation's.
  const split = [to.destinations].flat().find((one) => typeOf(Object(one).destination) === OURS);
  return split === undefined
    ? { ...common, destination: to.destination, toAddress: to.destinationAddress }
    : { ...common, destination: split.destination, toAddress: '' };
}

/** Numbered by address, asset and amount, so that an id stays the same in whatever order they come. */
function numbered(record: unknown, movements: readonly unknown[]): readonly Movement[] {
  const { id, txHash: ofAll, destination: ofRecord } = Object(record);
  const keyed = movements.map((one) => {
    const { destinationAddress, assetId, netAmount } = Object(one);
    return { one, key: JSON.stringify([destinationAddress, assetId, netAmount]) };
  });
  const ordered = keyed.toSorted((one, other) => (one.key < other.key ? -1 : 1));
  return ordered.flatMap(({ one }, number) => {
    const { txHash = ofAll, destination = ofRecord, destinationAddress: toAddress, ...moved } = Object(one);
    const { assetId, netAmount, isDropped = false } = moved;
    if (isDropped === true) return [];
    const amount: unknown = isDropped === false ? netAmount : isDropped;
    return [{ custodianTransferId: `${id}#${number}`, txHash, destination, toAddress, assetId, amount }];
  });
}

const typeOf = (peer: unknown): unknown => Object(peer).type;

/** What cannot be read is the boundary's. */
function isIncoming({ destination }: Movement): boolean {
  const type = typeOf(destination);
  return typeof type !== 'string' || type === OURS;
}

function transferOf(
  record: unknown,
  { destination, toAddress, ...movement }: Movement,
  networkOf: NetworkOf,
): CustodianTransfer {
  const { sourceAddress, source, destinationTag, numOfConfirmations, createdAt } = Object(record);
  const state = typeof typeOf(destination) === 'string' ? stateOf(record) : undefined;
  /** What is not CONFIRMED may lack what Fireblocks does not know yet. */
  const orNone = (value: unknown, none: unknown) =>
    value === undefined || (value === null && state !== 'CONFIRMED') ? none : value;
  const type = typeOf(source) ?? '';
  return Object({
    ...movement,
    network: networkOf(movement.assetId),
    state,
    toAddress: orNone(toAddress, ''),
    toTag: destinationTag === '' || destinationTag === null ? undefined : destinationTag,
    fromAddress: orNone(sourceAddress, ''),
    confirmations: orNone(numOfConfirmations, undefined),
    createdAt: instantOf(createdAt),
    isFromCustodian: typeof type === 'string' ? ownSources.includes(type) || undefined : type,
  });
}

/** Of milliseconds since 1970; anything else as given. */
export function instantOf(given: unknown): unknown {
  const isTime = typeof given === 'number' && Math.abs(given) <= MOST_MILLISECONDS;
  return isTime ? new Date(given).toISOString() : given;
}

/** Beyond it there are no dates (ECMAScript, Time values). */
const MOST_MILLISECONDS = 8.64e15;
