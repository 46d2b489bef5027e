import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import type { EvmChain } from '#shared/off-ramps/custodians/evm/evm-chain.ts';
import { type EvmNode, NodeRefused, NodeThrottled, type RpcCall } from '#shared/off-ramps/custodians/evm/json-rpc.ts';
import { type EventLog, movementOf, TRANSFER_TOPIC, toWord } from '#shared/off-ramps/custodians/evm/read-logs.ts';
import {
  createScanTransfers,
  firstBlockSince,
  type Scan,
  type ScanCursor,
} from '#shared/off-ramps/custodians/evm/scan-transfers.ts';
import { retryWhileUnavailable } from '#shared/off-ramps/custodians/find-transfers.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { address, ownsOnly } from '#test/support/chain.ts';
import { type FakeClock, fakeClock } from '#test/support/fake-clock.ts';
import { forkingChain } from '#test/support/forking-chain.ts';

const logFilter = z.object({ fromBlock: z.string(), toBlock: z.string() });

const [contract, from, to] = [address(0xc0), address(0xf0), address(0xa1)];
const token = { custodianAssetId: 'POLYGON:USDC', contract, symbol: 'USDC', decimals: 6 };
const chain: EvmChain = { chainId: 1, tokens: [token] };
const START: ScanCursor = { final: 0, newest: 0 };

/** A chain with this many blocks, and a transfer in some of them. */
function worldOf(blocks: number, transfersAt: readonly number[], final = blocks) {
  const world = forkingChain({ contract, from, to });
  world.mine(new Map(), (transfersAt[0] ?? blocks) - 2);
  for (const [at, number] of transfersAt.entries()) {
    const next = transfersAt[at + 1] ?? blocks;
    world.mine(new Map([[world.hashOf(number), BigInt(number)]]), next - number - 1);
  }
  world.finalise(final);
  return world;
}

const clockOfTest = () => fakeClock('1970-01-01T00:00:01.000Z');

const scannerOf = (
  nodes: readonly [EvmNode, ...EvmNode[]],
  findOwnAddresses = ownsOnly(to),
  settings = chain,
  clock = clockOfTest(),
) => createScanTransfers(settings, nodes, { findOwnAddresses, clock });

/** Scans all parts from a cursor on. */
async function scan(nodes: readonly [EvmNode, ...EvmNode[]], cursor = START, findOwnAddresses = ownsOnly(to)) {
  const next = scannerOf(nodes, findOwnAddresses);
  const parts: Scan[] = [await next(cursor)];
  while (parts.at(-1)?.isAtEnd === false) parts.push(await next(parts.at(-1)?.cursor ?? cursor));
  const found = parts.flatMap((part) => part.found).map(({ block, isFinal }) => (isFinal ? block : `new ${block}`));
  return { found, cursor: parts.at(-1)?.cursor };
}

/** Records how many blocks each request for logs covers. */
function asked(node: EvmNode, refuses: (blocks: number) => boolean = () => false) {
  const questions: number[] = [];
  const call: EvmNode['call'] = (calls) => {
    for (const { method, params } of calls) {
      if (method !== 'eth_getLogs') continue;
      const { fromBlock, toBlock } = logFilter.parse(params[0]);
      const blocks = Number(toBlock) - Number(fromBlock) + 1;
      questions.push(blocks);
      if (refuses(blocks)) throw new NodeRefused('Too many blocks.');
    }
    return node.call(calls);
  };
  return { questions, node: { ...node, call } };
}

test('decisions 12: a range that a node refuses is asked for in smaller ones, until all of it is read', async () => {
  const world = worldOf(3_000, [2, 700, 2_999]);
  const { questions, node } = asked(world.node('Node 1'), (blocks) => blocks > 100);
  expect(await scan([node, world.node('Node 2')])).toEqual({
    found: [2, 700, 2_999],
    cursor: { final: 3_000, newest: 3_000 },
  });
  expect(questions.length).toBeLessThan(120);
});

