import { describe, expect, test } from 'vitest';
import { topology } from '#test/simulation/topology/topology-of-this-run.ts';
import { createStateMachine, type StateMachineHost, TaskFailed } from './state-machine.ts';

const ATTEMPT = { operationId: 'operation', attempt: 1 };

/** Runs the machine; what its polls answer or throw, in order. Waits and pauses take no time. */
async function played(...polls: readonly (object | TaskFailed)[]) {
  const asked: unknown[] = [];
  const waits: string[] = [];
  const pauses: number[] = [];
  const host: StateMachineHost = {
    async invoke(functionName, payload) {
      expect(functionName).toMatch(/^off-ramps.check-deposit$/);
      const poll = polls[asked.push(payload) - 1];
      if (poll instanceof TaskFailed) throw poll;
      return poll;
    },
    waitUntil: async (instant) => void waits.push(instant.toISOString()),
    pause: async (seconds) => void pauses.push(seconds),
    random: () => 1,
  };
  const hasSucceeded = await createStateMachine(topology.stateMachine.definition)(ATTEMPT, host);
  return { hasSucceeded, asked, waits, pauses };
}

const throttled = new TaskFailed('Lambda.TooManyRequestsException');
const broken = new TaskFailed('TypeError');
const times = <T>(count: number, one: T): readonly T[] => Array.from({ length: count }, () => one);

describe('the state machine of verifications, run by its definition', () => {
  test.each(['DEPOSIT_VERIFIED', 'WINDOW_ENDED', 'SUPERSEDED'])('ends with a poll that says %s', async (outcome) => {
    expect(await played({ ...ATTEMPT, outcome })).toMatchObject({ hasSucceeded: true, asked: [ATTEMPT], waits: [] });
  });

  test('waits until the instant that a poll gives, and gives the next poll what that one answered', async () => {
    const again = { ...ATTEMPT, outcome: 'LOOK_AGAIN', nextCheckAt: '2026-08-01T12:01:00.000Z' };
    const { hasSucceeded, asked, waits } = await played(again, { outcome: 'DEPOSIT_VERIFIED' });
    expect({ hasSucceeded, asked, waits }).toEqual({
      hasSucceeded: true,
      asked: [ATTEMPT, again],
      waits: ['2026-08-01T12:01:00.000Z'],
    });
  });

  test('tries a poll that failed six times again, after pauses that double up to a minute, and then fails', async () => {
    const { hasSucceeded, asked, pauses } = await played(...times(8, broken));
    expect(hasSucceeded).toBe(false);
    expect(asked).toHaveLength(7);
    expect(pauses).toEqual([2, 4, 8, 16, 32, 60]);
  });

  test('waits longer for a function that Lambda did not run, and counts such tries apart', async () => {
    const { hasSucceeded, pauses } = await played(...times(10, throttled), ...times(2, broken), {
      outcome: 'SUPERSEDED',
    });
    expect(hasSucceeded).toBe(true);
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 2, 4]);
  });
});

test('a definition that holds what the interpreter does not know is not run', () => {
  const known = {
    QueryLanguage: 'JSONata',
    StartAt: 'Wait',
    States: { Wait: { Type: 'Wait', Timestamp: '{% $now() %}', Next: 'End' }, End: { Type: 'Succeed' } },
  };
  expect(() => createStateMachine(known)).not.toThrow();
  for (const unknown of [
    { ...known, TimeoutSeconds: 60 },
    { ...known, States: { ...known.States, End: { Type: 'Fail' } } },
    { ...known, States: { ...known.States, Wait: { ...known.States.Wait, Assign: {} } } },
  ]) {
    expect(() => createStateMachine(unknown)).toThrow();
  }
});
