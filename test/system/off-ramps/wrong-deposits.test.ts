import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, inject, test } from 'vitest';
import { awsOf } from '#infra/cli/local-outputs.ts';
import { confirmDepositContract, creditDepositContract } from '#shared/off-ramps/contract/operator-commands.ts';
import { readDepositContract } from '#shared/off-ramps/contract/operator-lookups.ts';
import { approveReturnContract } from '#shared/off-ramps/contract/return-commands.ts';
import { unlessConditionFails } from '#shared/platform/dynamodb/conditional-write.ts';
import { deployedParts } from '#test/support/deployed.ts';
import { deployedFunctions } from '#test/support/deployed-functions.ts';
import { eventually } from '#test/support/eventually.ts';
import { newHash, OffRampUser, type Operation } from '#test/support/http-client.ts';
import { operate } from '#test/support/operator-client.ts';

/** A wallet that is not the declared one. */
const ELSEWHERE = `0x${'5e'.repeat(20)}`;

const user = new OffRampUser();
const LIST = 'GET /api/v1/admin/operation/{user_id}/withdrawal/{operation_id}/deposits';
const RETURN = 'POST /api/v1/admin/operation/{user_id}/withdrawal/{operation_id}/deposits/{deposit_id}/return';
const CANCEL = 'POST /api/v1/admin/operation/{user_id}/withdrawal/{operation_id}/cancel';

const path = ({ id }: Operation, of = user) => ({ user_id: of.userId, operation_id: id });

/** The deposit of a transaction, once it has this status. */
async function depositOf(operation: Operation, txHash: string, status: string, onRead = async () => {}) {
  const read = async () => {
    await onRead();
    return (await user.call(LIST, { path: path(operation) })).body.deposits.find((one) => one.txHash === txHash);
  };
  const found = await eventually(read, (one) => one?.status === status);
  if (found === undefined) throw new Error(`${txHash} is no deposit.`);
  return found;
}

async function idAtCustodian(txHash: string): Promise<string> {
  const look = () => operate(readDepositContract, { deposit: txHash });
  const { body } = await eventually(look, ({ status, body: one }) => status === 200 && one.status !== undefined);
  return body.custodianTransferId;
}

/** Approves a return by as many persons as it needs. */
async function approve(custodianTransferId: string): Promise<void> {
  for (const person of ['bea', 'carl']) {
    const { status, body } = await operate(approveReturnContract, { custodianTransferId }, 'The user asks', person);
    expect(status).toBe(200);
    if (body.return.approvals.length === body.return.approversNeeded) return;
  }
}

const { dynamo, tables } = deployedParts();
const sendReturns = deployedFunctions(awsOf(inject('outputs'))).sweep('send-returns');

/** Runs the sweep that sends returns each minute, as if the time until this deposit's next check were over. */
async function sendNow(custodianTransferId: string): Promise<void> {
  const due = new UpdateCommand({
    TableName: tables.deposits,
    Key: { custodianTransferId },
    UpdateExpression: 'SET returnDueAt = :now',
    ConditionExpression: 'returnState = :due',
    ExpressionAttributeValues: { ':now': new Date().toISOString(), ':due': 'DUE' },
  });
  await unlessConditionFails(dynamo.send(due));
  await sendReturns();
}

interface Way {
  readonly name: string;
  readonly reasons: readonly string[];
  /** How the transfer differs from the one that the off-ramp awaits. */
  readonly sent?: Parameters<OffRampUser['deposit']>[2];
  /** What happens before the transfer. */
  readonly before?: (operation: Operation) => Promise<unknown>;
}

const ways: readonly Way[] = [
  { name: 'on another network', reasons: ['WRONG_TOKEN'], sent: { network: 'BASE' } },
  { name: 'of another token', reasons: ['WRONG_TOKEN'], sent: { token: 'USDT' } },
  { name: 'of too little', reasons: ['WRONG_AMOUNT'], sent: { amount: '250' } },
  { name: 'of too much', reasons: ['WRONG_AMOUNT'], sent: { amount: '251' } },
  { name: 'from another wallet', reasons: ['WRONG_SENDER'], sent: { fromAddress: ELSEWHERE } },
  {
    name: 'that comes twice',
    reasons: ['ALREADY_FUNDED'],
    async before(operation) {
      const first = newHash();
      await user.deposit(operation, first, { notify: true });
      await depositOf(operation, first, 'CREDITED');
    },
  },
  {
    name: 'after the end',
    reasons: ['OPERATION_ENDED'],
    before: (operation) => user.call(CANCEL, { path: path(operation) }),
  },
];

describe('decisions 9, who moves what: a deposit', () => {
  test.each(ways)('$name is sent back when its client asks and others approve', async ({ reasons, sent, before }) => {
    const operation = await user.create();
    await before?.(operation);
    const txHash = newHash();
    await user.deposit(operation, txHash, { ...sent, notify: true });
    const deposit = await depositOf(operation, txHash, 'UNMATCHED');
    expect(deposit).toMatchObject({ reasons, returnable: true });
    const request = {
      path: { ...path(operation), deposit_id: deposit.id },
      body: { confirmAddress: deposit.fromAddress },
    };
    const asked = await user.call(RETURN, request);
    expect([asked.status, asked.body.deposit.status]).toEqual([202, 'RETURN_REQUESTED']);
    const custodianTransferId = await idAtCustodian(txHash);
    await approve(custodianTransferId);
    const returned = await depositOf(operation, txHash, 'RETURNED', () => sendNow(custodianTransferId));
    expect(returned).toMatchObject({
      returnable: false,
      return: { amount: deposit.amount, address: deposit.fromAddress, txHash: expect.any(String) },
    });
    expect((await user.call(RETURN, request)).body.deposit).toEqual(returned);
  });

  test('to the address of another off-ramp of its user is credited by hand to the one that awaits it', async () => {
    const [meant, other] = [await user.create('310.25'), await user.create('99')];
    const txHash = newHash();
    await user.deposit(meant, txHash, { toAddress: other.address, notify: true });
    await depositOf(other, txHash, 'UNMATCHED');
    const custodianTransferId = await idAtCustodian(txHash);
    expect(await operate(creditDepositContract, { custodianTransferId, operation: meant.id })).toMatchObject({
      status: 200,
      body: { status: 'CREDITED' },
    });
    expect(await user.read(meant.id)).toMatchObject({ status: 'VERIFIED', verifiedTxHash: txHash });
  });

  test('without its tag is credited by two persons to the off-ramp that awaits it from its sender', async () => {
    const tagged = new OffRampUser('STELLAR');
    const operation = await tagged.create('417.75');
    const txHash = newHash('STELLAR');
    await tagged.deposit(operation, txHash, { addressTag: undefined, notify: true });
    const custodianTransferId = await idAtCustodian(txHash);
    const offered = await eventually(
      () => operate(creditDepositContract, { custodianTransferId }, 'It has no tag', 'ana'),
      ({ status }) => status === 200,
    );
    const { proposalId } = offered.body.proposal;
    expect((await operate(confirmDepositContract, { proposalId }, 'It is hers', 'bea')).body.status).toBe('CREDITED');
    expect(await tagged.read(operation.id)).toMatchObject({ status: 'VERIFIED', verifiedTxHash: txHash });
  });
});
