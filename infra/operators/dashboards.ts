import { Duration, type Stack } from 'aws-cdk-lib';
import { RestApiBase } from 'aws-cdk-lib/aws-apigateway';
import {
  Alarm,
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IMetric,
  type IWidget,
  Metric,
  SearchExpression,
  SingleValueWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { ServiceAlarm } from '#infra/platform/failure-alarm.ts';
import { metricsNamespace } from '#infra/platform/service-log.ts';
import type { Stage } from '#infra/stage/stages.ts';
import type { DepositStatus } from '#shared/off-ramps/model/deposit.ts';
import type { OperationStatus } from '#shared/off-ramps/model/off-ramp.ts';
import { measuredIndexes } from '#shared/operators/measured-ages.ts';
import type { PayinStatus } from '#shared/pay-ins/pay-in.ts';
import { measuredWaits } from './objectives.ts';

/** Events: the metrics of publish-status-changes, which are named after the type and the status of an event. */
const happened = {
  'Off-ramps': {
    created: 'operation AWAITING_DEPOSIT',
    credited: 'operation PENDING',
    paid: 'operation COMPLETED',
    failed: 'operation FAILED',
  },
  Deposits: {
    detected: 'deposit DETECTED',
    unmatched: 'deposit UNMATCHED',
    'taken back': 'deposit REVERSED',
    'sent back': 'deposit RETURNED',
  },
  'Pay-ins': {
    'created on PSE': 'payin CASHININIT',
    pending: 'payin PENDING',
    completed: 'payin COMPLETED',
    failed: 'payin FAILED',
    expired: 'payin EXPIRED',
  },
} as const satisfies Readonly<
  Record<
    string,
    Readonly<Record<string, `operation ${OperationStatus}` | `deposit ${DepositStatus}` | `payin ${PayinStatus}`>>
  >
>;

const FIVE_MINUTES = Duration.minutes(5);

/** Columns of a dashboard for a widget, and the most alarms of one widget. */
const [ALL, HALF, THIRD, MOST_ALARMS] = [24, 12, 8, 100];

interface DashboardsProps {
  readonly stage: Stage;
  /** The stack of the functions, queues and APIs that they show. */
  readonly service: Stack;
  /** The stacks of the alarms that they show. */
  readonly stacks: readonly Stack[];
}

/**
 * Two pages of CloudWatch: one shows how the money moves and what waits, the other how the machine runs. AWS's metrics
 * of functions, queues and rules are searched by the name of the stage, so that a new one appears by itself.
 */
export class Dashboards extends Construct {
  constructor(scope: Construct, id: string, { stage, service, stacks }: DashboardsProps) {
    super(scope, id);
    // The local AWS has no page that shows dashboards.
    if (stage.name === 'local') return;
    const stack = service.stackName;
    const namespace = metricsNamespace(stage);
    const own = (metricName: string, statistic: string, label = metricName) =>
      new Metric({ namespace, metricName, statistic, period: FIVE_MINUTES, label });
    const counted = Object.entries(happened).map(([title, counts]) =>
      graph(
        title,
        Object.entries(counts).map(([label, metricName]) => own(metricName, 'Sum', label)),
      ),
    );
    const waited = ({ metricName }: (typeof measuredWaits)[keyof typeof measuredWaits], width: number) => {
      const all = ['p50', 'p99', 'Maximum'].map((statistic) => own(metricName, statistic, statistic));
      return graph(`${metricName[0]?.toUpperCase()}${metricName.slice(1)}`, all, width);
    };
    const ages = measuredIndexes.map(({ age }) => age);
    const ofPeople = ages.filter((age) => age.startsWith('oldest') && age !== 'oldest unpublished event');
    const ofWork = ages.filter((age) => !ofPeople.includes(age));
    const numbers = measuredIndexes.flatMap((measured) => ('number' in measured ? [measured.number] : []));
    page(this, 'Money', `${stack}-money`, [
      this.#alarms('Alarms that call people', stacks),
      counted,
      [waited(measuredWaits.credit, HALF), waited(measuredWaits.payout, HALF)],
      [
        graph(
          'Seconds that money waits for people and payouts',
          ofPeople.map((age) => own(age, 'Maximum')),
          16,
        ),
        new SingleValueWidget({
          title: 'Waiting now',
          metrics: numbers.map((name) => own(name, 'Maximum')),
          width: THIRD,
          height: 6,
        }),
      ],
      [
        graph(
          'Seconds that work is overdue',
          ofWork.map((age) => own(age, 'Maximum')),
          ALL,
        ),
      ],
    ]);

    // Words that all names of the stage have: AWS cuts `payin-offramp-prod-service` after 25 characters in names of
    // functions and rules, and finds whole words only.
    const words = stack.replace(/-service$/, '').replaceAll('-', ' ');
    const search = (schema: string, metricName: string, statistic: string) => [
      new SearchExpression({
        expression: `SEARCH('{${schema}} MetricName="${metricName}" ${words}', '${statistic}', 300)`,
        period: FIVE_MINUTES,
        label: '',
      }),
    ];
    const all = service.node.findAll();
    const apis = all.filter((one) => one instanceof RestApiBase);
    const machines = all.filter((one) => one instanceof StateMachine);
    const ofApis = (what: (api: RestApiBase) => IMetric) => apis.map(what);
    const functions = 'AWS/Lambda,FunctionName';
    const executions = { statistic: 'Sum', period: FIVE_MINUTES } as const;
    page(this, 'Machine', `${stack}-machine`, [
      [
        graph(
          'Latency of the APIs, p50',
          ofApis((api) => api.metricLatency({ statistic: 'p50', label: api.restApiName })),
        ),
        graph(
          'Latency of the APIs, p99',
          ofApis((api) => api.metricLatency({ statistic: 'p99', label: api.restApiName })),
        ),
        graph(
          '5xx and calls of the APIs',
          apis.flatMap((api) => [
            api.metricServerError({ label: `5xx ${api.restApiName}` }),
            api.metricCount({ label: `calls ${api.restApiName}` }),
          ]),
        ),
      ],
      [
        graph('Errors of functions', search(functions, 'Errors', 'Sum')),
        graph('Throttles of functions', search(functions, 'Throttles', 'Sum')),
        graph('Milliseconds of functions, p99', search(functions, 'Duration', 'p99')),
      ],
      [
        graph('Functions at the same time', search(functions, 'ConcurrentExecutions', 'Maximum')),
        graph('Age of streams, milliseconds', search(functions, 'IteratorAge', 'Maximum')),
        graph(
          'Verifications',
          machines.flatMap((machine) => [
            machine.metricStarted({ ...executions, label: 'started' }),
            machine.metricSucceeded({ ...executions, label: 'ended' }),
            machine.metricFailed({ ...executions, label: 'failed' }),
            machine.metricThrottled({ ...executions, label: 'throttled' }),
          ]),
        ),
      ],
      [
        graph('Messages that wait', search('AWS/SQS,QueueName', 'ApproximateNumberOfMessagesVisible', 'Maximum')),
        graph(
          'Age of the oldest message, seconds',
          search('AWS/SQS,QueueName', 'ApproximateAgeOfOldestMessage', 'Maximum'),
        ),
        graph(
          'Events that rules could not pass on',
          search('AWS/Events,EventBusName,RuleName', 'FailedInvocations', 'Sum'),
        ),
      ],
      [waited(measuredWaits.firstCall, ALL)],
    ]);
  }

  /** Shows alarms by their names, which need no references between stacks. */
  #alarms(title: string, stacks: readonly Stack[]): readonly IWidget[] {
    const calling = stacks
      .flatMap((stack) => stack.node.findAll())
      .filter((one) => one instanceof ServiceAlarm)
      .filter(({ callsPeople }) => callsPeople)
      .map(({ name }) => Alarm.fromAlarmName(this, name.replaceAll('/', '-'), name));
    const widgets = [];
    for (let from = 0; from < calling.length; from += MOST_ALARMS)
      widgets.push(
        new AlarmStatusWidget({ title, alarms: calling.slice(from, from + MOST_ALARMS), width: ALL, height: 6 }),
      );
    return widgets;
  }
}

function graph(title: string, left: readonly IMetric[], width = THIRD): GraphWidget {
  return new GraphWidget({ title, left: [...left], width, height: 6, leftYAxis: { min: 0 } });
}

function page(scope: Construct, id: string, dashboardName: string, rows: readonly (readonly IWidget[])[]): Dashboard {
  return new Dashboard(scope, id, {
    dashboardName,
    defaultInterval: Duration.hours(12),
    widgets: rows.map((row) => [...row]),
  });
}
