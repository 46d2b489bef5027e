import * as z from 'zod/mini';
import { type Network, network, txHash } from '#shared/networks/network.ts';
import type { AccountAddress } from '#shared/networks/network-families.ts';
import type { HttpRequest } from '#shared/platform/http/event.ts';
import { instant } from '#shared/platform/http/fields.ts';
import { Unavailable } from '#shared/platform/retry.ts';
import type { OutgoingTransfer, Sending } from './outgoing.ts';
import { transferState } from './transfer-state.ts';

/** The port that each custodian adapter implements. A caller declares only the members that it uses. */
export interface Custodian {
  readonly findTransfers: FindTransfers;
  readonly findTransfer: FindTransfer;
  /** Absent for a chain, which is scanned instead. */
  readonly listTransfers?: ListTransfers;
  /** Present only for a chain. */
  readonly scanTransfers?: ScanTransfers;
  /** Absent for a chain, which sends no notifications. */
  readonly readNotification?: ReadNotification;
  readonly assignDepositAddress: AssignDepositAddress;
  /** Absent for a custodian that sends no money for us, such as a chain: a person sends the returns. */
  readonly send?: Send;
  readonly findSending?: FindSending;
  readonly findOutgoing?: FindOutgoing;
  /** The source of the books. */
  readonly listMovements?: ListMovements;
  /** Absent for a custodian that would have to add up every movement that it ever had. */
  readonly readBalances?: ReadBalances;
  /** Absent for a custodian that makes each address on request. */
  readonly fillAddressPool?: FillPools;
  /** Like `fillAddressPool`, for accounts with a tag per operation: making a tag takes another API user. */
  readonly fillTagPool?: FillPools;
}

/**
 * The custodian of each network that the stage serves, with the members that the caller uses. Each transfer id begins
 * with the name of its custodian.
 */
export type Custodians<Member extends keyof Custodian> = ReadonlyMap<
  Network,
  { readonly name: string } & Required<Pick<Custodian, Member>>
>;

/** The custodians for which books are kept, by network. */
export type BookedCustodians = ReadonlyMap<
  Network,
  { readonly name: string } & Required<Pick<Custodian, 'listMovements'>> & Pick<Custodian, 'readBalances'>
>;

/**
 * Finds all transfers of one transaction into our accounts; none when the custodian does not know the transaction,
 * which is normal until it is in a block. `since` (RFC 3339) bounds the search, because custodians do not search all
 * history.
 *
 * @throws {CustodianUnavailable} when the custodian did not answer; that is not a result.
 */
export type FindTransfers = (query: TransfersQuery) => Promise<readonly CustodianTransfer[]>;

interface TransfersQuery {
  readonly network: Network;
  readonly txHash: string;
  readonly since: string;
  /**
   * True if the custodian did not know the transaction at the last call. Anybody can make up hashes, so an adapter with
   * limited calls may postpone such a call, and it is tried only once.
   */
  readonly wasUnknown?: boolean | undefined;
  /**
   * True if a client reported the hash and it is not known yet whether the custodian knows it. The hash may be made up,
   * so this call may be postponed too.
   */
  readonly isReported?: boolean | undefined;
  /** The client that reported the hash, if a client did: its own calls are the first that an adapter postpones. */
  readonly reportedBy?: string | undefined;
  /** The client whose cancel waits for the answer. Only other cancels can postpone it, above all the client's own. */
  readonly cancelledBy?: string | undefined;
}

/** Like `FindTransfers`, but each transfer is parsed on its own: an unreadable one does not hide the others. */
export type AskForTransfers = (query: TransfersQuery) => Promise<readonly FoundTransfer[]>;

/**
 * Finds one transfer by the custodian's id, because a search by hash may lag. Returns `undefined` only when the
 * custodian says that it does not know the id. `seen` is the transfer as last seen, if any: an adapter that can know
 * that it is gone returns it with the state GONE.
 *
 * @throws {CustodianUnavailable}
 */
export type FindTransfer = (query: TransferQuery) => Promise<CustodianTransfer | undefined>;

interface TransferQuery {
  readonly custodianTransferId: string;
  readonly seen?: CustodianTransfer | undefined;
}

/**
 * Lists a page of the transfers into our accounts, in every state, created from `createdSince` to `until` (RFC 3339).
 * They are in the order of creation, the only order in which custodians page without gaps. The last page has no cursor;
 * any other page may be empty.
 *
 * @throws {CustodianUnavailable}
 */
