import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { stageNames, synthesise } from '#test/support/synthesised.ts';

const rule = z.object({
  ScheduleExpression: z.optional(z.string()),
  Targets: z.array(z.object({ Arn: z.unknown(), RetryPolicy: z.optional(z.unknown()) })),
});
const invocation = z.object({
  FunctionName: z.unknown(),
  MaximumRetryAttempts: z.int(),
  MaximumEventAgeInSeconds: z.int(),
});

// After an hour of failed calls, AWS would otherwise call the sweep for every minute of that hour.
describe.each(stageNames)('a sweep of %s that cannot be called now', (stageName) => {
  const service = synthesise(stageName);
  const everyMinute = service
    .ofType('AWS::Events::Rule', rule)
    .filter(({ properties }) => properties.ScheduleExpression === 'rate(1 minute)');

  test('is not called again by the rule for that minute', () => {
    expect(everyMinute.length).toBeGreaterThanOrEqual(4);
    for (const { properties } of everyMinute) {
      expect(properties.Targets.map(({ RetryPolicy }) => RetryPolicy)).toEqual([
        { MaximumEventAgeInSeconds: 60, MaximumRetryAttempts: 0 },
      ]);
    }
  });

  test('is not called again by Lambda, which has its own queue for asynchronous calls', () => {
    const limited = service
      .ofType('AWS::Lambda::EventInvokeConfig', invocation)
      .filter(({ properties }) => properties.MaximumRetryAttempts === 0 && properties.MaximumEventAgeInSeconds === 60)
      .map(({ properties }) => service.text(properties.FunctionName));
    const called = everyMinute.flatMap(({ properties }) =>
      properties.Targets.map(({ Arn }) => service.text(Arn).replace(/\.Arn>$/, '>')),
    );
    expect(limited).toEqual(expect.arrayContaining(called));
  });
});
