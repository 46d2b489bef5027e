import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { CustodianUnavailable } from '#shared/off-ramps/custodians/custodian.ts';
import { type EvmChain, evmChain, evmNodes } from '#shared/off-ramps/custodians/evm/evm-chain.ts';
import { createNode, NodeRefused, NodeThrottled } from '#shared/off-ramps/custodians/evm/json-rpc.ts';
import { systemClock } from '#shared/platform/clock.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { address, chainOfTest, describeOnChain, nodeLike } from '#test/support/chain.ts';
import { fakeClock } from '#test/support/fake-clock.ts';

const OURS = address(0xa1);
const ANOTHER_HASH = `0x${'ee'.repeat(32)}`;
const EMPTY_RECEIPT = { status: '0x0', logs: [] };

const token = { custodianAssetId: 'POLYGON:USDC', contract: address(0xc0), symbol: 'USDC', decimals: 6 };
const chain: EvmChain = { chainId: 1, tokens: [token] };
const twoNodes = ['https://one.example/key', 'https://two.example/key'];

test.each<[string, string[]]>([
  ['a node without TLS elsewhere', ['http://one.example', 'https://two.example']],
  ['a node that is no URL', ['one.example', 'https://two.example']],
  ['no node', []],
  ['one node, not of this machine', ['https://one.example']],
  ['the same host twice', ['https://one.example/key', 'https://one.example/another']],
  ['three nodes', [...twoNodes, 'https://three.example']],
])('decisions 12: a secret with %s is refused', (_, urls) => {
  for (const fine of [twoNodes, ['http://127.0.0.1:8545'], ['http://[::1]:8545', 'http://localhost:8546']])
    expect(evmNodes.safeParse({ POLYGON: fine }).success).toBe(true);
  expect(evmNodes.safeParse({ POLYGON: urls }).success).toBe(false);
});

test.each<[string, Record<string, unknown>]>([
  ['no token', { tokens: [] }],
  ['a contract twice', { tokens: [token, { ...token, contract: token.contract.toUpperCase().replace('0X', '0x') }] }],
  ['an asset twice', { tokens: [token, { ...token, contract: address(0xc1) }] }],
  ['a contract that is no address', { tokens: [{ ...token, contract: '0x12' }] }],
  ['a setting that does not exist', { confirmations: 3 }],
])('decisions 12: settings with %s are refused', (_, differences) => {
  expect(evmChain.safeParse(chain).success).toBe(true);
  expect(evmChain.safeParse({ ...chain, ...differences }).success).toBe(false);
});

const answering =
  (status: number, body: string, headers: Record<string, string> = {}) =>
  (response: ServerResponse) => {
    response.writeHead(status, headers).end(body);
    return true;
  };

const batch = (...answers: readonly unknown[]) => answering(200, JSON.stringify(answers));
const chainId = { id: 0, result: '0x1' };

test.each<
  [
    string,
    (response: ServerResponse) => boolean,
    RegExp,
    { refused?: true; pauses?: true; refusesSecret?: true; retryAfter?: number },
  ]
>([
  ['a refusal of its key', answering(401, ''), /answers 401/, { refusesSecret: true }],
  ['less than it was asked for', batch(chainId), /leaves calls unanswered/, {}],
  ['another chain', batch({ id: 0, result: '0x2' }, { id: 1, result: null }), /another chain than 1/, {}],
  ['a chain that is no number', batch({ id: 0, result: 1 }, { id: 1, result: null }), /another chain/, {}],
  [
    'an error',
    batch(chainId, { id: 1, error: { code: -32005, message: 'key' } }),
    /refuses a call \(-32005\)/,
    { refused: true },
  ],
  [
    'a rate limit for a call',
    batch(chainId, { id: 1, error: { code: 429, message: 'key' } }),
    /asks for a pause \(429\)/,
    { pauses: true },
  ],
  [
    'a rate limit for all',
    answering(200, '{"error":{"code":-32007,"message":""}}'),
    /asks for a pause/,
    { pauses: true },
  ],
  [
    'a rate limit of a gateway',
    batch(chainId, { id: 1, error: { code: -32016, message: 'over rate limit' } }),
    /asks for a pause \(-32016\)/,
    { pauses: true },
  ],
  ['an error for all', answering(200, '{"error":{"code":-32600,"message":""}}'), /refuses a batch/, { refused: true }],
  ['too large a question', answering(413, ''), /answers 413/, { refused: true }],
  ['what took its server too long', answering(503, ''), /answers 503/, { refused: true }],
  ['a time at which to come back', answering(503, '', { 'retry-after': '7' }), /answers 503/, { retryAfter: 7 }],
  ['too large an answer', answering(200, ' '.repeat(2_000)), /answers with too much data/, { refused: true }],
])(
  'decisions 12: a node that answers with %s is unavailable, and no result',
  async (_, answer, message, { refused, pauses, ...facts }) => {
    const url = await nodeLike('', { answer });
    const clock = fakeClock('2026-11-23T12:00:00.000Z');
    const node = createNode({ name: 'Node 1', url, chainId: 1, clock, limits: { milliseconds: 5_000, bytes: 1_000 } });
    const failure: unknown = await node
      .call([{ method: 'eth_blockNumber', params: [] }])
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(CustodianUnavailable);
    expect(failure instanceof NodeRefused).toBe(refused === true);
    expect(failure instanceof NodeThrottled).toBe(pauses === true);
    expect(failure).toMatchObject({ message: expect.stringMatching(message), ...facts });
    expect(String(failure)).not.toContain(url);
  },
);

