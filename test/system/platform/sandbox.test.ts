import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RequestOf } from '#sdk/routes.ts';
import { depositHashWindowEnded } from '#shared/off-ramps/contract/off-ramp-events.ts';
import type { HashStatus, OperationStatus } from '#shared/off-ramps/model/off-ramp.ts';
import { type VerificationReason, verificationReasons } from '#shared/off-ramps/model/verification.ts';
import type { PayinStatus } from '#shared/pay-ins/pay-in.ts';
import { eventually } from '#test/support/eventually.ts';
import { expectProblem } from '#test/support/expect-problem.ts';
import { type HashRead, newHash, OffRampUser, type Operation } from '#test/support/http-client.ts';
import { newTenant } from '#test/support/tenant.ts';
import { type Subscriber, subscriber } from '#test/support/webhook-subscriber.ts';

/** docs/sandbox.md, row by row: every outcome by the calls of a client, and by nothing else. */

const WITHDRAWAL = '/api/v1/admin/operation/{user_id}/withdrawal/{operation_id}';
const PAYINS = '/api/v1/admin/fiats/{user_id}/payin';

const user = new OffRampUser();
const ANYWHERE = '0x00000000000000000000000000000000000000aa';

type Simulation = NonNullable<RequestOf<'POST /api/sandbox/operations/{operation_id}'>['body']>;

async function simulate(operationId: string, body: Simulation) {
  return (await user.call('POST /api/sandbox/operations/{operation_id}', { path: { operation_id: operationId }, body }))
    .body;
}

const pathOf = (operationId: string) => ({ user_id: user.userId, operation_id: operationId });

async function statusOf(operationId: string): Promise<OperationStatus> {
  return (await user.call(`GET ${WITHDRAWAL}`, { path: pathOf(operationId) })).body.operation.status;
}

const until = (operationId: string, status: OperationStatus) =>
  eventually(
    () => statusOf(operationId),
    (read) => read === status,
  );

const differing = (differences: Parameters<OffRampUser['deposit']>[2]) => (operation: Operation, txHash: string) =>
  user.deposit(operation, txHash, differences);

/** One transaction with a transfer to each of two operations: the other one is funded by it first. */
async function fundAnother(operation: Operation, txHash: string): Promise<void> {
  const other = await user.create();
  await user.deposit(other, txHash, { notify: true });
  await user.readUntil(other.id, ({ status }) => status === 'VERIFIED');
  await user.deposit(operation, txHash, { transfer: 1 });
}

const reasons: Record<VerificationReason, (operation: Operation, txHash: string) => Promise<void>> = {
  NOT_FOUND: async () => undefined,
  UNCONFIRMED: differing({ state: 'UNCONFIRMED' }),
  WRONG_ADDRESS: differing({ toAddress: ANYWHERE }),
  WRONG_TOKEN: differing({ token: 'USDC.e' }),
  WRONG_AMOUNT: differing({ amount: '250.500001' }),
  WRONG_SENDER: differing({ fromAddress: ANYWHERE }),
  FAILED_ON_CHAIN: differing({ state: 'FAILED' }),
  HELD_BY_CUSTODIAN: differing({ state: 'HELD' }),
  FUNDS_ANOTHER_OPERATION: fundAnother,
  CUSTODIAN_UNAVAILABLE: differing({ unavailable: true }),
};

describe('why a hash has not verified', () => {
  test.each(verificationReasons)('%s', async (reason) => {
    const operation = await user.create();
    const txHash = newHash();
    await user.submit(operation.id, txHash);
    await reasons[reason](operation, txHash);
    const read = await user.readUntil(operation.id, ({ verification }) => verification?.reason === reason);
    expect(read.status).toBe('VERIFYING');
  });

  test('a custodian that was unavailable answers again once the deposit is sent without it', async () => {
    const operation = await user.create();
    const txHash = newHash();
    await user.deposit(operation, txHash, { unavailable: true });
    await user.submit(operation.id, txHash);
    await user.readUntil(operation.id, ({ verification }) => verification?.reason === 'CUSTODIAN_UNAVAILABLE');
    await user.deposit(operation, txHash);
    await user.readUntil(operation.id, ({ status }) => status === 'VERIFIED');
  });
});

describe('the status of a hash', () => {
  const reach: Record<HashStatus, (operation: Operation) => Promise<unknown>> = {
    NOT_SUBMITTED: async () => undefined,
    VERIFYING: ({ id }) => user.submit(id, newHash()),
    VERIFIED: (operation) => user.deposit(operation, newHash(), { notify: true }),
    NOT_VERIFIED: async ({ id }) => {
      await user.submit(id, newHash());
      await user.call(`POST ${WITHDRAWAL}/cancel`, { path: pathOf(id) });
    },
  };

  test.each(Object.entries(reach))('%s', async (status, calls) => {
    const operation = await user.create();
    await calls(operation);
    await user.readUntil(operation.id, (read: HashRead) => read.status === status);
  });
});

