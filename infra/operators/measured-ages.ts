import { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { FailureAlarm, HeartbeatAlarm, type Runbook } from '#infra/platform/failure-alarm.ts';
import { ScheduledFunction } from '#infra/platform/scheduled-function.ts';
import { type FunctionContext, ServiceFunction } from '#infra/platform/service-function.ts';
import { linesWithCode, metricsNamespace } from '#infra/platform/service-log.ts';
import type { Stage } from '#infra/stage/stages.ts';
import type { TableAction, TableName } from '#infra/stage/table-shapes.ts';
import { type Age, measuredIndexes } from '#shared/operators/measured-ages.ts';

interface Limit {
  /** The longest wait, in seconds. */
  readonly most: number;
  /** The sentences about what fails and where to look. */
  readonly description: string;
  readonly runbook: Runbook;
  /** True for a notice: a person has forgotten something that can wait until tomorrow. */
  readonly isNotice?: true;
}

const EVERY_MINUTE = { period: Duration.minutes(1) } as const;

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Seconds; longer than the delay after one lost message of any kind. */
const OVERDUE = 10 * MINUTE;

/**
 * The limits of waits. Two ages have no limit and are on graphs only: a delivery waits for hours for a failing
 * endpoint, and an off-ramp waits for its deposit for weeks.
 */
function limitsOf({ payoutHours }: Stage): Readonly<Record<Age, Limit | undefined>> {
  const standsStill = (impact: string, at: string): Limit => ({
    most: OVERDUE,
    description: `${impact} Look at the function ${at}, at its throttles and at its queue.`,
    runbook: 'something-stands-still',
  });
  const forgotten = (what: string, list: string): Limit => ({
    most: 24 * HOUR,
    description: `${what} has waited for a person for a day. Look at the list of operators: npm run ops -- ${list}.`,
    runbook: 'something-was-forgotten',
    isNotice: true,
  });
  return {
    'oldest unpublished event': {
      most: 5 * MINUTE,
      description:
        'Payouts and webhooks receive no events: one is not on the bus after five minutes. Look at the logs of publish-status-changes and publish-overdue-changes, and at the policy of the bus.',
      runbook: 'something-stands-still',
    },
    'longest overdue poll of a deposit': standsStill('A deposit is credited late.', 'match-deposit'),
    'longest overdue poll of a hash': standsStill(
      'A deposit that was found by its hash is credited late.',
      'match-deposit',
    ),
    'longest overdue poll of a pay-in': standsStill('A paid pay-in stays open.', 'settle-open-payins'),
    'longest overdue check of a verification': standsStill('A reported deposit is credited late.', 'check-deposit'),
    'longest overdue delivery': undefined,
    'longest overdue deposit of an off-ramp': undefined,
    'oldest unpaid off-ramp': {
      most: payoutHours * HOUR,
      description: `An off-ramp is not paid out ${payoutHours} hours after the credit of its deposit. Look at the list of operators: npm run ops -- unpaid, and at the payout service.`,
      runbook: 'payouts-are-late',
    },
    'oldest owed deposit': forgotten('A credited deposit of an off-ramp that was not paid out', 'owed'),
    'oldest unmatched deposit': forgotten('A deposit that matches no off-ramp', 'unmatched'),
    'oldest deposit that was taken back': forgotten('A credited deposit that was taken back', 'unmatched'),
    'oldest contradiction': forgotten(
      'An off-ramp with events that contradict each other: its user may have been paid twice, or not at all. It',
      'contradictions',
    ),
    'oldest return that waits for a person': forgotten('The return of a deposit', 'returns'),
    'longest overdue return': standsStill('A deposit whose return is approved is sent back late.', 'send-returns'),
    'oldest mismatched pay-in': forgotten('A pay-in of another amount', 'mismatched'),
  };
}

/**
 * Measures every minute how long work has waited, and alarms on what stands still: a function may do nothing without
 * failing.
 */
export class MeasuredAges extends Construct {
  constructor(scope: Construct, id: string, context: FunctionContext) {
    super(scope, id);
    const { stage } = context;
    const measure = new ServiceFunction(this, context, {
      folder: 'operators/measure-ages',
      tables: { ...usesOfHeads(), clients: ['Query:byName'] },
      memoryMegabytes: 512,
      timeoutSeconds: 30,
      impact: 'No alarm goes off when deposits, payouts or events stand still; clients are not affected otherwise.',
    });
    const namespace = metricsNamespace(stage);
    measure.setting('METRICS_NAMESPACE', namespace);
    new ScheduledFunction(measure, 'Measures how long work has waited.');
    this.#alarmOnItself(measure, namespace);
    for (const [age, limit] of Object.entries(limitsOf(stage))) {
      if (limit === undefined) continue;
      new FailureAlarm(this, capitalized(age), {
        description: limit.description,
        runbook: limit.runbook,
        metric: new Metric({ namespace, metricName: age, ...EVERY_MINUTE, statistic: 'Maximum' }),
        threshold: limit.most,
        periods: { failing: 3, of: 3 },
        callsPeople: !limit.isNotice,
      });
    }
  }

  /**
   * Alarms on the measurement itself: without it, no other age can alarm. One failed minute is followed by another try.
   */
  #alarmOnItself({ log, lambda, impact }: ServiceFunction, namespace: string): void {
    const lines = log.count('NotMeasured', {
      lines: linesWithCode('AGE_NOT_MEASURED'),
      metricName: 'ages not measured',
      countsZeros: true,
    });
    new FailureAlarm(this, 'Unmeasured', {
      description: `${impact} Look at the log of operators/measure-ages for AGE_NOT_MEASURED.`,
      runbook: 'a-function-fails',
      metric: new MathExpression({
        expression: 'FILL(lines, 0) + FILL(errors, 0)',
        usingMetrics: {
          lines: lines.metric({ ...EVERY_MINUTE, statistic: 'Sum' }),
          errors: lambda.metricErrors(EVERY_MINUTE),
        },
        ...EVERY_MINUTE,
        label: 'ages not measured',
      }),
      periods: { failing: 5, of: 5 },
      callsPeople: true,
    });
    const [{ age: metricName }] = measuredIndexes;
    new HeartbeatAlarm(this, 'Unwritten', {
      description: `${impact} Look at the log of operators/measure-ages: its lines with _aws produced no metric.`,
      metric: new Metric({ namespace, metricName, period: Duration.minutes(5), statistic: 'SampleCount' }),
    });
  }
}

/** `oldest unpublished event` becomes `OldestUnpublishedEvent`. */
function capitalized(metric: string): string {
  return metric.replaceAll(/(?:^|\W)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Permissions to query the indexes, but not their tables. */
function usesOfHeads() {
  const tables = [...new Set(measuredIndexes.map(({ table }) => table))];
  const actions = (name: TableName): readonly TableAction[] => [
    ...new Set(measuredIndexes.filter(({ table }) => table === name).map(({ index }): TableAction => `Query:${index}`)),
  ];
  return Object.fromEntries(tables.map((table) => [table, actions(table)]));
}
