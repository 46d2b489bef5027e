import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type Deposit, depositIdOf } from '#shared/off-ramps/model/deposit.ts';
import { deployedParts } from '#test/support/deployed.ts';
import { eventually } from '#test/support/eventually.ts';
import { callAs, newHash, OffRampUser, problemOf, withdrawalPath } from '#test/support/http-client.ts';

const user = new OffRampUser();
const other = new OffRampUser('POLYGON', 'second');
const parts = deployedParts();

type Operation = Awaited<ReturnType<OffRampUser['create']>>;
type Otherwise = NonNullable<Parameters<OffRampUser['deposit']>[2]>;

/** Milliseconds. */
const DAY = 24 * 3600 * 1000;

/** Seconds until the sweep of the minute has surely run. */
const A_SWEEP = 120;

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

/** Statuses that the client was told of the deposits of an operation. */
async function heardOf({ id }: Operation) {
  const operation = await parts.operations.find(id);
  const events = operation === undefined ? [] : await parts.eventsOf(operation);
  return events.filter(({ type }) => type === 'ramp.deposit.status_changed').map(({ data }) => data);
}

const cancel = ({ id }: Operation) => callAs(user.client, 'POST', `${withdrawalPath(user.userId)}/${id}/cancel`);

const expire = ({ id }: Operation) => callAs(user.client, 'POST', `/api/sandbox/operations/${id}`, { expire: true });

describe('decisions 9, reasons of UNMATCHED: a final deposit', () => {
  test.each<[string, Otherwise, string]>([
    ['on another network', { network: 'BASE' }, 'WRONG_TOKEN'],
    ['of another token', { token: 'USDC.e' }, 'WRONG_TOKEN'],
    ['of less', { amount: '250.49' }, 'WRONG_AMOUNT'],
    ['of more', { amount: '250.51' }, 'WRONG_AMOUNT'],
    ['from another wallet', { fromAddress: `0x${randomBytes(20).toString('hex')}` }, 'WRONG_SENDER'],
  ])('%s is unmatched, and its client reads and hears why', async (_, otherwise, reason) => {
    const operation = await user.create();
    const txHash = newHash();
    await user.deposit(operation, txHash, { ...otherwise, notify: true });
    const [deposit] = await depositsWith(operation, 'UNMATCHED');
    const id = depositIdOf(`simulated:sim:${otherwise.network ?? 'POLYGON'}:${txHash}`);
    const returnable = otherwise.token === undefined;
    expect(deposit).toMatchObject({
      id,
      reasons: [reason],
      returnable,
      txHash,
      sequence: 1,
      ...(otherwise.amount && otherwise),
    });
    expect(await heardOf(operation)).toMatchObject([
      { depositId: id, status: 'UNMATCHED', previousStatus: null, reasons: [reason], sequence: 1 },
    ]);
    expect((await user.read(operation.id)).operationStatus).toBe('AWAITING_DEPOSIT');
  });

  test('that comes after the operation was cancelled is unmatched', async () => {
    const operation = await user.create();
    expect((await cancel(operation)).status).toBe(200);
    await user.deposit(operation, newHash(), { notify: true });
    expect(await depositsWith(operation, 'UNMATCHED')).toMatchObject([{ reasons: ['OPERATION_ENDED'] }]);
    expect(await heardOf(operation)).toMatchObject([{ status: 'UNMATCHED', reasons: ['OPERATION_ENDED'] }]);
  });

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

  test('whose transaction funds another operation of the client says so, and of a stranger’s it says nothing', async () => {
    const [mine, funded, strangers] = [await user.create(), await user.create(), await other.create()];
    const txHash = newHash();
    await user.deposit(funded, txHash, { notify: true });
    await depositsWith(funded, 'CREDITED');
    await user.deposit(mine, txHash, { transfer: 1, notify: true });
    expect(await depositsWith(mine, 'UNMATCHED')).toMatchObject([{ reasons: ['FUNDS_ANOTHER_OPERATION'] }]);
    const taken = newHash();
    await user.deposit(strangers, taken, { fromAddress: other.wallet.address, notify: true });
    await other.readUntil(strangers.id, ({ status }) => status === 'VERIFIED');
    const own = await user.create();
    await user.deposit(own, taken, { transfer: 1, notify: true });
    expect(await depositsWith(own, 'UNMATCHED')).toMatchObject([{ reasons: [] }]);
  });
});

