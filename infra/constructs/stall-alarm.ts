import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';

interface StallAlarmProps {
  /** What clients lose while it goes off, and where to look. */
  readonly description: string;
  readonly metric: IMetric;
}

/** Goes off when something that happens every minute has not happened for five: what does not run does not fail. */
export class NotRunningAlarm extends Alarm {
  constructor(scope: Construct, id: string, { description, metric }: StallAlarmProps) {
    super(scope, id, {
      alarmDescription: description,
      metric,
      threshold: 1,
      evaluationPeriods: 1,
      comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
      treatMissingData: TreatMissingData.BREACHING,
    });
  }
}

/** Messages are held back for up to 15 minutes; one that has waited for half an hour is not being worked on. */
const LONGEST_WAIT_SECONDS = 1800;

/** Goes off when the oldest message of a queue has waited too long. */
export class WaitingAlarm extends Alarm {
  constructor(scope: Construct, id: string, { description, metric }: StallAlarmProps) {
    super(scope, id, {
      alarmDescription: description,
      metric,
      threshold: LONGEST_WAIT_SECONDS,
      evaluationPeriods: 1,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
  }
}
