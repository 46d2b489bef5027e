import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
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

describe.each(['staging', 'prod'] as const)('of %s', (stageName) => {
  const { text } = synthesise(stageName);

  test('seconds that clients wait are metrics of lines that functions write anyway', () => {
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
});

test('the local AWS, which makes no metrics of lines, has none of it', () => {
  const all = synthesise('local').resources.map(({ path }) => path);
  expect(all.filter((path) => path.startsWith('Objectives/'))).toEqual([]);
});
