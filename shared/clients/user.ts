import * as z from 'zod/mini';
import { network } from '#shared/networks/network.ts';

const text = z.optional(z.string());

/** The payer's data that rails require. */
export const payer = z.object({
  fullName: text,
  email: text,
  documentType: text,
  documentNumber: text,
  personType: text,
  acceptedTermsAt: text,
});

export const user = z.object({
  userId: z.string(),
  clientId: z.string(),
  /** Registered mobile number. */
  phone: text,
  payer: z.optional(payer),
  /** Since when it gets no new orders, because its data are being erased or have been. */
  closedAt: text,
  /** When its e-mail address and phone number were erased. */
  erasedAt: text,
  /** When DynamoDB deletes the rest of its data, in seconds since 1970. */
  expiresAt: z.optional(z.int()),
});

export type User = z.infer<typeof user>;

/** An address outside the service that a user declared to send from. */
export const externalWallet = z.object({ walletId: z.string(), userId: z.string(), network, address: z.string() });

export type ExternalWallet = z.infer<typeof externalWallet>;
