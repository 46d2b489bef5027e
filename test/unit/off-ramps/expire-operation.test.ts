import { describe, expect, test } from 'vitest';
import type { OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import type { Verification } from '#shared/off-ramps/model/verification.ts';
import { createExpireOperation } from '#shared/off-ramps/transitions/expire-operation.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { EXPIRES_AT, HASH, offRamp } from '#test/support/off-ramp.ts';
import { offRampsInMemory, TABLES } from '#test/support/off-ramps-in-memory.ts';

const NOW = '2026-08-01T13:00:00.000Z';

/** An operation in tables that check conditions, and changes that happen just after it is read. */
async function world() {
  const clock = fakeClock(NOW);
  const { dynamo, operations, create, beginAttempt, endOperation, kept } = offRampsInMemory(clock);
  const started: Verification[] = [];
  const starts: (() => Promise<'RUNNING'>)[] = [];
  const meanwhile: (() => Promise<unknown>)[] = [];
  const expire = createExpireOperation(dynamo, TABLES.operations, {
    operations: {
      async findWithVerification(operationId) {
        const found = await operations.findWithVerification(operationId);
        await meanwhile.shift()?.();
        return found;
      },
    },
    beginAttempt,
    startExecution: async (attempt) => {
      started.push(attempt);
      return starts.shift()?.() ?? 'RUNNING';
    },
    clock,
  });
  await create(offRamp());
  return {
    started,
    starts,
    meanwhile,
    kept,
    expire: (operation = offRamp()) => expire(operation),
    submit: async () => beginAttempt(await kept(), { txHash: HASH, windowEndsAt: EXPIRES_AT }),
    end: async () => endOperation((await kept()).operation, { status: 'FAILED' }),
    pass: (seconds: number) => clock.advance(seconds),
  };
}

const expiry = ({ status, expiresAt, attempt }: OffRamp) => ({ status, expiresAt, attempt });

describe('decisions 8: expiring an operation', () => {
  test('ends its window now; without a hash there is nothing to look for', async () => {
    const { expire, started, kept } = await world();
    expect((await expire())?.expiresAt).toBe(NOW);
    const { operation, verification } = await kept();
    expect(expiry(operation)).toEqual({ status: 'AWAITING_DEPOSIT', expiresAt: NOW, attempt: 0 });
    expect([verification, started]).toEqual([undefined, []]);
  });

  test('has its hash searched for once more, in an attempt whose window ends as it begins', async () => {
    const { expire, submit, started, kept } = await world();
    await submit();
    await expire();
    const { operation, verification } = await kept();
    expect(expiry(operation)).toEqual({ status: 'AWAITING_DEPOSIT', expiresAt: NOW, attempt: 2 });
    expect(verification).toMatchObject({ attempt: 2, txHash: HASH, windowEndsAt: NOW, nextCheckAt: NOW });
    expect(started).toEqual([verification]);
  });

  test('is done although the start of that attempt fails: the sweep makes up for it', async () => {
    const { expire, submit, starts, started } = await world();
    await submit();
    starts.push(() => Promise.reject(new Error('ThrottlingException')));
    expect((await expire())?.expiresAt).toBe(NOW);
    expect(started).toMatchObject([{ attempt: 2, txHash: HASH }]);
  });

  test.each([0, 60])('of one that expired %i seconds ago leaves it as it is', async (seconds) => {
    const { expire, kept, pass } = await world();
    await expire();
    const { operation } = await kept();
    pass(seconds);
    expect(await expire()).toEqual(operation);
    expect((await kept()).operation).toEqual(operation);
  });

  test('decides again when a hash is submitted meanwhile', async () => {
    const { expire, submit, meanwhile, started } = await world();
    meanwhile.push(submit);
    await expire();
    expect(started).toMatchObject([{ attempt: 2, txHash: HASH }]);
  });

  test('of one whose hundred attempts are used up is refused, and changes nothing', async () => {
    const { expire, submit, kept, started } = await world();
    for (let attempt = 1; attempt <= 100; attempt += 1) await submit();
    const before = await kept();
    await expect(expire()).rejects.toMatchObject({ reason: 'TOO_MANY_ATTEMPTS' });
    expect([await kept(), started]).toEqual([before, []]);
  });

  test('of one that awaits no deposit, or none any more, changes nothing', async () => {
    const { expire, end, meanwhile, kept, started } = await world();
    meanwhile.push(end);
    expect([await expire(), await expire()]).toEqual([undefined, undefined]);
    const { operation } = await kept();
    expect([operation.expiresAt, started]).toEqual([EXPIRES_AT, []]);
  });
});