test('a node with an https URL is asked with TLS', async () => {
  const url = await nodeLike('', { answer: batch(chainId) });
  const clock = systemClock;
  const call = (its: string) => createNode({ name: 'Node 1', url: its, chainId: 1, clock }).call([]);
  expect(await call(url)).toEqual([]);
  await expect(call(url.replace('http:', 'https:'))).rejects.toThrow('Node 1 cannot be reached.');
});

test('a node that does not answer in time is not waited for', async () => {
  const url = await nodeLike('', { answer: () => true });
  const limits = { milliseconds: 50, bytes: 1_000 };
  const node = createNode({ name: 'Node 1', url, chainId: 1, clock: systemClock, limits });
  await expect(node.call([])).rejects.toThrow('Node 1 takes too long.');
});

test('a transaction may be a quarter as long as the logs of a block: the functions that ask for it have less memory', async () => {
  const url = await nodeLike('', { answer: batch(chainId, { id: 1, result: ' '.repeat(2_000) }) });
  const limits = { milliseconds: 5_000, bytes: 1_000 };
  const { call } = createNode({ name: 'Node 1', url, chainId: 1, clock: systemClock, limits });
  expect(await call([{ method: 'eth_getLogs', params: [] }])).toEqual([' '.repeat(2_000)]);
  const asked = call([{ method: 'eth_getTransactionReceipt', params: [] }]);
  await expect(asked).rejects.toThrow('Node 1 answers with too much data.');
});

test('a node that has closed a kept connection meanwhile is asked again on another one', async () => {
  const used = new WeakSet<object>();
  const answer = (response: ServerResponse) => {
    const { socket } = response;
    if (socket === null || used.has(socket)) response.destroy();
    else used.add(socket);
    return batch(chainId)(response);
  };
  const node = createNode({ name: 'Node 1', url: await nodeLike('', { answer }), chainId: 1, clock: systemClock });
  expect([await node.call([]), await node.call([])]).toEqual([[], []]);
});

const fieldsOf = (value: unknown) => z.record(z.string(), z.unknown()).parse(value);

