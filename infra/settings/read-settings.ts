import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';

/** A host that clients or providers call, with the certificate of its name in the region of the stack. */
const domain = z.object({
  name: z.string().check(z.regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/)),
  certificateArn: z.string().check(z.startsWith('arn:aws')),
});

export type Domain = z.infer<typeof domain>;

const settings = z.object({
  /** `admin` serves /api/v1/admin/…, `api` the other paths; both reach the same API. Providers have an API of their own. */
  domains: z.optional(z.object({ admin: domain, api: domain, providers: domain })),
  /** The certificate authorities whose client certificates are accepted, as PEM in S3. */
  mutualTls: z.optional(z.object({ trustStore: z.string().check(z.regex(/^s3:\/\/[^/]+\/.+$/)) })),
  /** Addresses from which clients may call, as CIDR blocks. */
  ipAllowlist: z.optional(z.array(z.string().check(z.regex(/^[\d.]+\/\d+$|^[\da-f:]+\/\d+$/i))).check(z.minLength(1))),
});

export type Settings = z.infer<typeof settings>;

/** What production is never without (interface 5.5), each with the sentence that says so. */
const requiredInProduction = {
  domains: 'production needs its custom domains: domains.admin, domains.api and domains.providers.',
  mutualTls: 'production requires mutual TLS: name the trust store as mutualTls.trustStore, s3://bucket/file.pem.',
  ipAllowlist: "production requires an IP allowlist: list the clients' CIDR blocks as ipAllowlist.",
} as const;

/** The settings of a deployed stage, `infra/settings/<stage>.json`. @throws with one sentence that says what is wrong. */
export function readSettings(stage: 'staging' | 'prod'): Settings {
  const file = `infra/settings/${stage}.json`;
  return checkSettings(file, readFileSync(new URL(`${stage}.json`, import.meta.url), 'utf8'), stage);
}

export function checkSettings(file: string, text: string, stage: 'staging' | 'prod'): Settings {
  const parsed = settings.safeParse(JSON.parse(text));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new Error(`${file}: ${issue?.path.join('.')} is missing or not well-formed.`);
  }
  const missing = Object.entries(requiredInProduction).find(([name]) => !(name in parsed.data));
  if (stage === 'prod' && missing !== undefined) throw new Error(`${file}: ${missing[1]}`);
  return parsed.data;
}