test('decisions 12: a node that takes long for many blocks is asked for fewer, so that each scan ends in time', async () => {
  const world = worldOf(9_000, [2, 700, 8_999], 5_000);
  const clock = clockOfTest();
  const honest = world.node('Node 1');
  const { questions, node } = asked(honest);
  const call: EvmNode['call'] = async (calls) => {
    const answers = await node.call(calls);
    // Each block takes so long that two of the largest ranges take longer than an answer may take.
    if (calls.some(({ method }) => method === 'eth_getLogs')) await clock.sleep((questions.at(-1) ?? 0) * 3.5);
    return answers;
  };
  const next = createScanTransfers(chain, [{ ...node, call }], { findOwnAddresses: ownsOnly(to), clock });
  const found: number[] = [];
  let cursor = START;
  for (let scans = 0; cursor.final <= 5_000; scans += 1) {
    expect(scans).toBeLessThan(20);
    const part = await retryWhileUnavailable(clock, () => next(cursor), 1).catch(() => undefined);
    found.push(...(part?.found ?? []).filter(({ isFinal }) => isFinal).map(({ block }) => block));
    cursor = part?.cursor ?? cursor;
  }
  expect(found).toEqual([2, 700]);
});

test('decisions 12: a node that takes a few calls in a batch is asked for blocks in smaller ones', async () => {
  const at = Array.from({ length: 45 }, (_, number) => 2 + number);
  const honest = worldOf(200, at).node('Node 1');
  const call: EvmNode['call'] = async (calls) => {
    if (calls.length > 9) throw new NodeRefused('Too many calls.');
    return honest.call(calls);
  };
  const node = { ...honest, call };
  expect((await scan([node])).found).toEqual(at);
  expect(await firstBlockSince(chain, node, clockOfTest(), '1970-01-01T00:00:00.000Z')).toBe(0);
});

type Asks = { readonly retryAfter?: number };

/** A node that accepts this many calls in a second, including the call for the chain's id in each batch. */
function limited(node: EvmNode, clock: FakeClock, most: number, asks: Asks = {}): EvmNode {
  let [second, taken] = [0, 0];
  const call: EvmNode['call'] = async (calls) => {
    const now = Math.floor(clock.now().getTime() / 1000);
    taken = calls.length + 1 + (now === second ? taken : 0);
    second = now;
    if (taken > most) throw new NodeThrottled('It asks for a pause.', asks);
    return node.call(calls);
  };
  return { ...node, call };
}

test('decisions 12: a node that takes fewer calls in a second than a batch has is asked for blocks in smaller ones', async () => {
  const at = Array.from({ length: 45 }, (_, number) => 2 + number);
  const clock = clockOfTest();
  const next = scannerOf([limited(worldOf(200, at).node('Node 1'), clock, 25)], ownsOnly(to), chain, clock);
  expect((await retryWhileUnavailable(clock, () => next(START), 1)).found.map(({ block }) => block)).toEqual(at);
});

test('decisions 12: a node that refuses a single block is unavailable, and nothing is passed over', async () => {
  const { node } = asked(worldOf(10, [5]).node('Node 1'), () => true);
  await expect(scan([node])).rejects.toThrow(NodeRefused);
});

test('decisions 12: only those transfers of a contract are found that go to our addresses', async () => {
  const node = worldOf(10, [5]).node('Node 1');
  expect((await scan([node], START, ownsOnly(address(0xd0)))).found).toEqual([]);
  expect((await scan([node], START, ownsOnly(address(0xd0), to))).found).toEqual([5]);
  // A transfer whose address is known only later, after a restore, is found by its hash alone.
  const passed = await scan([node], { final: 0, newest: 10 }, ownsOnly(address(0xd0)));
  expect((await scan([node], passed.cursor)).found).toEqual([]);
});

test('decisions 12: a transfer is found when it is new and again when it is final, and each block read at most twice', async () => {
  const world = worldOf(10, [5], 3);
  const { questions, node } = asked(world.node('Node 1'));
  const first = await scan([node], { final: 0, newest: 4 });
  expect(first).toEqual({ found: ['new 5'], cursor: { final: 4, newest: 10 } });
  expect(await scan([node], first.cursor)).toEqual({ ...first, found: [] });
  world.finalise(3);
  const second = await scan([node], first.cursor);
  expect(second).toEqual({ found: [5], cursor: { final: 7, newest: 10 } });
  expect(questions).toEqual([4, 6, 3]);
});

test('decisions 12: a transfer that a reorganisation brings into blocks already read is found when they are final', async () => {
  const world = worldOf(10, [5], 3);
  const node = world.node('Node 1');
  const { cursor } = await scan([node]);
  world.reorg(2, new Map([[world.hashOf(77), 77n]]));
  world.finalise(10);
  expect((await scan([node], cursor)).found).toEqual([5, 8]);
});

