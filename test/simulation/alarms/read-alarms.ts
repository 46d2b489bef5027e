import * as z from 'zod/mini';
import { createResolve, template } from '#test/simulation/topology/values.ts';

/** A metric, as an alarm reads it. */
export interface MetricShape {
  readonly namespace: string;
  readonly name: string;
  /** `FunctionName=off-ramps/check-deposit`; functions are named by folder. */
  readonly dimensions: string;
  readonly statistic: 'Sum' | 'Maximum' | 'SampleCount';
}

export interface AlarmShape {
  /** The logical id without its hash. */
  readonly name: string;
  /** True if it notifies the on-call topic. */
  readonly calls: boolean;
  readonly periodMinutes: number;
  readonly metrics: Readonly<Record<string, MetricShape>>;
  /** An expression over the names of `metrics`. */
  readonly expression: string;
  readonly threshold: number;
  readonly isBelow: boolean;
  readonly failing: number;
  readonly of: number;
  readonly missingIsBreaching: boolean;
}

/** Counts matching log lines of these functions. */
interface FilterShape {
  readonly folders: readonly string[];
  readonly pattern: string;
  readonly metric: Pick<MetricShape, 'namespace' | 'name' | 'dimensions'>;
  /** The value of a matching line: a number, or the `$.field` that has it. */
  readonly amount: string;
  /** The value of a line that does not match; absent, it is not counted. */
  readonly otherwise: number | undefined;
}

export interface Alarms {
  readonly alarms: readonly AlarmShape[];
  readonly filters: readonly FilterShape[];
}

const dimensions = z._default(z.array(z.object({ Name: z.string(), Value: z.unknown() })), []);
const statistic = z.enum(['Sum', 'Maximum', 'SampleCount']);
const metric = z.object({ Namespace: z.string(), MetricName: z.string(), Dimensions: dimensions });

const onOne = z.object({ ...metric.shape, Period: z.int(), Statistic: statistic });
const onSeveral = z.object({
  Metrics: z.array(
    z.union([
      z.object({ Id: z.string(), MetricStat: z.object({ Metric: metric, Period: z.int(), Stat: statistic }) }),
      z.object({ Expression: z.string() }),
    ]),
  ),
});

const alarm = z.object({
  AlarmActions: z.array(z.unknown()),
  ComparisonOperator: z.enum(['GreaterThanOrEqualToThreshold', 'LessThanThreshold']),
  EvaluationPeriods: z.int(),
  DatapointsToAlarm: z.optional(z.int()),
  Threshold: z.number(),
  TreatMissingData: z.enum(['breaching', 'notBreaching']),
});

const filter = z.object({
  LogGroupName: z.unknown(),
  FilterPattern: z.string(),
  MetricTransformations: z.tuple([
    z.object({
      MetricNamespace: z.string(),
      MetricName: z.string(),
      MetricValue: z.string(),
      DefaultValue: z.optional(z.number()),
      Dimensions: z.optional(z.unknown()),
    }),
  ]),
});

const lambda = z.object({
  Description: z.string(),
  LoggingConfig: z.object({ LogGroup: z.object({ Ref: z.string() }) }),
});

/** Reads a stage's alarms and filters, except those of objectives and of access, which evaluate whole days. */
export function readAlarms({ service, operators }: Readonly<Record<'service' | 'operators', unknown>>): Alarms {
  const { Resources, Outputs } = template.parse(service);
  const watching = Object.entries(template.parse(operators).Resources).filter(([id]) => /^(Ages|Custodian)/.test(id));
  const resources = [...Object.entries(Resources), ...watching];
  const resolve = createResolve(
    new Map(resources),
    new Map(Object.entries(Outputs).map(([id, one]) => [id, one.Value])),
  );
  const ofType = (type: string) => resources.filter(([, { Type }]) => Type === `AWS::${type}`);
  const functions = ofType('Lambda::Function').map(([id, { Properties }]) => {
    const { Description, LoggingConfig } = lambda.parse(Properties);
    return { id, folder: /^\w+ (\S+)\./.exec(Description)?.[1] ?? '', log: LoggingConfig.LogGroup.Ref };
  });
  const dimensionValue = (value: unknown) => {
    const text = JSON.stringify(value);
    const isWhole = text.startsWith('{"Ref"') || text.startsWith('{"Fn::GetStackOutput"');
    return functions.find(({ id }) => isWhole && id === resolve(value))?.folder ?? text.replaceAll('"', '');
  };
  const shapeOf = ({ Namespace, MetricName, Dimensions }: z.infer<typeof metric>) => ({
    namespace: Namespace,
    name: MetricName,
    dimensions: Dimensions.map(({ Name, Value }) => `${Name}=${dimensionValue(Value)}`).join(),
  });
  const watchedBy = (properties: unknown) => {
    const one = onOne.safeParse(properties);
    if (one.success) {
      const watched = { ...shapeOf(one.data), statistic: one.data.Statistic };
      return { periods: [one.data.Period], metrics: { watched }, expression: 'watched' };
    }
    const { Metrics } = onSeveral.parse(properties);
    const measured = Metrics.flatMap((each) => ('MetricStat' in each ? each : []));
    return {
      periods: measured.map(({ MetricStat }) => MetricStat.Period),
      metrics: Object.fromEntries(
        measured.map(({ Id, MetricStat: { Metric, Stat } }) => [Id, { ...shapeOf(Metric), statistic: Stat }]),
      ),
      expression: Metrics.flatMap((each) => ('Expression' in each ? each.Expression : [])).join(),
    };
  };
  return {
    alarms: ofType('CloudWatch::Alarm').map(([id, { Properties }]) => {
      const { periods, ...watched } = watchedBy(Properties);
      const shape = alarm.parse(Properties);
      if (new Set(periods).size !== 1) throw new Error(`${id} looks at several periods.`);
      return {
        ...watched,
        name: id.replace(/[0-9A-F]{8}$/, ''),
        calls: JSON.stringify(shape.AlarmActions).includes('on-call'),
        periodMinutes: (periods[0] ?? 0) / 60,
        threshold: shape.Threshold,
        isBelow: shape.ComparisonOperator === 'LessThanThreshold',
        of: shape.EvaluationPeriods,
        failing: shape.DatapointsToAlarm ?? shape.EvaluationPeriods,
        missingIsBreaching: shape.TreatMissingData === 'breaching',
      };
    }),
    filters: ofType('Logs::MetricFilter').flatMap(([, { Properties }]) => {
      const { LogGroupName, FilterPattern, MetricTransformations } = filter.parse(Properties);
      const [transformation] = MetricTransformations;
      const { MetricNamespace: namespace, MetricName: name, Dimensions } = transformation;
      const { MetricValue: amount, DefaultValue: otherwise } = transformation;
      const folders = functions.flatMap(({ folder, log }) => (log === resolve(LogGroupName) ? folder : []));
      const pattern = FilterPattern.replace(/^\{ (.*) \}$/, '$1');
      return Dimensions ? [] : { folders, pattern, amount, otherwise, metric: { namespace, name, dimensions: '' } };
    }),
  };
}
