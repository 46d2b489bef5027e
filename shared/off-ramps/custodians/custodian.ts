import * as z from 'zod/mini';
import { type Network, network, txHash } from '#shared/networks/network.ts';
import type { AccountAddress } from '#shared/networks/network-family.ts';
import { Unavailable } from '#shared/platform/unavailable.ts';

/** What the service asks of a custodian. A caller that uses only a part names it. */
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
 * @throws {CustodianUnavailable} when the custodian did not answer; that is no result.
 */
export type FindTransfers = (query: TransfersQuery) => Promise<readonly CustodianTransfer[]>;

interface TransfersQuery {
  readonly network: Network;
  readonly txHash: string;
  readonly since: string;
}

/** The same as the service asks it: a transfer that cannot be read hides no other one. */
export type AskForTransfers = (query: TransfersQuery) => Promise<readonly FoundTransfer[]>;

/**
 * Verifies the signature of a notification over its raw bytes and says which transfer it is about; `undefined` when it
 * is about none. Its content is not used: the transfer is looked up.
 *
 * @throws {BadSignature} when the custodian did not sign these bytes.
 */
export type ReadNotification = (notification: {
  readonly rawBody: Buffer;
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
}) => Promise<NotifiedTransfer | undefined>;

/**
 * The address to which the deposit of an operation has to be sent: a new one or, where making one costs money, one of the
 * same user's whose operation awaits no deposit any more (decisions.md 4, Deposit address). The same operation gets the
 * same address again.
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
  /** Seconds for which the custodian wants not to be asked again, as it says with a rate limit; absent when it says none. */
  readonly retryAfter: number | undefined;

  constructor(message: string, options: ErrorOptions & { readonly retryAfter?: number } = {}) {
    super(message, options);
    this.retryAfter = options.retryAfter;
  }
}

/** What a custodian says of a transfer. */
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

/** What identifies the transfer of a notification. */
export const notifiedTransfer = z.pick(custodianTransfer, { custodianTransferId: true, network: true, txHash: true });

export type NotifiedTransfer = Readonly<z.infer<typeof notifiedTransfer>>;

/** A transfer of which no more can be read than which it is: as good as none that the custodian answers. */
export interface UnreadableTransfer extends NotifiedTransfer {
  readonly state: 'UNREADABLE';
  /** Names of what cannot be read. */
  readonly unreadableFields: string;
}

/** A transfer as the service has it of any custodian. */
export type FoundTransfer = CustodianTransfer | UnreadableTransfer;

export function isReadable(transfer: FoundTransfer): transfer is CustodianTransfer {
  return transfer.state !== 'UNREADABLE';
}
