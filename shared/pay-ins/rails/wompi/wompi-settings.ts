import * as z from 'zod/mini';

/** Wompi's servers, by Wompi's own names of its environments. */
export const wompiServers = {
  sandbox: { url: 'https://sandbox.wompi.co', isTest: true },
  production: { url: 'https://production.wompi.co', isTest: false },
} as const satisfies Readonly<Record<string, WompiServer>>;

export interface WompiServer {
  /** Without a path or a trailing slash. */
  readonly url: string;
  /** True if its keys and notifications are those of the test environment. */
  readonly isTest: boolean;
}

/** The settings of a stage's merchant (docs/providers.md). */
export const wompiSettings = z.strictObject({ server: z.enum(['sandbox', 'production']) });

/** The environment variable `WOMPI` of functions, as JSON. */
export const wompiSetting = z.object({ url: z.string(), isTest: z.boolean() });

export type WompiSetting = Readonly<z.infer<typeof wompiSetting>>;

/** The secret with the keys of calls: `pub_…`, `prv_…`, and the secret that signs orders. */
export const wompiKeys = z.strictObject({
  publicKey: z.string().check(z.regex(/^pub_[\w]+$/)),
  privateKey: z.string().check(z.regex(/^prv_[\w]+$/)),
  integritySecret: z.string().check(z.minLength(8)),
});

export type WompiKeys = Readonly<z.infer<typeof wompiKeys>>;
