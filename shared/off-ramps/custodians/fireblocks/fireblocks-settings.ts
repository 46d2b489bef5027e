import * as z from 'zod/mini';
import { network } from '#shared/networks/network.ts';
import { id } from '#shared/platform/http/fields.ts';

/** A server: its API, and the keys of its notifications. `url` has no path and no trailing slash. */
export interface FireblocksServer {
  readonly url: string;
  readonly jwksUrl: string;
}

/** The servers by environment and region, as Fireblocks names them; no answer to a request can choose a server. */
export const fireblocksServers = {
  us: server(''),
  eu: server('eu-'),
  eu2: server('eu2-'),
  sandbox: server('sandbox-'),
} as const satisfies Readonly<Record<string, FireblocksServer>>;

function server(prefix: string): FireblocksServer {
  return {
    url: `https://${prefix}api.fireblocks.io`,
    jwksUrl: `https://${prefix}keys.fireblocks.io/.well-known/jwks.json`,
  };
}

const assetId = z.string().check(z.regex(/^[A-Z0-9_.-]{1,50}$/i));

/** The assets of a network, as the workspace names them. */
const fireblocksNetwork = z.strictObject({
  /** The legacy id of its native asset: each vault gets this wallet first. */
  baseAsset: assetId,
  /** The legacy ids of its tokens, by symbol in the stage's list of tokens: no other token is served on the network. */
  assets: z.record(z.string(), assetId).check(z.refine((assets) => Object.keys(assets).length > 0)),
});

/** A stage's settings for its workspace (docs/providers.md). */
export const fireblocksSettings = z.strictObject({
  server: z.enum(['us', 'eu', 'eu2', 'sandbox']),
  networks: z.partialRecord(network, fireblocksNetwork),
  /** The workspace's id in notifications, to be checked: all workspaces of a region share the keys that sign them. */
  workspaceId: z.optional(id),
  /** Calls in a minute that the vendor allows each API user; the vendor publishes no number. */
  callsPerMinute: z._default(z.int().check(z.positive()), 300),
  /** The share of these calls, in percent, that repeated polls of hashes unknown to the custodian may use. */
  unknownHashesPercent: z._default(z.int().check(z.gte(1), z.lte(90)), 50),
  /** Addresses in each pool. */
  poolSize: z._default(z.int().check(z.gte(10), z.lte(10_000)), 500),
  /** The vault whose address has a tag for each operation; its owner funds it. Needed where STELLAR is served. */
  stellarVault: z.optional(z.string().check(z.regex(/^\d{1,10}$/))),
});

export type FireblocksSettings = Readonly<z.infer<typeof fireblocksSettings>>;

/** The settings as functions get them in `FIREBLOCKS`: with the server's URLs, and asset ids without their symbols. */
export const fireblocksSetting = z.extend(fireblocksSettings, {
  server: z.object({ url: z.string(), jwksUrl: z.string() }),
  networks: z.partialRecord(network, z.extend(fireblocksNetwork, { assets: z.array(assetId) })),
});

export type FireblocksSetting = Readonly<z.infer<typeof fireblocksSetting>>;

/** A secret with the key of an API user. */
export const fireblocksUser = z.strictObject({
  apiKey: z.string().check(z.regex(/^[\w-]{1,100}$/)),
  privateKeyPem: z.string().check(z.includes('PRIVATE KEY')),
});

export type FireblocksUser = Readonly<z.infer<typeof fireblocksUser>>;
