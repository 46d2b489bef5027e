import { expect, test } from 'vitest';
import { checkDeposit } from '#functions/off-ramps/check-deposit/check-deposit.ts';
import { getOfframpHash } from '#functions/off-ramps/get-offramp-hash/get-offramp-hash.ts';
import { listDeposits } from '#functions/off-ramps/list-deposits/list-deposits.ts';
import { listHashPolls } from '#functions/off-ramps/list-hash-polls/list-hash-polls.ts';
import { matchDeposit } from '#functions/off-ramps/match-deposit/match-deposit.ts';
import { listDepositsContract } from '#shared/off-ramps/contract/deposit-contract.ts';
import { listHashPollsContract } from '#shared/off-ramps/contract/hash-poll-contract.ts';
import { getOfframpHashContract } from '#shared/off-ramps/contract/off-ramp-hash-contract.ts';
import type { CustodianTransfer } from '#shared/off-ramps/custodians/custodian.ts';
import { type DepositStatus, depositStatusOf } from '#shared/off-ramps/model/deposit.ts';
import { createFindAddressOwners } from '#shared/off-ramps/store/address-owners.ts';
import { createMovements } from '#shared/off-ramps/store/claims.ts';
import { createCountDepositsOf, createListDepositsOf } from '#shared/off-ramps/store/deposit-lists.ts';
import { createDepositPolls } from '#shared/off-ramps/store/deposit-polls.ts';
import {
  createDepositRepository,
  createFindDeposit,
  createRememberSeen,
} from '#shared/off-ramps/store/deposit-repository.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { STRANGER } from '#test/support/ids.ts';
import {
  CREATED_AT,
  EXPIRES_AT,
  HASH,
  OTHER_HASH,
  offRamp,
  RETURN_TERMS,
  RULES,
  transfer,
} from '#test/support/off-ramp.ts';
import { offRampsInMemory, TABLES } from '#test/support/off-ramps-in-memory.ts';
import { routeCall } from '#test/support/route-call.ts';

/** The custodian's successive answers about a deposit, until it has the status. */
const ways: Readonly<Record<Exclude<DepositStatus, 'RETURN_REQUESTED' | 'RETURNED'>, readonly CustodianTransfer[]>> = {
  DETECTED: [transfer({ state: 'UNCONFIRMED' })],
  HELD: [transfer({ state: 'HELD' })],
  UNMATCHED: [transfer({ amount: '7' })],
  FAILED: [transfer({ state: 'FAILED' })],
  CREDITED: [transfer({ state: 'UNCONFIRMED' }), transfer()],
  REVERSED: [transfer(), transfer({ state: 'FAILED' })],
};

/** All that a client reads about a hash that it reported, while a stranger's deposit by HASH changes its states. */
async function readsOf(txHash: string, way: readonly CustodianTransfer[]) {
  captureLogs();
  const clock = fakeClock(CREATED_AT);
  const { dynamo, ...offRamps } = offRampsInMemory(clock);
  const deposits = createDepositRepository(dynamo, TABLES.deposits, clock);
  let now: readonly CustodianTransfer[] = [];
  const common = {
    ...offRamps,
    deposits,
    polls: createDepositPolls(dynamo, TABLES.deposits, clock),
    sendPoll: async () => {},
    findTransfer: async () => undefined,
    findTransfers: async (query: { readonly txHash: string }) => now.filter((one) => one.txHash === query.txHash),
    findAddressOwners: createFindAddressOwners(dynamo, TABLES.hashes),
    findDeposit: createFindDeposit(dynamo, TABLES.deposits),
    rememberSeen: createRememberSeen(dynamo, TABLES.deposits, clock),
    countDepositsOf: createCountDepositsOf(dynamo, TABLES.deposits),
    listDepositsOf: createListDepositsOf(dynamo, TABLES.deposits, clock),
    minimumDeposits: {},
    decimals: {},
    terms: RETURN_TERMS,
    movements: createMovements(dynamo, TABLES.hashes),
    fundedBy: (hash: string) => offRamps.findClaimant('FUNDED', hash),
    eventsTable: TABLES.events,
    networkRules: RULES,
    clock,
  };
  await offRamps.create(offRamp({ operationId: STRANGER, clientId: STRANGER, userId: STRANGER }));
  // The operation awaits the same amount, at its own address.
  await offRamps.create(offRamp({ address: `0x${'99'.repeat(20)}` }));
  const attempt = await offRamps.beginAttempt(await offRamps.kept(), { txHash, windowEndsAt: EXPIRES_AT });
  const match = matchDeposit(common);
  for (const said of way) {
    clock.advance(60);
    now = [said];
    await match(await deposits.remember(said, clock.now()));
    await checkDeposit(common)(attempt);
  }
  const deposit = await deposits.find(transfer().custodianTransferId);
  const reads = [
    (await getOfframpHash({ ...common, findFundingDeposit: async () => 'none' })(routeCall(getOfframpHashContract)))
      .body,
    (await listHashPolls(offRamps.operations)(routeCall(listHashPollsContract))).body,
    (await listDeposits(common)(routeCall(listDepositsContract))).body,
  ];
  const { operation } = await offRamps.kept();
  return {
    status: deposit && depositStatusOf(deposit),
    reads: JSON.stringify(reads).replaceAll(txHash, 'hash'),
    operation,
  };
}

test.each(Object.entries(ways))(
  'decisions 4, reasons while not verified: another client’s deposit that is %s reads as a hash that does not exist',
  async (status, way) => {
    const [known, unknown] = [await readsOf(HASH, way), await readsOf(OTHER_HASH, way)];
    expect(known.status).toBe(status);
    expect(known.reads).toBe(unknown.reads);
    expect(known.reads).toContain('"reason":"NOT_FOUND"');
    expect(known.operation).toMatchObject({ status: 'AWAITING_DEPOSIT', sequence: unknown.operation.sequence });
  },
);
