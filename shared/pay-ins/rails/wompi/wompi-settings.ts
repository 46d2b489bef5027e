import * as z from 'zod/mini';

/** The servers by environment, as their owner names them, and the beginnings of each environment's keys. */
export const wompiServers = {
  sandbox: { url: 'https://sandbox.wompi.co', isTest: true },
  production: { url: 'https://production.wompi.co', isTest: false },
} as const satisfies Readonly<Record<string, WompiServer>>;

export interface WompiServer {
  /** Without path and end. */
  readonly url: string;
  /** Whether its keys and notifications are those of tests. */
  readonly isTest: boolean;
}

/** What a stage says of its merchant (docs/providers.md). */
export const wompiSettings = z.strictObject({ server: z.enum(['sandbox', 'production']) });

/** What functions are told of it, as `WOMPI`. */
export const wompiSetting = z.object({ url: z.string(), isTest: z.boolean() });

export type WompiSetting = Readonly<z.infer<typeof wompiSetting>>;

/** The secret with which functions ask: `prv_…`, `pub_…` and the secret of signatures of orders. */
export const wompiKeys = z.strictObject({
  publicKey: z.string().check(z.regex(/^pub_[\w]+$/)),
  privateKey: z.string().check(z.regex(/^prv_[\w]+$/)),
  integritySecret: z.string().check(z.minLength(8)),
});

export type WompiKeys = Readonly<z.infer<typeof wompiKeys>>;