export type ListTransfers = (query: {
  readonly createdSince: string;
  readonly until: string;
  readonly cursor?: string | undefined;
}) => Promise<{ readonly transfers: readonly CustodianTransfer[]; readonly cursor?: string | undefined }>;

/**
 * Reads the next part of a network's transfers into our accounts, from the cursor on, or from a day ago without a
 * cursor. A transfer is returned twice: once when it is in a block, and once when it is final, in whichever block it is
 * then. The cursor moves past what all nodes call final and agree on.
 *
 * @throws {CustodianUnavailable}
 */
export type ScanTransfers = (query: { readonly network: Network; readonly cursor?: string | undefined }) => Promise<{
  readonly transfers: readonly CustodianTransfer[];
  readonly cursor: string;
  /** True when there is nothing more to read for now. */
  readonly isAtEnd: boolean;
}>;

/**
 * Verifies the signature of a notification over its raw bytes and returns the transfers and transactions that it names;
 * none if it does not concern us. Its other content is not used: each transfer or transaction is looked up.
 *
 * @throws {BadSignature} when the custodian did not sign these bytes.
 */
export type ReadNotification = (
  notification: Pick<HttpRequest, 'rawBody' | 'headers' | 'query'>,
) => Promise<readonly Notified[]>;

/**
 * Assigns the deposit address of an operation: a new one or, where creating one costs money, one that the same user has
 * and whose operations have all ended (decisions.md 4, Deposit address). A repeat for the same operation returns the
 * same address. `derivation` says how the owner of the keys finds the key of a derived address.
 *
 * @throws {CustodianUnavailable} when it is not known whether an address is available, or none is at the moment.
 */
export type AssignDepositAddress = (operation: {
  readonly operationId: string;
  readonly clientId: string;
  readonly userId: string;
  readonly network: Network;
  readonly custodianAssetId: string;
  /** True if the operation with this id has ended; `undefined` when there is no such operation. */
  readonly hasEnded: (operationId: string) => Promise<boolean | undefined>;
}) => Promise<AccountAddress & { readonly derivation?: Derivation }>;

/**
 * Makes addresses ahead of time, because making one takes calls to the custodian, for which no request waits. Only one
 * run is under way at a time. It begins no address after `stopsAt` (milliseconds since 1970), and the next run finishes
 * what is half made. A run ends early when the custodian does not answer.
 *
 * @returns the level of each pool at the end of the run
 */
export type FillPools = (run: {
  readonly stopsAt: number;
  readonly newId: () => string;
}) => Promise<readonly PoolLevel[]>;

export interface PoolLevel {
  readonly pool: string;
  readonly free: number;
  /** The number of free addresses up to which the pool is filled. */
  readonly size: number;
}

/**
 * Orders the custodian to send money out of an account of the stage. `externalId` is an idempotency key that never
 * expires: a second order with the same id moves nothing. A caller that does not know whether an order arrived calls
 * `findSending` first, and sends again only with the same id.
 *
 * @throws {SendingRefused} when the custodian says that it refuses the order: no order with this id exists
 * @throws {CustodianUnavailable} when it is not known whether the custodian accepted the order
 */
export type Send = (order: ReturnOrder) => Promise<void>;

export interface ReturnOrder {
  readonly externalId: string;
  readonly network: Network;
  readonly assetId: string;
  /** The amount that arrives, as an exact decimal. */
  readonly amount: string;
  /** The account or address that the money leaves, as the stage names it (`returns` in its settings). */
  readonly from: string;
  readonly to: AccountAddress;
}

/**
 * Looks up the state of an order; returns `undefined` only when the custodian says that it has no order with this id.
 *
 * @throws {CustodianUnavailable}
 */
export type FindSending = (query: {
  readonly network: Network;
  readonly externalId: string;
}) => Promise<Sending | undefined>;

/** The custodian says that it refuses an order: because of a policy, an address or the amount. */
export class SendingRefused extends Error {
  override readonly name = 'SendingRefused';
}

/**
 * Finds all transfers of one transaction out of accounts of the stage; none when the custodian does not know the
 * transaction. A chain has no accounts: its adapter returns all transfers, and the caller filters by `from`.
 *
 * @throws {CustodianUnavailable}
 */
