import { expect, test } from 'vitest';
import { measuredWaits } from '#infra/operators/objectives.ts';
import { stageNamed } from '#infra/stage/stages.ts';
import { measuredIndexes } from '#shared/operators/measured-ages.ts';
import { type StageName, synthesise } from '#test/support/synthesised.ts';

const typeOf = (stageName: StageName, of: string) => synthesise(stageName).resources.filter(({ type }) => type === of);

const pagesOf = (stageName: StageName) =>
  typeOf(stageName, 'AWS::CloudWatch::Dashboard').map(({ properties }) => JSON.stringify(properties));

test.each(['staging', 'prod'] as const)('%s has a page for the money and one for the machine', (stageName) => {
  const [money = '', machine = '', ...others] = pagesOf(stageName);
  expect(others).toEqual([]);
  for (const { age } of measuredIndexes) expect(money).toContain(age);
  for (const { metricName } of [measuredWaits.credit, measuredWaits.payout]) expect(money).toContain(metricName);
  expect(machine).toContain(measuredWaits.firstCall.metricName);
  const alarms = typeOf(stageName, 'AWS::CloudWatch::Alarm');
  const topic = stageNamed(stageName).settings.alarmTopics?.call ?? 'CallTopic';
  const calling = alarms.filter(({ properties }) => JSON.stringify(properties['AlarmActions']).includes(topic));
  // As their rows in docs/operations.md name them.
  const shown = alarms.filter(({ stack, path }) =>
    money.includes(`:alarm:payin-offramp-${stageName}-${stack}/${path}\\"`),
  );
  expect(calling.length).toBeGreaterThan(50);
  expect(new Set(calling.map(({ stack }) => stack))).toEqual(new Set(['service', 'operators']));
  expect(shown.map(({ path }) => path)).toEqual(calling.map(({ path }) => path));
  // CloudWatch searches whole words. In names of functions and rules CloudFormation cuts the stack's name after 25.
  const [searched = '', ...different] = new Set(
    [...machine.matchAll(/SEARCH\([^,]+,[^}]+\} MetricName=\S+ ([^']+)'/g)].map(([, words]) => words),
  );
  expect(different).toEqual([]);
  expect(searched).toBe(`payin offramp ${stageName}`);
  for (const stack of ['service', 'operators'])
    expect(`payin-offramp-${stageName}-${stack}`.slice(0, 25).split('-')).toEqual(
      expect.arrayContaining(searched.split(' ')),
    );
});

test('the local AWS has neither', () => expect(pagesOf('local')).toEqual([]));
