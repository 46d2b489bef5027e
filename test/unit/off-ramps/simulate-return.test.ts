import { describe, expect, test } from 'vitest';
import { simulateDeposit } from '#functions/off-ramps/simulate-deposit/simulate-deposit.ts';
import { simulateReturn } from '#functions/off-ramps/simulate-return/simulate-return.ts';
import {
  simulateDepositContract,
  simulateReturnContract,
} from '#shared/off-ramps/contract/off-ramp-sandbox-contract.ts';
import { CustodianUnavailable } from '#shared/off-ramps/custodians/custodian.ts';
import { simulatedOutcomes } from '#shared/off-ramps/custodians/simulated/outcomes.ts';
import { putSimulatedTransfer } from '#shared/off-ramps/custodians/simulated/put-transaction.ts';
import { simulatedSendings } from '#shared/off-ramps/custodians/simulated/sendings.ts';
import { simulatedAccount } from '#shared/off-ramps/custodians/simulated/simulated-custodian-deployment.ts';
import { simulatedTransactions } from '#shared/off-ramps/custodians/simulated/transactions.ts';
import { depositIdOf } from '#shared/off-ramps/model/deposit.ts';
import { createFindDeposit } from '#shared/off-ramps/store/deposit-repository.ts';
import { expectApiError } from '#test/support/expect-api-error.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { CLIENT, STRANGER } from '#test/support/ids.ts';
import { CREATED_AT, DEPOSIT_ADDRESS, HASH, SENDER_ADDRESS } from '#test/support/off-ramp.ts';
import { routeCall } from '#test/support/route-call.ts';
import { tablesInMemory } from '#test/support/tables-in-memory.ts';

const TABLE = 'simulatedTransactions';
const network = 'ETHEREUM';

function world() {
  const { dynamo, table } = tablesInMemory();
  const clock = fakeClock(CREATED_AT);
  const custodianTransferId = `simulated:sim:ETHEREUM:${HASH}`;
  const deposit_id = depositIdOf(custodianTransferId);
  const putTransfer = putSimulatedTransfer(dynamo, TABLE, clock);
  const put = simulateDeposit({ custodianNames: { ETHEREUM: 'simulated' }, putTransfer, notify: async () => true });
  const decide = simulateReturn({
    outcomes: simulatedOutcomes(dynamo, TABLE),
    findDeposit: createFindDeposit(dynamo, 'deposits'),
  });
  const about = { network, txHash: HASH, token: 'USDC', amount: '1', state: 'CONFIRMED' };
  const [to, externalId] = [{ address: SENDER_ADDRESS }, `${deposit_id}-1`];
  const sendings = simulatedSendings(dynamo, TABLE, clock);
  return {
    sendings,
    transactions: simulatedTransactions(dynamo, TABLE, clock),
    pay: (fromAddress = SENDER_ADDRESS, toAddress = DEPOSIT_ADDRESS) =>
      put(routeCall(simulateDepositContract, {}, { ...about, fromAddress, toAddress })),
    /** Stores the deposit as the service does once it has found the transfer. */
    own: (clientId: string) =>
      table('deposits').put({
        ...{ custodianTransferId, network, txHash: HASH, clientId },
        ...{ firstNotifiedAt: CREATED_AT, lastNotifiedAt: CREATED_AT },
      }),
    decide: (outcome: string, clientId = CLIENT) =>
      decide(routeCall(simulateReturnContract, { deposit_id }, { outcome }, { clientId })),
    send: () => sendings.send({ externalId, network, assetId: 'A', amount: '1', from: 'account', to }),
    find: () => sendings.findSending({ network, externalId }),
    deposit_id,
    clock,
  };
}

describe('decisions 9, returns: the simulated custodian’s answer about sending a deposit back', () => {
  test('is the last one that the client of the deposit has chosen', async () => {
    const { pay, own, decide, send, find, deposit_id, clock } = world();
    await pay();
    own(CLIENT);
    expect((await decide('DECLINED')).body).toEqual({ id: deposit_id, outcome: 'DECLINED' });
    await decide('TIMEOUT');
    await expect(send()).rejects.toThrow(CustodianUnavailable);
    await expect(find()).rejects.toThrow(CustodianUnavailable);
    await decide('FAILED');
    expect(await find()).toEqual({ state: 'FAILED' });
    await decide('COMPLETED');
    clock.advance(2);
    expect(await find()).toMatchObject({ state: 'COMPLETED' });
  });

  test('cannot be chosen by another client, or for anything else: 404', async () => {
    const { pay, own, decide } = world();
    const refused = async () => {
      const { code, message } = await expectApiError(() => decide('FAILED', CLIENT));
      expect([code, message]).toEqual(['DEPOSIT_NOT_FOUND', expect.stringMatching(/^The simulated custodian has no/)]);
    };
    await refused();
    await pay();
    await refused();
    own(STRANGER);
    await refused();
    expect((await decide('FAILED', STRANGER)).body.outcome).toBe('FAILED');
  });
});

test('decisions 9, sending by hand: a transaction that is put there from the simulated account has left it, and is nobody’s deposit', async () => {
  const { pay, sendings, transactions } = world();
  await pay(simulatedAccount(network), SENDER_ADDRESS);
  const query = { network, txHash: HASH, since: CREATED_AT } as const;
  const moved = { from: simulatedAccount(network), toAddress: SENDER_ADDRESS, amount: '1', state: 'CONFIRMED' };
  expect(await sendings.findOutgoing(query)).toMatchObject([moved]);
  expect(await transactions.findTransfers(query)).toMatchObject([{ isFromCustodian: true }]);
});
