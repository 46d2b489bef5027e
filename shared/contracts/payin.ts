import * as z from 'zod/mini';
import { payinStatuses, rails } from '#shared/domain/payin.ts';
import { id, instant } from './fields.ts';

/** A pay-in as clients see it (interface 2.4). */
export const payin = z.object({
  id,
  status: z.enum(payinStatuses),
  currency: z.string(),
  amount: z.number(),
  paymentMethod: z.enum(rails),
  /** For PSE: the link that the user opens to pay. */
  pseLink: z.optional(z.string()),
  externalReference: z.optional(z.string()),
});

/** The same with when it was made and every status it has had, oldest first. */
export const payinWithHistory = z.extend(payin, {
  createdAt: instant,
  statusHistory: z.array(z.object({ status: z.enum(payinStatuses), at: instant })),
});
