import * as z from 'zod/mini';
import type { Deployed } from '#test/simulation/aws/aws-in-memory.ts';
import { playScript } from '#test/simulation/run/round.ts';
import type { Topology } from '#test/simulation/topology/topology.ts';
import { template } from '#test/simulation/topology/values.ts';
import { createMeter, type Usage } from './meter.ts';
import { gigabyte, monthly, prices } from './prices.ts';
import { type Course, scriptOf } from './scripts.ts';

/** The number played, and the rail's page size. Then twice as many are played, so that shared costs cancel out. */
const MANY = 20;

/** Returns what one more off-ramp or pay-in takes. */
export async function usageOf(deployed: Deployed, course: Course, webhooks: number): Promise<Usage> {
  const [fewer, more] = [
    await played(deployed, course, MANY, webhooks),
    await played(deployed, course, 2 * MANY, webhooks),
  ];
  return new Map([...more].map(([what, units]) => [what, Math.max(0, (units - (fewer.get(what) ?? 0)) / MANY)]));
}

async function played(deployed: Deployed, course: Course, many: number, webhooks: number): Promise<Usage> {
  const { meter, usage } = createMeter(deployed.topology);
  await playScript(deployed, scriptOf(course, many, webhooks), [1], { meter, railPage: MANY });
  return usage;
}

/** Lines of the estimate, in order. */
export const lines = [
  'Writes to tables',
  'Writes to indexes',
  'Reads of tables',
  'Step Functions',
  'Lambda',
  'SQS',
  'EventBridge',
  'KMS',
  'API Gateway and web ACL',
  'Logs',
  'X-Ray',
  'Storage, a month of it',
] as const;

export type Line = (typeof lines)[number];

const GIGABYTE = 1e9;
const perMillion = (line: Line, price: number) => ({ line, dollars: price / 1e6 });

/** The line and the price in dollars of a unit, by the first word of its name. */
const rates: Readonly<Record<string, { readonly line: Line; readonly dollars: number }>> = {
  write: perMillion('Writes to tables', prices.writeUnit),
  index: perMillion('Writes to indexes', prices.writeUnit),
  read: perMillion('Reads of tables', prices.readUnit),
  transition: perMillion('Step Functions', prices.transition),
  call: perMillion('Lambda', prices.call),
  gigabyteSecond: perMillion('Lambda', prices.gigabyteSecond),
  queueRequest: perMillion('SQS', prices.queueRequest),
  event: perMillion('EventBridge', prices.event),
  sign: perMillion('KMS', prices.sign),
  keyUse: perMillion('KMS', prices.keyUse),
  apiRequest: perMillion('API Gateway and web ACL', prices.apiRequest),
  webAclRequest: perMillion('API Gateway and web ACL', prices.webAclRequest),
  logged: { line: 'Logs', dollars: gigabyte.logged / GIGABYTE },
  /** Providers' prices are agreed with them. */
  asked: perMillion('Lambda', 0),
  trace: perMillion('X-Ray', prices.trace),
  stored: { line: 'Storage, a month of it', dollars: gigabyte.stored / GIGABYTE },
};

/** Returns what one off-ramp or pay-in costs, by line. */
export function costOf(usage: Usage): ReadonlyMap<Line, number> {
  const costs = new Map<Line, number>(lines.map((line) => [line, 0]));
  for (const [what, units] of usage) {
    const rate = rates[what.split(' ')[0] ?? ''];
    if (rate === undefined) throw new Error(`Say in estimate.ts what ${what} costs.`);
    costs.set(rate.line, (costs.get(rate.line) ?? 0) + units * rate.dollars);
  }
  return costs;
}

export function total(costs: ReadonlyMap<string, number>): number {
  return [...costs.values()].reduce((sum, dollars) => sum + dollars, 0);
}

/** Sweeps and measures per call: half a gigabyte for a fifth of a second, and reads of their indexes. */
const MINUTES = 30 * 24 * 60;
const SWEEP = (prices.call + 0.1 * prices.gigabyteSecond + 10 * prices.readUnit) / 1e6;

/** Lambda polls an empty queue with five long polls at once, each of 20 seconds. */
const POLLS = 15 * MINUTES;

const ruled = z.object({ Rules: z._default(z.array(z.unknown()), []) });

/** An alarm on an expression has each metric that the expression reads; any other alarm reads one. */
const alarmed = z.object({ Metrics: z.optional(z.array(z.looseObject({ MetricStat: z.optional(z.unknown()) }))) });

function metricsOf(alarm: unknown): number {
  const { Metrics } = alarmed.parse(alarm);
  return Metrics?.filter(({ MetricStat }) => MetricStat !== undefined).length ?? 1;
}

/** Returns what a deployed stage costs a month before anybody calls it. */
export function fixedCosts(
  templates: Readonly<Record<string, unknown>>,
  { everyMinute, queueConsumers }: Topology,
): ReadonlyMap<string, number> {
  const resources = Object.values(templates).flatMap((one) => Object.values(template.parse(one).Resources));
  const ofType = (type: string) => resources.filter(({ Type }) => Type === type);
  const alarmMetrics = ofType('AWS::CloudWatch::Alarm').map(({ Properties }) => metricsOf(Properties));
  const webAcls = ofType('AWS::WAFv2::WebACL').map(({ Properties }) => ruled.parse(Properties).Rules.length);
  return new Map([
    ['Alarms', alarmMetrics.reduce((sum, metrics) => sum + metrics, 0) * monthly.alarmMetric],
    [
      'Metrics of log lines, each in an hour with such lines',
      ofType('AWS::Logs::MetricFilter').length * monthly.metric,
    ],
    ['Dashboards', ofType('AWS::CloudWatch::Dashboard').length * monthly.dashboard],
    ['Keys', ofType('AWS::KMS::Key').length * monthly.key],
    ['Secrets', ofType('AWS::SecretsManager::Secret').length * monthly.secret],
    ['Web ACLs', webAcls.reduce((sum, rules) => sum + monthly.webAcl + rules * monthly.webAclRule, 0)],
    ['Functions called each minute', everyMinute.length * MINUTES * SWEEP],
    ['Polls of empty queues', (queueConsumers.length * POLLS * prices.queueRequest) / 1e6],
  ]);
}
