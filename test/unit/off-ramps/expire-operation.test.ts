import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createBeginAttempt } from '#shared/off-ramps/begin-attempt.ts';
import { createOperation } from '#shared/off-ramps/create-operation.ts';
import { createEndOperation } from '#shared/off-ramps/end-operation.ts';
import { createExpireOperation } from '#shared/off-ramps/expire-operation.ts';
import type { OffRamp, Verification } from '#shared/off-ramps/operation.ts';
import { createOperationStore } from '#shared/off-ramps/operation-store.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { OPERATION } from '#test/support/ids.ts';
import { EXPIRES_AT, HASH, offRamp } from '#test/support/off-ramp.ts';
import { tablesInMemory } from '#test/support/tables-in-memory.ts';

const NOW = '2026-08-01T13:00:00.000Z';
const tables = { operations: 'operations', hashes: 'hashes', deposits: 'deposits', events: 'events' };

/** An operation on tables that keep the conditions, and whatever happens just before it is read. */
async function world() {
  const { dynamo } = tablesInMemory();
  const clock = fakeClock(NOW);
  const started: Verification[] = [];
  const starts: (() => Promise<'RUNNING'>)[] = [];
  const operations = createOperationStore(dynamo, tables.operations);
  const beginAttempt = createBeginAttempt(dynamo, tables, clock, randomUUID);
  const meanwhile: (() => Promise<unknown>)[] = [];
  const expire = createExpireOperation(dynamo, tables.operations, {
    operations: {
      async find(operationId) {
        const found = await operations.find(operationId);
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
  await createOperation(dynamo, tables, offRamp(), randomUUID);
  const read = async () => {
    const state = await operations.findWithVerification(OPERATION);
    if (state === undefined) throw new Error('The operation is gone.');
    return state;
  };
  return {
    started,
    starts,
    meanwhile,
    read,
    expire: () => expire(offRamp()),
    submit: async () => beginAttempt(await read(), { txHash: HASH, windowEndsAt: EXPIRES_AT }),
    end: async () =>
      createEndOperation(dynamo, tables, clock, randomUUID)((await read()).operation, { status: 'FAILED' }),
    pass: (seconds: number) => clock.advance(seconds),
  };
}

const expiry = ({ status, expiresAt, attempt }: OffRamp) => ({ status, expiresAt, attempt });

describe('decisions 8: expiring an operation', () => {
  test('ends its window now; without a hash there is nothing to look for', async () => {
    const { expire, started, read } = await world();
    expect((await expire())?.expiresAt).toBe(NOW);
    const { operation, verification } = await read();
    expect(expiry(operation)).toEqual({ status: 'AWAITING_DEPOSIT', expiresAt: NOW, attempt: 0 });
    expect([verification, started]).toEqual([undefined, []]);
  });

  test('has its hash looked for once more, in an attempt whose window is over as it begins', async () => {
    const { expire, submit, started, read } = await world();
    await submit();
    await expire();
    const { operation, verification } = await read();
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

  test('of one that has expired leaves its time as it is', async () => {
    const { expire, pass } = await world();
    await expire();
    pass(60);
    expect((await expire())?.expiresAt).toBe(NOW);
  });

  test('decides again when a hash is submitted meanwhile', async () => {
    const { expire, submit, meanwhile, started } = await world();
    meanwhile.push(submit);
    await expire();
    expect(started).toMatchObject([{ attempt: 2, txHash: HASH }]);
  });

  test('of one that awaits no deposit, or none any more, changes nothing', async () => {
    const { expire, end, meanwhile, read, started } = await world();
    meanwhile.push(end);
    expect([await expire(), await expire()]).toEqual([undefined, undefined]);
    const { operation } = await read();
    expect([operation.expiresAt, started]).toEqual([EXPIRES_AT, []]);
  });
});
