import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { stageNamed } from '#infra/stage/stages.ts';
import { type StageName, synthesise } from '#test/support/synthesised.ts';

const ours = <Schema extends z.ZodMiniType>(stageName: StageName, type: string, schema: Schema) =>
  synthesise(stageName)
    .ofType(`AWS::${type}`, schema)
    .filter(({ path }) => path.startsWith('Access/'));

const metric = z.object({
  MetricName: z.string(),
  Dimensions: z._default(z.array(z.object({ Name: z.string(), Value: z.unknown() })), []),
});
const metrics = z.array(
  z.object({
    Expression: z.optional(z.string()),
    MetricStat: z.optional(z.object({ Metric: metric, Period: z.int(), Stat: z.string() })),
  }),
);
const alarm = z.object({ Metrics: z._default(metrics, []) });

test('good tokens count as refused when clients other than the canary get tokens, and the gateway refuses nine of ten other calls', () => {
  const filter = z.object({ LogGroupName: z.unknown(), FilterPattern: z.string() });
  const filters = ours('prod', 'Logs::MetricFilter', filter);
  const { text } = synthesise('prod');
  expect(filters.map(({ stack, properties }) => [stack, text(properties.LogGroupName)])).toEqual([
    ['operators', '<Clients/AccessLog>'],
    ['operators', '<Clients/AccessLog>'],
  ]);
  expect(filters.map(({ properties }) => properties.FilterPattern)).toEqual([
    '{ (($.route = "/api/v1/client/token") || ($.route = "/api/token")) && ($.status = "200") }',
    '{ ($.route != "/api/v1/client/token") && ($.route != "/api/token") && (($.status = "401") || (($.status = "403") && ($.gatewayError != "-"))) }',
  ]);
  const [refused] = ours('prod', 'CloudWatch::Alarm', alarm).filter(({ path }) => path === 'Access/Refused');
  expect(refused?.properties.Metrics.flatMap(({ Expression }) => Expression ?? [])).toEqual([
    '(issued >= 18) AND (refused >= 10) AND (refused >= 0.9 * (calls - issued - 30))',
  ]);
  const counted = refused?.properties.Metrics.flatMap(({ MetricStat }) => MetricStat ?? []);
  expect(counted?.map(({ Metric, Period, Stat }) => [Metric.MetricName, Period, Stat])).toEqual([
    ['tokens issued', 900, 'Sum'],
    ['calls refused', 900, 'Sum'],
    ['Count', 900, 'SampleCount'],
  ]);
});

test('the certificate of each domain has an alarm 30 days before its end', () => {
  const found = ours('prod', 'CloudWatch::Alarm', alarm).filter(({ path }) => path.endsWith('Certificate'));
  expect(
    found.map(({ properties: { Metrics } }) => [
      ...Metrics.flatMap(({ Expression }) => Expression ?? []),
      ...Metrics.flatMap(({ MetricStat }) => MetricStat?.Metric.Dimensions.map(({ Value }) => Value) ?? []),
    ]),
  ).toEqual(
    Object.values(stageNamed('prod').settings.domains ?? {}).map(({ certificateArn }) => ['days < 30', certificateArn]),
  );
  expect(found).toHaveLength(3);
});

test('staging, which has no domains, has no alarm of a certificate, and the local AWS has none of these alarms', () => {
  expect(ours('staging', 'CloudWatch::Alarm', alarm).map(({ path }) => path)).toEqual(['Access/Refused']);
  expect(ours('local', 'CloudWatch::Alarm', alarm)).toEqual([]);
});
