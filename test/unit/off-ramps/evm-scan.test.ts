import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import type { EvmChain } from '#shared/off-ramps/custodians/evm/evm-chain.ts';
import { type EvmNode, NodeRefused } from '#shared/off-ramps/custodians/evm/json-rpc.ts';
import { type Log, movementOf, TRANSFER, wordOf } from '#shared/off-ramps/custodians/evm/read-logs.ts';
import { type Ours, scanTransfers } from '#shared/off-ramps/custodians/evm/scan-transfers.ts';
import { address } from '#test/support/chain.ts';
import { forkingChain } from '#test/support/forking-chain.ts';

const logFilter = z.object({
  fromBlock: z.string(),
  toBlock: z.string(),
  topics: z.array(z.union([z.string(), z.null(), z.array(z.string())])),
});

const [contract, from, to] = [address(0xc0), address(0xf0), address(0xa1)];
const chain: EvmChain = { chainId: 1, nodes: [], tokens: [{ contract, symbol: 'USDC', decimals: 6 }] };

/** A chain of so many final blocks, with a transfer in some of them. */
function worldOf(blocks: number, transfersAt: readonly number[]) {
  const world = forkingChain({ contract, from, to });
  world.mine(new Map(), (transfersAt[0] ?? blocks) - 2);
  for (const [at, number] of transfersAt.entries()) {
    const next = transfersAt[at + 1] ?? blocks;
    world.mine(new Map([[world.hashOf(number), BigInt(number)]]), next - number - 1);
  }
  world.finalise(blocks);
  return world;
}

const scan = (nodes: readonly [EvmNode, ...EvmNode[]], fromBlock = 0, ours: Ours = { awaited: [to] }) =>
  scanTransfers(chain, nodes, { fromBlock, ours });

/** What each question for logs asks for. */
function asked(node: EvmNode, refuses: (blocks: number) => boolean = () => false) {
  const questions: { readonly blocks: number; readonly addresses: number }[] = [];
  const call: EvmNode['call'] = (calls) => {
    for (const { method, params } of calls) {
      if (method !== 'eth_getLogs') continue;
      const filter: unknown = JSON.parse(JSON.stringify(params[0]));
      const { fromBlock, toBlock, topics } = logFilter.parse(filter);
      const blocks = Number(toBlock) - Number(fromBlock) + 1;
      questions.push({ blocks, addresses: topics[2]?.length ?? 0 });
      if (refuses(blocks)) throw new NodeRefused('Too many blocks.');
    }
    return node.call(calls);
  };
  return { questions, node: { ...node, call } };
}

test('decisions 12: a range that a node refuses is asked for in smaller ones, until all of it is read', async () => {
  const world = worldOf(3_000, [2, 700, 2_999]);
  const { questions, node } = asked(world.node('Node 1'), (blocks) => blocks > 100);
  const { found, nextBlock, unreadFrom } = await scan([node]);
  expect([found.map(({ block }) => block), nextBlock, unreadFrom]).toEqual([[2, 700, 2_999], 3_000, undefined]);
  expect(questions.length).toBeLessThan(120);
});

test('decisions 12: a node that refuses a single block is unavailable, and nothing is passed over', async () => {
  const { node } = asked(worldOf(10, [5]).node('Node 1'), () => true);
  await expect(scan([node])).rejects.toThrow(NodeRefused);
});

test('decisions 12: awaited addresses are asked for in lists of 500, and nobody else is found', async () => {
  const world = worldOf(10, [5]);
  const others = Array.from({ length: 1_100 }, (_, at) => address(0xd000 + at));
  const { questions, node } = asked(world.node('Node 1'));
  expect((await scan([node], 0, { awaited: [...others, to.toUpperCase().replace('0X', '0x')] })).found).toHaveLength(1);
  expect(questions.map(({ addresses }) => addresses)).toEqual([500, 500, 101]);
  // The chain in memory does not look at the filter, as a careless node.
  expect((await scan([node], 0, { awaited: others })).found).toEqual([]);
  expect(await scan([node], 0, { awaited: [] })).toEqual({ found: [], nextBlock: 10 });
});

test('decisions 12: a scan goes on where the last one got to, a part of a long way at a time', async () => {
  const world = worldOf(20_010, [20_005]);
  const node = world.node('Node 1');
  const first = await scan([node]);
  expect(first).toEqual({ found: [], nextBlock: 20_000, unreadFrom: 20_000 });
  expect(await scan([node], first.nextBlock)).toMatchObject({
    found: [{ block: 20_005 }],
    nextBlock: 20_010,
  });
  expect(await scan([node], 20_010)).toEqual({ found: [], nextBlock: 20_010 });
});

test('decisions 12: what one node leaves out is found by the other, is not final, and is read again', async () => {
  const world = worldOf(10, [5]);
  const honest = world.node('Node 1');
  const silent = world.node('Node 2', undefined, ({ method }, said) => (method === 'eth_getLogs' ? [] : said));
  for (const nodes of [
    [honest, silent],
    [silent, honest],
  ] as const) {
    expect(await scan(nodes, 2)).toMatchObject({ found: [{ block: 5, isFinal: false }], nextBlock: 2 });
  }
  expect(await scan([honest, world.node('Node 2')], 2)).toMatchObject({
    found: [{ block: 5, isFinal: true }],
    nextBlock: 10,
  });
});

test('decisions 12: without a final block of its own, a chain is final after so many blocks', async () => {
  const world = worldOf(10, [5]);
  const nodes = [world.node('Node 1')] as const;
  const finalOf = async (requiredConfirmations: number) =>
    (await scanTransfers({ ...chain, requiredConfirmations }, nodes, { fromBlock: 0, ours: { awaited: [to] } }))
      .found[0];
  expect([(await finalOf(5))?.isFinal, (await finalOf(6))?.isFinal]).toEqual([true, false]);
});

test('decisions 12: only an ERC-20 Transfer of a listed contract is a transfer', () => {
  const words = [TRANSFER, wordOf(from), wordOf(to)];
  const value = `0x${'7'.padStart(64, '0')}`;
  const place = { blockNumber: 1, blockHash: value, transactionHash: value, logIndex: 0 };
  const of = (differences: Partial<Log>) =>
    movementOf(chain, { ...place, address: contract, topics: words, data: value, ...differences });
  expect(of({})).toEqual({ token: chain.tokens[0], from, to, value: 7n });
  const others: readonly Partial<Log>[] = [
    { address: address(0xc1) },
    { topics: [...words, value] },
    { topics: words.slice(0, 2) },
    { topics: [value, ...words.slice(1)] },
    { data: '0x' },
    { data: `${value}00` },
    { removed: true },
  ];
  expect(others.map(of)).toEqual(others.map(() => undefined));
});
