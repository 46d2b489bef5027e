import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';

interface FailureAlarmProps {
  /** What clients lose while it goes off, and where to look. */
  readonly description: string;
  readonly metric: IMetric;
}

/** Goes off at the first failure, and never for lack of data. */
export class FailureAlarm extends Alarm {
  constructor(scope: Construct, id: string, { description, metric }: FailureAlarmProps) {
    super(scope, id, {
      alarmDescription: description,
      metric,
      threshold: 1,
      evaluationPeriods: 1,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
  }
}
