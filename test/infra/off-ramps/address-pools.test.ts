import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { withRealProviders } from '#test/support/real-providers.ts';
import { functionsOf, grantsOf, stageNames, synthesise, synthesiseStage } from '#test/support/synthesised.ts';

const alarm = z.object({
  MetricName: z.optional(z.string()),
  Threshold: z.number(),
  AlarmActions: z.array(z.unknown()),
});

const withStellar = synthesiseStage(withRealProviders());

const fillers = (service: typeof withStellar) =>
  functionsOf(service).filter(({ folder }) => folder.startsWith('off-ramps/fill-'));

describe('decisions 12, addresses: pools are filled by a schedule', () => {
  test('each by the function that has its key, which no function that serves requests has', () => {
    const having = (secret: string) =>
      functionsOf(withStellar).flatMap(({ name, environment }) =>
        environment[`FIREBLOCKS_${secret}`] === undefined ? [] : name,
      );
    expect([having('ADDRESSES'), having('TAGS')]).toEqual([['fill-address-pool'], ['fill-tag-pool']]);
    const reading = grantsOf(withStellar)
      .filter(({ resource }) => /fireblocks\/(?:addresses|tags)/.test(resource))
      .map(({ role, action, resource }) => [role.split('/').at(-2), action, /secret:(.*)$/.exec(resource)?.[1]]);
    expect(reading).toEqual([
      ['fill-address-pool', 'secretsmanager:GetSecretValue', 'fireblocks/addresses-??????'],
      ['fill-tag-pool', 'secretsmanager:GetSecretValue', 'fireblocks/tags-??????'],
    ]);
    const targets = withStellar
      .ofType('AWS::Events::Rule', z.looseObject({ ScheduleExpression: z.optional(z.string()) }))
      .filter(({ path, properties }) => /fill-/.test(path) && properties.ScheduleExpression === 'rate(1 minute)');
    expect(targets).toHaveLength(2);
  });

  test('each by a function that may use only the tables of pools, pause and lease', () => {
    for (const { path } of fillers(withStellar)) {
      const tables = grantsOf(withStellar).flatMap(({ role, resource }) =>
        role === path.replace(/Function$/, 'Role') ? (/<Tables\/(\w+)\.Arn>/.exec(resource)?.[1] ?? []) : [],
      );
      expect([...new Set(tables)].toSorted()).toEqual(['addressPool', 'providerLimits', 'slots']);
    }
  });

  test('only where a network needs them: tags on Stellar alone, and nothing where no custodian has pools', () => {
    expect(fillers(synthesiseStage(withRealProviders(['ETHEREUM']))).map(({ name }) => name)).toEqual([
      'fill-address-pool',
    ]);
    expect(stageNames.flatMap((stageName) => fillers(synthesise(stageName)))).toEqual([]);
  });

  test('and an alarm calls somebody when less than a fifth of a pool is left', () => {
    const alarms = withStellar.ofType('AWS::CloudWatch::Alarm', alarm);
    const [runOut, ...others] = alarms.filter(
      ({ properties }) => properties.MetricName === 'missing deposit addresses',
    );
    expect([runOut?.properties.Threshold, others]).toEqual([81, []]);
    const calling = alarms.find(({ path }) => path === 'PayinSettlement/AnswersNothing');
    expect(runOut?.properties.AlarmActions).toEqual(calling?.properties.AlarmActions);
  });
});
