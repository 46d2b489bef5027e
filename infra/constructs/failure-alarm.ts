import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';

interface LossProps {
  /** What clients lose while it goes off, and where to look. */
  readonly description: string;
  readonly metric: IMetric;
  /** The value at which it goes off; 1 when not given: the first failure. */
  readonly threshold?: number;
}

/** Goes off at the first failure, or at a value that is one, and never for lack of data. */
export class FailureAlarm extends Alarm {
  constructor(scope: Construct, id: string, { description, metric, threshold = 1 }: LossProps) {
    super(scope, id, {
      alarmDescription: description,
      metric,
      threshold,
      evaluationPeriods: 1,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
  }
}

/** Goes off when nothing happened, and for lack of data above all: what does not run does not fail. */
export class StandstillAlarm extends Alarm {
  constructor(scope: Construct, id: string, { description, metric }: Omit<LossProps, 'threshold'>) {
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
