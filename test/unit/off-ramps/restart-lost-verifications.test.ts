import { describe, expect, test } from 'vitest';
import { restartLostVerifications } from '#functions/off-ramps/restart-lost-verifications/restart-lost-verifications.ts';
import type { OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import type { Verification } from '#shared/off-ramps/model/verification.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { HASH, offRamp, verification } from '#test/support/off-ramp.ts';

const NOW = '2026-08-01T13:00:00.000Z';
const LONG_OVERDUE = '2026-08-01T12:50:00.000Z';

interface Kept {
  readonly operation?: Partial<OffRamp>;
  readonly verification?: Partial<Verification> | undefined;
}

interface Faults {
  readonly find?: Error;
  readonly restart?: Error;
}

/** Verifications by operation id; the index lists them all, whatever their state is now. */
function world(kept: Readonly<Record<string, Kept>>, faults: Faults = {}) {
  const ids = Object.keys(kept);
  const restarted: [string, number][] = [];
  const removed: string[] = [];
  const asked: string[] = [];
  const clock = fakeClock(NOW);
  const sweep = restartLostVerifications({
    listClientIds: async () => ['client-0', 'client-1'],
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
      overdue: async function* (clientId, before) {
        asked.push(`${clientId} ${before}`);
        yield* ids.filter((_, index) => `client-${index % 2}` === clientId);
      },
      removeFromDueIndex: async ({ operationId, attempt }) => {
        removed.push(`${operationId}-${attempt}`);
        return true;
      },
    },
    restartOverdue: async ({ operationId }, overdueSeconds) => {
      clock.advance(20);
      if (faults.restart !== undefined) throw faults.restart;
      restarted.push([operationId, overdueSeconds]);
    },
    clock,
  });
  return { sweep, restarted, removed, asked };
}

describe('decisions 4, resubmitting: the sweep', () => {
  test('asks for the polls of every client that are 3 minutes overdue', async () => {
    const { sweep, asked } = world({});
    await sweep();
    expect(asked.toSorted()).toEqual(['client-0 2026-08-01T12:57:00.000Z', 'client-1 2026-08-01T12:57:00.000Z']);
  });

  test('restarts the current attempt, if it is still 3 minutes overdue when read consistently', async () => {
    const { sweep, restarted, removed } = world({ lost: { verification: {} } });
    await sweep();
    expect([restarted, removed]).toEqual([[['lost', 180]], []]);
  });

  test('restarts one whose operation a restore has from before its submission: none under way is overdue', async () => {
    const { sweep, restarted } = world({ torn: { operation: { attempt: 0 }, verification: {} } });
    await sweep();
    expect(restarted).toEqual([['torn', 180]]);
  });

  test.each([
    ['is gone', {}],
    ['has no verification', { operation: {}, verification: undefined }],
    ['has only the number of its next attempt yet', { operation: { attempt: 2 }, verification: {} }],
  ])('leaves a verification alone that, read consistently, %s', async (_, kept) => {
    const lines = captureLogs();
    const { sweep, restarted, removed } = world({ one: kept });
    await sweep();
    expect([restarted, removed, lines]).toEqual([[], [], []]);
  });

  test.each([
    ['was verified', { operation: { status: 'PENDING', verifiedTxHash: HASH }, verification: {} }],
    ['was cancelled', { operation: { status: 'CANCELLED' }, verification: {} }],
  ] as const)('removes a verification from the index that %s', async (_, kept) => {
    const { sweep, restarted, removed } = world({ one: kept });
    await sweep();
    expect([restarted, removed]).toEqual([[], ['one-1']]);
  });

  test('is stopped by no single failure, and says which one failed', async () => {
    const lines = captureLogs();
    const { sweep, restarted } = world(
      { broken: {}, second: { verification: {} }, third: { verification: {} } },
      { find: new Error('bad item') },
    );
    await sweep();
    expect(restarted.map(([operationId]) => operationId).toSorted()).toEqual(['second', 'third']);
    expect(lines).toMatchObject([
      { level: 'error', code: 'VERIFICATION_NOT_RESTARTED', fields: { operationId: 'broken' } },
    ]);
  });

  test('keeps a verification in the index that could not be started, for the next sweep', async () => {
    const lines = captureLogs();
    const { sweep, removed } = world({ lost: { verification: {} } }, { restart: new Error('throttled') });
    await sweep();
    expect(removed).toEqual([]);
    expect(lines).toMatchObject([{ level: 'error', code: 'VERIFICATION_NOT_RESTARTED' }]);
  });

  test('ends before its function is stopped, and leaves the rest to the next one', async () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`${index}`, { verification: {} }]));
    const { sweep, restarted } = world(many);
    await sweep();
    expect(restarted.length).toBeGreaterThan(1);
    expect(restarted.length).toBeLessThan(20);
  });

  test('clients take turns: one with a thousand lost verifications holds up nobody', async () => {
    const ofFirst = (index: number) => index % 2 === 0;
    const kept = Array.from({ length: 2000 }, (_, index) => [
      `${index}`,
      ofFirst(index) || index === 5 ? { verification: {} } : {},
    ]);
    const { sweep, restarted } = world(Object.fromEntries(kept));
    await sweep();
    expect(restarted.length).toBeLessThan(20);
    expect(restarted.map(([id]) => id)).toContain('5');
  });
});
