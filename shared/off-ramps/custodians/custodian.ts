import * as z from 'zod/mini';
import { type Network, network, txHash } from '#shared/networks/network.ts';
import type { AccountAddress } from '#shared/networks/network-family.ts';
import { Unavailable } from '#shared/platform/unavailable.ts';

/** The port of a custodian. A caller that uses only a part names that part. */
export interface Custodian {
  /** Key of its entry; each transfer id of this custodian begins with it. */
  readonly name: string;
  readonly findTransfers: FindTransfers;
  readonly readNotification: ReadNotification;
  readonly assignDepositAddress: AssignDepositAddress;
}

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
}

/** The same with the boundary: an unreadable transfer hides no other one. */
export type AskForTransfers = (query: TransfersQuery) => Promise<readonly FoundTransfer[]>;

/**
 * Verifies the signature of a notification over its raw bytes and returns its transfer; `undefined` if it has none. Its
 * content is not used: the transfer is looked up.
 *
 * @throws {BadSignature} when the custodian did not sign these bytes.
 */
export type ReadNotification = (notification: {
  readonly rawBody: Buffer;
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
}) => Promise<NotifiedTransfer | undefined>;

/**
 * The address for the deposit of an operation: a new one or, where creating one costs money, one of the same user's
 * whose operation no longer awaits a deposit (decisions.md 4, Deposit address). The same operation gets the same
 * address again.
 *
 * @throws {CustodianUnavailable} when it is not known whether there is one.
 */
export type AssignDepositAddress = (operation: {
  readonly operationId: string;
  readonly network: Network;
  readonly custodianAssetId: string;
}) => Promise<AccountAddress>;

/** Time-out, rate limit or fault of the custodian: the call is repeated later; it is never a result for a deposit. */
export class CustodianUnavailable extends Unavailable {
  override readonly name = 'CustodianUnavailable';
  /** Seconds of the pause that the custodian requests with a rate limit; absent without one. */
  readonly retryAfter: number | undefined;

  constructor(message: string, options: ErrorOptions & { readonly retryAfter?: number } = {}) {
    super(message, options);
    this.retryAfter = options.retryAfter;
  }
}

/** A transfer's state at the custodian. */
export const transferState = z.enum(['UNCONFIRMED', 'CONFIRMED', 'FAILED', 'HELD']);

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
  confirmations: z.int(),
  /** Its source is the custodian's own, such as a vault account or a gas station: it is nobody's deposit. */
  isFromCustodian: z.optional(z.boolean()),
});

export type CustodianTransfer = Readonly<z.infer<typeof custodianTransfer>>;

/** Identifies the transfer of a notification. */
export const notifiedTransfer = z.pick(custodianTransfer, { custodianTransferId: true, network: true, txHash: true });

export type NotifiedTransfer = Readonly<z.infer<typeof notifiedTransfer>>;

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
