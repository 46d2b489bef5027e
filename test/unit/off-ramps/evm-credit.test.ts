import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matchDeposit } from '#functions/off-ramps/match-deposit/match-deposit.ts';
import { reconcileCustodian } from '#functions/off-ramps/reconcile-custodian/reconcile-custodian.ts';
import { createFindAssigned } from '#shared/off-ramps/custodians/assigned-addresses.ts';
import { createEvmCustodian } from '#shared/off-ramps/custodians/evm/evm-custodian.ts';
import { createEvmReader } from '#shared/off-ramps/custodians/evm/evm-reader.ts';
import type { EvmNode } from '#shared/off-ramps/custodians/evm/json-rpc.ts';
import { createFindTransfer, createFindTransfers } from '#shared/off-ramps/custodians/find-transfers.ts';
import { claimantOf, createFindAddressOwners } from '#shared/off-ramps/store/claims.ts';
import { createCustodianLists } from '#shared/off-ramps/store/custodian-lists.ts';
import { createCountDepositsOf } from '#shared/off-ramps/store/deposit-lists.ts';
import { createDepositPolls, type DepositPoll } from '#shared/off-ramps/store/deposit-polls.ts';
import { createDepositRepository } from '#shared/off-ramps/store/deposit-repository.ts';
import { createOffRampRepository } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { createOperation } from '#shared/off-ramps/transitions/create-operation.ts';
import { createCreditDeposit } from '#shared/off-ramps/transitions/credit-deposit.ts';
import { address } from '#test/support/chain.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { forkingChain } from '#test/support/forking-chain.ts';
import { OPERATION } from '#test/support/ids.ts';
import { logged } from '#test/support/logged.ts';
import { offRamp, RULES } from '#test/support/off-ramp.ts';
import { tablesInMemory } from '#test/support/tables-in-memory.ts';

const [contract, from, to] = [address(0xc0), address(0xf0), address(0xa1)];
const token = { custodianAssetId: 'POLYGON:USDC', contract, symbol: 'USDC', decimals: 6 };
const HASHES = 3;
/** In the smallest unit; the operation awaits 2. */
const AWAITED = 2n;

/** Two nodes and one operation that awaits its deposit; nobody reports or notifies anything. */
async function world(nodes: readonly [EvmNode, EvmNode]) {
  const clock = fakeClock('1970-01-01T00:00:01.000Z');
  const { dynamo } = tablesInMemory();
  const tables = { operations: 'operations', hashes: 'hashes', deposits: 'deposits', events: 'events' };
  const at = clock.now().toISOString();
  const facts = {
    network: 'POLYGON',
    custodianAssetId: token.custodianAssetId,
    address: to,
    senderAddress: from,
  } as const;
  await createOperation(dynamo, tables, offRamp({ ...facts, amount: '0.000002', createdAt: at }));
  const messages: DepositPoll[] = [];
  const reader = createEvmReader({
    network: 'POLYGON',
    chain: { chainId: 1, tokens: [token] },
    nodes,
    ours: createFindAssigned(dynamo, tables.hashes, clock),
    clock,
  });
  const custodian = { name: 'evm', ...createEvmCustodian((ask) => ask(new Map([['POLYGON', reader]])), clock) };
  const custodians = new Map([['POLYGON', custodian] as const]);
  const common = {
    deposits: createDepositRepository(dynamo, tables.deposits, clock),
    clock,
    sendPoll: async (poll: DepositPoll) => void messages.push(poll),
  };
  const reconcile = reconcileCustodian({
    ...common,
    custodians: new Map(),
    chains: custodians,
    lists: createCustodianLists(dynamo, tables.deposits),
  });
  const operations = createOffRampRepository(dynamo, tables.operations);
  const match = matchDeposit({
    ...common,
    polls: createDepositPolls(dynamo, tables.deposits, clock),
    findTransfers: createFindTransfers(custodians, clock),
    findTransfer: createFindTransfer(custodians, clock),
    networkRules: RULES,
    outbox: { table: tables.events },
    findAddressOwners: createFindAddressOwners(dynamo, tables.hashes),
    operations,
    countDepositsOf: createCountDepositsOf(dynamo, tables.deposits),
    minimumDeposits: {},
    decimals: { [token.custodianAssetId]: token.decimals },
    fundedBy: (txHash) => claimantOf(dynamo, tables.hashes, 'FUNDED', txHash),
    creditDeposit: createCreditDeposit(dynamo, tables, clock),
  });
  return {
    /** A minute passes, the scan runs, and what it hands over is polled. */
    minute: async () => {
      clock.advance(60);
      await reconcile();
      for (const poll of messages.splice(0)) await match(poll);
    },
    credited: async () => (await operations.find(OPERATION))?.verifiedTxHash,
  };
}

const change = fc.record({
  does: fc.constantFrom('mine', 'mine', 'reorg', 'finalise'),
  blocks: fc.integer({ min: 1, max: 4 }),
  hash: fc.nat(HASHES - 1),
  value: fc.bigInt(1n, 3n),
});

test('decisions 12: without a report or a notification, what the final chain has and an operation awaits is credited by the next scan, and never anything else', async () => {
  logged();
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
        const { minute, credited } = await world([
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
          await minute();
          const now = await credited();
          if (now !== undefined) known.add(now);
        }
        chain.finalise(changes.length * 4);
        isOver = true;
        await minute();
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
