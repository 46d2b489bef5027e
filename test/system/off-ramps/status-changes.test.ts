import { describe, expect, test } from 'vitest';
import { getOperationContract } from '#shared/off-ramps/contract/off-ramp-contract.ts';
import type { OperationStatus } from '#shared/off-ramps/model/off-ramp.ts';
import { depositScenarios } from '#test/support/deposit-scenarios.ts';
import { eventually } from '#test/support/eventually.ts';
import { callAs, newHash, OffRampUser, withdrawalPath } from '#test/support/http-client.ts';

/** Other services move operations by events on the bus; clients see it in their reads. */

const user = new OffRampUser();
const scenarios = depositScenarios();

const PAYOUTS = 'payments.payouts';
const COMPLIANCE = 'payments.compliance';

interface Told {
  readonly operationId: string;
  readonly status: OperationStatus;
  readonly reason?: string;
}

async function tell(source: string, ...changes: readonly Told[]): Promise<void> {
  const entries = changes.map((detail) => ({ source, type: 'operation.status', detail: { ...detail } }));
  expect(await scenarios.bus.put(entries)).toEqual([]);
}

async function read(operationId: string) {
  const answer = await callAs(user.client, 'GET', `${withdrawalPath(user.userId)}/${operationId}`);
  return getOperationContract.success.body.parse(JSON.parse(answer.text)).operation;
}

const readUntil = (operationId: string, status: OperationStatus) =>
  eventually(
    () => read(operationId),
    (operation) => operation.status === status,
  );

async function verified() {
  const { id } = await user.create();
  return { id, txHash: await scenarios.verifyQuietly(id) };
}

describe('decisions 4: a verified operation', () => {
  test('is completed by payouts', async () => {
    const { id, txHash } = await verified();
    await tell(PAYOUTS, { operationId: id, status: 'COMPLETED' });
    const completed = await readUntil(id, 'COMPLETED');
    expect(completed.statusHistory.map(({ status }) => status)).toEqual(['AWAITING_DEPOSIT', 'PENDING', 'COMPLETED']);
    expect(await user.read(id)).toMatchObject({
      operationStatus: 'COMPLETED',
      status: 'VERIFIED',
      verifiedTxHash: txHash,
    });
  });
});

describe('decisions 4: an operation that awaits its deposit', () => {
  test('is cancelled by compliance: its hash is free again and NOT_VERIFIED', async () => {
    const [operation, next] = [await user.create(), await user.create()];
    const txHash = newHash();
    await user.submit(operation.id, txHash);
    await tell(COMPLIANCE, { operationId: operation.id, status: 'CANCELLED', reason: 'SANCTIONED_WALLET' });
    const cancelled = await readUntil(operation.id, 'CANCELLED');
    expect(cancelled.statusHistory).toMatchObject([
      { status: 'AWAITING_DEPOSIT' },
      { status: 'CANCELLED', reason: 'SANCTIONED_WALLET' },
    ]);
    expect(await user.read(operation.id)).toMatchObject({ txHash, verifiedTxHash: null, status: 'NOT_VERIFIED' });
    expect((await user.submit(next.id, txHash)).status).toBe(202);
  });
});

// Runs alone, once all functions are warm: a slow cold start would hide a queue that does not delay its messages.
const alone = { concurrent: false };

test('a verified operation is paid out by itself after 5 seconds', alone, async () => {
  const { id } = await verified();
  const detail = { schemaVersion: 1, clientId: user.client.clientId, operationId: id, status: 'PENDING' };
  await scenarios.bus.put([{ source: 'payments.ramp', type: 'ramp.operation.status_changed', detail }]);
  const { statusHistory } = await readUntil(id, 'COMPLETED');
  const [, pending, completed] = statusHistory.map(({ at }) => Date.parse(at));
  expect((completed ?? 0) - (pending ?? 0)).toBeGreaterThanOrEqual(5000);
});
