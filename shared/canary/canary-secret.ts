import * as z from 'zod/mini';

/** The content of the canary's secret, as JSON: `npm run canary` writes it, the functions of the canary read it. */
export const canarySecret = z.object({
  clientId: z.string(),
  clientSecret: z.string(),
  /** Present if clients need a certificate. */
  certificatePem: z.optional(z.string()),
  privateKeyPem: z.optional(z.string()),
  /** The client's user; present if deposits are simulated. */
  user: z.optional(
    z.object({
      userId: z.string(),
      walletId: z.string(),
      /** The address of the wallet. */
      from: z.string(),
      token: z.object({ id: z.int(), token: z.string() }),
    }),
  ),
});

export type CanarySecret = z.infer<typeof canarySecret>;
