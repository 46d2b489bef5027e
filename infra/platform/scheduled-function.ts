import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as LambdaTarget } from 'aws-cdk-lib/aws-events-targets';
import { HeartbeatAlarm } from './failure-alarm.ts';
import type { ServiceFunction } from './service-function.ts';

const onceAndNow = { retryAttempts: 0, maxEventAge: Duration.minutes(1) };

/**
 * A call that fails, or waits for a minute, is dropped, because the next one does the same. AWS would otherwise repeat it
 * for hours, beside later calls.
 */
class RegularCalls extends Rule {
  constructor(fn: ServiceFunction, id: string, every: Duration, description: string) {
    super(fn, id, {
      description,
      schedule: Schedule.rate(every),
      targets: [new LambdaTarget(fn.lambda, onceAndNow)],
    });
    fn.lambda.configureAsyncInvoke(onceAndNow);
  }
}

/** Calls a sweep once a minute, with an alarm when it is not called. */
export class ScheduledFunction extends RegularCalls {
  constructor(sweep: ServiceFunction, description: string) {
    super(sweep, 'EveryMinute', Duration.minutes(1), description);
    new HeartbeatAlarm(sweep, 'NotRunning', {
      description: `${sweep.impact} Look at the rule that calls the function every minute, and at the throttles of the function.`,
      metric: sweep.lambda.metricInvocations({ period: Duration.minutes(5) }),
    });
  }
}

/** Calls a function once an hour. The alarm on what the function reports also notices missing calls. */
export class HourlyFunction extends RegularCalls {
  constructor(fn: ServiceFunction, description: string) {
    super(fn, 'EveryHour', Duration.hours(1), description);
  }
}
