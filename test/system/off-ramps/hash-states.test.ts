import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, inject, test } from 'vitest';
import { depositScenarios } from '#test/support/deposit-scenarios.ts';
import { eventually } from '#test/support/eventually.ts';
import { newHash, OffRampUser } from '#test/support/http-client.ts';

const user = new OffRampUser();

const { execution, pollResults } = depositScenarios();

async function pollsOf(operationId: string) {
  const path = { user_id: user.userId, operation_id: operationId };
  return (await user.call('GET /api/v1/admin/operation/{user_id}/withdrawal/{operation_id}/hash/polls', { path })).body;
}

/** The output of an execution that ends by itself. */
async function untilEnded(operationId: string, attempt: number): Promise<unknown> {
  const ended = await eventually(
    () => execution(operationId, attempt),
    (one) => one?.status === 'SUCCEEDED',
  );
  return JSON.parse(ended?.output ?? '{}');
}

describe('interface 3.2: the status of a hash', () => {
  test('VERIFYING until the window ends; a later submission starts a new verification, which verifies', async () => {
    const operation = await user.create();
    const txHash = newHash();
    await user.submit(operation.id, txHash);
    await sleep(inject('windowSeconds') * 1000);
    const ended = await user.readUntil(operation.id, ({ verification }) => verification?.nextCheckAt === undefined);
    expect(ended).toMatchObject({
      status: 'VERIFYING',
      operationStatus: 'AWAITING_DEPOSIT',
      verification: { state: 'WINDOW_ENDED', reason: 'NOT_FOUND' },
    });
    expect(Date.parse(ended.verification?.lastCheckedAt ?? '')).toBeGreaterThanOrEqual(
      Date.parse(operation.expiresAt) - 1000,
    );
    expect(await untilEnded(operation.id, 1)).toMatchObject({ outcome: 'WINDOW_ENDED', reason: 'NOT_FOUND' });

    const { polls } = await pollsOf(operation.id);
    const results = await pollResults(operation.id, 1);
    expect(results.length).toBeGreaterThan(2);
    expect(polls.toReversed()).toEqual(results.map(({ lastCheckedAt: at, ...result }) => ({ at, ...result })));

    await user.deposit(operation, txHash);
    expect((await user.submit(operation.id, txHash)).status).toBe(202);
    const verified = await user.readUntil(operation.id, ({ status }) => status === 'VERIFIED');
    expect(verified.verification).toMatchObject({ attempt: 2 });
    const last = polls[0]?.at;
    const earlier = { attempt: 1, txHash, outcome: 'WINDOW_ENDED', reason: 'NOT_FOUND', lastCheckedAt: last };
    // The poll that credits a deposit is recorded after the credit.
    const noted = await eventually(
      () => pollsOf(operation.id),
      (found) => found.polls.length > 0,
    );
    expect(noted).toMatchObject({
      polls: [{ outcome: 'DEPOSIT_VERIFIED' }],
      earlierAttempts: [earlier],
    });
  });
});

describe('interface 4.3 rule 1: why a deposit has not verified', () => {
  test.each(['POLYGON', 'TRON', 'STELLAR', 'SOLANA', 'SUI'] as const)(
    'a right deposit on %s verifies',
    async (network) => {
      const here = new OffRampUser(network);
      const operation = await here.create('1.000000');
      const txHash = newHash(network);
      await here.deposit(operation, txHash, { amount: '1.0' });
      expect((await here.submit(operation.id, txHash)).status).toBe(202);
      expect(await here.readUntil(operation.id, ({ status }) => status === 'VERIFIED')).toMatchObject({
        verifiedTxHash: txHash,
      });
    },
  );
});

describe('interface 4.3 rule 3: resubmission and correction', () => {
  test('a corrected hash is verified, the old one is free again, the old execution ends as superseded', async () => {
    const [operation, other] = [await user.create(), await user.create()];
    const [wrong, right] = [newHash(), newHash()];
    await user.submit(operation.id, wrong);
    await user.deposit(operation, right);
    expect((await user.submit(operation.id, right)).status).toBe(202);
    expect((await user.submit(other.id, wrong)).status).toBe(202);
    const verified = await user.readUntil(operation.id, ({ status }) => status === 'VERIFIED');
    expect(verified).toMatchObject({ txHash: right, verifiedTxHash: right, verification: { attempt: 2 } });
    await untilEnded(operation.id, 1);
  });
});
