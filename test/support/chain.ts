import { createServer, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, onTestFinished } from 'vitest';
import * as z from 'zod/mini';
import { anvilProgram, startAnvil } from '#infra/local/chain/anvil.ts';
import { createChainClient } from '#infra/local/chain/chain-client.ts';
import { sampleToken } from '#infra/local/chain/sample-token.ts';
import type { Network } from '#shared/networks/network.ts';
import type { EvmChain, EvmChains, EvmNodes } from '#shared/off-ramps/custodians/evm/evm-chain.ts';
import { createEvmCustodian, createReaders } from '#shared/off-ramps/custodians/evm/evm-custodian.ts';
import type { FindOwnAddresses } from '#shared/off-ramps/custodians/evm/evm-reader.ts';
import { systemClock } from '#shared/platform/clock.ts';

const program = anvilProgram();

/** Skips the suite, in one visible line, if anvil has no program for the platform. */
export const describeOnChain = program === undefined ? describe.skip : describe;

const CHAIN_ID = 31_337;

/** Starts a chain for one test, with two tokens. It makes blocks only on request. */
export async function chainOfTest({ feePercent = 0 } = {}) {
  const { url, child } = await startAnvil({ program: program ?? '', chainId: CHAIN_ID });
  onTestFinished(() => void child.kill('SIGKILL'));
  const chain = createChainClient(url);
  const [payer = '', other = ''] = await chain.accounts();
  const deployed = async (symbol: string, decimals: number, fee: number) => ({
    custodianAssetId: `POLYGON:${symbol}`,
    contract: await chain.deploy(payer, { symbol, decimals, feePercent: fee }),
    symbol,
    decimals,
  });
  const [usdc, usdt] = [await deployed('USDC', 6, feePercent), await deployed('USDT', 18, 0)];
  const settings: EvmChain = { chainId: CHAIN_ID, tokens: [usdc, usdt] };
  const custodian = (
    differences: Partial<EvmChain> = {},
    nodes: string[] = [url],
    findOwnAddresses = everybody,
    clock = systemClock,
  ) => custodianOf({ POLYGON: { ...settings, ...differences } }, { POLYGON: nodes }, findOwnAddresses, clock);
  return {
    ...chain,
    url,
    payer,
    other,
    usdc,
    usdt,
    settings,
    custodian,
    /** Finds the transfers of a transaction by these nodes. */
    found: (txHash: string, nodes: string[] = [url]) =>
      custodian({}, nodes).findTransfers({ network: 'POLYGON', txHash, since: '' }),
    /** Sends the first token. */
    pay: (to: string, value: bigint, differences: { readonly nonce?: number; readonly fee?: number } = {}) =>
      chain.send({ from: payer, to: usdc.contract, data: sampleToken.transfer(to, value), ...differences }),
    /** Makes all transactions final that are in a block. */
    finalise: () => chain.mine(8),
  };
}

const everybody: FindOwnAddresses = async (addresses) => new Set(addresses);

/** Says that only these addresses belong to the service. */
export const ownsOnly =
  (...some: readonly string[]): FindOwnAddresses =>
  async (addresses) =>
    new Set(addresses.filter((one) => some.includes(one)));

export function custodianOf(
  chains: EvmChains,
  nodes: EvmNodes,
  findOwnAddresses: FindOwnAddresses,
  clock = systemClock,
) {
  const readers = createReaders({ chains, nodes, findOwnAddresses, clock });
  return createEvmCustodian((ask) => ask(readers), clock);
}

/** Scans all parts of a network, from a cursor on. */
export async function scanned(
  { scanTransfers }: Pick<ReturnType<typeof custodianOf>, 'scanTransfers'>,
  network: Network = 'POLYGON',
  from = FIRST_BLOCK,
) {
  const parts = [await scanTransfers({ network, cursor: from })];
  while (parts.at(-1)?.isAtEnd === false) parts.push(await scanTransfers({ network, cursor: parts.at(-1)?.cursor }));
  return { transfers: parts.flatMap(({ transfers }) => transfers), cursor: parts.at(-1)?.cursor };
}

const FIRST_BLOCK = JSON.stringify({ final: 0, newest: 0 });

export const address = (number: number) => `0x${number.toString(16).padStart(40, '0')}`;

type Call = z.infer<typeof call>;

const call = z.object({ id: z.int(), method: z.string(), params: z.array(z.unknown()) });

/** Starts a node that answers like another one, except what the test changes: a result, or the whole answer. */
export async function nodeLike(
  url: string,
  {
    result = (_: Call, honest) => honest,
    answer,
  }: {
    readonly result?: (call: Call, honest: unknown) => unknown;
    readonly answer?: (response: ServerResponse, calls: readonly Call[]) => boolean;
  },
): Promise<string> {
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const calls = z.array(call).parse(JSON.parse(body));
    if (answer?.(response, calls) === true) return;
    const honest = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const answers = z.array(z.looseObject({ id: z.int(), result: z.optional(z.unknown()) })).parse(await honest.json());
    const changed = calls.map(async (one) => {
      const original = answers.find(({ id }) => id === one.id)?.result;
      return { id: one.id, result: await result(one, original) };
    });
    response.end(JSON.stringify((await Promise.all(changed)).toReversed()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = z.object({ port: z.int() }).parse(server.address());
  return `http://127.0.0.1:${port}`;
}
