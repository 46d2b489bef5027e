import { describe, expect, test } from 'vitest';
import { simulateDeposit } from '#functions/off-ramps/simulate-deposit/simulate-deposit.ts';
import { simulateDepositContract } from '#shared/off-ramps/contract/off-ramp-sandbox-contract.ts';
import { CustodianUnavailable, type NotifiedTransfer } from '#shared/off-ramps/custodians/custodian.ts';
import { putSimulatedTransfer } from '#shared/off-ramps/custodians/simulated/put-transaction.ts';
import {
  type SimulatedTransfer,
  simulatedMinimums,
  simulatedTransactions,
} from '#shared/off-ramps/custodians/simulated/transactions.ts';
import { expectApiError } from '#test/support/expect-api-error.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { CLIENT, USER } from '#test/support/ids.ts';
import { CREATED_AT, DEPOSIT_ADDRESS, HASH, OTHER_HASH, SENDER_ADDRESS, transfer } from '#test/support/off-ramp.ts';
import { routeCall } from '#test/support/route-call.ts';
import { tablesInMemory } from '#test/support/tables-in-memory.ts';

const deposit = {
  network: 'ETHEREUM',
  txHash: HASH,
  fromAddress: SENDER_ADDRESS,
  toAddress: DEPOSIT_ADDRESS,
  token: 'USDC',
  amount: '100.50',
  state: 'CONFIRMED',
};

function world(isTaken = false, isNotified = true) {
  const put: (SimulatedTransfer['transfer'] & { clientId: string })[] = [];
  const notified: NotifiedTransfer[] = [];
  const useCase = simulateDeposit({
    custodianNames: { ETHEREUM: 'simulated', BASE: 'evm' },
    putTransfer: async (transaction, { clientId }) => {
      put.push({ ...transaction.transfer, clientId });
      return !isTaken;
    },
    notify: async (told) => {
      notified.push(told);
      return isNotified;
    },
  });
  const post = (differences: Record<string, unknown> = {}) =>
    useCase(routeCall(simulateDepositContract, {}, { ...deposit, ...differences }));
  return { post, put, notified };
}

describe('decisions 8: a simulated deposit', () => {
  test('is put on the chain as the custodian would report it, with enough confirmations', async () => {
    const { post, put, notified } = world();
    const { body } = await post();
    const custodianTransferId = `sim:ETHEREUM:${HASH}`;
    expect(body).toEqual({
      // The id by which operators find the deposit.
      custodianTransferId: `simulated:${custodianTransferId}`,
      network: 'ETHEREUM',
      txHash: HASH,
      state: 'CONFIRMED',
      confirmations: 12,
    });
    const { createdAt: _, requiredConfirmations: __, ...told } = transfer({ custodianTransferId });
    expect(put).toEqual([{ ...told, clientId: CLIENT }]);
    expect(notified).toEqual([]);
  });

  test.each(['UNCONFIRMED', 'HELD', 'FAILED'])(
    'that is %s has no confirmations unless they are given',
    async (state) => {
      const { post } = world();
      expect((await post({ state })).body.confirmations).toBe(0);
      expect((await post({ state, confirmations: 3 })).body.confirmations).toBe(3);
    },
  );

  test('is notified if the call asks for that', async () => {
    const { post, notified } = world();
    await post({ notify: false });
    await post({ notify: true });
    expect(notified).toHaveLength(1);
  });

  test('with wrong facts is accepted, because a chain accepts any deposit', async () => {
    const { post, put } = world();
    await post({ toAddress: 'anywhere', fromAddress: 'anyone', token: 'ANY', addressTag: '7', amount: 0.0000001 });
    expect(put).toMatchObject([{ toAddress: 'anywhere', assetId: 'ETHEREUM:ANY', toTag: '7', amount: '0.0000001' }]);
  });

  test('that another client put there is not changed: 409, and nobody is notified', async () => {
    const { post, notified } = world(true);
    const error = await expectApiError(() => post({ notify: true }));
    expect([error.status, error.code]).toEqual([409, 'SANDBOX_DEPOSIT_TAKEN']);
    expect(notified).toEqual([]);
  });

  test('has a line for a wrong hash and one for a wrong amount', async () => {
    const { post } = world();
    const { errors } = await expectApiError(() => post({ txHash: 'x', amount: '0' }));
    expect(errors?.map(({ path }) => path)).toEqual(['body.txHash', 'body.amount']);
  });

  test('of a network that another custodian serves is refused: only a real transfer reaches it', async () => {
    const { post, put } = world();
    const { errors } = await expectApiError(() => post({ network: 'BASE' }));
    expect(errors).toMatchObject([{ path: 'body.network', message: expect.stringContaining('real transfers') }]);
    expect(put).toEqual([]);
  });

  test.each([
    ['body.txHash', { txHash: 'x' }],
    ['body.amount', { amount: '0' }],
    ['body.amount', { amount: -1 }],
    ['body.network', { network: 'SUI' }],
    ['body.transfer', { transfer: 10 }],
    ['body.transfer', { transfer: -1 }],
  ])('%s is checked: %j', async (path, differences) => {
    const { post, put } = world();
    expect((await expectApiError(() => post(differences))).errors).toMatchObject([{ path }]);
    expect(put).toEqual([]);
  });
});

