import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createFindCandidates } from '#functions/off-ramps/match-deposit/candidates.ts';
import { awaitedDepositKey } from '#shared/off-ramps/deposit-key.ts';
import type { OffRampState } from '#shared/off-ramps/off-ramp-store.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { offRamp, transfer, verification } from '#test/support/off-ramp.ts';

const NOW = '2026-08-10T12:00:00.000Z';

/** A twin: same address, token, amount and sender. Days are of August 2026. */
function twin(operationId: string, createdOn: number, expiresOn: number, windowEndsOn?: number): OffRampState {
  const at = (day: number) => `2026-08-${String(day).padStart(2, '0')}T12:00:00.000Z`;
  return {
    operation: offRamp({ operationId, createdAt: at(createdOn), expiresAt: at(expiresOn) }),
    verification:
      windowEndsOn === undefined ? undefined : verification({ operationId, windowEndsAt: at(windowEndsOn) }),
  };
}

/** What the index finds may be out of date, so it is given on its own. */
function candidates(states: readonly OffRampState[], declarant?: string, indexed = states) {
  const find = createFindCandidates(
    {
      idsAwaiting: async (keys) =>
        indexed
          .filter(({ operation }) => keys.includes(awaitedDepositKey(operation)))
          .map(({ operation }) => operation.operationId),
      findWithVerification: async (id) => states.find(({ operation }) => operation.operationId === id),
    },
    async () => declarant,
    fakeClock(NOW),
  );
  return find(transfer());
}

const oldOpen = twin('old-open', 8, 11);
const newOpen = twin('new-open', 9, 12);
const oldExpired = twin('old-expired', 1, 2);
const newExpired = twin('new-expired', 5, 6);
const all = [newExpired, newOpen, oldExpired, oldOpen];

describe('decisions 4, detected without a report: a deposit goes', () => {
  test('to the oldest matching operation with an open window, else to the newest expired one', async () => {
    expect(await candidates(all)).toEqual(['old-open', 'new-open', 'new-expired', 'old-expired']);
  });

  test.each(['old-open', 'new-open', 'new-expired', 'old-expired'])(
    'first of all to the one that declared its hash: %s',
    async (declarant) => {
      const others = ['old-open', 'new-open', 'new-expired', 'old-expired'].filter((id) => id !== declarant);
      expect(await candidates(all, declarant)).toEqual([declarant, ...others]);
    },
  );

  test('to the one that declared its hash even if the index does not know it yet', async () => {
    expect(await candidates(all, 'new-open', [oldOpen])).toEqual(['new-open', 'old-open']);
  });

  test('in the same order however the index lists them', async () => {
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(all, { minLength: all.length }), async (listed) => {
        expect(await candidates(all, undefined, listed)).toEqual([
          'old-open',
          'new-open',
          'new-expired',
          'old-expired',
        ]);
      }),
    );
  });

  test('to one whose window a late submission opened again, as to any other with an open window', async () => {
    const resubmitted = twin('resubmitted', 3, 4, 11);
    expect(await candidates([...all, resubmitted])).toEqual([
      'resubmitted',
      'old-open',
      'new-open',
      'new-expired',
      'old-expired',
    ]);
  });

  test('to one whose attempt ended before expiresAt as to any other with an open window', async () => {
    expect(await candidates([newOpen, twin('ended-early', 8, 11, 9)])).toEqual(['ended-early', 'new-open']);
  });

  test('to one at the very end of its window as to an expired one', async () => {
    expect(await candidates([twin('ends-now', 1, 10), newExpired])).toEqual(['new-expired', 'ends-now']);
  });
});

describe('decisions 4, detected without a report: a deposit does not go', () => {
  test.each(['PENDING', 'COMPLETED', 'CANCELLED', 'FAILED'] as const)('to an operation that is %s', async (status) => {
    const left = { ...oldOpen, operation: { ...oldOpen.operation, status } };
    expect(await candidates([left, newOpen], 'old-open')).toEqual(['new-open']);
  });

  test('to a stranger that declared its hash without awaiting it', async () => {
    const stranger = twin('stranger', 1, 20);
    const waitsForAnother = { ...stranger, operation: { ...stranger.operation, amount: '7' } };
    expect(await candidates([waitsForAnother, newOpen], 'stranger')).toEqual(['new-open']);
  });

  test('to an operation that is gone', async () => {
    expect(await candidates([newOpen], 'gone', [newOpen, oldOpen])).toEqual(['new-open']);
  });

  test('anywhere when nobody awaits it', async () => {
    expect(await candidates([])).toEqual([]);
  });
});
