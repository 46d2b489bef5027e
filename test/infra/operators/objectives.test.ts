import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { sectionOf, textOf } from '#test/support/markdown.ts';
import { type StageName, synthesise } from '#test/support/synthesised.ts';

const ours = <Schema extends z.ZodMiniType>(stageName: StageName, type: string, schema: Schema) =>
  synthesise(stageName)
    .ofType(`AWS::${type}`, schema)
    .filter(({ path }) => path.startsWith('Objectives/'));

const filter = z.object({
  LogGroupName: z.unknown(),
  FilterPattern: z.string(),
  MetricTransformations: z.array(z.record(z.string(), z.unknown())),
});

const metrics = z.array(
  z.object({
    Expression: z.optional(z.string()),
    MetricStat: z.optional(
      z.object({ Metric: z.object({ MetricName: z.string() }), Period: z.int(), Stat: z.string() }),
    ),
  }),
);

const alarm = z.object({ Metrics: z._default(metrics, []) });

describe.each(['staging', 'prod'] as const)('of %s', (stageName) => {
  const { text } = synthesise(stageName);

  test('the seconds that clients wait are metrics of log lines that functions write anyway', () => {
    const measured = ours(stageName, 'Logs::MetricFilter', filter).flatMap(({ stack, properties }) =>
      properties.MetricTransformations.map(({ MetricName, MetricValue }) => [
        stack,
        text(properties.LogGroupName),
        properties.FilterPattern,
        `${MetricName} = ${MetricValue}`,
      ]),
    );
    const inLines = (code: string, field: string) => `{ ($.message.code = "${code}") && ($.message.${field} >= 0) }`;
    const [credit, payout, call] = ['secondsToCredit', 'secondsToPayout', 'secondsToFirstCall'];
    expect(measured).toEqual([
      [
        'operators',
        '<Detection/match-deposit/Logs>',
        inLines('MESSAGE_HANDLED', credit),
        'seconds from finality to credit = $.message.secondsToCredit',
      ],
      [
        'operators',
        '<Verification/check-deposit/Logs>',
        inLines('CALL_DONE', credit),
        'seconds from finality to credit = $.message.secondsToCredit',
      ],
      [
        'operators',
        '<StatusChanges/apply-status-change/Logs>',
        inLines('STATUS_CHANGED', payout),
        'seconds from credit to payout = $.message.secondsToPayout',
      ],
      [
        'operators',
        '<Deliveries/deliver-webhook/Logs>',
        inLines('MESSAGE_HANDLED', call),
        'seconds from event to first call = $.message.secondsToFirstCall',
      ],
    ]);
  });

  const alarms = ours(stageName, 'CloudWatch::Alarm', alarm).map(({ stack, path, properties }) => {
    const [, name = '', rate = ''] = path.split('/');
    return { stack, name, rate, ...properties };
  });

  test('each objective of the page has an alarm that calls a person and one that is a notice', () => {
    const promised = sectionOf(textOf('docs/slo.md'), 'Objectives').match(/^\| [\d.]+ % of/gm) ?? [];
    expect(alarms).toHaveLength(2 * promised.length);
    expect(new Set(alarms.map(({ stack }) => stack))).toEqual(new Set(['operators']));
    expect(alarms.map(({ rate }) => rate)).toEqual(promised.flatMap(() => ['BurnsFast', 'BurnsSlowly']));
  });

  test.each([
    ['Credit', '(late >= 3) AND (late / measured >= 0.144)', '(late >= 3) AND (late / measured >= 0.03)'],
    ['FirstCall', '(late >= 3) AND (late / measured >= 0.0144)', '(late >= 3) AND (late / measured >= 0.003)'],
    [
      'Answers',
      '((failed - FILL(declined, 0)) >= 10) AND ((failed - FILL(declined, 0)) / (calls - refused - FILL(declined, 0)) >= 0.0144)',
      '((failed - FILL(declined, 0)) >= 10) AND ((failed - FILL(declined, 0)) / (calls - refused - FILL(declined, 0)) >= 0.003)',
    ],
    ['Latency', '(slow >= 10) AND (slow / calls >= 0.144)', '(slow >= 10) AND (slow / calls >= 0.03)'],
  ])('%s burns 14.4 times as fast as allowed over an hour, or three times over a day', (name, fast, slow) => {
    const found = alarms.filter((one) => one.name === name).map(({ Metrics }) => Metrics);
    expect(found.map((metrics) => metrics.flatMap(({ Expression }) => Expression ?? []))).toEqual([[fast], [slow]]);
    const periods = found.map((metrics) => new Set(metrics.flatMap(({ MetricStat }) => MetricStat?.Period ?? [])));
    expect(periods).toEqual([new Set([3600]), new Set([24 * 3600])]);
  });

  test.each([
    ['Credit', 'seconds from finality to credit', ['TC(60:)', 'SampleCount']],
    ['FirstCall', 'seconds from event to first call', ['TC(60:)', 'SampleCount']],
    ['Latency', 'Latency', ['TC(3000:)', 'SampleCount']],
  ])('%s counts the values of one metric above its bound, and all values', (name, metricName, statistics) => {
    for (const { Metrics } of alarms.filter((one) => one.name === name)) {
      const stats = Metrics.flatMap(({ MetricStat }) => MetricStat ?? []);
      expect(stats.map(({ Metric, Stat }) => [Metric.MetricName, Stat])).toEqual(
        statistics.map((statistic) => [metricName, statistic]),
      );
    }
  });
});

test('the local AWS, which makes no metrics from log lines, has none of this', () => {
  const all = synthesise('local').resources.map(({ path }) => path);
  expect(all.filter((path) => path.startsWith('Objectives/'))).toEqual([]);
});
