import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { depositHashWindowEnded } from '#shared/off-ramps/contract/off-ramp-events.ts';
import { type VerificationReason, verificationReasons } from '#shared/off-ramps/model/verification.ts';
import { eventually } from '#test/support/eventually.ts';
import { newHash, OffRampUser, type Operation } from '#test/support/http-client.ts';
import { newTenant } from '#test/support/tenant.ts';
import { type Subscriber, subscriber } from '#test/support/webhook-subscriber.ts';

/** docs/sandbox.md, row by row: a client brings about every outcome by its own calls alone. */

const user = new OffRampUser();
const ANYWHERE = '0x00000000000000000000000000000000000000aa';

const differing = (differences: Parameters<OffRampUser['deposit']>[2]) => (operation: Operation, txHash: string) =>
  user.deposit(operation, txHash, differences);

/** Makes one transaction with a transfer to each of two operations. It funds the other operation first. */
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
