import { Duration } from 'aws-cdk-lib';
import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { FailureAlarm, StandstillAlarm } from './failure-alarm.ts';
import type { ServiceFunction } from './service-function.ts';
import { linesWithCode } from './service-log.ts';

interface Failing {
  /** Codes of lines that report a message as not handled. */
  readonly codes: readonly [string, ...string[]];
  /** So many failures in five minutes call a person, however many messages are handled: they move money. */
  readonly most?: number;
}

/**
 * Alarms on a function that takes messages from queues. The age of the oldest message does not show failures: SQS
 * leaves out messages that were received three times, and its metrics come up to 15 minutes late after a quiet time. So
 * the function's own lines are counted, and its throws and time-outs.
 */
export function alarmOnMessages(consumer: ServiceFunction, { codes, most }: Failing): void {
  const { log, lambda, folder, impact } = consumer;
  const everyMinute = { period: Duration.minutes(1), statistic: 'Sum' } as const;
  const inFiveMinutes = { ...everyMinute, period: Duration.minutes(5) };
  const counted = log.count('Unhandled', {
    lines: linesWithCode(...codes),
    metricName: `${folder} messages not handled`,
    countsZeros: true,
  });
  const where = `Look at the log of ${folder} for ${codes.join(', ')}, which have the cause, and at its throttles.`;
  new StandstillAlarm(consumer, 'HandlesNothing', {
    description: `${impact} At least half of its messages fail. ${where}`,
    runbook: 'nothing-gets-done',
    failures: [counted.metric(everyMinute), lambda.metricErrors(everyMinute)],
    calls: [lambda.metricInvocations(everyMinute)],
  });
  // While a new version has a tenth of the messages, its failures are too few for the other alarms.
  if (consumer.live !== lambda)
    new FailureAlarm(consumer, 'Unhandled', {
      description: `${impact} A message failed, and is received again automatically. A release that is in progress is undone. ${where}`,
      runbook: 'nothing-gets-done',
      metric: counted.metric(everyMinute),
    });
  if (most === undefined) return;
  new FailureAlarm(consumer, 'ManyUnhandled', {
    description: `${impact} ${most} of its messages failed within five minutes. ${where}`,
    runbook: 'nothing-gets-done',
    metric: new MathExpression({
      expression: 'FILL(lines, 0) + FILL(errors, 0)',
      usingMetrics: { lines: counted.metric(inFiveMinutes), errors: lambda.metricErrors(inFiveMinutes) },
      period: inFiveMinutes.period,
      label: 'messages that failed',
    }),
    threshold: most,
    callsPeople: true,
  });
}