describe('decisions 9, statuses: a deposit', () => {
  test('is told of as it goes: detected, held, credited, taken back and credited again', async () => {
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

  test('that will never be final has failed, and the right one after it is credited', async () => {
    const operation = await user.create();
    await user.deposit(operation, newHash(), { state: 'FAILED', notify: true });
    await depositsWith(operation, 'FAILED');
    await user.deposit(operation, newHash(), { notify: true });
    await depositsWith(operation, 'FAILED', 'CREDITED');
  });

  test('below the minimum of its token is told to nobody, and the right one after it is credited', async () => {
    const operation = await user.create();
    const dust = newHash();
    await user.deposit(operation, dust, { amount: '0.009', notify: true });
    const isLeftOut = (found: Deposit | undefined) => found?.leftOut === 'BELOW_MINIMUM';
    await eventually(() => parts.deposits.find(`simulated:sim:POLYGON:${dust}`), isLeftOut);
    expect(await depositsOf(operation)).toEqual([]);
    const txHash = newHash();
    await user.deposit(operation, txHash, { notify: true });
    expect(await depositsWith(operation, 'CREDITED')).toMatchObject([{ txHash }]);
    expect(await heardOf(operation)).toMatchObject([{ status: 'CREDITED', txHash }]);
  });

  test('that is never final stays detected, and after two weeks no longer keeps its client from cancelling', async () => {
    const operation = await user.create();
    const txHash = newHash();
    await user.deposit(operation, txHash, { state: 'UNCONFIRMED', notify: true });
    await depositsWith(operation, 'DETECTED');
    expect((await cancel(operation)).status).toBe(409);
    const custodianTransferId = `simulated:sim:POLYGON:${txHash}`;
    const notified = { custodianTransferId, network: 'POLYGON', txHash } as const;
    await parts.deposits.remember(notified, new Date(Date.now() - 14 * DAY));
    const isPolledDaily = (found: Deposit | undefined) => Date.parse(found?.nextPollAt ?? '') > Date.now() + DAY / 2;
    await eventually(() => parts.deposits.find(custodianTransferId), isPolledDaily, A_SWEEP);
    expect(await depositsOf(operation)).toMatchObject([{ status: 'DETECTED', sequence: 1 }]);
    expect((await cancel(operation)).status).toBe(200);
  });

  test('that the custodian corrects stays unmatched, until its hash is reported', async () => {
    const operation = await user.create();
    const txHash = newHash();
    await user.deposit(operation, txHash, { amount: '250.51', notify: true });
    await depositsWith(operation, 'UNMATCHED');
    await user.deposit(operation, txHash, { notify: true });
    const isCorrected = (found: Awaited<ReturnType<typeof depositsOf>>) => found[0]?.amount === operation.amount;
    const [deposit] = await eventually(() => depositsOf(operation), isCorrected);
    expect(deposit).toMatchObject({ status: 'UNMATCHED', reasons: ['WRONG_AMOUNT'], sequence: 1 });
    await user.submit(operation.id, txHash);
    await user.readUntil(operation.id, ({ status }) => status === 'VERIFIED');
    expect(await depositsOf(operation)).toMatchObject([{ status: 'CREDITED', sequence: 2 }]);
    expect((await heardOf(operation)).map(({ status }) => status)).toEqual(['UNMATCHED', 'CREDITED']);
  });

  test('that comes late is credited', async () => {
    const operation = await user.create();
    expect((await expire(operation)).status).toBe(202);
    await user.deposit(operation, newHash(), { notify: true });
    await depositsWith(operation, 'CREDITED');
    expect(await heardOf(operation)).toMatchObject([{ status: 'CREDITED', previousStatus: null }]);
  });

  test('that is wrong is one, too, when only its reported hash was looked for', async () => {
    const operation = await user.create();
    const txHash = newHash();
    await user.deposit(operation, txHash, { amount: '250' });
    await user.submit(operation.id, txHash);
    const { verification } = await user.readUntil(operation.id, (read) => read.verification?.checks !== undefined);
    expect(verification?.checks).toContainEqual({
      check: 'AMOUNT',
      passed: false,
      expected: '250.5',
      observed: '250',
    });
    const found = await eventually(
      () => depositsOf(operation),
      (deposits) => deposits.length > 0,
      150,
    );
    expect(found).toMatchObject([{ status: 'UNMATCHED', reasons: ['WRONG_AMOUNT'], txHash }]);
  });

  test('that a reported hash has found is one, too, and is told of once', async () => {
    const operation = await user.create();
    const txHash = newHash();
    await user.deposit(operation, txHash);
    await user.submit(operation.id, txHash);
    await user.readUntil(operation.id, ({ status }) => status === 'VERIFIED');
    await user.deposit(operation, txHash, { notify: true });
    expect(await depositsWith(operation, 'CREDITED')).toMatchObject([{ sequence: 1 }]);
    expect(await heardOf(operation)).toMatchObject([{ status: 'CREDITED', previousStatus: null }]);
  });
});

test('decisions 9, reading: the deposits of an operation are nobody else’s to see', async () => {
  const operation = await user.create();
  const path = `${withdrawalPath(user.userId)}/${operation.id}/deposits`;
  expect(problemOf(await callAs(other.client, 'GET', path))).toMatchObject({ status: 404, code: 'OFF_RAMP_NOT_FOUND' });
  expect(await depositsOf(operation)).toEqual([]);
});
