import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { stageNames, synthesise } from '#test/support/synthesised.ts';

const retry = z.object({
  ErrorEquals: z.array(z.string()),
  IntervalSeconds: z.number(),
  MaxAttempts: z.int(),
  BackoffRate: z.number(),
  MaxDelaySeconds: z.optional(z.number()),
  JitterStrategy: z.optional(z.string()),
});

const state = z.object({
  Type: z.string(),
  QueryLanguage: z.optional(z.string()),
  Next: z.optional(z.string()),
  Default: z.optional(z.string()),
  Choices: z._default(z.array(z.object({ Condition: z.string(), Next: z.string() })), []),
  Resource: z.optional(z.string()),
  Arguments: z.optional(z.object({ FunctionName: z.string(), Payload: z.string() })),
  Output: z.optional(z.string()),
  Retry: z._default(z.array(retry), []),
  Timestamp: z.optional(z.string()),
});

const definition = z.object({
  States: z.record(z.string(), state),
});

const machineProperties = z.object({
  StateMachineName: z.string(),
  StateMachineType: z.string(),
  DefinitionString: z.unknown(),
  TracingConfiguration: z.object({ Enabled: z.boolean() }),
});

const ruleProperties = z.object({
  ScheduleExpression: z.optional(z.string()),
  State: z.string(),
  Targets: z.array(z.object({ Arn: z.unknown() })),
});

/** Events of a task that succeeds, of the choice and of the wait. A failed try is scheduled, started and failed. */
const EVENTS_PER_POLL = 9;
const EVENTS_PER_FAILED_TRY = 3;

/** Polls in 364 days, and in an outage of a day after them: test/unit/off-ramps/poll-schedule.test.ts. */
const MOST_POLLS = 185 + 30;

const MOST_EVENTS_OF_AN_EXECUTION = 25_000;

/** Seconds from the first failure to the last try, without jitter. */
function longestWait(given: z.infer<typeof retry> | undefined): number {
  const { IntervalSeconds, BackoffRate, MaxAttempts, MaxDelaySeconds = Number.POSITIVE_INFINITY } = retry.parse(given);
  const waits = Array.from({ length: MaxAttempts }, (_, time) => IntervalSeconds * BackoffRate ** time);
  return waits.reduce((sum, wait) => sum + Math.min(wait, MaxDelaySeconds), 0);
}

describe.each(stageNames)('the verification of a deposit in %s', (stageName) => {
  const service = synthesise(stageName);
  const machines = service.ofType('AWS::StepFunctions::StateMachine', machineProperties);
  const written = service.text(machines[0]?.properties.DefinitionString);
  const { States } = definition.parse(JSON.parse(written));
  const named = (name: string) => state.parse(States[name]);

  test('is of the Standard type, which can last a year, and traced', () => {
    expect(machines.map(({ properties }) => properties.StateMachineType)).toEqual(['STANDARD']);
    expect(machines.map(({ properties }) => properties.TracingConfiguration.Enabled)).toEqual([true]);
  });

  test('has the states that finance operations read, and no other', () => {
    expect(
      Object.entries(States)
        .map(([name, { Type }]) => `${Type}: ${name}`)
        .sort(),
    ).toEqual([
      'Choice: Deposit confirmed?',
      'Succeed: Deposit verified',
      'Succeed: Superseded',
      'Succeed: Window ended',
      'Task: Check with the custodian',
      'Wait: Wait until the next check',
    ]);
  });

  test('retries a failed poll after growing waits with full jitter, whatever the failure', () => {
    const retries = named('Check with the custodian').Retry;
    expect(retries.at(-1)?.ErrorEquals).toEqual(['States.ALL']);
    for (const { JitterStrategy, BackoffRate, MaxAttempts } of retries) {
      expect(JitterStrategy).toBe('FULL');
      expect(BackoffRate).toBeGreaterThan(1);
      expect(MaxAttempts).toBeGreaterThanOrEqual(6);
    }
  });

  test('waits longer for a throttled or faulty Lambda than for a function that fails', () => {
    const [waiting, failing, ...others] = named('Check with the custodian').Retry;
    expect(others).toEqual([]);
    expect(waiting?.ErrorEquals).toContain('Lambda.TooManyRequestsException');
    expect(waiting?.ErrorEquals.every((error) => error.startsWith('Lambda.'))).toBe(true);
    expect(longestWait(waiting)).toBeGreaterThanOrEqual(60 * 60);
    expect(longestWait(failing)).toBeLessThanOrEqual(3 * 60);
  });

  test('stays below the event limit of an execution even if every poll of the longest window needs every try', () => {
    const tries = named('Check with the custodian').Retry.reduce((sum, { MaxAttempts }) => sum + MaxAttempts, 0);
    const eventsPerPoll = EVENTS_PER_POLL + tries * EVENTS_PER_FAILED_TRY;
    expect(MOST_POLLS * eventsPerPoll).toBeLessThan(MOST_EVENTS_OF_AN_EXECUTION);
  });

  test('has no time-out that could cut off a window of 364 days', () => {
    expect(written).not.toMatch(/TimeoutSeconds|HeartbeatSeconds/);
  });
});

describe.each(stageNames)('the sweep for lost verifications in %s', (stageName) => {
  const service = synthesise(stageName);

  test('runs every minute', () => {
    const sweep = '<Verification/restart-lost-verifications/Function.Arn>';
    const rules = service
      .ofType('AWS::Events::Rule', ruleProperties)
      .filter(({ properties }) => properties.Targets.some(({ Arn }) => service.text(Arn) === sweep));
    expect(rules.map(({ properties }) => [properties.ScheduleExpression, properties.State])).toEqual([
      ['rate(1 minute)', 'ENABLED'],
    ]);
  });
});
