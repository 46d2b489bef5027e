import { Duration } from 'aws-cdk-lib';
import type { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { FailureAlarm, StandstillAlarm } from '#infra/platform/failure-alarm.ts';
import type { ServiceFunction } from '#infra/platform/service-function.ts';
import { type CountedLines, linesWithCode } from '#infra/platform/service-log.ts';
import type { Stage } from '#infra/stage/stages.ts';

const NO_ANSWER = 'No deposit is credited while the custodian does not answer; all are credited once it does.';
const ASK_IT =
  "Look at the lines CUSTODIAN_UNAVAILABLE in the logs of check-deposit and match-deposit: cause has the custodian's answer, or the time-out.";

/** Lines, in any log, about a network or asset that the custodian has and the stage does not serve. */
export const ASSETS_NOT_SERVED = { lines: linesWithCode('ASSET_NOT_SERVED'), metricName: 'assets not served' };

/** The functions that ask the custodian about transfers. */
interface Asking {
  readonly checkDeposit: ServiceFunction;
  readonly matchDeposit: ServiceFunction;
}

/** Those that ask the custodian about transfers, and the one that reads its lists. */
export interface AskingCustodian extends Asking {
  readonly reconcileCustodian: ServiceFunction;
}

/**
 * Alarms on a silent custodian. The functions that ask it only count its silence, which is not their fault. Silence
 * undoes no release, so alarms and filters need not be in the stack of these functions.
 */
export class CustodianAlarms extends Construct {
  readonly #asking: Asking;

  constructor(scope: Construct, id: string, { settings }: Stage, { reconcileCustodian, ...asking }: AskingCustodian) {
    super(scope, id);
    this.#asking = asking;
    // The networks of EVM chains are read from nodes.
    if (settings.evm !== undefined) this.#watchNodes(reconcileCustodian);
    const silences = this.#count('CUSTODIAN_UNAVAILABLE', 'custodian unavailable');
    const everyMinute = { period: Duration.minutes(1), statistic: 'Sum' } as const;
    new StandstillAlarm(this, 'AnswersNothing', {
      description: `${NO_ANSWER} At least half of the requests have no answer. ${ASK_IT}`,
      runbook: 'the-custodian-does-not-answer',
      failures: [silences.with(everyMinute)],
      calls: Object.values(asking).map(({ lambda }) => lambda.metricInvocations(everyMinute)),
    });
    new FailureAlarm(this, 'Unavailable', {
      description: `${NO_ANSWER} Ten requests in ten minutes had no answer. ${ASK_IT}`,
      runbook: 'the-custodian-does-not-answer',
      metric: silences.with({ period: Duration.minutes(10) }),
      threshold: 10,
      callsPeople: true,
    });
    // The function asks once a minute for what it could not read before: too seldom for a share of all requests.
    const unlisted = { lines: linesWithCode('CUSTODIAN_UNAVAILABLE'), metricName: 'custodian lists unavailable' };
    new FailureAlarm(this, 'ListsNothing', {
      description:
        "Deposits that are neither notified nor reported are not found: in ten of fifteen minutes a custodian's list, or a network, could not be read. Look at the lines CUSTODIAN_UNAVAILABLE in the log of reconcile-custodian: they name the custodian and the network, and cause has its answer.",
      runbook: 'the-custodian-does-not-answer',
      metric: this.#countIn(reconcileCustodian, 'CUSTODIAN_UNAVAILABLE', unlisted).metric(everyMinute),
      periods: { failing: 10, of: 15 },
      callsPeople: true,
    });
    this.#countIn(reconcileCustodian, 'NotServed', ASSETS_NOT_SERVED);
    new FailureAlarm(this, 'NotServed', {
      description:
        'The custodian reported a transfer that no client waits for: on a network that the stage does not serve, or of an unknown asset to an address that does not belong to the service. Look at the lines ASSET_NOT_SERVED in the logs of the routes, match-deposit and reconcile-custodian, which name network and asset.',
      runbook: 'the-custodian-has-what-is-not-served',
      metric: this.#countIn(asking.matchDeposit, 'NotServed', ASSETS_NOT_SERVED).metric({
        period: Duration.days(1),
        statistic: 'Sum',
      }),
    });
    new FailureAlarm(this, 'NotNotified', {
      description:
        'Deposits are credited late, unreported ones not at all: the custodian did not notify three final transfers within an hour. Look at the access log of the API of providers, and at the custodian for a suspended endpoint.',
      runbook: 'notifications-do-not-arrive',
      metric: this.#count('FOUND_WITHOUT_NOTIFICATION', 'found without notification').with({
        period: Duration.hours(1),
      }),
      threshold: 3,
      callsPeople: true,
    });
  }

  #watchNodes(reconcileCustodian: ServiceFunction): void {
    const disagree = { lines: linesWithCode('NODES_DISAGREE'), metricName: 'nodes disagree' };
    this.#countIn(reconcileCustodian, 'NODES_DISAGREE', disagree);
    new FailureAlarm(this, 'NodesDisagree', {
      description:
        'No deposit of a network is credited: its two nodes disagree about a final block. Look at the lines NODES_DISAGREE in the logs of reconcile-custodian, check-deposit and match-deposit, which name the network or a node, and the block.',
      runbook: 'the-custodian-does-not-answer',
      metric: this.#count('NODES_DISAGREE', 'nodes disagree').with({ period: Duration.minutes(10) }),
      threshold: 3,
      callsPeople: true,
    });
    new FailureAlarm(this, 'NodeBehind', {
      description:
        'Deposits of a network are seen late, or none is credited: the newest block of a node is more than ten minutes old, or its final one more than an hour, for half an hour. Look at the lines NODE_BEHIND in the log of reconcile-custodian, which name the node and the block.',
      runbook: 'the-custodian-does-not-answer',
      metric: this.#countIn(reconcileCustodian, 'NODE_BEHIND', {
        lines: linesWithCode('NODE_BEHIND'),
        metricName: 'nodes behind',
      }).metric({ period: Duration.minutes(5), statistic: 'Sum' }),
      periods: { failing: 6, of: 6 },
      callsPeople: true,
    });
  }

  /** One count over the logs of both functions. */
  #count(code: string, metricName: string): Metric {
    const lines = { lines: linesWithCode(code), metricName, countsZeros: true } as const;
    const { checkDeposit, matchDeposit } = this.#asking;
    this.#countIn(checkDeposit, code, lines);
    return this.#countIn(matchDeposit, code, lines).metric({ statistic: 'Sum' });
  }

  #countIn({ log, node }: ServiceFunction, id: string, lines: CountedLines): MetricFilter {
    return log.count(`${node.id}-${id}`, lines, this);
  }
}
