import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CustodianUnavailable } from '#shared/off-ramps/custodians/custodian.ts';
import type { EvmChain } from '#shared/off-ramps/custodians/evm/evm-chain.ts';
import type { EvmNode, RpcCall } from '#shared/off-ramps/custodians/evm/json-rpc.ts';
import { readTransaction } from '#shared/off-ramps/custodians/evm/read-transaction.ts';
import { createScanTransfers, type ScanCursor } from '#shared/off-ramps/custodians/evm/scan-transfers.ts';
import { address, ownsOnly } from '#test/support/chain.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { forkingChain } from '#test/support/forking-chain.ts';

const [contract, from, to] = [address(0xc0), address(0xf0), address(0xa1)];
const chain: EvmChain = {
  chainId: 1,
  tokens: [{ custodianAssetId: 'POLYGON:USDC', contract, symbol: 'USDC', decimals: 6 }],
};

const FROM_START: ScanCursor = { final: 0, newest: 0 };
const clock = fakeClock('1970-01-01T00:00:01.000Z');
const scanOf = (nodes: readonly [EvmNode, ...EvmNode[]]) =>
  createScanTransfers(chain, nodes, { findOwnAddresses: ownsOnly(to), clock });

const HASHES = 3;

/** A change of a chain: a new block, other blocks in place of the newest, or blocks that become final. */
const change = fc
  .record({
    does: fc.nat(2),
    blocks: fc.integer({ min: 1, max: 4 }),
    hash: fc.nat(HASHES - 1),
    value: fc.bigInt(1n, 3n),
  })
  .map(({ does, blocks, hash, value }) => ({
    hash,
    happensTo: (one: ReturnType<typeof forkingChain>, name: string) => {
      const transfers = new Map([[name, value]]);
      if (does === 0) one.mine(transfers);
      else if (does === 1) one.reorg(blocks, transfers);
      else one.finalise(blocks);
    },
  }));

const json = (value: unknown, find: RegExp, replacement: string): unknown =>
  JSON.parse(JSON.stringify(value).replace(find, replacement));