test('decisions 8: a notification that is not taken is 503, and the same call sends it again', async () => {
  const { post, put, notified } = world(false, false);
  expect(await expectApiError(() => post({ notify: true }))).toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    retryAfterSeconds: 1,
    message: expect.stringMatching(/^The change was made, but its notification was not accepted/),
  });
  expect([put.length, notified.length]).toEqual([1, 1]);
});

describe('decisions 8: the simulated custodian’s answer about a transaction', () => {
  const query = { network: 'ETHEREUM', txHash: HASH, since: '' } as const;

  function chain() {
    const { dynamo } = tablesInMemory();
    const clock = fakeClock(CREATED_AT);
    const putTransfer = putSimulatedTransfer(dynamo, 'simulatedTransactions', clock);
    const custodian = simulatedTransactions(dynamo, 'simulatedTransactions', clock);
    const postAs = (clientId: string, differences: Record<string, unknown>) =>
      simulateDeposit({ custodianNames: { ETHEREUM: 'simulated' }, putTransfer, notify: async () => true })(
        routeCall(simulateDepositContract, {}, { ...deposit, ...differences }, { clientId }),
      );
    const found = async () => {
      const transfers = await custodian.findTransfers(query);
      return transfers.map(({ custodianTransferId, amount }) => [custodianTransferId, amount]);
    };
    const post = (differences: Record<string, unknown> = {}) => postAs(CLIENT, differences);
    return { post, postAs, found, custodian, clock };
  }

  test('is each of its transfers, with an id of its own, as it was put there last', async () => {
    const { post, found } = chain();
    await post({ transfer: 0, amount: '1' });
    await post({ transfer: 3, amount: '3' });
    await post({ transfer: 0, amount: '2', addressTag: '7' });
    expect(await found()).toEqual([
      [`sim:ETHEREUM:${HASH}`, '2'],
      [`sim:ETHEREUM:${HASH}:3`, '3'],
    ]);
  });

  test('is no answer while it is unavailable, whichever of its transfers that was said of', async () => {
    const { post, found } = chain();
    await post();
    await post({ transfer: 1, unavailable: true });
    await expect(found()).rejects.toThrow(CustodianUnavailable);
    await post();
    expect(await found()).toHaveLength(2);
  });

  test('is not changed by another client', async () => {
    const { post, postAs, found } = chain();
    await post();
    const other = { transfer: 1, unavailable: true };
    expect((await expectApiError(() => postAs(USER, other))).code).toBe('SANDBOX_DEPOSIT_TAKEN');
    expect(await found()).toHaveLength(1);
  });

  test('decisions 12, finality: is final from its minimum of confirmations on, which it counts itself', async () => {
    const { post, custodian } = chain();
    const minimum = simulatedMinimums.ETHEREUM;
    for (const [confirmations, state] of [
      [minimum - 1, 'UNCONFIRMED'],
      [minimum, 'CONFIRMED'],
    ] as const) {
      await post({ confirmations });
      const counted = { state, confirmations, requiredConfirmations: minimum, createdAt: CREATED_AT };
      expect(await custodian.findTransfers(query)).toMatchObject([counted]);
    }
  });

  test('is not listed while it is unavailable, and transfers of others are', async () => {
    const { post, custodian, clock } = chain();
    await post({ unavailable: true });
    await post({ txHash: OTHER_HASH });
    const { transfers } = await custodian.listTransfers({ createdSince: CREATED_AT, until: clock.now().toISOString() });
    expect(transfers).toMatchObject([{ txHash: OTHER_HASH }]);
  });
});