test('decisions 12: a transfer in a block whose logs nodes do not have yet is found by the next scan, also where blocks are final at once', async () => {
  const world = worldOf(10, [9]);
  let isEarly = true;
  const early = (name: string) =>
    world.node(name, undefined, ({ method }, said) => (method === 'eth_getLogs' && isEarly ? [] : said));
  const nodes = [early('Node 1'), early('Node 2')] as const;
  const first = await scan(nodes);
  expect(first.found).toEqual([]);
  isEarly = false;
  world.mine(new Map());
  world.finalise(1);
  const second = await scan(nodes, first.cursor);
  expect(second.found).toEqual([9]);
  // A transfer is not found a third time.
  expect((await scan(nodes, second.cursor)).found).toEqual([]);
});

test('decisions 12: a transfer that one node leaves out is found by the other, is not final, and is read again', async () => {
  const world = worldOf(10, [5]);
  const honest = world.node('Node 1');
  const silent = world.node('Node 2', undefined, ({ method }, said) => (method === 'eth_getLogs' ? [] : said));
  const lines = captureLogs();
  for (const nodes of [
    [honest, silent],
    [silent, honest],
  ] as const) {
    expect(await scan(nodes, { final: 2, newest: 2 })).toEqual({
      found: ['new 5'],
      cursor: { final: 2, newest: 10 },
    });
  }
  expect(lines.map(({ code }) => code)).toEqual(['NODES_DISAGREE', 'NODES_DISAGREE']);
  expect((await scan([honest, world.node('Node 2')], { final: 2, newest: 2 })).found).toEqual([5]);
});

test('decisions 12: a part about which nodes disagree for long does not hide later transfers, also where blocks are final at once', async () => {
  captureLogs();
  const world = worldOf(3_000, [5]);
  const silent = world.node('Node 2', undefined, ({ method, params: [filter] }, said) =>
    method === 'eth_getLogs' && Number(Object(filter).fromBlock) < 5 ? [] : said,
  );
  const nodes = [world.node('Node 1'), silent] as const;
  const first = await scan(nodes);
  expect(first).toEqual({ found: ['new 5'], cursor: { final: 0, newest: 3_000 } });
  world.mine(new Map([[world.hashOf(3_000), 1n]]));
  world.finalise(1);
  expect(await scan(nodes, first.cursor)).toEqual({ found: ['new 5', 3_000], cursor: { final: 0, newest: 3_001 } });
});

test('decisions 12: a final block without logs yet is left to the next scan, and is not asked for again and again', async () => {
  const honest = worldOf(3_000, []).node('Node 1');
  // Two nodes share one name: the one that answers with logs has far fewer final blocks.
  const call: EvmNode['call'] = async (calls) => {
    const answers = await honest.call(calls);
    return calls.some(({ method }) => method === 'eth_getLogs')
      ? answers.map((one, at) => (calls[at]?.params[0] === 'finalized' ? { ...Object(one), number: '0x1' } : one))
      : answers;
  };
  const { cursor, isAtEnd } = await scannerOf([{ ...honest, call }])({ final: 5, newest: 5 });
  expect([cursor.final, isAtEnd]).toEqual([5, true]);
});

test('decisions 12: a log that a node gives twice is one, and the other node does not disagree', async () => {
  const world = worldOf(10, [5]);
  const lines = captureLogs();
  const twice = world.node('Node 1', undefined, ({ method }, said) =>
    method === 'eth_getLogs' && Array.isArray(said) ? said.flatMap((one: unknown) => [one, one]) : said,
  );
  expect(await scan([twice, world.node('Node 2')], { final: 0, newest: 10 })).toEqual({
    found: [5],
    cursor: { final: 10, newest: 10 },
  });
  expect(lines).toEqual([]);
});

test('decisions 12: nodes may count the logs of a block differently, as clients do; two transfers that are alike stay two', async () => {
  const world = worldOf(10, [5]);
  /** A node that has the transfer of a transaction several times, in the other order. */
  const countingAs = (name: string, ...indices: readonly string[]) =>
    world.node(name, undefined, ({ method }, said) =>
      method === 'eth_getLogs' && Array.isArray(said)
        ? said.flatMap((one: object) => indices.toReversed().map((logIndex) => ({ ...one, logIndex })))
        : said,
    );
  const foundBy = async (...nodes: readonly [EvmNode, EvmNode]) => {
    const { found } = await scannerOf(nodes)(START);
    return found.map(({ isFinal, movements }) => [isFinal, movements.length]);
  };
  const node = countingAs('Node 1', '0x7', '0x8');
  expect(await foundBy(node, countingAs('Node 2', '0x0', '0x1'))).toEqual([[true, 2]]);
  captureLogs();
  expect(await foundBy(node, countingAs('Node 2', '0x0'))).toEqual([[false, 2]]);
  expect(await foundBy(countingAs('Node 2', '0x0'), node)).toEqual([[false, 2]]);
});

