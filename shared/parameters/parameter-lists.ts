import * as z from 'zod/mini';
import { network } from '#shared/networks/network.ts';

/** The lists that a stage keeps as files, as its deployment hands them to the function that loads them. */

export const bank = z.object({ id: z.string(), code: z.string(), name: z.string(), active: z.boolean() });

export type Bank = z.infer<typeof bank>;

/** A token on a network, with the smallest and the largest amount of an off-ramp, both included. */
export const assetOnNetwork = z.object({
  custodianAssetId: z.string(),
  decimals: z.int(),
  minimum: z.string(),
  maximum: z.string(),
});

export type AssetOnNetwork = Readonly<z.infer<typeof assetOnNetwork>>;

export const supportedToken = z.object({
  tokenId: z.int(),
  token: z.string(),
  active: z.boolean(),
  /** Details of the token on each network that carries it. */
  networks: z.partialRecord(network, assetOnNetwork),
  /** The day on which the token was added, `2026-11-21`. */
  registerDate: z.optional(z.string()),
  /** A PNG in base64. */
  logoBase64: z.optional(z.string()),
});

export type SupportedToken = z.infer<typeof supportedToken>;

export const parameterLists = z.object({
  banks: z.array(bank),
  tokens: z.array(supportedToken),
  /** True if a rail rules the list of banks: then these banks only fill an empty list. */
  seedsBanks: z.optional(z.boolean()),
});

export type ParameterLists = z.infer<typeof parameterLists>;
