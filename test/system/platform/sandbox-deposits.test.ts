import { describe, expect, test } from 'vitest';
import {
  type DepositReason,
  type DepositStatus,
  depositReasons,
  depositStatuses,
} from '#shared/off-ramps/model/deposit.ts';
import { eventually } from '#test/support/eventually.ts';
import { newHash, OffRampUser, type Operation } from '#test/support/http-client.ts';

/** docs/sandbox.md, The status of a deposit, row by row: every outcome by the calls of a client, and by nothing else. */

const WITHDRAWAL = '/api/v1/admin/operation/{user_id}/withdrawal/{operation_id}';

const user = new OffRampUser();
const ANYWHERE = '0x00000000000000000000000000000000000000aa';

const pathOf = (operationId: string) => ({ user_id: user.userId, operation_id: operationId });

async function depositsOf({ id }: Operation) {
  return (await user.call(`GET ${WITHDRAWAL}/deposits`, { path: pathOf(id) })).body.deposits;
}

const untilDeposits = (operation: Operation, ...statuses: readonly DepositStatus[]) =>
  eventually(
    () => depositsOf(operation),
    (found) => found.map(({ status }) => status).join() === statuses.join(),
  );

type Differences = Parameters<OffRampUser['deposit']>[2];

/** The custodian notifies what a user sends. */
const send = (operation: Operation, differences: Differences = {}, txHash = newHash()) =>
  user.deposit(operation, txHash, { ...differences, notify: true });

const statuses: Record<DepositStatus, (operation: Operation) => Promise<unknown>> = {
  DETECTED: (operation) => send(operation, { state: 'UNCONFIRMED' }),
  HELD: (operation) => send(operation, { state: 'HELD' }),
  CREDITED: (operation) => send(operation),
  UNMATCHED: (operation) => send(operation, { amount: '250' }),
  FAILED: (operation) => send(operation, { state: 'FAILED' }),
  REVERSED: async (operation) => {
    const txHash = newHash();
    await send(operation, {}, txHash);
    await untilDeposits(operation, 'CREDITED');
    await send(operation, { state: 'FAILED' }, txHash);
  },
};

describe('the status of a deposit', () => {
  test.each(depositStatuses)('%s', async (status) => {
    const operation = await user.create();
    await statuses[status](operation);
    await untilDeposits(operation, status);
  });
});

/** Each gives the statuses of the deposits of the operation, of which the last one is unmatched. */
const reasons: Record<DepositReason, (operation: Operation) => Promise<readonly DepositStatus[]>> = {
  WRONG_TOKEN: async (operation) => {
    await send(operation, { token: 'USDC.e' });
    return ['UNMATCHED'];
  },
  WRONG_AMOUNT: async (operation) => {
    await send(operation, { amount: '250' });
    return ['UNMATCHED'];
  },
  WRONG_SENDER: async (operation) => {
    await send(operation, { fromAddress: ANYWHERE });
    return ['UNMATCHED'];
  },
  ALREADY_FUNDED: async (operation) => {
    await send(operation);
    await untilDeposits(operation, 'CREDITED');
    await send(operation);
    return ['CREDITED', 'UNMATCHED'];
  },
  OPERATION_ENDED: async (operation) => {
    await user.call(`POST ${WITHDRAWAL}/cancel`, { path: pathOf(operation.id) });
    await send(operation);
    return ['UNMATCHED'];
  },
  FUNDS_ANOTHER_OPERATION: async (operation) => {
    const [other, txHash] = [await user.create(), newHash()];
    await send(other, {}, txHash);
    await untilDeposits(other, 'CREDITED');
    await send(operation, { transfer: 1 }, txHash);
    return ['UNMATCHED'];
  },
};

describe('why a deposit is unmatched', () => {
  test.each(depositReasons)('%s', async (reason) => {
    const operation = await user.create();
    const found = await untilDeposits(operation, ...(await reasons[reason](operation)));
    expect(found.at(-1)?.reasons).toEqual([reason]);
  });

  test('all that hold are told', async () => {
    const operation = await user.create();
    await send(operation, { token: 'USDC.e', amount: '1', fromAddress: ANYWHERE });
    const [found] = await untilDeposits(operation, 'UNMATCHED');
    expect(found?.reasons).toEqual(['WRONG_TOKEN', 'WRONG_AMOUNT', 'WRONG_SENDER']);
  });
});
