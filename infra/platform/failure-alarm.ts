import type { Stack } from 'aws-cdk-lib';
import { Alarm, type AlarmProps, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';

interface LossProps {
  /** What clients lose while it goes off, and where to look. */
  readonly description: string;
  readonly metric: IMetric;
}

/** The section of docs/operations.md that says what to do. */
export type Runbook =
  | 'a-function-fails'
  | 'a-route-fails'
  | 'an-api-fails'
  | 'money-waits-for-a-person'
  | 'dead-letters'
  | 'a-queue-waits'
  | 'a-sweep-does-not-run'
  | 'a-verification-broke-off';

interface FailureProps extends LossProps {
  readonly runbook: Runbook;
  /** The value at which it goes off; 1 when not given: the first failure. */
  readonly threshold?: number;
  /** Periods of the metric that have to fail, of so many that are looked at; 1 of 1 when not given. */
  readonly periods?: { readonly failing: number; readonly of: number };
  /**
   * Somebody is called: money waits, or something stands still, until a person acts. What comes back by itself, or is a
   * single failure that its caller has seen, can be looked at later.
   */
  readonly callsPeople?: boolean;
}

/** One of ours, so that all of them can be found and given their action. */
abstract class ServiceAlarm extends Alarm {
  readonly callsPeople: boolean;

  constructor(
    scope: Construct,
    id: string,
    { runbook, callsPeople }: { readonly runbook: Runbook; readonly callsPeople: boolean },
    { alarmDescription, ...props }: AlarmProps & { readonly alarmDescription: string },
  ) {
    super(scope, id, {
      ...props,
      alarmDescription: `${alarmDescription} What to do: docs/operations.md#${runbook}`,
    });
    this.callsPeople = callsPeople;
  }
}

/** Goes off at the first failure, or at a value that is one, and never for lack of data. */
export class FailureAlarm extends ServiceAlarm {
  constructor(scope: Construct, id: string, props: FailureProps) {
    const { description, runbook, metric, threshold = 1, periods = { failing: 1, of: 1 }, callsPeople = false } = props;
    super(
      scope,
      id,
      { runbook, callsPeople },
      {
        alarmDescription: description,
        metric,
        threshold,
        evaluationPeriods: periods.of,
        datapointsToAlarm: periods.failing,
        comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        treatMissingData: TreatMissingData.NOT_BREACHING,
      },
    );
  }
}

/** Goes off when nothing happened, and for lack of data above all: what does not run does not fail. It calls people. */
export class HeartbeatAlarm extends ServiceAlarm {
  constructor(scope: Construct, id: string, { description, metric }: LossProps) {
    super(
      scope,
      id,
      { runbook: 'a-sweep-does-not-run', callsPeople: true },
      {
        alarmDescription: description,
        metric,
        threshold: 1,
        evaluationPeriods: 1,
        comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
        treatMissingData: TreatMissingData.BREACHING,
      },
    );
  }
}

/** Notifies the topic of every alarm of the stack that calls people, and of its end. */
export function callPeople(stack: Stack, topicArn: string): void {
  const action = new SnsAction(Topic.fromTopicArn(stack, 'AlarmTopic', topicArn));
  for (const alarm of stack.node.findAll()) {
    if (!(alarm instanceof ServiceAlarm && alarm.callsPeople)) continue;
    alarm.addAlarmAction(action);
    alarm.addOkAction(action);
  }
}
