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

/** Calls a function once an hour, as above. What it reports has an alarm that notices when it is not called. */
export class HourlyFunction extends Rule {
  constructor(fn: ServiceFunction, description: string) {
    super(fn, 'EveryHour', {
      description,
      schedule: Schedule.rate(Duration.hours(1)),
      targets: [new LambdaTarget(fn.lambda, onceAndNow)],
    });
    fn.lambda.configureAsyncInvoke(onceAndNow);
  }
}
