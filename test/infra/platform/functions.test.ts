import { globSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { endpoints, sandboxEndpoints } from '#infra/api/endpoints.ts';
import { reservedConcurrencyOf } from '#infra/cli/preflight-checks.ts';
import { operatorModules } from '#infra/operators/operator-routes.ts';
import { readParameterLists } from '#infra/parameters/read-parameter-lists.ts';
import { stageNamed, withSettings } from '#infra/stage/stages.ts';
import { networks } from '#shared/networks/network.ts';
import { functionsOf, stageNames, synthesise, synthesiseStage } from '#test/support/synthesised.ts';

const alarmProperties = z.object({
  AlarmDescription: z._default(z.string(), ''),
  // An alarm on an expression has these on each of its metrics instead.
  Namespace: z._default(z.string(), ''),
  MetricName: z._default(z.string(), ''),
  Metrics: z._default(
    z.array(
      z.object({
        Expression: z.optional(z.string()),
        MetricStat: z.optional(
          z.object({
            Metric: z.object({
              Namespace: z.string(),
              MetricName: z.string(),
              Dimensions: z._default(z.array(z.object({ Name: z.string(), Value: z.unknown() })), []),
            }),
            Period: z.int(),
            Stat: z.string(),
          }),
        ),
      }),
    ),
    [],
  ),
  Dimensions: z._default(z.array(z.object({ Name: z.string(), Value: z.unknown() })), []),
  Threshold: z.number(),
  ComparisonOperator: z.string(),
  TreatMissingData: z.string(),
});

const filterProperties = z.object({
  LogGroupName: z.unknown(),
  FilterPattern: z.string(),
  MetricTransformations: z.array(
    z.object({
      MetricNamespace: z.string(),
      MetricName: z.string(),
      Dimensions: z.optional(z.array(z.object({ Key: z.string(), Value: z.string() }))),
      DefaultValue: z.optional(z.number()),
    }),
  ),
});

/** Codes of log lines that are counted apart from the lines of level ERROR, by function. */
const countedBesides: Readonly<Record<string, readonly string[]>> = {
  'apply-client-status': ['MESSAGE_FAILED', 'APPROVAL_IGNORED'],
  'apply-status-change': ['MESSAGE_FAILED'],
  'check-deposit': ['CUSTODIAN_UNAVAILABLE', 'FOUND_WITHOUT_NOTIFICATION'],
  'send-returns': ['CUSTODIAN_UNAVAILABLE', 'RETURN_DROPPED', 'RETURN_HINDERED', 'RETURN_WAITS'],
  'simulate-payout': ['MESSAGE_FAILED'],
  'deliver-webhook': ['DELIVERY_NOT_ATTEMPTED', 'MESSAGE_FAILED', 'WEBHOOK_PAUSED'],
  'fan-out-event': ['MESSAGE_FAILED'],
  'match-deposit': [
    'ASSET_NOT_SERVED',
    'TRANSFER_LEFT_OUT',
    'MESSAGE_FAILED',
    'DEPOSIT_NOT_POLLED',
    'CUSTODIAN_UNAVAILABLE',
    'FOUND_WITHOUT_NOTIFICATION',
  ],
  'measure-ages': ['AGE_NOT_MEASURED'],
  'reconcile-custodian': ['CUSTODIAN_UNAVAILABLE', 'ASSET_NOT_SERVED'],
  'replay-client-events': ['MESSAGE_FAILED'],
  'settle-open-payins': ['CALL_DONE', 'RAIL_UNAVAILABLE', 'PAID_WITHOUT_NOTIFICATION'],
};

/** Seconds after which API Gateway gives up on a function. */
const GATEWAY_TIMEOUT = 29;

const served: readonly string[] = [...endpoints, ...sandboxEndpoints].map(({ contract }) => contract.name);
const ofOperators: readonly string[] = operatorModules.flatMap(({ looksUp, changes }) => [
  basename(looksUp),
  basename(changes),
]);
const answeringGateway = ['authorize-request', ...served, ...ofOperators];

/** Functions that serve routes share one log, and its alarm. */
function sharedLogOf(name: string): string | undefined {
  if (served.includes(name)) return '<RoutesLog>';
  return ofOperators.includes(name) ? '<OperatorsLog>' : undefined;
}

/** Limit in bytes of all names and values together: AWS refuses a function with more. */
const LARGEST_ENVIRONMENT = 4096;

/** Characters: longer than any value of a reference after a deployment, such as a queue's URL or a table's name. */
const LONGEST_REFERENCE = 140;

const joined = z.object({ 'Fn::Join': z.tuple([z.string(), z.array(z.unknown())]) });

function bytesOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  const [, parts] = joined.safeParse(value).data?.['Fn::Join'] ?? ['', undefined];
  return parts === undefined ? LONGEST_REFERENCE : parts.reduce<number>((sum, part) => sum + bytesOf(part), 0);
}

