import { Duration } from 'aws-cdk-lib';
import type { RestApiBase } from 'aws-cdk-lib/aws-apigateway';
import { type IMetric, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { FailureAlarm, type Runbook } from '#infra/platform/failure-alarm.ts';
import { ServiceFunction } from '#infra/platform/service-function.ts';
import { DECLINED_METRIC, linesWithCode, metricsNamespace } from '#infra/platform/service-log.ts';
import type { Stage } from '#infra/stage/stages.ts';
import type { MeasuredApi } from './access-alarms.ts';

/** Metrics in seconds: the field that has the value, and the lines that have the field, by function. */
export const measuredWaits = {
  credit: {
    metricName: 'seconds from finality to credit',
    field: 'secondsToCredit',
    lines: { 'off-ramps/match-deposit': 'MESSAGE_HANDLED', 'off-ramps/check-deposit': 'CALL_DONE' },
  },
  payout: {
    metricName: 'seconds from credit to payout',
    field: 'secondsToPayout',
    lines: { 'off-ramps/apply-status-change': 'STATUS_CHANGED' },
  },
  firstCall: {
    metricName: 'seconds from event to first call',
    field: 'secondsToFirstCall',
    lines: { 'webhooks/deliver-webhook': 'MESSAGE_HANDLED' },
  },
} as const;

/** An objective for events of one kind: a share of them may break it. */
interface Objective {
  /** The share of all events that may break it in 30 days. */
  readonly allowed: number;
  /** The sentence about what clients lose, and the one about where to look. */
  readonly impact: string;
  readonly look: string;
  readonly runbook: Runbook;
  /** Fewer failures than this call nobody, whatever their share. */
  readonly least: number;
  /** Over the metrics: how many events break it, and how many there are. */
  readonly broken: string;
  readonly all: string;
  readonly metrics: (period: Duration) => Readonly<Record<string, IMetric>>;
}

/**
 * Multiples of the allowed rate, and the time over which each is measured. At the first, the allowance of 30 days lasts
 * two days.
 */
const rates = [
  { id: 'BurnsFast', times: 14.4, period: Duration.hours(1), callsPeople: true, rate: 'In an hour, 14 times' },
  { id: 'BurnsSlowly', times: 3, period: Duration.days(1), callsPeople: false, rate: 'In a day, three times' },
] as const;

/** Milliseconds after which a call is slow. */
const SLOW_CALL = 3000;

/** @param clients the API that clients call */
function objectivesOf(stage: Stage, clients: RestApiBase): Readonly<Record<string, Objective>> {
  const namespace = metricsNamespace(stage);
  const late = (metricName: string) => ({
    ...{ least: 3, broken: 'late', all: 'measured' },
    metrics: (period: Duration) => ({
      late: new Metric({ namespace, metricName, period, statistic: 'TC(60:)' }),
      measured: new Metric({ namespace, metricName, period, statistic: 'SampleCount' }),
    }),
  });
  return {
    Credit: {
      ...late(measuredWaits.credit.metricName),
      allowed: 0.01,
      impact: 'Deposits are credited more than a minute after their finality.',
      look: 'Look at the lines with secondsToCredit in the logs of match-deposit and check-deposit.',
      runbook: 'deposits-are-credited-late',
    },
    FirstCall: {
      ...late(measuredWaits.firstCall.metricName),
      allowed: 0.001,
      impact: 'Webhooks are called more than a minute after an event.',
      look: 'Look at the lines with secondsToFirstCall in the log of deliver-webhook.',
      runbook: 'webhooks-are-called-late',
    },
    Answers: {
      allowed: 0.001,
      impact: 'Calls of clients are answered with 5xx.',
      look: 'Look at the access log for route, gatewayError and integrationStatus.',
      runbook: 'an-api-fails',
      least: 10,
      // As in the alarms of the API, callers' mistakes count neither as failures nor as calls.
      broken: '(failed - FILL(declined, 0))',
      all: '(calls - refused - FILL(declined, 0))',
      metrics: (period) => ({
        failed: clients.metricServerError({ period, statistic: 'Sum' }),
        refused: clients.metricClientError({ period, statistic: 'Sum' }),
        calls: clients.metricCount({ period, statistic: 'SampleCount' }),
        declined: new Metric({ namespace, metricName: DECLINED_METRIC, period, statistic: 'Sum' }),
      }),
    },
    Latency: {
      allowed: 0.01,
      impact: 'Calls of clients take longer than three seconds.',
      look: 'Look at the access log for the routes whose responseLatency is high.',
      runbook: 'an-api-is-slow',
      least: 10,
      broken: 'slow',
      all: 'calls',
      metrics: (period) => ({
        slow: clients.metricLatency({ period, statistic: `TC(${SLOW_CALL}:)` }),
        calls: clients.metricLatency({ period, statistic: 'SampleCount' }),
      }),
    },
  };
}

interface ObjectivesProps {
  readonly stage: Stage;
  /** The service, whose stack has no room for more resources. */
  readonly service: Construct;
  /** The API that clients call. */
  readonly clients: Pick<MeasuredApi, 'restApi'>;
}

/** The objectives of docs/slo.md, measured by lines that functions write anyway. */
export class Objectives extends Construct {
  constructor(scope: Construct, id: string, { stage, service, clients }: ObjectivesProps) {
    super(scope, id);
    // The local AWS makes no metrics of log lines.
    if (stage.name === 'local') return;
    this.#measure(service);
    for (const [name, objective] of Object.entries(objectivesOf(stage, clients.restApi))) this.#alarm(name, objective);
  }

  /**
   * One alarm if a month's allowance would be used up within days, one if it would be used up before the month ends.
   */
  #alarm(name: string, { allowed, impact, look, runbook, least, broken, all, metrics }: Objective): void {
    const of = new Construct(this, name);
    for (const { id, times, period, callsPeople, rate } of rates) {
      const share = Number((times * allowed).toFixed(4));
      new FailureAlarm(of, id, {
        description: `${impact} ${rate} as many as the objective allows (docs/slo.md). ${look}`,
        runbook,
        metric: new MathExpression({
          expression: `(${broken} >= ${least}) AND (${broken} / ${all} >= ${share})`,
          usingMetrics: metrics(period),
          period,
          label: `${times} times as many as the objective allows`,
        }),
        callsPeople,
      });
    }
  }

  #measure(service: Construct): void {
    const functions = service.node.findAll().filter((one) => one instanceof ServiceFunction);
    for (const { metricName, field, lines } of Object.values(measuredWaits)) {
      for (const [folder, code] of Object.entries(lines)) {
        const writer = functions.find((one) => one.folder === folder);
        if (writer === undefined) throw new Error(`There is no function ${folder} to measure.`);
        const amount = `$.message.${field}`;
        // Only lines of this code: other lines of the same work have the field, too.
        const measured = FilterPattern.all(linesWithCode(code), FilterPattern.numberValue(amount, '>=', 0));
        writer.log.count(`${writer.node.id}-${field}`, { lines: measured, metricName, amount }, this);
      }
    }
  }
}
