import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as LambdaTarget } from 'aws-cdk-lib/aws-events-targets';
import { HeartbeatAlarm } from './failure-alarm.ts';
import type { ServiceFunction } from './service-function.ts';

const onceAndNow = { retryAttempts: 0, maxEventAge: Duration.minutes(1) };

/**
 * Calls a sweep once a minute, with an alarm when it is not called. A call that fails, or waits for a minute, is
 * dropped, because the next one does the same. AWS would otherwise repeat it for hours, beside the calls of later
 * minutes.
 */
export class ScheduledFunction extends Rule {
  constructor(sweep: ServiceFunction, description: string) {
    super(sweep, 'EveryMinute', {
      description,
      schedule: Schedule.rate(Duration.minutes(1)),
      targets: [new LambdaTarget(sweep.lambda, onceAndNow)],
    });
    sweep.lambda.configureAsyncInvoke(onceAndNow);
    new HeartbeatAlarm(sweep, 'NotRunning', {
      description: `${sweep.impact} Look at the rule that calls the function every minute, and at the throttles of the function.`,
      metric: sweep.lambda.metricInvocations({ period: Duration.minutes(5) }),
    });
  }
}