export type FindOutgoing = (query: {
  readonly network: Network;
  readonly txHash: string;
  /** RFC 3339; bounds the search. */
  readonly since: string;
  /** A transfer of it as last seen: an adapter that can know that the transaction is gone returns this one as GONE. */
  readonly seen?: OutgoingTransfer | undefined;
}) => Promise<readonly OutgoingTransfer[]>;

/**
 * Lists a page of all movements, in every state, created from `createdSince` to `until` (RFC 3339), in the order of
 * creation. The last page has no cursor. `answer` is the custodian's raw answer, byte for byte.
 *
 * @throws {CustodianUnavailable}
 */
export type ListMovements = (query: {
  readonly createdSince: string;
  readonly until: string;
  readonly cursor?: string | undefined;
}) => Promise<{
  readonly incoming: readonly CustodianTransfer[];
  readonly outgoing: readonly OutgoingTransfer[];
  readonly cursor?: string | undefined;
  readonly answer: string;
}>;

/** Reads the total of each asset over all accounts of the stage, as exact decimals. @throws {CustodianUnavailable} */
export type ReadBalances = () => Promise<readonly { readonly assetId: string; readonly amount: string }[]>;

/** How to find a derived key: the fingerprint of the account's public key, as wallets show it, and the path from it. */
export const derivation = z.object({ fingerprint: z.string(), path: z.string() });

type Derivation = Readonly<z.infer<typeof derivation>>;

/**
 * A time-out, rate limit or fault of the custodian. The call is repeated later; the error never decides a deposit.
 * `retryAfter` is the pause in seconds that the custodian requests with a rate limit.
 */
export class CustodianUnavailable extends Unavailable {
  override readonly name = 'CustodianUnavailable';
}

/** The settings name no custodian for this network or transfer, or no longer do. */
export class NotServed extends CustodianUnavailable {}

/** One transfer as the custodian reports it. A transaction can hold several. */
export const custodianTransfer = z.object({
  /** The custodian's own id; inside the service, prefixed with the custodian's name. */
  custodianTransferId: z.string(),
  network,
  txHash,
  state: transferState,
  /** Empty while the custodian does not know it yet. */
  toAddress: z.string(),
  toTag: z.optional(z.string()),
  fromAddress: z.string(),
  /** The custodian's id of the token on this network. */
  assetId: z.string(),
  /** Plain decimal text; inside the service, in its shortest form. */
  amount: z.string(),
  /** The number so far and the number that the custodian requires, if it counts: evidence for people, no condition. */
  confirmations: z.optional(z.int()),
  requiredConfirmations: z.optional(z.int()),
  /** The number of its block, if the adapter decides finality by the final block. */
  block: z.optional(z.int()),
  /** Identifies the movement within its transaction, if the adapter knows it from the chain: the same at any node. */
  movementIndex: z.optional(z.string()),
  /** When the custodian first had it, or the time of its block (RFC 3339). */
  createdAt: instant,
  /** True if the source is the custodian's own, such as a vault account or a gas station: it is not a deposit. */
  isFromCustodian: z.optional(z.boolean()),
});

export type CustodianTransfer = Readonly<z.infer<typeof custodianTransfer>>;

/** Identifies the transfer of a notification. */
export const notifiedTransfer = z.pick(custodianTransfer, { custodianTransferId: true, network: true, txHash: true });

export type NotifiedTransfer = Readonly<z.infer<typeof notifiedTransfer>>;

/** What a notification names: a transfer, a transaction, or a transfer of which only the id is known. */
export const notified = z.partial(notifiedTransfer);

/** As the adapter returns it: `network` is any text until `readNotified` parses it. */
export type Notified = Readonly<Omit<z.infer<typeof notified>, 'network'>> & { readonly network?: string | undefined };

/** A transfer of which only the id is readable: it counts as no answer. */
export interface UnreadableTransfer extends NotifiedTransfer {
  readonly state: 'UNREADABLE';
  /** Names of the unreadable fields. */
  readonly unreadableFields: string;
}

/** A transfer of any custodian, as the service uses it. */
export type FoundTransfer = CustodianTransfer | UnreadableTransfer;

export function isReadable(transfer: FoundTransfer): transfer is CustodianTransfer {
  return transfer.state !== 'UNREADABLE';
}
