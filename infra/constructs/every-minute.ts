import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as LambdaTarget } from 'aws-cdk-lib/aws-events-targets';
import type { ServiceFunction } from './service-function.ts';

/** Calls a sweep once a minute. */
export class EveryMinute extends Rule {
  constructor(sweep: ServiceFunction, description: string) {
    super(sweep, 'EveryMinute', {
      description,
      schedule: Schedule.rate(Duration.minutes(1)),
      targets: [new LambdaTarget(sweep.lambda)],
    });
  }
}
