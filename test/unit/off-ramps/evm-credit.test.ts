import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFindAssignedAddresses } from '#shared/off-ramps/custodians/assigned-addresses.ts';
import { createEvmCustodian } from '#shared/off-ramps/custodians/evm/evm-custodian.ts';
import { createEvmReader } from '#shared/off-ramps/custodians/evm/evm-reader.ts';
import type { EvmNode } from '#shared/off-ramps/custodians/evm/json-rpc.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { address } from '#test/support/chain.ts';
import { creditWorld } from '#test/support/credit-world.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { forkingChain } from '#test/support/forking-chain.ts';

const [contract, from, to] = [address(0xc0), address(0xf0), address(0xa1)];
const token = { custodianAssetId: 'POLYGON:USDC', contract, symbol: 'USDC', decimals: 6 };
const HASHES = 3;
/** The awaited amount in the token's smallest unit. */
const AWAITED = 2n;

/** Two nodes and one operation that awaits its deposit. */
function world(nodes: readonly [EvmNode, EvmNode]) {
  const clock = fakeClock('1970-01-01T00:00:01.000Z');
  const facts = { custodianAssetId: token.custodianAssetId, address: to, senderAddress: from, amount: '0.000002' };
  const chain = { chainId: 1, tokens: [token] };
  const network = 'POLYGON';
  return creditWorld({
    ...{ clock, network, facts, decimals: token.decimals },
    custodian: (dynamo) => {
      const reader = createEvmReader({
        network,
        chain,
        nodes,
        findOwnAddresses: createFindAssignedAddresses(dynamo, 'hashes', clock),
        clock,
      });
      return { name: 'evm', ...createEvmCustodian((ask) => ask(new Map([[network, reader]])), clock) };
    },
  });
}

const change = fc.record({
  does: fc.constantFrom('mine', 'mine', 'reorg', 'finalise'),
  blocks: fc.integer({ min: 1, max: 4 }),
  hash: fc.nat(HASHES - 1),
  value: fc.bigInt(1n, 3n),
});

test('decisions 12: without a report or a notification, the next scan credits exactly the deposits that the final chain has and an operation awaits', async () => {
  captureLogs();
  let funded = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(change, { minLength: 5, maxLength: 25 }),
      fc.infiniteStream(fc.nat(3)),
      fc.infiniteStream(fc.boolean()),
      async (changes, lags, lies) => {
        const chain = forkingChain({ contract, from, to });
        let isOver = false;
        const late = () => (isOver ? 0 : (lags.next().value ?? 0));
        const silent = () => !isOver && (lies.next().value ?? false);
        const { pass, credited } = await world([
          chain.node('Node 1', late),
          chain.node('Node 2', late, ({ method }, said) =>
            /Logs|Receipt/.test(method) && silent() ? (method === 'eth_getLogs' ? [] : null) : said,
          ),
        ]);
        const known = new Set<string>();
        for (const { does, blocks, hash, value } of changes) {
          const transfers = new Map([[chain.hashOf(hash), value]]);
          if (does === 'mine') chain.mine(transfers);
          else if (does === 'reorg') chain.reorg(blocks, transfers);
          else chain.finalise(blocks);
          await pass(60);
          const now = await credited();
          if (now !== undefined) known.add(now);
        }
        chain.finalise(changes.length * 4);
        isOver = true;
        await pass(60);
        const final = await credited();
        const wanted = Array.from({ length: HASHES }, (_, at) => chain.hashOf(at)).filter(
          (hash) => chain.finalAmount(hash) === AWAITED,
        );
        expect([...known].filter((hash) => hash !== final)).toEqual([]);
        expect(final === undefined ? wanted : wanted.includes(final)).toEqual(final === undefined ? [] : true);
        if (final !== undefined) funded += 1;
      },
    ),
    { numRuns: 150 },
  );
  expect(funded).toBeGreaterThan(20);
});
