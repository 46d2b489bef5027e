import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { stageNamed } from '#infra/stage/stages.ts';
import { calledArnOf, grantsOf, synthesise, synthesiseStage } from '#test/support/synthesised.ts';

/** Functions of tokens, creation, reported hashes and deposits, and of messages from providers and payouts. */
const withVersions = [
  'Detection/match-deposit',
  'StatusChanges/apply-status-change',
  'Verification/check-deposit',
  'authorize-request',
  'create-payin',
  'create-withdrawal',
  'issue-token',
  'receive-custodian-notification',
  'receive-rail-notification',
  'submit-offramp-hash',
];

/** Functions whose alias moves in steps. */
const moved = { staging: ['Detection/match-deposit', 'Verification/check-deposit'], prod: withVersions };

const aliasProperties = z.object({ Name: z.string(), FunctionName: z.unknown(), FunctionVersion: z.unknown() });
const groupProperties = z.object({
  AlarmConfiguration: z.strictObject({ Enabled: z.literal(true), Alarms: z.array(z.object({ Name: z.unknown() })) }),
  AutoRollbackConfiguration: z.unknown(),
  DeploymentConfigName: z.string(),
});
const alarmProperties = z.object({
  Dimensions: z._default(z.array(z.object({ Name: z.string() })), []),
  Metrics: z._default(z.array(z.unknown()), []),
});

const templateOf = (stage: ReturnType<typeof synthesise>) =>
  z
    .object({
      Resources: z.record(z.string(), z.looseObject({ Type: z.string(), UpdatePolicy: z.optional(z.unknown()) })),
    })
    .parse(JSON.parse(readFileSync(`${stage.outdir}/payin-offramp-${stage.stageName}-service.template.json`, 'utf8')))
    .Resources;

test('the local AWS refuses versions, aliases and CodeDeploy: LiveAlias alone makes them, and the local stage makes none', () => {
  const refused = /^AWS::(Lambda::(Version|Alias)|CodeDeploy::\w+)$/;
  expect(synthesise('local').resources.filter(({ type }) => refused.test(type))).toEqual([]);
  const others = globSync('infra/**/*.ts').filter((file) =>
    /aws-codedeploy'|\bnew (Alias|Version)\b|currentVersion\b|extends Alias/.test(readFileSync(file, 'utf8')),
  );
  expect(others).toEqual(['infra/platform/live-alias.ts']);
});

