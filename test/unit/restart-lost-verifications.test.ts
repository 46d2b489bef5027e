import { describe, expect, test } from 'vitest';
import { restartLostVerifications } from '#functions/verification/restart-lost-verifications/restart-lost-verifications.ts';
import type { OffRamp, Verification } from '#shared/domain/operation.ts';
import { Refusal } from '#shared/domain/refusal.ts';
import { WriteConflict } from '#shared/dynamodb/transaction.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { logged } from '#test/support/logged.ts';
import { EXPIRES_AT, HASH, offRamp, verification } from '#test/support/off-ramp.ts';

const NOW = '2026-08-01T13:00:00.000Z';
const LONG_OVERDUE = '2026-08-01T12:50:00.000Z';

interface Kept {
  readonly operation?: Partial<OffRamp>;
  readonly verification?: Partial<Verification> | undefined;
}

interface Faults {
  readonly begin?: Error;
  readonly start?: Error;
  readonly find?: Error;
}

/** Verifications by operation id, all of them listed by the index whatever they are now. */
function world(kept: Readonly<Record<string, Kept>>, given: { closed?: readonly string[]; faults?: Faults } = {}) {
  const { closed = [], faults = {} } = given;
  const ids = Object.keys(kept);
  const begun: { operationId: string; txHash: string; windowEndsAt: string }[] = [];
  const started: string[] = [];
  const settled: string[] = [];
  const asked: string[] = [];
  const sweep = restartLostVerifications({
    shards: ['LOOK#0', 'LOOK#1'],
    operations: {
      findWithVerification: async (operationId) => {
        if (faults.find !== undefined && operationId === ids[0]) throw faults.find;
        const { operation, verification: attempt } = kept[operationId] ?? {};
        if (operation === undefined && attempt === undefined) return undefined;
        return {
          operation: offRamp({ operationId, txHash: HASH, attempt: 1, ...operation }),
          verification: attempt && verification({ operationId, nextCheckAt: LONG_OVERDUE, ...attempt }),
        };
      },
    },
    verifications: {
      overdue: async function* (shard, before) {
        asked.push(`${shard} ${before}`);
        yield* ids.filter((_, index) => `LOOK#${index % 2}` === shard);
      },
      settle: async ({ operationId, attempt }) => {
        settled.push(`${operationId}-${attempt}`);
        return true;
      },
    },
    beginAttempt: async ({ operation }, { txHash, windowEndsAt }) => {
      if (faults.begin !== undefined) throw faults.begin;
      const { operationId } = operation;
      begun.push({ operationId, txHash, windowEndsAt });
      return verification({ operationId, attempt: operation.attempt + 1, txHash, windowEndsAt });
    },
    startExecution: async ({ operationId, attempt }) => {
      if (faults.start !== undefined) throw faults.start;
      started.push(`${operationId}-${attempt}`);
      return closed.includes(`${operationId}-${attempt}`) ? 'CLOSED' : 'STARTED';
    },
    clock: fakeClock(NOW),
  });
  return { sweep, begun, started, settled, asked };
}

describe('decisions 4, resubmitting: the sweep', () => {
  test('asks every shard for looks that are 3 minutes overdue', async () => {
    const { sweep, asked } = world({});
    await sweep();
    expect(asked.toSorted()).toEqual(['LOOK#0 2026-08-01T12:57:00.000Z', 'LOOK#1 2026-08-01T12:57:00.000Z']);
  });

  test('starts the same execution again: one that was never started runs now', async () => {
    const lines = logged();
    const { sweep, started, begun, settled } = world({ lost: { verification: {} } });
    await sweep();
    expect([started, begun, settled]).toEqual([['lost-1'], [], []]);
    expect(lines).toMatchObject([{ level: 'warn', code: 'VERIFICATION_RESTARTED' }]);
  });

  test('follows an execution that is closed with attempt + 1 and the same window', async () => {
    logged();
    const { sweep, started, begun, settled } = world({ dead: { verification: {} } }, { closed: ['dead-1'] });
    await sweep();
    expect(begun).toEqual([{ operationId: 'dead', txHash: HASH, windowEndsAt: EXPIRES_AT }]);
    expect(started).toEqual(['dead-1', 'dead-2']);
    expect(settled).toEqual([]);
  });

  test.each([
    ['is not overdue any more', { verification: { nextCheckAt: '2026-08-01T12:57:00.000Z' } }],
    ['has no look to come', { verification: { nextCheckAt: undefined } }],
    ['is gone', {}],
    ['has no verification', { operation: {}, verification: undefined }],
  ])('leaves one alone that, read consistently, %s', async (_, kept) => {
    const { sweep, started, begun, settled } = world({ one: kept });
    await sweep();
    expect([started, begun, settled]).toEqual([[], [], []]);
  });

  test.each([
    ['is no longer the current attempt', { operation: { attempt: 2 }, verification: {} }],
    ['was verified', { operation: { status: 'PENDING', verifiedTxHash: HASH }, verification: {} }],
    ['was cancelled', { operation: { status: 'CANCELLED' }, verification: {} }],
  ] as const)('takes one out of the index that %s', async (_, kept) => {
    const { sweep, started, begun, settled } = world({ one: kept });
    await sweep();
    expect([started, begun, settled]).toEqual([[], [], ['one-1']]);
  });

  test.each(['TOO_MANY_ATTEMPTS', 'TX_HASH_ALREADY_DECLARED'] as const)(
    'gives one up that may have no further attempt (%s), out loud',
    async (code) => {
      const lines = logged();
      const faults = { begin: new Refusal(code) };
      const { sweep, settled } = world({ dead: { verification: {} } }, { closed: ['dead-1'], faults });
      await sweep();
      expect(settled).toEqual(['dead-1']);
      expect(lines).toMatchObject([{ level: 'error', code: 'VERIFICATION_GIVEN_UP', fields: { refusal: code } }]);
    },
  );

  test('leaves one to a submission that writes at the same time (interleaving 12)', async () => {
    const lines = logged();
    const faults = { begin: new WriteConflict('operation') };
    const { sweep, settled } = world({ dead: { verification: {} } }, { closed: ['dead-1'], faults });
    await sweep();
    expect([settled, lines]).toEqual([[], []]);
  });

  test('is stopped by no single failure, and says which one failed', async () => {
    const lines = logged();
    const { sweep, started } = world(
      { broken: {}, second: { verification: {} }, third: { verification: {} } },
      { faults: { find: new Error('bad item') } },
    );
    await sweep();
    expect(started.toSorted()).toEqual(['second-1', 'third-1']);
    expect(lines.filter(({ level }) => level === 'error')).toMatchObject([
      { code: 'VERIFICATION_NOT_RESTARTED', fields: { operationId: 'broken' } },
    ]);
  });

  test('keeps one in the index that could not be started, for the next sweep', async () => {
    const lines = logged();
    const { sweep, settled } = world({ lost: { verification: {} } }, { faults: { start: new Error('throttled') } });
    await sweep();
    expect(settled).toEqual([]);
    expect(lines).toMatchObject([{ level: 'error', code: 'VERIFICATION_NOT_RESTARTED' }]);
  });
});