describe('the end of a window', () => {
  let endpoints: Subscriber;
  beforeAll(async () => {
    endpoints = await subscriber();
  });
  afterAll(() => endpoints.stop());

  test('is seen in the read and heard by webhooks; a new submission looks again', async () => {
    const client = await newTenant('expiring');
    const here = new OffRampUser('POLYGON', client);
    const webhook = await endpoints.subscribe(client);
    const operation = await here.create();
    const txHash = newHash();
    await here.submit(operation.id, txHash);
    const { body } = await here.call('POST /api/sandbox/operations/{operation_id}', {
      path: { operation_id: operation.id },
      body: { expire: true },
    });
    expect(body).toMatchObject({ id: operation.id, status: 'AWAITING_DEPOSIT' });
    expect(body.expiresAt).toSatisfy((expiresAt: string) => expiresAt < operation.expiresAt);
    const ended = await here.readUntil(operation.id, ({ verification }) => verification?.state === 'WINDOW_ENDED');
    expect(ended).toMatchObject({
      status: 'VERIFYING',
      verification: { attempt: 2, reason: 'NOT_FOUND', windowEndsAt: body.expiresAt },
    });
    expect(ended.verification).not.toHaveProperty('nextCheckAt');
    const told = await eventually(
      async () => webhook.received().flatMap(({ body: sent }) => windowEndedIn(sent)),
      (found) => found.length > 0,
      120,
    );
    expect(told).toMatchObject([{ operationId: operation.id, attempt: 2, txHash, reason: 'NOT_FOUND' }]);
    await here.submit(operation.id, txHash);
    await here.readUntil(operation.id, ({ verification }) => verification?.attempt === 3);
    await here.deposit(operation, txHash);
    await here.readUntil(operation.id, ({ status }) => status === 'VERIFIED');
  });
});

function windowEndedIn(body: Buffer) {
  const parsed = depositHashWindowEnded.safeParse(JSON.parse(body.toString()));
  return parsed.success ? [parsed.data.data] : [];
}

describe('the status of an off-ramp', () => {
  /** Its deposit is verified, and nobody pays it out. */
  async function held(): Promise<Operation> {
    const operation = await user.create();
    await simulate(operation.id, { hold: true });
    await user.deposit(operation, newHash(), { notify: true });
    await until(operation.id, 'PENDING');
    return operation;
  }

  test('AWAITING_DEPOSIT', async () => {
    expect((await user.create()).status).toBe('AWAITING_DEPOSIT');
  });

  test('PENDING, for as long as it is held, and then as a call ends it', async () => {
    const operation = await held();
    // Of one that is verified later and not held the payout comes later.
    const later = await user.create();
    await user.deposit(later, newHash(), { notify: true });
    await until(later.id, 'COMPLETED');
    expect(await statusOf(operation.id)).toBe('PENDING');
    await simulate(operation.id, { status: 'FAILED', reason: 'BANK_ACCOUNT_CLOSED' });
    await until(operation.id, 'FAILED');
  });

  test('COMPLETED', async () => {
    const operation = await held();
    expect(await simulate(operation.id, { status: 'COMPLETED' })).toMatchObject({ status: 'COMPLETED' });
    await until(operation.id, 'COMPLETED');
    for (const body of [{ status: 'FAILED' }, { expire: true }, { hold: true }] as const) {
      const { status, code } = await expectProblem(simulate(operation.id, body));
      expect([status, code]).toEqual([409, 'OPERATION_STATUS_CONFLICT']);
    }
  });

  test.each(['CANCELLED', 'FAILED'] as const)('%s', async (status) => {
    const { id } = await user.create();
    await simulate(id, { status });
    await until(id, status);
  });
});

describe('the status of a pay-in', () => {
  const orders = {
    CASHININIT: { amount: 150_000, currency: 'COP', paymentMethod: 'PSE', bank: '1007' },
    PENDING: { amount: 15_000, currency: 'COP', paymentMethod: 'NEQUI', phone: '3107654321' },
  } as const;
  const create = async (first: keyof typeof orders) =>
    (await user.call(`POST ${PAYINS}`, { path: { user_id: user.userId }, body: orders[first] })).body;
  const end = (payinId: string, status: 'COMPLETED' | 'FAILED' | 'EXPIRED') =>
    user.call('POST /api/sandbox/payins/{payin_id}', { path: { payin_id: payinId }, body: { status } });
  const untilPayin = (payinId: string, status: PayinStatus) =>
    eventually(
      async () =>
        (await user.call(`GET ${PAYINS}/{payin_id}`, { path: { user_id: user.userId, payin_id: payinId } })).body
          .status,
      (read) => read === status,
    );

  test.each(['CASHININIT', 'PENDING'] as const)('%s', async (first) => {
    expect((await create(first)).status).toBe(first);
  });

  test.each(['COMPLETED', 'FAILED', 'EXPIRED'] as const)('%s', async (status) => {
    const { id } = await create('PENDING');
    await end(id, status);
    await untilPayin(id, status);
  });
});