describe.each(['staging', 'prod'] as const)('the versions of functions of %s', (stageName) => {
  const service = synthesise(stageName);
  const aliases = service.ofType('AWS::Lambda::Alias', aliasProperties);
  const groups = service.ofType('AWS::CodeDeploy::DeploymentGroup', groupProperties);
  const alarms = service.ofType('AWS::CloudWatch::Alarm', alarmProperties);

  test('belong to the functions that issue tokens, create orders and credit deposits', () => {
    expect(aliases.map(({ path }) => path).sort()).toEqual(withVersions.map((path) => `${path}/Live`));
    for (const { path, properties } of aliases) {
      const fn = path.replace(/Live$/, 'Function');
      expect(properties.Name).toBe('live');
      expect(service.text(properties.FunctionName)).toBe(`<${fn}>`);
      expect(service.text(properties.FunctionVersion)).toMatch(`<${fn.replaceAll(/\W/g, '')}CurrentVersion`);
    }
  });

  test('are the only things that callers reach and may call', () => {
    const called = grantsOf(service).filter(({ action }) => action === 'lambda:InvokeFunction');
    const ofCallers = called.filter(({ role }) => /Invoker$|DepositVerification/.test(role));
    const whole = aliases.map(({ path }) => calledArnOf(service, path.replace(/Live$/, 'Function')));
    const functions = withVersions.map((path) => `<${path}/Function.Arn>`);
    const byQueue = ['Detection/match-deposit', 'StatusChanges/apply-status-change'];
    expect(ofCallers.map(({ resource }) => resource)).toEqual(
      expect.arrayContaining(whole.filter((arn) => !byQueue.includes(arn.replace(/^<(.+)\/Live>$/, '$1')))),
    );
    expect(called.filter(({ resource }) => functions.some((one) => resource.startsWith(one)))).toEqual([]);
    const mappings = service
      .ofType('AWS::Lambda::EventSourceMapping', z.object({ FunctionName: z.unknown() }))
      .map(({ properties }) => service.text(properties.FunctionName));
    expect(mappings).toEqual(expect.arrayContaining(byQueue.map((path) => `<${path}/Live>:live`)));
  });

  // Lambda publishes the same code once: a version left behind by a failed deployment would stop the next one.
  test('stay after a release, and go when it fails', () => {
    const versions = service.ofType('AWS::Lambda::Version', z.looseObject({}));
    expect(versions).toHaveLength(withVersions.length);
    expect(new Set(versions.map(({ deletionPolicy }) => deletionPolicy))).toEqual(new Set(['RetainExceptOnCreate']));
  });

  test('move in steps, by the group that has their alarms, and move back on an alarm, a failure or a stop by hand', () => {
    expect(groups.map(({ path }) => path).sort()).toEqual(moved[stageName].map((path) => `${path}/Live/Deployment`));
    for (const { properties } of groups) {
      expect(properties.DeploymentConfigName).toBe('CodeDeployDefault.LambdaCanary10Percent5Minutes');
      expect(properties.AutoRollbackConfiguration).toEqual({
        Enabled: true,
        Events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_ALARM', 'DEPLOYMENT_STOP_ON_REQUEST'],
      });
    }
    const idOf = (path: string) => service.resources.find((one) => one.path === path)?.id;
    const policies = Object.entries(templateOf(service)).flatMap(([id, { UpdatePolicy }]) =>
      UpdatePolicy === undefined ? [] : [[id, UpdatePolicy]],
    );
    expect(Object.fromEntries(policies)).toEqual(
      Object.fromEntries(
        moved[stageName].map((path) => [
          idOf(`${path}/Live`),
          {
            CodeDeployLambdaAliasUpdate: {
              ApplicationName: { Ref: idOf('Releases') },
              DeploymentGroupName: { Ref: idOf(`${path}/Live/Deployment`) },
            },
          },
        ]),
      ),
    );
  });

  test('move back on faults of their function and of the APIs, not on errors that others can cause; AWS takes ten alarms', () => {
    const shared = ['Clients/Failing', 'Providers/Failing'];
    const watched = groups.map(({ path, properties }) => {
      const fn = path.replace('/Live/Deployment', '');
      const names = properties.AlarmConfiguration.Alarms.map(({ Name }) => service.text(Name).slice(1, -1));
      expect(names.length).toBeLessThanOrEqual(10);
      expect(names).toEqual(expect.arrayContaining(shared));
      const own = names.filter((name) => !shared.includes(name));
      expect(own.filter((name) => !name.startsWith(`${fn}/`))).toEqual([]);
      return [fn, own.map((name) => name.slice(fn.length + 1)).sort()];
    });
    // Without Logs/ReportedAlarm of functions that judge deposits and payouts: anybody can send a wrong deposit.
    const ofMessages = ['HandlesNothing', 'ManyUnhandled', 'Thrown', 'Unhandled'];
    const ofRoutes = withVersions.filter((path) => /^(authorize|create|issue|receive|submit)-/.test(path));
    const all: Readonly<Record<string, readonly string[]>> = {
      ...Object.fromEntries(ofRoutes.map((path) => [path, ['Failing']])),
      'Detection/match-deposit': ofMessages,
      'StatusChanges/apply-status-change': ofMessages,
      'Verification/check-deposit': ['Thrown'],
    };
    expect(Object.fromEntries(watched)).toEqual(Object.fromEntries(moved[stageName].map((path) => [path, all[path]])));
  });

  test('are counted together: no alarm watches a single version or alias', () => {
    const dimensions = alarms.map(({ properties }) => JSON.stringify([properties.Dimensions, properties.Metrics]));
    expect(dimensions.filter((one) => /"Name":"(Resource|ExecutedVersion)"/.test(one))).toEqual([]);
  });

  test('are moved by CodeDeploy, each alias by a role that may move no other', () => {
    const movers = grantsOf(service).filter(({ role }) => /\/Live\/Role$/.test(role));
    const allowed = moved[stageName].flatMap((path) => [
      ...[`<${path}/Function.Arn>`, `<${path}/Function.Arn>:live`].flatMap((resource) =>
        ['lambda:GetAlias', 'lambda:GetProvisionedConcurrencyConfig', 'lambda:UpdateAlias'].map(
          (action) => `${path}/Live/Role ${action} ${resource}`,
        ),
      ),
      `${path}/Live/Role cloudwatch:DescribeAlarms *`,
    ]);
    expect(movers.map(({ role, action, resource }) => `${role} ${action} ${resource}`).sort()).toEqual(allowed.sort());
  });
});

test('a route whose versions move in steps has its own alarm, also on failures before its function writes a line: a tenth of its calls is little among all calls', () => {
  const service = synthesise('prod');
  const metrics = z.object({ Metrics: z.array(z.looseObject({ Expression: z.optional(z.string()) })) });
  const [failing] = service.resources.filter(({ path }) => path === 'create-withdrawal/Failing');
  const { Metrics } = metrics.parse(failing?.properties);
  expect(Metrics.flatMap(({ Expression }) => Expression ?? [])).toEqual([
    '(FILL(failed, 0) + errors >= 2) AND (20 * (FILL(failed, 0) + errors) >= calls)',
  ]);
  expect(JSON.stringify(Metrics)).toMatch(/"MetricName":"Errors","Namespace":"AWS\/Lambda"/);
  const dimension = { Name: 'Route', Value: 'create-withdrawal' };
  expect(JSON.stringify(Metrics)).toContain(JSON.stringify(dimension));
  const filters = service.ofType(
    'AWS::Logs::MetricFilter',
    z.object({ MetricTransformations: z.array(z.looseObject({ MetricName: z.string() })) }),
  );
  const counted = filters.flatMap(({ properties }) => properties.MetricTransformations);
  expect(counted.find(({ MetricName }) => MetricName === 'routes failures by function')).toMatchObject({
    Dimensions: [{ Key: 'Route', Value: '$.message.route' }],
  });
});

// An alarm in ALARM would roll back the release that mends it. It also alerts people, so no release removes it.
test('a release at once moves no alias in steps, and is otherwise identical to a release in steps', () => {
  const inSteps = Object.entries(templateOf(synthesise('prod')));
  const withoutSteps = inSteps.map(([id, { UpdatePolicy: _, ...others }]) => [id, others]);
  const atOnce = synthesiseStage(stageNamed('prod'), { release: 'at-once' });
  expect(templateOf(atOnce)).toEqual(Object.fromEntries(withoutSteps));
});
