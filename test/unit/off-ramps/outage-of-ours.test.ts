import { expect, test } from 'vitest';
import { restartLostVerifications } from '#functions/off-ramps/restart-lost-verifications/restart-lost-verifications.ts';
import type { Verification } from '#shared/off-ramps/model/verification.ts';
import { createRestartOverdue, executionName } from '#shared/off-ramps/transitions/verification-executions.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { logged } from '#test/support/logged.ts';
import { EXPIRES_AT, HASH, offRamp, verification } from '#test/support/off-ramp.ts';
import { offRampsInMemory } from '#test/support/off-ramps-in-memory.ts';

const MINUTES_OF_A_DAY = 24 * 60;

/** A poll's tries with the waits of the state machine, full jitter being half on average. */
const BREAKS_OFF_AFTER_SECONDS = 70;

test('decisions 4, resubmitting: a day on which every poll fails costs the client no attempt, and us few executions', async () => {
  logged();
  const first = verification();
  const clock = fakeClock(first.windowStartsAt);
  const operation = offRamp({ txHash: HASH, attempt: 1 });
  const { operations, verifications, putVerification, current } = offRampsInMemory(clock, operation);
  putVerification(first);
  const executions = new Map<string, number>();
  const startExecution = async (run: Verification) => {
    const [name, now] = [executionName(run), clock.now().getTime()];
    const startedAt = executions.get(name) ?? now;
    executions.set(name, startedAt);
    return now - startedAt < BREAKS_OFF_AFTER_SECONDS * 1000 ? ('RUNNING' as const) : ('CLOSED' as const);
  };
  const sweep = restartLostVerifications({
    operations,
    verifications,
    listClientIds: async () => [first.clientId],
    restartOverdue: createRestartOverdue({ verifications, startExecution, clock }),
    clock,
  });
  await startExecution(first);
  const pauses: number[] = [];
  for (let minute = 0; minute < MINUTES_OF_A_DAY; minute += 1) {
    const { run } = await current();
    await sweep();
    if ((await current()).run > run) pauses.push(minute);
    clock.advance(60);
  }
  expect((await current()).attempt).toBe(1);
  expect((await current()).nextCheckAt).toBeDefined();
  expect(pauses.slice(0, 4)).toEqual([4, 10, 18, 30]);
  expect(executions.size).toBeLessThan(30);
  expect(Math.max(...pauses.slice(1).map((minute, index) => minute - (pauses[index] ?? 0)))).toBeLessThanOrEqual(65);
  expect(Date.parse(EXPIRES_AT)).toBe(clock.now().getTime());
});
