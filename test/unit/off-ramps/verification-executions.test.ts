import { describe, expect, test } from 'vitest';
import { executionName, type Verification } from '#shared/off-ramps/model/verification.ts';
import { createRestartOverdue } from '#shared/off-ramps/transitions/verification-executions.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { OPERATION } from '#test/support/ids.ts';
import { EXPIRES_AT, HASH, offRamp, verification } from '#test/support/off-ramp.ts';
import { offRampsInMemory } from '#test/support/off-ramps-in-memory.ts';

const NOW = '2026-08-01T13:00:00.000Z';
const overdue = verification({ nextCheckAt: '2026-08-01T12:59:49.000Z' });

function world(kept: Verification, taken: readonly string[] = []) {
  const clock = fakeClock(NOW);
  const { verifications, putVerification, current } = offRampsInMemory(clock, offRamp({ txHash: HASH, attempt: 1 }));
  putVerification(kept);
  const started: string[] = [];
  const faults = new Map<string, Error>();
  const restart = createRestartOverdue({
    verifications,
    startExecution: async (run) => {
      const name = executionName(run);
      const fault = faults.get(name);
      if (fault !== undefined) throw fault;
      started.push(name);
      return taken.includes(name) ? 'TAKEN' : 'RUNNING';
    },
    clock,
  });
  return { restart, started, faults, clock, current };
}

describe('decisions 4, resubmitting: a verification whose next poll is overdue', () => {
  test('is started if it never was; one that is only late is not reported as started again', async () => {
    const lines = captureLogs();
    const { restart, started, current } = world(overdue);
    await restart(overdue, 10);
    expect(started).toEqual([`${OPERATION}-1`]);
    expect(await current()).toEqual(overdue);
    expect(lines).toMatchObject([{ level: 'warn', code: 'VERIFICATION_OVERDUE', fields: { attempt: 1, run: 1 } }]);
  });

  test('goes on with the next run of the same attempt if its execution broke off, and shows the pause', async () => {
    const lines = captureLogs();
    const { restart, started, current } = world(overdue, [`${OPERATION}-1`]);
    await restart(overdue, 10);
    expect(started).toEqual([`${OPERATION}-1`, `${OPERATION}-1-2`]);
    expect(await current()).toEqual({ ...overdue, run: 2, nextCheckAt: '2026-08-01T13:02:00.000Z' });
    expect(lines).toMatchObject([{ level: 'warn', code: 'VERIFICATION_RESTARTED', fields: { attempt: 1, run: 2 } }]);
  });

  test.each([
    ['not overdue for so long', { nextCheckAt: '2026-08-01T12:59:50.000Z' }],
    ['still to come', { nextCheckAt: EXPIRES_AT }],
    ['not to come', { nextCheckAt: undefined }],
  ])('is not started, and nobody is asked, when its next poll is %s', async (_, differences) => {
    const kept = verification(differences);
    const { restart, started, current } = world(kept, [`${OPERATION}-1`]);
    await restart(kept, 10);
    expect([started, await current()]).toEqual([[], kept]);
  });

  test.each([
    ['its window ended', { nextCheckAt: undefined }],
    ['a poll moved on', { nextCheckAt: '2026-08-01T14:00:00.000Z' }],
    ['another began the run', { run: 2, nextCheckAt: '2026-08-01T13:02:00.000Z' }],
    ['the hash was corrected', { attempt: 2, nextCheckAt: NOW }],
  ])('is left alone when, since it was read, %s', async (_, differences) => {
    const { restart, started, current } = world({ ...overdue, ...differences }, [`${OPERATION}-1`]);
    await restart(overdue, 10);
    expect(started).toEqual([`${OPERATION}-1`]);
    expect(await current()).toEqual({ ...overdue, ...differences });
  });

  test('that two functions restart at once goes on with one more run', async () => {
    const { restart, current } = world(overdue, [`${OPERATION}-1`]);
    await Promise.all([restart(overdue, 10), restart(overdue, 10)]);
    expect((await current()).run).toBe(2);
  });

  test('whose next run could not be started after the write is started once that run is overdue', async () => {
    const { restart, started, current, clock, faults } = world(overdue, [`${OPERATION}-1`]);
    faults.set(`${OPERATION}-1-2`, new Error('throttled'));
    await expect(restart(overdue, 10)).rejects.toThrow('throttled');
    faults.clear();
    clock.advance(120);
    await restart(await current(), 10);
    expect(started).toEqual([`${OPERATION}-1`]);
    clock.advance(11);
    await restart(await current(), 10);
    expect(started).toEqual([`${OPERATION}-1`, `${OPERATION}-1-2`]);
    expect((await current()).run).toBe(2);
  });
});