describeOnChain('decisions 12: final is what both nodes call final', () => {
  const final = async () => {
    const one = await chainOfTest();
    const hash = await one.pay(OURS, 5n);
    await one.finalise();
    /** The result with a second node that changes the answer to one method. */
    const withOther = async (method: string, change: (honest: unknown, params: readonly unknown[]) => unknown) => {
      const other = await nodeLike(one.url, {
        result: (call, honest) => (call.method === method ? change(honest, call.params) : honest),
      });
      const said = await Promise.all(
        [one.found(hash, [one.url, other]), one.found(hash, [other, one.url])].map((asked) =>
          asked.then(
            (transfers) => transfers.map(({ state, amount }) => `${state} ${amount}`),
            (error: Error) => error.constructor.name,
          ),
        ),
      );
      expect(said[0]).toEqual(said[1]);
      return said[0];
    };
    return { ...one, hash, withOther };
  };

  test('two that agree', async () => {
    const { withOther } = await final();
    expect(await withOther('none', (honest) => honest)).toEqual(['CONFIRMED 0.000005']);
  });

  test('two that count the logs of a block differently, as clients do, agree on the transfer and its names', async () => {
    const { url, hash, found } = await final();
    const other = await nodeLike(url, {
      result: ({ method }, honest) =>
        /Receipt/.test(method)
          ? JSON.parse(JSON.stringify(honest).replace(/"logIndex":"0x0"/g, '"logIndex":"0x2a"'))
          : honest,
    });
    const [transfer] = await found(hash, [url, other]);
    expect(transfer).toMatchObject({ state: 'CONFIRMED', amount: '0.000005' });
    expect(await found(hash, [other, url])).toEqual([transfer]);
  });

  test('one that lags behind, or lacks the receipt or the block so far, keeps it from being final', async () => {
    const { withOther } = await final();
    expect(await withOther('eth_getTransactionReceipt', () => null)).toEqual(['UNCONFIRMED 0.000005']);
    const lag = (honest: unknown, [tag]: readonly unknown[]) =>
      tag === 'finalized' ? { ...fieldsOf(honest), number: '0x1' } : honest;
    expect(await withOther('eth_getBlockByNumber', lag)).toEqual(['UNCONFIRMED 0.000005']);
    const lacks = (honest: unknown, [tag]: readonly unknown[]) => (tag === '0x3' ? null : honest);
    expect(await withOther('eth_getBlockByNumber', lacks)).toEqual(['UNCONFIRMED 0.000005']);
    const none = (honest: unknown, [tag]: readonly unknown[]) => (tag === 'finalized' ? null : honest);
    expect(await withOther('eth_getBlockByNumber', none)).toEqual(['UNCONFIRMED 0.000005']);
  });

  test('one that contradicts the other about a final block makes both unusable, which is counted', async () => {
    const lines = captureLogs();
    const { withOther } = await final();
    const otherHash = (honest: unknown, [tag]: readonly unknown[]) =>
      tag === '0x3' ? { ...fieldsOf(honest), hash: ANOTHER_HASH } : honest;
    expect(await withOther('eth_getBlockByNumber', otherHash)).toBe('NodesDisagree');
    const reverted = (honest: unknown) => ({ ...fieldsOf(honest), ...EMPTY_RECEIPT });
    expect(await withOther('eth_getTransactionReceipt', reverted)).toBe('NodesDisagree');
    const more = (honest: unknown) => JSON.parse(JSON.stringify(honest).replace(/0{63}5"/, `${'0'.repeat(63)}6"`));
    expect(await withOther('eth_getTransactionReceipt', more)).toBe('NodesDisagree');
    expect(new Set(lines.map(({ code }) => code))).toEqual(new Set(['NODES_DISAGREE']));
  });

  test('a transaction that only one of them knows is never final', async () => {
    const { url, hash, found } = await final();
    const ignorant = await nodeLike(url, {
      result: ({ method }, honest) => (/Transaction/.test(method) ? null : honest),
    });
    expect((await found(hash, [url, ignorant])).map(({ state }) => state)).toEqual(['UNCONFIRMED']);
  });

  test.each<[string, Partial<EvmChain>, RegExp]>([
    ['another chain id', { chainId: 137 }, /Node 1 of POLYGON is a node of another chain than 137/],
    ['a contract of another chain', { tokens: [token] }, /no USDC with 6 decimals/],
  ])('%s is said in one sentence, and nothing is found', async (_, differences, sentence) => {
    const { hash, custodian } = await final();
    const asked = custodian(differences).findTransfers({ network: 'POLYGON', txHash: hash, since: '' });
    await expect(asked).rejects.toThrow(sentence);
    await expect(asked).rejects.toThrow(CustodianUnavailable);
  });

  test('wrong decimals or another symbol are, too; and a noticed token is asked for again', async () => {
    const { hash, usdc, url, custodian } = await final();
    for (const wrong of [
      { ...usdc, decimals: 18 },
      { ...usdc, symbol: 'USDT' },
    ]) {
      const asked = custodian({ tokens: [wrong] }).findTransfers({ network: 'POLYGON', txHash: hash, since: '' });
      await expect(asked).rejects.toThrow(
        `Node 1 of POLYGON has no ${wrong.symbol} with ${wrong.decimals} decimals at ${usdc.contract}.`,
      );
    }
    let isDown = true;
    const node = await nodeLike(url, { answer: (response) => isDown && answering(503, '')(response) });
    const one = custodian({}, [node]);
    const ask = () => one.findTransfers({ network: 'POLYGON', txHash: hash, since: '' });
    await expect(ask()).rejects.toThrow('answers 503');
    isDown = false;
    expect(await ask()).toHaveLength(1);
  });

  test('a transaction whose hash a node has forgotten, and whose block has it, is not gone', async () => {
    const { url, hash, found, custodian } = await final();
    const [seen] = await found(hash);
    const forgetful = await nodeLike(url, {
      result: ({ method }, honest) => (/Transaction/.test(method) ? null : honest),
    });
    const asked = custodian({}, [forgetful]).findTransfer({
      custodianTransferId: seen?.custodianTransferId ?? '',
      seen,
    });
    await expect(asked).rejects.toThrow(`no longer find ${hash}, which is in block 3`);
  });

  test('a network without nodes is unavailable, by its name and by an id', async () => {
    const { hash, custodian } = await final();
    await expect(custodian().findTransfers({ network: 'BASE', txHash: hash, since: '' })).rejects.toThrow(
      CustodianUnavailable,
    );
    await expect(custodian().findTransfer({ custodianTransferId: `base:${hash}` })).rejects.toThrow(
      CustodianUnavailable,
    );
  });
});
