import * as z from 'zod/mini';
import { network, txHash } from '#shared/networks/network.ts';
import { instant } from '#shared/platform/http/fields.ts';
import { transferState } from './transfer-state.ts';

/* Money that leaves accounts of the stage. */

export const sending = z.object({
  /** FAILED only when the custodian itself says that the order has ended without success. */
  state: z.enum(['PENDING', 'COMPLETED', 'FAILED']),
  /** Always present when COMPLETED. */
  txHash: z.optional(txHash),
  /** The custodian's id of the movement, to tell it from others of its transaction; always present when COMPLETED. */
  movementId: z.optional(z.string()),
  /** When FAILED: it was signed and nothing final has used its nonce or sequence, so the chain may still take it. */
  mayStillArrive: z.optional(z.boolean()),
});

export type Sending = Readonly<z.infer<typeof sending>>;

/** A transfer out of an account of the stage. */
export const outgoingTransfer = z.object({
  /** The custodian's id of the movement. */
  movementId: z.string(),
  /** The id under which this service ordered it. */
  externalId: z.optional(z.string()),
  network,
  /** Empty while the transfer has no hash. */
  txHash: z.string(),
  state: transferState,
  /** The account or address that the money leaves; an account as the stage's settings name it. */
  from: z.string(),
  toAddress: z.string(),
  toTag: z.optional(z.string()),
  /** The owner's own account that receives it, if one does, as the stage's settings name it. */
  toAccount: z.optional(z.string()),
  assetId: z.string(),
  /** The amount that arrives, as plain decimal text. */
  amount: z.string(),
  /** The network fee, which the account pays in addition and in an asset of its own. */
  fee: z.optional(z.object({ assetId: z.string(), amount: z.string() })),
  /** The number of its block, if the adapter decides finality by the final block. */
  block: z.optional(z.int()),
  createdAt: instant,
});

export type OutgoingTransfer = Readonly<z.infer<typeof outgoingTransfer>>;
