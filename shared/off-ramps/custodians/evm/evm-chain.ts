import * as z from 'zod/mini';

const contract = z.string().check(z.regex(/^0x[0-9a-f]{40}$/i), z.toLowerCase());

/** Without TLS only on this machine: whoever stands between could credit money that is not there. */
const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost']);

function isNodeUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.has(hostname));
}

const nodeUrl = z.string().check(z.refine(isNodeUrl, 'A node has an https URL, or an http URL of this machine.'));

const token = z.strictObject({
  contract,
  /** As the contract itself says, which is compared before it is used. */
  symbol: z.string(),
  decimals: z.int().check(z.gte(0), z.lte(18)),
});

/** What a stage says of an EVM network whose deposits are read from the chain itself. */
export const evmChain = z.strictObject({
  chainId: z.int().check(z.positive()),
  /** JSON-RPC, of two owners: what one of them makes up credits nothing. One suffices on a chain of one's own. */
  nodes: z.array(nodeUrl).check(
    z.minLength(1),
    z.maxLength(2),
    z.refine((nodes) => new Set(nodes).size === nodes.length, 'The two nodes are one.'),
  ),
  tokens: z.array(token).check(
    z.minLength(1),
    z.refine(
      (tokens) => new Set(tokens.map((one) => one.contract)).size === tokens.length,
      'A contract is listed once.',
    ),
  ),
  /** For a chain without a final block of its own: how many blocks, its own included, make a transaction final. */
  requiredConfirmations: z.optional(z.int().check(z.positive())),
});

export type EvmChain = Readonly<z.infer<typeof evmChain>>;

export type EvmToken = EvmChain['tokens'][number];
