import * as z from 'zod/mini';
import { network, txHash } from '#shared/networks/network.ts';
import { instant } from '#shared/platform/http/fields.ts';
import { transferState } from './transfer-state.ts';

/* What leaves accounts of the stage. */

export const sending = z.object({
  /** FAILED is the custodian's own word that it has ended without success. */
  state: z.enum(['PENDING', 'COMPLETED', 'FAILED']),
  /** Always there when COMPLETED. */
  txHash: z.optional(txHash),
  /** The custodian's id of the movement, which tells it from others of its transaction; of COMPLETED always. */
  movementId: z.optional(z.string()),
  /** When FAILED: it was signed, and nothing final has used up its nonce or sequence, so its chain may still take it. */
  mayStillArrive: z.optional(z.boolean()),
});

export type Sending = Readonly<z.infer<typeof sending>>;

/** A transfer out of an account of the stage. */
export const outgoingTransfer = z.object({
  /** The custodian's id of the movement. */
  movementId: z.string(),
  /** The id under which this service had it sent. */
  externalId: z.optional(z.string()),
  network,
  /** Empty before it has one. */
  txHash: z.string(),
  state: transferState,
  /** The account or address that it leaves, as the stage's settings name accounts. */
  from: z.string(),
  toAddress: z.string(),
  toTag: z.optional(z.string()),
  /** Where it arrives in an account of the owner's, as the stage's settings name accounts. */
  toAccount: z.optional(z.string()),
  assetId: z.string(),
  /** What arrives: plain decimal text. */
  amount: z.string(),
  /** The network's fee, which the account pays too, in its own asset. */
  fee: z.optional(z.object({ assetId: z.string(), amount: z.string() })),
  /** The number of its block, where finality goes by the final block. */
  block: z.optional(z.int()),
  createdAt: instant,
});

export type OutgoingTransfer = Readonly<z.infer<typeof outgoingTransfer>>;
