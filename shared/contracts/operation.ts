import * as z from 'zod/mini';
import { operationStatuses } from '#shared/domain/operation.ts';
import { id, instant, network } from './fields.ts';

/** An off-ramp operation as clients see it (interface 2.5, decisions.md 4). */
export const operation = z.object({
  id,
  status: z.enum(operationStatuses),
  network,
  token: z.string(),
  /** The deposit address. */
  address: z.string(),
  /** Memo or tag that has to go with the deposit, on networks that have one. */
  addressTag: z.optional(z.string()),
  /** Exact amount expected, as a decimal text. */
  amount: z.string(),
  /** Until then a reported hash is looked up again and again. */
  expiresAt: instant,
  originExternalWalletId: id,
  externalReference: z.optional(z.string()),
  createdAt: instant,
});

/** An operation with all statuses it has had, oldest first. */
export const operationWithHistory = z.extend(operation, {
  statusHistory: z.array(z.object({ status: z.enum(operationStatuses), at: instant, reason: z.optional(z.string()) })),
});
