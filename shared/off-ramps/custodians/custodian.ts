import * as z from 'zod/mini';
import { type Network, network, txHash } from '#shared/networks/network.ts';
import type { AccountAddress } from '#shared/networks/network-families.ts';
import type { HttpRequest } from '#shared/platform/http/event.ts';
import { instant } from '#shared/platform/http/fields.ts';
import { Unavailable } from '#shared/platform/retry.ts';
import type { OutgoingTransfer, Sending } from './outgoing.ts';
import { transferState } from './transfer-state.ts';

/** The port of a custodian. A caller that uses only a part names that part. */
export interface Custodian {
  readonly findTransfers: FindTransfers;
  readonly findTransfer: FindTransfer;
  /** Absent for a chain, which is read by blocks. */
  readonly listTransfers?: ListTransfers;
  /** Only a chain has it. */
  readonly scanTransfers?: ScanTransfers;
  /** Absent for a chain: nobody notifies. */
  readonly readNotification?: ReadNotification;
  readonly assignDepositAddress: AssignDepositAddress;
  /** Absent for one that moves no money for us, such as a chain: returns go by hand. */
  readonly send?: Send;
  readonly findSending?: FindSending;
  readonly findOutgoing?: FindOutgoing;
  /** The books are made of these. */
  readonly listMovements?: ListMovements;
  /** Absent for one that would have to add up all that ever moved. */
  readonly readBalances?: ReadBalances;
  /** Absent for one that makes each address when it is asked for. */
  readonly fillAddressPool?: FillPools;
  /** The same for accounts with a tag for each operation, where making one takes another user of the custodian's API. */
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

/** Those of which books are kept. */
export type BookedCustodians = ReadonlyMap<
  Network,
  { readonly name: string } & Required<Pick<Custodian, 'listMovements'>> & Pick<Custodian, 'readBalances'>
>;

/**
 * All transfers of one transaction into our accounts; none when the custodian does not know the transaction, which is
 * normal until it is in a block. `since` (RFC 3339) bounds the search, because custodians do not search all of history.
 *
 * @throws {CustodianUnavailable} when the custodian did not answer; that is not a result.
 */
export type FindTransfers = (query: TransfersQuery) => Promise<readonly CustodianTransfer[]>;

interface TransfersQuery {
  readonly network: Network;
  readonly txHash: string;
  readonly since: string;
  /**
   * The custodian did not know the transaction when it was last asked for it. Anybody can make up hashes, so a custodian
   * that limits its calls may put such questions off, and they are asked in one try.
   */
  readonly wasUnknown?: boolean | undefined;
  /**
   * A client has reported it, and it is not known whether the custodian knows it: it may be made up, too, and be put off.
   */
  readonly isReported?: boolean | undefined;
  /** Whose report it is, if it is a client's: a custodian that puts off such questions puts off most of all its own. */
  readonly reportedBy?: string | undefined;
  /** The client that waits for the answer, to cancel: that is put off by cancels alone, and most of all by its own. */
  readonly cancelledBy?: string | undefined;
}

/** The same with the boundary: an unreadable transfer hides no other one. */
export type AskForTransfers = (query: TransfersQuery) => Promise<readonly FoundTransfer[]>;

/**
 * One transfer by the custodian's id, because a search by hash may lag; `undefined` only when the custodian says that it
 * does not know it. `seen` is the transfer as it was last seen, if it was: an adapter that can know that it is gone says
 * so of it.
 *
 * @throws {CustodianUnavailable}
 */
export type FindTransfer = (query: TransferQuery) => Promise<CustodianTransfer | undefined>;

interface TransferQuery {
  readonly custodianTransferId: string;
  readonly seen?: CustodianTransfer | undefined;
}

/**
 * A page of the transfers into our accounts, of every state, that were created from `createdSince` to `until` (RFC
 * 3339), in the order of their creation: the only one in which custodians page without gaps. The last page has no
 * cursor; any other may be empty.
 *
 * @throws {CustodianUnavailable}
 */
export type ListTransfers = (query: {
  readonly createdSince: string;
  readonly until: string;
  readonly cursor?: string | undefined;
}) => Promise<{ readonly transfers: readonly CustodianTransfer[]; readonly cursor?: string | undefined }>;

/**
 * The next part of a network's transfers into our accounts since the cursor, or since a day ago without one. A transfer
 * is there twice: once when it is in a block, and once when it is final, in whatever block it is then. The cursor is past
 * what all nodes call final and agree on.
 *
 * @throws {CustodianUnavailable}
 */
export type ScanTransfers = (query: { readonly network: Network; readonly cursor?: string | undefined }) => Promise<{
  readonly transfers: readonly CustodianTransfer[];
  readonly cursor: string;
  /** There is no more for now. */
  readonly isAtEnd: boolean;
}>;

/**
 * Verifies the signature of a notification over its raw bytes and returns what it names; nothing if it is about nothing
 * of ours. Its content is not used: each transaction, or transfer, is looked up.
 *
 * @throws {BadSignature} when the custodian did not sign these bytes.
 */
export type ReadNotification = (
  notification: Pick<HttpRequest, 'rawBody' | 'headers' | 'query'>,
) => Promise<readonly Notified[]>;

/**
 * The address for the deposit of an operation: a new one or, where creating one costs money, one of the same user's
 * whose operations have all ended (decisions.md 4, Deposit address). The same operation gets the same address again.
 * `derivation` says how the owner of the keys finds the key of a derived address.
 *
 * @throws {CustodianUnavailable} when it is not known whether there is one, or there is none at the moment.
 */
export type AssignDepositAddress = (operation: {
  readonly operationId: string;
  readonly clientId: string;
  readonly userId: string;
  readonly network: Network;
  readonly custodianAssetId: string;
  /** Whether an earlier operation has ended; `undefined` when there is none with this id. */
  readonly hasEnded: (operationId: string) => Promise<boolean | undefined>;
}) => Promise<AccountAddress & { readonly derivation?: Derivation }>;

/**
 * Makes addresses that operations get later, because making one takes calls of the custodian, which no request waits
 * for. One run at a time; it begins nothing after `stopsAt` (milliseconds since 1970), and what it leaves half made the
 * next one finishes. A custodian that does not answer ends it early.
 *
 * @returns how full each of its pools is at its end
 */
export type FillPools = (run: {
  readonly stopsAt: number;
  readonly newId: () => string;
}) => Promise<readonly PoolLevel[]>;

export interface PoolLevel {
  readonly pool: string;
  readonly free: number;
  /** The number of free addresses that it is filled up to. */
  readonly size: number;
}

/**
 * Has the custodian send money out of an account of the stage. `externalId` is its key for ever: a second order with the
 * same id moves nothing. Whoever is not sure whether an order arrived asks `findSending` first, and sends again only with
 * the same id.
 *
 * @throws {SendingRefused} when the custodian says that it does not take this order: no order with this id exists
 * @throws {CustodianUnavailable} when it is not known whether it took it
 */
export type Send = (order: ReturnOrder) => Promise<void>;

export interface ReturnOrder {
  readonly externalId: string;
  readonly network: Network;
  readonly assetId: string;
  /** What arrives, as exact decimals. */
  readonly amount: string;
  /** The account or address that it leaves, as the stage names it (`returns` in its settings). */
  readonly from: string;
  readonly to: AccountAddress;
}

/**
 * What became of an order; `undefined` only when the custodian says that it has none with this id.
 *
 * @throws {CustodianUnavailable}
 */
export type FindSending = (query: {
  readonly network: Network;
  readonly externalId: string;
}) => Promise<Sending | undefined>;

/** The custodian does not take an order, and says so: a policy, an address, the amount. */
export class SendingRefused extends Error {
  override readonly name = 'SendingRefused';
}

/**
 * All transfers of one transaction out of accounts of the stage; none when the custodian does not know it. A chain has
 * no accounts: it gives all transfers, and the caller goes by `from`.
 *
 * @throws {CustodianUnavailable}
 */
export type FindOutgoing = (query: {
  readonly network: Network;
  readonly txHash: string;
  /** RFC 3339; bounds the search. */
  readonly since: string;
  /** A transfer of it as it was seen: an adapter that can know that nothing of the transaction is left says so of it. */
  readonly seen?: OutgoingTransfer | undefined;
}) => Promise<readonly OutgoingTransfer[]>;

/**
 * A page of all movements, of every state, that were created from `createdSince` to `until` (RFC 3339), in the order of
 * their creation. The last page has no cursor. `answer` is what the custodian answered, byte for byte.
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

/** What all accounts of the stage together have of each asset now, as exact decimals. @throws {CustodianUnavailable} */
export type ReadBalances = () => Promise<readonly { readonly assetId: string; readonly amount: string }[]>;

/** From an account's extended public key: its fingerprint as wallets show it, and the path from there. */
export const derivation = z.object({ fingerprint: z.string(), path: z.string() });

type Derivation = Readonly<z.infer<typeof derivation>>;

/**
 * Time-out, rate limit or fault of the custodian: the call is repeated later; it is never a result for a deposit.
 * `retryAfter` is the pause that the custodian requests with a rate limit.
 */
export class CustodianUnavailable extends Unavailable {
  override readonly name = 'CustodianUnavailable';
}

/** The settings have no custodian for it, or not any more. */
export class NotServed extends CustodianUnavailable {}

/** One transfer as the custodian reports it. A transaction can hold several. */
export const custodianTransfer = z.object({
  /** The custodian's own id; inside the service with the name of the custodian before it. */
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
  /** Plain decimal text; inside the service the shortest one. */
  amount: z.string(),
  /** How many there are and how many its custodian asks for, where it counts: evidence for people, no condition. */
  confirmations: z.optional(z.int()),
  requiredConfirmations: z.optional(z.int()),
  /** The number of its block, where finality goes by the final block. */
  block: z.optional(z.int()),
  /** Which movement of its transaction it is, where the adapter knows that from the chain: the same whoever is asked. */
  movementIndex: z.optional(z.string()),
  /** When the custodian first had it, or the time of its block (RFC 3339). */
  createdAt: instant,
  /** Its source is the custodian's own, such as a vault account or a gas station: it is nobody's deposit. */
  isFromCustodian: z.optional(z.boolean()),
});

export type CustodianTransfer = Readonly<z.infer<typeof custodianTransfer>>;

/** Identifies the transfer of a notification. */
export const notifiedTransfer = z.pick(custodianTransfer, { custodianTransferId: true, network: true, txHash: true });

export type NotifiedTransfer = Readonly<z.infer<typeof notifiedTransfer>>;

/** What a notification names: a transfer, a transaction, or a transfer of which only the id is known. */
export const notified = z.partial(notifiedTransfer);

/** As the custodian names it: whether the network is one of ours is told where it is read. */
export type Notified = Readonly<Omit<z.infer<typeof notified>, 'network'>> & { readonly network?: string | undefined };

/** A transfer with a readable id only: it counts as no answer. */
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
