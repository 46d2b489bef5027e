import { describe, expect, test } from 'vitest';
import { deployedParts } from '#test/support/deployed.ts';
import { eventually } from '#test/support/eventually.ts';
import { newHash, OffRampUser } from '#test/support/http-client.ts';

const user = new OffRampUser();
const parts = deployedParts();

type Operation = Awaited<ReturnType<OffRampUser['create']>>;

const LIST = 'GET /api/v1/admin/operation/{user_id}/withdrawal/{operation_id}/deposits';

async function depositsOf(operation: Operation) {
  const path = { user_id: user.userId, operation_id: operation.id };
  return (await user.call(LIST, { path })).body.deposits;
}

/** The deposits of an operation once they have these statuses, oldest first. */
async function depositsWith(operation: Operation, ...statuses: readonly string[]) {
  return eventually(
    () => depositsOf(operation),
    (found) => found.map(({ status }) => status).join() === statuses.join(),
  );
}

/** The deposit statuses of an operation that its client was notified of. */
async function heardOf({ id }: Operation) {
  const operation = await parts.operations.find(id);
  const events = operation === undefined ? [] : await parts.eventsOf(operation);
  return events.filter(({ type }) => type === 'ramp.deposit.status_changed').map(({ data }) => data);
}

describe('decisions 9, reasons of UNMATCHED: a final deposit', () => {
  test('that comes second is unmatched, in a transaction of its own or in that of the first', async () => {
    const operation = await user.create();
    const txHash = newHash();
    await user.deposit(operation, txHash, { notify: true });
    await depositsWith(operation, 'CREDITED');
    await user.deposit(operation, txHash, { transfer: 1, notify: true });
    await depositsWith(operation, 'CREDITED', 'UNMATCHED');
    await user.deposit(operation, newHash(), { notify: true });
    const [, ...others] = await depositsWith(operation, 'CREDITED', 'UNMATCHED', 'UNMATCHED');
    expect(others.map(({ reasons }) => reasons)).toEqual([['ALREADY_FUNDED'], ['ALREADY_FUNDED']]);
    expect((await user.read(operation.id)).verifiedTxHash).toBe(txHash);
    const told = (await heardOf(operation)).map(({ status }) => status);
    expect(told.toSorted()).toEqual(['CREDITED', 'UNMATCHED', 'UNMATCHED']);
  });
});

describe('decisions 9, statuses: a deposit', () => {
  test('is reported at each step: detected, held, credited, taken back and credited again', async () => {
    const operation = await user.create();
    const txHash = newHash();
    const steps = [
      ['UNCONFIRMED', 'DETECTED'],
      ['HELD', 'HELD'],
      ['CONFIRMED', 'CREDITED'],
      ['FAILED', 'REVERSED'],
      ['CONFIRMED', 'CREDITED'],
    ] as const;
    for (const [state, status] of steps) {
      await user.deposit(operation, txHash, { state, notify: true });
      await depositsWith(operation, status);
    }
    const heard = await heardOf(operation);
    expect(heard.map(({ sequence, status }) => [sequence, status])).toEqual(
      steps.map(([, status], step) => [step + 1, status]),
    );
    expect((await user.read(operation.id)).status).toBe('VERIFIED');
  });
});
