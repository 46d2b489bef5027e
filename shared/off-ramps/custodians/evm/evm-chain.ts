import * as z from 'zod/mini';
import { network } from '#shared/networks/network.ts';
import { isLoopbackUrl, isProtectedUrl, parseUrl } from '#shared/platform/protected-url.ts';

const contract = z.string().check(z.regex(/^0x[0-9a-f]{40}$/i), z.toLowerCase());

/** What identifies a node by its URL: two ports of this machine are two nodes, two ports of another host are one. */
const hostOf = (url: string) => (isLoopbackUrl(url) ? parseUrl(url)?.host : parseUrl(url)?.hostname);

const nodeUrl = z.string().check(z.refine(isProtectedUrl, 'A node has an https URL, or an http URL of this machine.'));

/**
 * The JSON-RPC nodes of a network. They belong to two different owners, so that data made up by one credits nothing.
 * One node is enough for a chain on this machine.
 */
const nodes = z.array(nodeUrl).check(
  z.minLength(1),
  z.maxLength(2),
  z.refine((urls) => isEachOnce(urls.map(hostOf)), 'Both URLs are of the same node.'),
  z.refine((urls) => urls.length > 1 || isLoopbackUrl(urls[0] ?? ''), 'There must be two nodes.'),
);

/** The secret with the URLs of nodes, which may contain keys: `{"POLYGON": ["https://…", "https://…"]}`. */
export const evmNodes = z.partialRecord(network, nodes);

export type EvmNodes = Readonly<z.infer<typeof evmNodes>>;

const isEachOnce = (all: readonly unknown[]) => new Set(all).size === all.length;

const token = z.strictObject({
  /** The same as in the stage's list of tokens. */
  custodianAssetId: z.string().check(z.minLength(1)),
  contract,
  /** The contract's own symbol and decimals; both are compared with the contract before it is used. */
  symbol: z.string(),
  decimals: z.int().check(z.gte(0), z.lte(18)),
});

/** The settings of an EVM network whose deposits are read from the chain itself. */
export const evmChain = z.strictObject({
  chainId: z.int().check(z.positive()),
  tokens: z.array(token).check(
    z.minLength(1),
    z.refine((tokens) => isEachOnce(tokens.map((one) => one.contract)), 'A contract is listed once.'),
    z.refine((tokens) => isEachOnce(tokens.map((one) => one.custodianAssetId)), 'An asset has one contract.'),
  ),
  /** For a chain that names no final block: how many blocks, the transaction's own included, make it final. */
  requiredConfirmations: z.optional(z.int().check(z.positive())),
  /** Polls of transactions that each node allows in a minute; one poll takes seven to nine calls of each node. */
  pollsPerMinute: z.optional(z.int().check(z.positive())),
});

export const POLLS_PER_MINUTE = 300;

export type EvmChain = Readonly<z.infer<typeof evmChain>>;

export type EvmToken = EvmChain['tokens'][number];

/** The networks that are read from their nodes. */
export const evmChains = z.partialRecord(network, evmChain);

export type EvmChains = Readonly<z.infer<typeof evmChains>>;

/** The account whose addresses are assigned, as its owner's wallet shows it: the key itself is in a secret. */
export const evmAccount = z.strictObject({
  /** The address of index 0/0. */
  firstAddress: z.string().check(z.regex(/^0x[0-9a-f]{40}$/i)),
  /** The depth of the account's path: 3 for `m/44'/60'/7'`. */
  depth: z.int().check(z.gte(0), z.lte(10)),
});

export type EvmAccount = Readonly<z.infer<typeof evmAccount>>;