test('decisions 12: a node that is ten minutes behind is noticed', async () => {
  const lines = captureLogs();
  const clock = fakeClock('1970-01-01T00:10:02.000Z');
  const scanTransfers = createScanTransfers(chain, [worldOf(10, []).node('Node 1')], {
    findOwnAddresses: ownsOnly(),
    clock,
  });
  await scanTransfers(START);
  expect(lines).toMatchObject([{ code: 'NODE_BEHIND', fields: { node: 'Node 1', block: 'newest', seconds: 601 } }]);
});

test('decisions 12: a node that makes blocks, and has called none final for an hour, is noticed: nothing is credited meanwhile', async () => {
  const lines = captureLogs();
  const clock = fakeClock('1970-01-01T01:00:01.000Z');
  const world = worldOf(10, [5], 3);
  const now = ({ params: [name] }: RpcCall, said: unknown) =>
    name === 'latest' ? { ...Object(said), timestamp: '0xe11' } : said;
  const none = (call: RpcCall, said: unknown) => (call.params[0] === 'finalized' ? null : now(call, said));
  const nodes = [world.node('Node 1', undefined, now), world.node('Node 2', undefined, none)] as const;
  const scanTransfers = createScanTransfers(chain, nodes, { findOwnAddresses: ownsOnly(), clock });
  await scanTransfers(START);
  clock.advance(1);
  await scanTransfers(START);
  const behind = { code: 'NODE_BEHIND', fields: { node: 'Node 2', block: 'final' } };
  const alsoFirst = { code: 'NODE_BEHIND', fields: { node: 'Node 1', block: 'final', seconds: 3601 } };
  expect(lines).toMatchObject([behind, alsoFirst, behind]);
});

test('decisions 12: without a final block of its own, a chain is final after so many blocks', async () => {
  const nodes = [worldOf(10, [5]).node('Node 1')] as const;
  const cursorOf = async (requiredConfirmations: number) =>
    (await scannerOf(nodes, ownsOnly(to), { ...chain, requiredConfirmations })({ final: 0, newest: 10 })).cursor.final;
  expect([await cursorOf(5), await cursorOf(6)]).toEqual([6, 5]);
});

test('decisions 12: only an ERC-20 Transfer of a listed contract is a transfer', () => {
  const words = [TRANSFER_TOPIC, toWord(from), toWord(to)];
  const value = `0x${'7'.padStart(64, '0')}`;
  const place = { blockNumber: 1, blockHash: value, transactionHash: value, logIndex: 0 };
  const of = (differences: Partial<EventLog>) =>
    movementOf(chain, { ...place, address: contract, topics: words, data: value, ...differences });
  expect(of({})).toEqual({ token: chain.tokens[0], from, to, value: 7n });
  const others: readonly Partial<EventLog>[] = [
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

test('decisions 12: the first block of a day is found in few questions, however short its blocks are', async () => {
  const newest = 400_000_000;
  let asked = 0;
  const node: EvmNode = {
    name: 'Node 1',
    // The chain makes four blocks in a second.
    call: async (calls) => {
      asked += 1;
      return calls.map(({ params: [tag] }) => {
        const number = String(tag).startsWith('0x') ? Number(tag) : newest;
        const quantity = (value: number) => `0x${value.toString(16)}`;
        return {
          number: quantity(number),
          hash: toWord(quantity(number)),
          timestamp: quantity(Math.floor(number / 4)),
        };
      });
    },
  };
  const clock = clockOfTest();
  const since = (block: number, its = node) =>
    retryWhileUnavailable(
      clock,
      () => firstBlockSince(chain, its, clock, new Date((block / 4) * 1000).toISOString()),
      1,
    );
  for (const block of [newest - 345_600, newest - 345_604, newest - 4, newest]) {
    asked = 0;
    expect(await since(block)).toBe(block);
    expect(asked).toBeLessThanOrEqual(18);
  }
  expect(await since(newest + 4)).toBe(newest + 1);
  const sinceDay = (asks: Asks) => since(newest - 345_600, limited(node, clock, 50, asks));
  for (const asks of [{}, { retryAfter: 0 }, { retryAfter: 1 }]) expect(await sinceDay(asks)).toBe(newest - 345_600);
  await expect(sinceDay({ retryAfter: 60 })).rejects.toThrow(NodeThrottled);
});