/** The ways in which a node may falsify its answers. */
const lies: Readonly<Record<string, (call: RpcCall, honest: unknown) => unknown>> = {
  honest: (_, honest) => honest,
  amount: ({ method }, honest) => (/Receipt|Logs/.test(method) ? json(honest, /[123]"/, '9"') : honest),
  finalised: ({ params }, honest) =>
    params[0] === 'finalized' ? json(honest, /"number":"0x."/, '"number":"0xff"') : honest,
  block: ({ params }, honest) => (params[0] !== 'finalized' ? json(honest, /0xb/, '0xd') : honest),
  nothing: ({ method }, honest) => (/Transaction|Logs/.test(method) ? null : honest),
  reverted: ({ method }, honest) =>
    /Receipt/.test(method) ? json(honest, /"status":"0x1"/, '"status":"0x0"') : honest,
};

const world = fc.record({
  changes: fc.array(change, { minLength: 5, maxLength: 30 }),
  lags: fc.infiniteStream(fc.nat(3)),
  lies: fc.infiniteStream(fc.constantFrom(...Object.keys(lies))),
});

/** The final amount of the first token in a transaction; `undefined` if it is not final or the nodes cannot be used. */
async function finalAmount(nodes: readonly EvmNode[], hash: string): Promise<bigint | undefined> {
  try {
    const read = await readTransaction(chain, nodes, hash);
    return read.block !== undefined && read.isFinal ? read.movements[0]?.value : undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(CustodianUnavailable);
    return undefined;
  }
}

test('decisions 12: whatever one node replaces, delays or makes up, only transfers of the final chain are final', async () => {
  let credited = 0;
  await fc.assert(
    fc.asyncProperty(world, async ({ changes, lags, lies: told }) => {
      const one = forkingChain({ contract, from, to });
      const late = () => lags.next().value ?? 0;
      const honest = one.node('Node 1', late);
      const liar = one.node('Node 2', late, (call, said) => lies[told.next().value ?? 'honest']?.(call, said));
      const said: (readonly [string, bigint])[] = [];
      for (const { hash, happensTo } of changes) {
        happensTo(one, one.hashOf(hash));
        const found = await finalAmount(late() % 2 === 0 ? [honest, liar] : [liar, honest], one.hashOf(hash));
        if (found !== undefined) said.push([one.hashOf(hash), found]);
        // A single node, which lags behind but is honest.
        const alone = await finalAmount([honest], one.hashOf(hash));
        if (alone !== undefined) said.push([one.hashOf(hash), alone]);
      }
      for (const [hash, amount] of said) expect(one.finalAmount(hash)).toBe(amount);
      credited += said.length;

      // Everything in the final chain is found in the end, by its hash and by the scan.
      one.finalise(changes.length);
      const nodes = [one.node('Node 1'), one.node('Node 2')] as const;
      const { found, cursor } = await scanOf(nodes)({ final: 0, newest: one.height() + 1 });
      expect(cursor.final).toBe(one.height() + 1);
      for (let hash = 0; hash < HASHES; hash += 1) {
        const name = one.hashOf(hash);
        expect(await finalAmount(nodes, name)).toBe(one.finalAmount(name));
        expect(found.find(({ txHash }) => txHash === name)?.movements[0]?.value).toBe(one.finalAmount(name));
      }
    }),
    { numRuns: 300 },
  );
  // Without any credit the property would hold trivially.
  expect(credited).toBeGreaterThan(100);
});

test('decisions 12: repeated scans hand over each final transfer, and never a wrong one as final', async () => {
  await fc.assert(
    fc.asyncProperty(world, async ({ changes, lags }) => {
      const one = forkingChain({ contract, from, to });
      const late = () => lags.next().value ?? 0;
      const nodes = [one.node('Node 1', late), one.node('Node 2', late)] as const;
      const handedOver = new Map<string, bigint | undefined>();
      let reached = FROM_START;
      const scan = async (with_: typeof nodes) => {
        const { found, cursor } = await scanOf(with_)(reached);
        expect(cursor.final).toBeGreaterThanOrEqual(reached.final);
        reached = cursor;
        for (const { txHash, isFinal, movements } of found) {
          if (isFinal) handedOver.set(txHash, movements[0]?.value);
        }
      };
      for (const { hash, happensTo } of changes) {
        happensTo(one, one.hashOf(hash));
        await scan(nodes);
      }
      one.finalise(changes.length);
      await scan([one.node('Node 1'), one.node('Node 2')]);
      for (let hash = 0; hash < HASHES; hash += 1) {
        expect(handedOver.get(one.hashOf(hash))).toBe(one.finalAmount(one.hashOf(hash)));
      }
    }),
    { numRuns: 300 },
  );
});

test('decisions 12: whatever a node answers in place of a result is unavailable, or decides nothing', async () => {
  const methods = ['eth_getBlockByNumber', 'eth_getTransactionReceipt', 'eth_getTransactionByHash', 'eth_getLogs'];
  const one = forkingChain({ contract, from, to });
  const hash = one.hashOf(0);
  one.mine(new Map([[hash, 1n]]));
  one.finalise(1);
  const honest = one.node('Node 1');
  const garbage = fc.oneof(
    fc.jsonValue(),
    // One field of a correct answer is replaced by another value.
    fc.record({
      field: fc.constantFrom('number', 'hash', 'blockNumber', 'blockHash', 'status', 'logs', 'data', 'topics'),
      value: fc.jsonValue(),
    }),
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...methods), garbage, async (method, wrong) => {
      const broken = one.node('Node 2', undefined, (call, said) => {
        if (call.method !== method) return said;
        const { field, value } = Object(wrong);
        if (typeof field !== 'string' || said === null) return wrong;
        return Array.isArray(said) ? said.map((log) => ({ ...log, [field]: value })) : { ...said, [field]: value };
      });
      expect([undefined, 1n]).toContain(await finalAmount([honest, broken], hash));
      const scanned = scanOf([honest, broken])(FROM_START);
      const amounts = await scanned.then(
        ({ found }) => found.flatMap(({ isFinal, movements }) => (isFinal ? movements : [])).map(({ value }) => value),
        (error: unknown) => (error instanceof CustodianUnavailable ? [] : Promise.reject(error)),
      );
      expect(amounts.filter((amount) => amount !== 1n)).toEqual([]);
    }),
    { numRuns: 500 },
  );
});
