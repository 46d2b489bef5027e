import * as z from 'zod/mini';
import { network, txHash } from '#shared/networks/network.ts';

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