test.each(stageNames)('the environment of every function of %s stays within the limit once deployed', (stageName) => {
  const tooLarge = functionsOf(synthesise(stageName)).filter(({ environment }) => {
    const bytes = Object.entries(environment).reduce((sum, [name, value]) => sum + name.length + bytesOf(value), 0);
    return bytes > LARGEST_ENVIRONMENT;
  });
  expect(tooLarge.map(({ name }) => name)).toEqual([]);
});

/** Production with every token of its list at Fireblocks, by ids of this length. */
function withFireblocks(length: number) {
  const stage = stageNamed('prod');
  const { tokens } = readParameterLists('prod');
  const assetsOf = (network: string) =>
    Object.fromEntries(
      tokens.flatMap(({ token, networks: on }) =>
        network in on ? [[token, `${token}_${network}`.padEnd(length, '_')]] : [],
      ),
    );
  return withSettings(stage, {
    ...stage.settings,
    fireblocks: {
      server: 'us',
      networks: Object.fromEntries(
        networks.map((one) => [one, { baseAsset: one.padEnd(length, '_'), assets: assetsOf(one) }]),
      ),
      ...{ callsPerMinute: 300, unknownHashesPercent: 50, poolSize: 500, stellarVault: '0' },
    },
    secrets: { FIREBLOCKS_READER: 'reader', FIREBLOCKS_ADDRESSES: 'addresses', FIREBLOCKS_TAGS: 'tags' },
  });
}

test('a stage that serves all networks by Fireblocks stays within it, and a stage that does not is refused in a sentence', () => {
  expect(functionsOf(synthesiseStage(withFireblocks(24)))).not.toEqual([]);
  expect(() => synthesiseStage(withFireblocks(50))).toThrow(
    /The settings of off-ramps\/match-deposit have about \d+ bytes, and AWS takes 4096/,
  );
});

