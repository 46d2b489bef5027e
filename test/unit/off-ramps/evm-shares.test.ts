import { expect, test } from 'vitest';
import { createEvmCustodian, limitCalls } from '#shared/off-ramps/custodians/evm/evm-custodian.ts';
import { createEvmReader } from '#shared/off-ramps/custodians/evm/evm-reader.ts';
import { type EvmNode, NodeThrottled } from '#shared/off-ramps/custodians/evm/json-rpc.ts';
import { createProviderLimits } from '#shared/platform/dynamodb/provider-limits.ts';
import { address } from '#test/support/chain.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { forkingChain } from '#test/support/forking-chain.ts';
import { tablesInMemory } from '#test/support/tables-in-memory.ts';

const [contract, from, to] = [address(0xc0), address(0xf0), address(0xa1)];
const network = 'POLYGON';
const POLLS = 24;

/** A node that accepts this many polls of a transaction in a minute, and no more. */
function limited(node: EvmNode, calls = POLLS * 9): EvmNode {
  let left = calls;
  return {
    ...node,
    call: async (batch) => {
      left -= batch.length + 1;
      if (left < 0) throw new NodeThrottled(`${node.name} asks for a pause.`);
      return node.call(batch);
    },
  };
}

test('decisions 12: hashes that one client makes up leave the calls of a node to the scan, to deposits and to the hashes of others', async () => {
  const clock = fakeClock('2026-08-01T12:00:00.000Z');
  const token = { custodianAssetId: 'POLYGON:USDC', contract, symbol: 'USDC', decimals: 6 };
  const chain = { chainId: 1, tokens: [token], pollsPerMinute: POLLS };
  const blocks = forkingChain({ contract, from, to });
  const paid = blocks.hashOf(1);
  blocks.mine(new Map([[paid, 2n]]));
  const nodes = [limited(blocks.node('Node 1', () => 0)), limited(blocks.node('Node 2', () => 0))] as const;
  const reader = createEvmReader({ network, chain, nodes, findOwnAddresses: async (all) => new Set(all), clock });
  const { dynamo } = tablesInMemory();
  const { findTransfers, scanTransfers } = limitCalls(
    createEvmCustodian((ask) => ask(new Map([[network, reader]])), clock),
    { [network]: chain },
    (one) => createProviderLimits({ dynamo, table: 'providerLimits', clock }, `evm#${one}`),
  );
  const ask = (txHash: string, by: object = {}) => findTransfers({ network, txHash, since: '', ...by });

  let putOff = 0;
  for (let made = 0; made < 100; made += 1) {
    const madeUp = `0x${made.toString(16).padStart(64, 'f')}`;
    const kinds = [{ wasUnknown: true, reportedBy: 'a' }, { isReported: true, reportedBy: 'a' }, { cancelledBy: 'a' }];
    for (const kind of kinds) {
      await ask(madeUp, kind).catch(({ declinedFor }) => {
        expect(declinedFor).toBeDefined();
        putOff += 1;
      });
    }
  }
  expect(300 - putOff).toBe(POLLS / 4 + POLLS / 12 + POLLS / 24);
  const { transfers } = await scanTransfers({ network, cursor: '{"final":0,"newest":0}' });
  expect(transfers).toMatchObject([{ txHash: paid }]);
  for (const by of [
    {},
    { wasUnknown: true, reportedBy: 'b' },
    { isReported: true, reportedBy: 'b' },
    { cancelledBy: 'b' },
  ])
    expect(await ask(paid, by)).toMatchObject([{ txHash: paid }]);
});
