import { Duration } from 'aws-cdk-lib';
import type { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type IFilterPattern, type JsonPattern, LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Stage } from '#infra/stage/stages.ts';
import { FailureAlarm, type ReleasesToUndo, type Runbook } from './failure-alarm.ts';
import { removalPolicyOf } from './removal-policy.ts';

/** The metric of 5xx answers to clients that are no fault of the service. */
export const DECLINED_METRIC = 'requests declined';

/** The metric of calls that failed, by the function of the route: the dimension `Route`. */
export const FAILURES_BY_FUNCTION_METRIC = 'routes failures by function';

/** The namespace of all metrics of a stage that are the service's own. */
export function metricsNamespace({ name }: Stage): string {
  return `payin-offramp/${name}`;
}

export interface CountedLines {
  readonly lines: IFilterPattern;
  readonly metricName: string;
  /** Dimensions of the metric: the name that people see, and the `$.field` of the line. */
  readonly by?: Readonly<Record<string, string>>;
  /**
   * Counts other lines as 0, so that the metric can be part of an expression; it then has a price while there are any
   * lines.
   */
  readonly countsZeros?: true;
  /** The `$.field` whose numbers are added up; each line counts as 1 when not given. */
  readonly amount?: string;
}

/** The lines that a person has to look at, as the Lambda runtime writes them in its JSON format. */
export const ERROR_LINES = FilterPattern.stringValue('$.level', '=', 'ERROR');

/** The ERROR lines of routes, without those of failed calls, which their callers have seen. */
export const REPORTED_LINES = FilterPattern.all(
  ERROR_LINES,
  // A line of the runtime itself (a fault of INIT, a time-out) has no code, and must count.
  FilterPattern.any(
    FilterPattern.notExists('$.message.code'),
    FilterPattern.stringValue('$.message.code', '!=', 'REQUEST_FAILED'),
  ),
);

/**
 * A log of the service: its lines are kept for the stage's days, even if the stack is deleted earlier, and lines that
 * need a person are counted.
 */
export class ServiceLog extends LogGroup {
  readonly #namespace: string;

  /** @param logGroupName when another service decides into which group it writes */
  constructor(scope: Construct, id: string, stage: Stage, logGroupName?: string) {
    super(scope, id, {
      retention: stage.logRetentionDays,
      removalPolicy: removalPolicyOf(stage),
      ...(logGroupName !== undefined && { logGroupName }),
    });
    this.#namespace = metricsNamespace(stage);
  }

  /** @param scope in another stack if that of the log has no room for the filter */
  count(
    id: string,
    { lines, metricName, by, countsZeros, amount }: CountedLines,
    scope: Construct = this,
  ): MetricFilter {
    return new MetricFilter(scope, id, {
      logGroup: this,
      filterPattern: lines,
      metricNamespace: this.#namespace,
      metricName,
      ...(by && { dimensions: { ...by } }),
      ...(countsZeros && { defaultValue: 0 }),
      ...(amount !== undefined && { metricValue: amount }),
    });
  }

  /** Alarms at the first such line. @returns the number of lines in a minute */
  alarm(
    id: string,
    counted: Omit<CountedLines, 'by'>,
    alarm: {
      readonly description: string;
      readonly runbook: Runbook;
      readonly callsPeople?: boolean;
      readonly undoesReleases?: ReleasesToUndo;
    },
  ): Metric {
    const metric = this.count(id, counted).metric({ period: Duration.minutes(1), statistic: 'Sum' });
    new FailureAlarm(this, `${id}Alarm`, { ...alarm, metric });
    return metric;
  }
}

/** Lines with one of these codes, of any level. */
export function linesWithCode(code: string, ...others: readonly string[]): JsonPattern {
  const isOf = (one: string) => FilterPattern.stringValue('$.message.code', '=', one);
  return others.length === 0 ? isOf(code) : FilterPattern.any(isOf(code), ...others.map(isOf));
}
