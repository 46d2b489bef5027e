import * as z from 'zod/mini';
import { network } from '#shared/networks/network.ts';
import { isOfThisMachine, isProtectedUrl, urlOf } from '#shared/platform/protected-url.ts';

const contract = z.string().check(z.regex(/^0x[0-9a-f]{40}$/i), z.toLowerCase());

/** The ports of this machine are different nodes; those of another host are not. */
const hostOf = (url: string) => (isOfThisMachine(url) ? urlOf(url)?.host : urlOf(url)?.hostname);

const nodeUrl = z.string().check(z.refine(isProtectedUrl, 'A node has an https URL, or an http URL of this machine.'));

/**
 * The nodes of a network, by JSON-RPC, of two owners: what one of them makes up credits nothing. One suffices on a chain
 * of one's own.
 */
const nodes = z.array(nodeUrl).check(
  z.minLength(1),
  z.maxLength(2),
  z.refine((urls) => isEachOnce(urls.map(hostOf)), 'The two nodes are one.'),
  z.refine((urls) => urls.length > 1 || isOfThisMachine(urls[0] ?? ''), 'There is one node, where there must be two.'),
);

/** The secret with the URLs of nodes, which may hold keys: `{"POLYGON": ["https://…", "https://…"]}`. */
export const evmNodes = z.partialRecord(network, nodes);

export type EvmNodes = Readonly<z.infer<typeof evmNodes>>;

const isEachOnce = (all: readonly unknown[]) => new Set(all).size === all.length;

const token = z.strictObject({
  /** The same as in the stage's list of tokens. */
  custodianAssetId: z.string().check(z.minLength(1)),
  contract,
  /** As the contract itself says, which is compared before it is used. */
  symbol: z.string(),
  decimals: z.int().check(z.gte(0), z.lte(18)),
});

/** What a stage says of an EVM network whose deposits are read from the chain itself. */
export const evmChain = z.strictObject({
  chainId: z.int().check(z.positive()),
  tokens: z.array(token).check(
    z.minLength(1),
    z.refine((tokens) => isEachOnce(tokens.map((one) => one.contract)), 'A contract is listed once.'),
    z.refine((tokens) => isEachOnce(tokens.map((one) => one.custodianAssetId)), 'An asset has one contract.'),
  ),
  /** For a chain without a final block of its own: how many blocks, its own included, make a transaction final. */
  requiredConfirmations: z.optional(z.int().check(z.positive())),
  /** What each of its nodes takes in a minute: a poll of a transaction is seven to nine calls of each. */
  pollsPerMinute: z.optional(z.int().check(z.positive())),
});

export const POLLS_PER_MINUTE = 300;

export type EvmChain = Readonly<z.infer<typeof evmChain>>;

export type EvmToken = EvmChain['tokens'][number];

/** The networks that are read from their nodes. */
export const evmChains = z.partialRecord(network, evmChain);

export type EvmChains = Readonly<z.infer<typeof evmChains>>;

/** The account whose addresses are given, as its owner's wallet shows it: the key itself is a secret. */
export const evmAccount = z.strictObject({
  /** The address of index 0/0. */
  firstAddress: z.string().check(z.regex(/^0x[0-9a-f]{40}$/i)),
  /** As in `m/44'/60'/7'`, which is 3. */
  depth: z.int().check(z.gte(0), z.lte(10)),
});

export type EvmAccount = Readonly<z.infer<typeof evmAccount>>;
