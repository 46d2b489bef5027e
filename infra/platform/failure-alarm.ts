import { Duration, Stack } from 'aws-cdk-lib';
import {
  Alarm,
  type AlarmProps,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';

interface LossProps {
  /** What clients lose while the alarm is on, and where to look. */
  readonly description: string;
  readonly metric: IMetric;
}

/** The section of docs/operations.md that says what to do. */
export type Runbook =
  | 'a-function-fails'
  | 'a-route-fails'
  | 'a-client-may-be-probing'
  | 'an-api-fails'
  | 'nothing-gets-done'
  | 'the-custodian-does-not-answer'
  | 'the-custodian-has-what-is-not-served'
  | 'deposit-addresses-run-out'
  | 'the-rail-does-not-answer'
  | 'notifications-do-not-arrive'
  | 'notifications-are-refused'
  | 'a-client-uses-up-its-limits'
  | 'deposits-are-credited-late'
  | 'webhooks-are-called-late'
  | 'an-api-is-slow'
  | 'good-tokens-are-refused'
  | 'a-certificate-ends'
  | 'something-stands-still'
  | 'something-was-forgotten'
  | 'a-webhook-is-paused'
  | 'the-books-do-not-balance'
  | 'payouts-are-late'
  | 'money-waits-for-a-person'
  | 'an-approval-is-ignored'
  | 'dead-letters'
  | 'a-queue-waits'
  | 'a-sweep-does-not-run'
  | 'the-canary-fails'
  | 'a-verification-broke-off';

/**
 * The releases that are undone when the alarm goes off meanwhile: those of any function, those of the function that it
 * is about, or none, because others than the service can set it off.
 */
export type ReleasesToUndo = 'ALL' | 'OWN' | 'NONE';

interface FailureProps extends LossProps {
  readonly runbook: Runbook;
  /** The value at which the alarm goes off; when not given 1, the first failure. */
  readonly threshold?: number;
  /** Periods of the metric that have to fail, of those that are evaluated; 1 of 1 when not given. */
  readonly periods?: { readonly failing: number; readonly of: number };
  /**
   * True if the alarm pages a person: money waits, or something stops until a person acts. What recovers by itself, or
   * is a single failure that its caller has seen, is a notice, to be read later.
   */
  readonly callsPeople?: boolean;
  readonly undoesReleases?: ReleasesToUndo;
}

/**
 * The parent of all alarms, by which they are found and get their actions. The text of an alarm has three parts: what
 * clients lose, where to look, and the section of docs/operations.md that says what to do. The name of an alarm is the
 * stack and the path in it, as docs/operations.md has it, so that a page can show alarms of a stack that it has no
 * reference to.
 */
export abstract class ServiceAlarm extends Alarm {
  readonly callsPeople: boolean;
  readonly name: string;
  readonly undoesReleases: ReleasesToUndo;

  constructor(
    scope: Construct,
    id: string,
    {
      runbook,
      callsPeople,
      undoesReleases = 'OWN',
    }: {
      readonly runbook: Runbook;
      readonly callsPeople: boolean;
      readonly undoesReleases?: ReleasesToUndo | undefined;
    },
    { alarmDescription, ...props }: AlarmProps & { readonly alarmDescription: string },
  ) {
    const { stackName, node } = Stack.of(scope);
    const alarmName = `${stackName}${scope.node.path.slice(node.path.length)}/${id}`;
    super(scope, id, {
      ...props,
      alarmName,
      alarmDescription: `${alarmDescription} What to do: docs/operations.md#${runbook}`,
    });
    this.callsPeople = callsPeople;
    this.name = alarmName;
    this.undoesReleases = undoesReleases;
  }
}

/** Goes off at the first failure, or at the threshold, and never for lack of data. */
export class FailureAlarm extends ServiceAlarm {
  constructor(scope: Construct, id: string, props: FailureProps) {
    const { description, runbook, metric, threshold = 1, periods = { failing: 1, of: 1 }, callsPeople = false } = props;
    super(
      scope,
      id,
      { runbook, callsPeople, undoesReleases: props.undoesReleases },
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

/** Fires when the function was not invoked; missing data counts as a failure. It calls people. */
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

interface ProbeProps extends LossProps {
  readonly runbook: Runbook;
  readonly periods: { readonly failing: number; readonly of: number };
}

/** Calls people when a probe, which reports each period whether something works, reports a failure or nothing. */
export class ProbeAlarm extends ServiceAlarm {
  constructor(scope: Construct, id: string, { description, metric, runbook, periods }: ProbeProps) {
    super(
      scope,
      id,
      { runbook, callsPeople: true },
      {
        alarmDescription: description,
        metric,
        threshold: 1,
        evaluationPeriods: periods.of,
        datapointsToAlarm: periods.failing,
        comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        treatMissingData: TreatMissingData.BREACHING,
      },
    );
  }
}

interface StandstillProps extends Omit<LossProps, 'metric'> {
  readonly runbook: Runbook;
  /** Failures, as sums of a minute. */
  readonly failures: readonly IMetric[];
  /** All attempts, as sums of a minute: at least the failures. */
  readonly calls: readonly IMetric[];
}

/**
 * Calls people when half or more of the calls failed in three of ten minutes. A share tells an outage from a few
 * failures among many calls, also at night, when one message fails every three minutes. Three minutes leave out a
 * failure that is over after one.
 */
export class StandstillAlarm extends FailureAlarm {
  constructor(scope: Construct, id: string, { failures, calls, ...rest }: StandstillProps) {
    const named = (name: string, metrics: readonly IMetric[]) =>
      metrics.map((metric, index) => [`${name}${index}`, metric] as const);
    const [failed, called] = [named('failed', failures), named('called', calls)];
    // A minute without data counts as zero.
    const sum = (metrics: typeof failed) => metrics.map(([name]) => `FILL(${name}, 0)`).join(' + ');
    super(scope, id, {
      ...rest,
      metric: new MathExpression({
        expression: `(${sum(failed)} > 0) AND (2 * (${sum(failed)}) >= ${sum(called)})`,
        usingMetrics: Object.fromEntries([...failed, ...called]),
        period: Duration.minutes(1),
        label: 'half or more of the calls fail',
      }),
      periods: { failing: 3, of: 10 },
      callsPeople: true,
    });
  }
}