test('every function leaves a log line for each of its calls', () => {
  const folders = globSync('functions/*/*/handler.ts').map(dirname);
  const sourceOf = (folder: string) =>
    globSync(`${folder}/*.ts`)
      .map((file) => readFileSync(file, 'utf8'))
      .join('');
  const silent = folders.filter(
    (folder) =>
      !/\b(\w+Endpoint|createRegisterLookup|\w*[rR]egisterCommand|handleEachMessage|logEachCall|createCanary)\(/.test(
        sourceOf(folder),
      ),
  );
  expect(folders.length).toBeGreaterThan(40);
  expect(silent).toEqual([]);
});

test('time limits of calls to AWS are longer only where all of AWS runs on one machine', () => {
  const factors = stageNames.map((stageName) => [
    stageName,
    ...new Set(functionsOf(synthesise(stageName)).map(({ environment }) => environment['AWS_TIME_LIMIT_FACTOR'])),
  ]);
  expect(factors).toEqual([
    ['local', '7'],
    ['staging', undefined],
    ['prod', undefined],
  ]);
});

test('reserves as much of the account’s concurrency as preflight asks for', () => {
  const reserving = synthesise('prod').ofType(
    'AWS::Lambda::Function',
    z.object({ ReservedConcurrentExecutions: z._default(z.int(), 0) }),
  );
  const sum = reserving.reduce((all, { properties }) => all + properties.ReservedConcurrentExecutions, 0);
  expect(sum).toBeGreaterThan(300);
  expect(reservedConcurrencyOf(stageNamed('prod').settings)).toBe(sum);
});

describe.each(stageNames)('every function of %s', (stageName) => {
  const service = synthesise(stageName);
  const functions = functionsOf(service);
  const names = functions.map(({ name }) => name);
  const alarms = service.ofType('AWS::CloudWatch::Alarm', alarmProperties);
  const filters = service
    .ofType('AWS::Logs::MetricFilter', filterProperties)
    // These measure the service as a whole: test/infra/operators/objectives.test.ts.
    .filter(({ path }) => !path.startsWith('Objectives/'));

  test('runs Node 24 on ARM', () => {
    expect(names).not.toEqual([]);
    expect(functions.map(({ properties }) => [properties.Runtime, properties.Architectures])).toEqual(
      names.map(() => ['nodejs24.x', ['arm64']]),
    );
  });

  test('is traced if the call that led to it is traced', () => {
    expect(functions.map(({ properties }) => properties.TracingConfig.Mode)).toEqual(names.map(() => 'PassThrough'));
  });

  test('logs JSON, into one log when it serves a route, into that of operators, or into one of its own', () => {
    const logging = functions.map(({ properties }) => properties.LoggingConfig);
    expect(logging.map(({ LogFormat }) => LogFormat)).toEqual(names.map(() => 'JSON'));
    expect(logging.map(({ SystemLogLevel }) => SystemLogLevel)).toEqual(names.map(() => 'WARN'));
    expect(logging.map(({ LogGroup }) => service.text(LogGroup))).toEqual(
      functions.map(({ name, path }) => sharedLogOf(name) ?? `<${path.replace(/\/Function$/, '/Logs')}>`),
    );
  });

  test('says on which stage it is, from which folder it comes and what clients lose while it fails', () => {
    const says = (name: string) => new RegExp(`^${stageName} [a-z-]+/${name}\\. While it fails: [A-Z].+\\.$`);
    const descriptions = functions.map(({ properties }) => properties.Description);
    expect(descriptions).toEqual(names.map((name) => expect.stringMatching(says(name))));
    // AWS takes at most 256 characters.
    expect(descriptions.filter(({ length }) => length > 256)).toEqual([]);
  });

  test('that answers API Gateway ends before API Gateway gives up on it', () => {
    const answering = functions.filter(({ name }) => answeringGateway.includes(name));
    expect(answering).not.toEqual([]);
    expect(answering.filter(({ properties }) => properties.Timeout >= GATEWAY_TIMEOUT)).toEqual([]);
  });

  // An authorizer refuses by throwing. API Gateway distinguishes that from a fault of its code, start or time limit.
  test('that authorizes calls has one alarm, on what API Gateway calls its failures', () => {
    const counted = filters.filter(
      ({ properties }) => properties.FilterPattern === '{ $.gatewayError = "AUTHORIZER_*" }',
    );
    expect(counted.map(({ properties }) => service.text(properties.LogGroupName))).toEqual(['<Clients/AccessLog>']);
    const [metric] = counted.flatMap(({ properties }) => properties.MetricTransformations);
    const onThem = alarms.filter(({ properties }) => properties.MetricName === metric?.MetricName);
    expect(onThem.map(({ path }) => path)).toEqual(['authorize-request/Failing']);
    expect(alarms.filter(({ path }) => path.startsWith('authorize-request/'))).toEqual(onThem);
  });

  test.each(functions.filter(({ name }) => sharedLogOf(name) === undefined && name !== 'authorize-request'))(
    'that serves no route has an alarm on its errors and one on its ERROR lines: $name',
    ({ path, name }) => {
      const log = `<${path.replace(/\/Function$/, '/Logs')}>`;
      const onErrors = alarms
        .filter(({ properties }) => properties.MetricName !== 'Invocations')
        .filter(({ properties }) =>
          properties.Dimensions.some(
            ({ Name, Value }) => Name === 'FunctionName' && service.text(Value) === `<${path}>`,
          ),
        );
      const errorLines = filters.filter(({ properties }) => service.text(properties.LogGroupName) === log);
      const counted = errorLines.slice(0, 1).flatMap(({ properties }) => properties.MetricTransformations);
      const onLines = alarms.filter(({ properties }) =>
        counted.some((to) => to.MetricNamespace === properties.Namespace && to.MetricName === properties.MetricName),
      );
      expect(onErrors.map(({ properties }) => properties.MetricName)).toEqual(['Errors']);
      const [reported, ...others] = errorLines.map(({ properties }) => properties.FilterPattern);
      expect(reported).toBe('{ $.level = "ERROR" }');
      const codes = others.map((pattern) =>
        [...pattern.matchAll(/\$\.message\.code = "(\w+)"/g)].map(([, code]) => code),
      );
      expect(codes.flat().toSorted()).toEqual(countedBesides[name]?.toSorted() ?? []);
      expect(onLines).toHaveLength(1);
    },
  );

  test('that serves a route shares its alarms with the others: ERROR lines, those that no caller saw, clients that probe, daily limits; declined calls are counted without an alarm', () => {
    const errorLines = filters.filter(({ properties }) => service.text(properties.LogGroupName) === '<RoutesLog>');
    expect(errorLines.map(({ properties }) => properties.FilterPattern)).toEqual([
      '{ $.level = "ERROR" }',
      '{ ($.level = "ERROR") && (($.message.code NOT EXISTS) || ($.message.code != "REQUEST_FAILED")) }',
      '{ $.message.code = "MANY_REPORTS_REFUSED" }',
      // A client's used-up limit raises a notice by its own log line (decisions.md 10, Costly calls).
      '{ $.message.code = "DAILY_LIMIT_USED" }',
      '{ $.message.code = "ASSET_NOT_SERVED" }',
      // Counted by function for the alarms of a release: test/infra/platform/live-alias.test.ts.
      '{ $.message.code = "REQUEST_FAILED" }',
      '{ $.message.code = "REQUEST_DECLINED" }',
    ]);
    const counted = errorLines.flatMap(({ properties }) => properties.MetricTransformations);
    const onThem = counted.map(({ MetricName }) =>
      alarms.filter(({ properties }) => properties.MetricName === MetricName),
    );
    expect(onThem.map(({ length }) => length)).toEqual([1, 1, 1, 1, 1, 0, 0]);
    expect(counted.at(6)).toMatchObject({ MetricName: 'requests declined', DefaultValue: 0 });
  });

  test('of operators shares one alarm with the others, on the ERROR lines of their log', () => {
    const errorLines = filters.filter(({ properties }) => service.text(properties.LogGroupName) === '<OperatorsLog>');
    expect(errorLines.map(({ properties }) => properties.FilterPattern)).toEqual(['{ $.level = "ERROR" }']);
    const [counted] = errorLines.flatMap(({ properties }) => properties.MetricTransformations);
    expect(alarms.filter(({ properties }) => properties.MetricName === counted?.MetricName)).toHaveLength(1);
  });
});

describe.each(stageNames)('an answer with 5xx in %s', (stageName) => {
  const service = synthesise(stageName);
  const alarms = service.ofType('AWS::CloudWatch::Alarm', alarmProperties);
  const filters = service
    .ofType('AWS::Logs::MetricFilter', filterProperties)
    // These count no failures of the service: test/infra/operators/access-alarms.test.ts.
    .filter(({ path }) => !path.startsWith('Access/'));

  test.each(['Clients', 'Providers'] as const)(
    'by the API %s raises an alarm, and is counted by route for the people who look into it',
    (api) => {
      const counts = filters
        .filter(({ properties }) => service.text(properties.LogGroupName) === `<${api}/AccessLog>`)
        .map(({ properties }) => properties);
      const others = { Clients: '{ $.gatewayError = "AUTHORIZER_*" }', Providers: '{ $.status = "429" }' };
      expect(counts.map(({ FilterPattern }) => FilterPattern)).toEqual([
        '{ $.status = "5*" }',
        '{ $.status = "5*" }',
        others[api],
      ]);
      const [all, byRoute] = counts.flatMap(({ MetricTransformations }) => MetricTransformations);
      expect(all?.Dimensions).toBeUndefined();
      expect(byRoute?.Dimensions).toEqual([
        { Key: 'Method', Value: '$.method' },
        { Key: 'Route', Value: '$.route' },
      ]);
      const onCount = (name: string | undefined) => alarms.filter(({ properties }) => properties.MetricName === name);
      expect(onCount(all?.MetricName).map(({ properties }) => properties.Dimensions)).toEqual([[]]);
      expect(onCount(byRoute?.MetricName)).toEqual([]);
    },
  );

  const ofClients = '(failed - FILL(declined, 0))';
  const declined = { Namespace: `payin-offramp/${stageName}`, MetricName: 'requests declined', Dimensions: [] };
  // Errors of callers are on neither side of the ratio: a flood of them would hide that the other calls fail.
  test.each([
    ['Clients', ofClients, '(calls - refused - FILL(declined, 0))', [{ Metric: declined, Period: 900, Stat: 'Sum' }]],
    ['Providers', 'failed', '(calls - refused)', []],
  ])(
    'by the API %s raises another alarm at three or more in 15 minutes that are half of the answers, or ten or more that are a fiftieth; decisions 10, Conflicts: errors that a client can cause do not count',
    (api, failed, answered, others) => {
      const [failing] = alarms.filter(({ path }) => path === `${api}/Failing`).map(({ properties }) => properties);
      // The local AWS refuses an alarm on several metrics.
      if (stageName === 'local') return expect(failing).toBeUndefined();
      expect(failing?.Metrics.flatMap(({ Expression }) => Expression ?? [])).toEqual([
        `(${failed} >= 3 AND 2 * ${failed} >= ${answered}) OR (${failed} >= 10 AND 50 * ${failed} >= ${answered})`,
      ]);
      const Dimensions = [{ Name: 'ApiName', Value: `payin-offramp-${stageName}-service-${api.toLowerCase()}` }];
      const metric = (MetricName: string) => ({ Namespace: 'AWS/ApiGateway', MetricName, Dimensions });
      expect(failing?.Metrics.flatMap(({ MetricStat }) => MetricStat ?? [])).toEqual([
        { Metric: metric('5XXError'), Period: 900, Stat: 'Sum' },
        { Metric: metric('4XXError'), Period: 900, Stat: 'Sum' },
        { Metric: metric('Count'), Period: 900, Stat: 'SampleCount' },
        ...others,
      ]);
      const apis = service.ofType('AWS::ApiGateway::RestApi', z.object({ Name: z.string() }));
      expect(apis.find(({ path }) => path === `${api}/Api`)?.properties.Name).toBe(Dimensions[0]?.Value);
    },
  );

  test('is in the access log with the fields that are counted by, as texts', () => {
    const stages = service.ofType(
      'AWS::ApiGateway::Stage',
      z.object({ AccessLogSetting: z.object({ Format: z.string() }) }),
    );
    expect(stages).toHaveLength(3);
    for (const { properties } of stages) {
      expect(JSON.parse(properties.AccessLogSetting.Format)).toMatchObject({
        requestId: '$context.requestId',
        extendedRequestId: '$context.extendedRequestId',
        xrayTraceId: '$context.xrayTraceId',
        status: '$context.status',
        method: '$context.httpMethod',
        route: '$context.resourcePath',
        // decisions 1, production: the client certificate of the call.
        certificateSubject: '$context.identity.clientCert.subjectDN',
        certificateSerial: '$context.identity.clientCert.serialNumber',
      });
    }
  });
});

describe.each(stageNames)('every log group of %s', (stageName) => {
  const days = { local: 1, staging: 30, prod: 365 }[stageName];

  test(`is kept for ${days} days`, () => {
    const groups = synthesise(stageName).ofType('AWS::Logs::LogGroup', z.object({ RetentionInDays: z.int() }));
    expect(groups).not.toEqual([]);
    expect(new Set(groups.map(({ properties }) => properties.RetentionInDays))).toEqual(new Set([days]));
  });

  test(`${stageName === 'local' ? 'goes with' : 'outlives'} its stack, unless the stack was never created`, () => {
    const groups = synthesise(stageName).ofType('AWS::Logs::LogGroup', z.looseObject({}));
    const policy = stageName === 'local' ? 'Delete' : 'RetainExceptOnCreate';
    expect(new Set(groups.map(({ deletionPolicy }) => deletionPolicy))).toEqual(new Set([policy]));
  });

  test('of the state machine has a name under /aws/vendedlogs, which needs no policy, with the id of its stack', () => {
    const service = synthesise(stageName);
    const named = service
      .ofType('AWS::Logs::LogGroup', z.object({ LogGroupName: z.optional(z.unknown()) }))
      .filter(({ path }) => path === 'Verification/Executions');
    const guid = '{"Fn::Select":[2,{"Fn::Split":["/",{"Ref":"AWS::StackId"}]}]}';
    expect(named.map(({ properties }) => service.text(properties.LogGroupName))).toEqual([
      `/aws/vendedlogs/states/payin-offramp-${stageName}-service-${guid}`,
    ]);
  });
});

describe.each(stageNames)('every API of %s', (stageName) => {
  const service = synthesise(stageName);

  test('that logs is deployed after the account allows API Gateway to log, because a new account does not', () => {
    const stages = service.ofType('AWS::ApiGateway::Stage', z.record(z.string(), z.unknown()));
    const accounts = service.ofType('AWS::ApiGateway::Account', z.object({ CloudWatchRoleArn: z.unknown() }));
    expect(accounts.map(({ properties }) => service.text(properties.CloudWatchRoleArn))).toEqual([
      '<ApiLogging/Role.Arn>',
    ]);
    expect(stages.map(({ path }) => path)).toHaveLength(3);
    // The stack of the operators is deployed after that of the service.
    expect(stages.filter(({ stack }) => stack !== 'service').map(({ stack }) => stack)).toEqual(['operators']);
    for (const { dependsOn } of stages.filter(({ stack }) => stack === 'service')) {
      expect(dependsOn).toEqual(expect.arrayContaining(accounts.map(({ path }) => path)));
    }
  });

  test('writes its execution log into a group of the stack, which keeps it for a limited time', () => {
    const groups = service
      .ofType('AWS::Logs::LogGroup', z.object({ LogGroupName: z.optional(z.unknown()) }))
      .filter(({ path }) => path.endsWith('/ExecutionLog'));
    expect(groups.map(({ path, properties }) => [path, service.text(properties.LogGroupName)])).toEqual(
      ['Providers', 'Clients', 'Operators'].map((api) => [
        `${api}/ExecutionLog`,
        `API-Gateway-Execution-Logs_<${api}/Api>/${stageName}`,
      ]),
    );
    const stages = service.ofType('AWS::ApiGateway::Stage', z.looseObject({}));
    expect(stages.map(({ dependsOn }) => dependsOn)).toEqual(groups.map(({ path }) => expect.arrayContaining([path])));
  });

  test('leaves that permission in the account when the stack is deleted, because other APIs may need it', () => {
    const kept = service.resources.filter(({ path }) => path.startsWith('ApiLogging/'));
    expect(kept.length).toBeGreaterThanOrEqual(2);
    expect(kept.filter(({ deletionPolicy }) => deletionPolicy !== 'Retain')).toEqual([]);
  });
});

describe.each(stageNames)('every alarm of %s', (stageName) => {
  const service = synthesise(stageName);
  const alarms = service.ofType('AWS::CloudWatch::Alarm', alarmProperties);

  test.each(alarms)('says what clients lose and where to look: $path', ({ properties }) => {
    const sentences = properties.AlarmDescription.match(/[A-Z][^.]{15,}\.(?= |$)/g) ?? [];
    expect(sentences.length).toBeGreaterThanOrEqual(2);
    expect(sentences[0]).toMatch(/client|deposit|verification|off-ramp|pay-in|webhook/i);
    expect(sentences.slice(1).join(' ')).toMatch(/Look at the /);
  });

  test.each(alarms)('does not go off for lack of data, unless it watches for that: $path', ({ path, properties }) => {
    const isOnCalls = /\/(NotRunning|Unwritten)$/.test(path);
    const isOnReports = /^Canary\/(OffRamp)?Failing$/.test(path);
    expect(properties.TreatMissingData).toBe(isOnCalls || isOnReports ? 'breaching' : 'notBreaching');
    expect(properties.ComparisonOperator).toBe(isOnCalls ? 'LessThanThreshold' : 'GreaterThanOrEqualToThreshold');
  });

  /** Alarms for which one failure is no standstill yet. */
  const patient =
    /\/(Waiting|NotRunning|ManyUnhandled|Unavailable|NotNotified|SignedFromElsewhere)$|^Ages\/(Oldest|Longest)/;

  test.each(alarms.filter(({ path }) => !patient.test(path)))(
    'goes off at the first failure, or when its expression computes one: $path',
    ({ properties }) => {
      expect(properties.Threshold).toBe(1);
    },
  );

  test('every sweep has an alarm that goes off when the sweep is not called', () => {
    const rules = service.ofType('AWS::Events::Rule', z.object({ ScheduleExpression: z.optional(z.string()) }));
    const swept = rules
      .filter(({ properties }) => properties.ScheduleExpression === 'rate(1 minute)')
      .map(({ path }) => path);
    const onCalls = alarms.filter(({ properties }) => properties.MetricName === 'Invocations');
    expect(onCalls.map(({ path }) => path.replace(/NotRunning$/, 'EveryMinute')).sort()).toEqual(swept.sort());
    for (const { path, properties } of onCalls) {
      const called = `<${path.replace(/NotRunning$/, 'Function')}>`;
      expect(properties.Dimensions.map(({ Value }) => service.text(Value))).toEqual([called]);
    }
  });

  test('every work queue has an alarm that goes off when its oldest message has waited for half an hour', () => {
    const mapped = service
      .ofType('AWS::Lambda::EventSourceMapping', z.object({ EventSourceArn: z.unknown() }))
      .map(({ properties }) => service.text(properties.EventSourceArn))
      .filter((source) => source.includes('/Queue.Arn'));
    const onAge = alarms.filter(({ properties }) => properties.MetricName === 'ApproximateAgeOfOldestMessage');
    const watched = onAge.map(({ properties }) => service.text(properties.Dimensions[0]?.Value));
    expect(watched.map((name) => name.replace('.QueueName', '.Arn')).sort()).toEqual(mapped.sort());
    expect(new Set(onAge.map(({ properties }) => properties.Threshold))).toEqual(new Set([1800]));
  });

  test('watches only metrics of this stage, never of another', () => {
    const others = stageNames.filter((other) => other !== stageName).map((other) => `payin-offramp/${other}`);
    expect(alarms.filter(({ properties }) => others.includes(properties.Namespace))).toEqual([]);
  });
});
