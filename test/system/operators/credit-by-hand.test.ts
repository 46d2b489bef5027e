import { expect, test } from 'vitest';
import {
  confirmDepositContract,
  creditDepositContract,
  settleDepositContract,
} from '#shared/off-ramps/contract/operator-commands.ts';
import { listUnmatchedContract, readDepositContract } from '#shared/off-ramps/contract/operator-lookups.ts';
import { listProposalsContract } from '#shared/platform/operators/proposals.ts';
import { eventually } from '#test/support/eventually.ts';
import { newHash, OffRampUser } from '#test/support/http-client.ts';
import { operate } from '#test/support/operator-client.ts';
import { newTenant } from '#test/support/tenant.ts';

const LIST = 'GET /api/v1/admin/operation/{user_id}/withdrawal/{operation_id}/deposits';

/** A wallet that is not the declared one. */
const ELSEWHERE = `0x${'5e'.repeat(20)}`;

test('decisions 9, credit by hand: a deposit from another wallet is credited once two operators say so, and its client is notified', async () => {
  const client = await newTenant('by-hand');
  const user = new OffRampUser('POLYGON', client);
  const operation = await user.create();
  const txHash = newHash();
  await user.deposit(operation, txHash, { fromAddress: ELSEWHERE, notify: true });
  const path = { user_id: user.userId, operation_id: operation.id };
  const deposits = async () => (await user.call(LIST, { path })).body.deposits;
  await eventually(deposits, ([one]) => one?.status === 'UNMATCHED');
  const { custodianTransferId } = (await operate(readDepositContract, { deposit: txHash })).body;

  const reason = 'The user has sent it from another wallet, case 17';
  const offered = await operate(creditDepositContract, { custodianTransferId }, reason, 'alice');
  expect(offered).toMatchObject({ status: 200, body: { status: 'UNMATCHED', operationId: operation.id } });
  const { proposalId } = offered.body.proposal;
  const { items } = (await operate(listProposalsContract, { proposal: proposalId })).body;
  expect(items).toMatchObject([{ command: 'credit-deposit', about: custodianTransferId, reason }]);
  const seen = 'The client confirms it';
  expect(await operate(confirmDepositContract, { proposalId }, seen, 'Alice')).toMatchObject({ status: 409 });
  expect(await operate(confirmDepositContract, { proposalId }, seen, 'bea')).toMatchObject({
    status: 200,
    body: { custodianTransferId, operationId: operation.id, status: 'CREDITED' },
  });
  expect(await operate(confirmDepositContract, { proposalId }, seen, 'carl')).toMatchObject({ status: 409 });

  expect(await deposits()).toMatchObject([{ status: 'CREDITED', txHash, fromAddress: ELSEWHERE, sequence: 2 }]);
  expect(await user.read(operation.id)).toMatchObject({ status: 'VERIFIED', verifiedTxHash: txHash });
  const listed = (await operate(listUnmatchedContract, { since: operation.createdAt })).body.items;
  expect(listed.map((row: Readonly<Record<string, unknown>>) => row['custodianTransferId'])).not.toContain(
    custodianTransferId,
  );
  expect((await operate(settleDepositContract, { custodianTransferId, outcome: 'kept' })).status).toBe(409);
  const { changes } = (await operate(readDepositContract, { deposit: txHash })).body;
  expect(changes.map(({ command, result }: Record<string, string>) => `${command} ${result}`)).toEqual([
    'credit-deposit PROPOSED',
    'confirm-deposit DONE',
    'settle-deposit OPERATION_STATUS_CONFLICT',
  ]);
});
