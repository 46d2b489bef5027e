import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { operatorsPolicy } from '#infra/operators/operators-policy.ts';
import { type Stage, stageNamed } from '#infra/stage/stages.ts';
import { type Synthesised, stageNames, synthesise } from '#test/support/synthesised.ts';

const statement = z.object({
  Effect: z.string(),
  Action: z._default(z.union([z.string(), z.array(z.string())]), []),
  Principal: z.unknown(),
  Condition: z.optional(z.record(z.string(), z.unknown())),
});
type Statement = z.infer<typeof statement>;

const permissionProperties = z.object({
  Action: z.string(),
  FunctionName: z.unknown(),
  Principal: z.string(),
  SourceArn: z.unknown(),
});

const policyDocument = z.object({ PolicyDocument: z.object({ Statement: z.array(statement) }) });

/** Every statement that names a principal, anywhere in the template. */
function statementsOf(service: Synthesised): readonly { path: string; statement: Statement }[] {
  return service.resources.flatMap(({ path, properties }) =>
    statementsWithin(properties).map((found) => ({ path, statement: found })),
  );
}

function statementsWithin(value: unknown): readonly Statement[] {
  if (typeof value !== 'object' || value === null) return [];
  const within = Object.values(value).flatMap(statementsWithin);
  const parsed = statement.safeParse(value);
  return parsed.success && parsed.data.Principal !== undefined ? [parsed.data, ...within] : within;
}

function admitsEverybody({ Effect, Principal }: Statement): boolean {
  return Effect === 'Allow' && /"\*"/.test(JSON.stringify(Principal));
}

function refusesOtherAddresses({ Effect, Principal, Condition }: Statement): boolean {
  const addresses = z.strictObject({
    NotIpAddress: z.strictObject({ 'aws:SourceIp': z.array(z.string()).check(z.minLength(1)) }),
  });
  const everybody = JSON.stringify(Principal) === '{"AWS":"*"}';
  return Effect === 'Deny' && everybody && addresses.safeParse(Condition).success;
}

describe.each(stageNames)('nothing of %s is public:', (stageName) => {
  const service = synthesise(stageName);
  const typesLike = (pattern: RegExp) => service.resources.map(({ type }) => type).filter((type) => pattern.test(type));
  const statements = statementsOf(service);

  test('there are no buckets, function addresses, load balancers or distributions', () => {
    expect(typesLike(/S3::|Lambda::Url|LoadBalanc|CloudFront|EC2::|AppSync|ApiGatewayV2/)).toEqual([]);
  });

  test('no statement admits everybody, except for an API that refuses addresses outside an allowlist', () => {
    expect(statements).not.toEqual([]);
    const admitting = statements.filter((found) => admitsEverybody(found.statement)).map(({ path }) => path);
    expect(admitting).toEqual(stageName === 'prod' ? ['Clients/Api'] : []);
    for (const path of admitting) {
      const refusing = statements.filter((found) => found.path === path && refusesOtherAddresses(found.statement));
      expect(refusing).toHaveLength(1);
    }
  });

  test('queues take messages of rules of the stack, each named by its ARN, and their policies allow nothing else', () => {
    const policies = service.ofType('AWS::SQS::QueuePolicy', policyDocument);
    const allowing = policies.flatMap(({ properties }) =>
      properties.PolicyDocument.Statement.filter(({ Effect }) => Effect !== 'Deny'),
    );
    const ofRule = z.strictObject({ ArnEquals: z.strictObject({ 'aws:SourceArn': z.unknown() }) });
    expect(allowing).not.toEqual([]);
    for (const { Action, Principal, Condition } of allowing) {
      expect([Action].flat()).toContain('sqs:SendMessage');
      expect([Action].flat().filter((action) => !/^sqs:(SendMessage|GetQueue(Attributes|Url))$/.test(action))).toEqual(
        [],
      );
      expect(Principal).toEqual({ Service: 'events.amazonaws.com' });
      const source = service.text(ofRule.parse(Condition).ArnEquals['aws:SourceArn']);
      expect(source).toMatch(/^<((?:Client)?StatusChanges|SimulatedPayouts|Deliveries)\/\w+\/\w+\.Arn>$/);
    }
  });

  test('roles trust Lambda, Step Functions, CodeDeploy where it moves versions, API Gateway to call functions and write its logs, and EventBridge to report the state of keys', () => {
    const trusting = service.ofType(
      'AWS::IAM::Role',
      z.object({ AssumeRolePolicyDocument: z.object({ Statement: z.array(statement) }) }),
    );
    const byGateway = Object.fromEntries(
      ['ApiLogging/Role', 'Clients/Invoker', 'Providers/Invoker', 'Operators/Invoker'].map((path) => [
        path,
        'apigateway.amazonaws.com',
      ]),
    );
    const byStepFunctions = { 'Verification/DepositVerification/Role': 'states.amazonaws.com' };
    const byEventBridge = { 'KeyEndings/EventsRole': 'events.amazonaws.com' };
    const others: Readonly<Record<string, string>> = { ...byGateway, ...byStepFunctions, ...byEventBridge };
    const ofAccount = { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } };
    const trustedBy = (path: string) =>
      path.endsWith('/Live/Role') ? 'codedeploy.amazonaws.com' : (others[path] ?? 'lambda.amazonaws.com');
    expect(trusting).not.toEqual([]);
    for (const { path, properties } of trusting) {
      const trusted = properties.AssumeRolePolicyDocument.Statement.map(({ Principal }) => Principal);
      expect(trusted).toEqual([{ Service: trustedBy(path) }]);
      // Without it, a deployment group in another account could use the role.
      const [{ Condition } = {}] = properties.AssumeRolePolicyDocument.Statement;
      if (path.endsWith('/Live/Role')) expect(Condition).toEqual(ofAccount);
    }
  });

  test('keys are administered by the account and are open to nobody else', () => {
    const keys = service.resources.filter(({ type }) => type === 'AWS::KMS::Key').map(({ path }) => path);
    const ofKeys = statements.filter(({ path, statement: { Effect } }) => keys.includes(path) && Effect === 'Allow');
    expect(keys).toContain('AccessTokenKey');
    expect(ofKeys.map(({ path }) => path).sort()).toEqual(keys.sort());
    const principals = ofKeys.map((found) => z.strictObject({ AWS: z.unknown() }).parse(found.statement.Principal).AWS);
    expect(principals.map((principal) => service.text(principal))).toEqual(
      ofKeys.map(() => 'arn:<AWS::Partition>:iam::<AWS::AccountId>:root'),
    );
  });

  test('functions admit only rules of the stack, each by its ARN in this account; API Gateway calls them with its roles', () => {
    const permissions = service.ofType('AWS::Lambda::Permission', permissionProperties);
    expect(permissions).not.toEqual([]);
    for (const { properties } of permissions) {
      expect(properties.Action).toBe('lambda:InvokeFunction');
      expect(properties.Principal).toBe('events.amazonaws.com');
      expect(service.text(properties.SourceArn)).toMatch(/^<[\w-]+(\/[\w-]+)*\/Every(Minute|Hour)\.Arn>$/);
    }
  });

  test('access logs carry ids and codes, never a query string, a header, a body or a token', () => {
    const stages = service.ofType(
      'AWS::ApiGateway::Stage',
      z.object({
        AccessLogSetting: z.object({ Format: z.string() }),
        MethodSettings: z.array(
          z.object({ DataTraceEnabled: z.boolean(), HttpMethod: z.string(), ResourcePath: z.string() }),
        ),
      }),
    );
    expect(stages).toHaveLength(3);
    for (const { properties } of stages) {
      const logged = Object.values(
        z.record(z.string(), z.string()).parse(JSON.parse(properties.AccessLogSetting.Format)),
      );
      expect(logged).toContain('$context.requestId');
      expect(logged.filter((value) => !/^\$context\.[\w.]+$/.test(value))).toEqual([]);
      expect(
        logged.filter((value) =>
          /path$|header|query|authorizer\.(?!clientId)|identity\.(?!sourceIp|userArn|clientCert\.(?:subjectDN|serialNumber)$)|body|token/i.test(
            value,
          ),
        ),
      ).toEqual(['$context.resourcePath']);
      expect(properties.MethodSettings.filter(({ DataTraceEnabled }) => DataTraceEnabled)).toEqual([]);
    }
  });

  test('queues are encrypted', () => {
    const queues = service.ofType('AWS::SQS::Queue', z.object({ SqsManagedSseEnabled: z.boolean() }));
    expect(queues.map(({ properties }) => properties.SqsManagedSseEnabled)).toEqual(queues.map(() => true));
  });
});

describe.each(['staging', 'prod'] as const)('the queues of %s', (stageName) => {
  const service = synthesise(stageName);

  test('refuse calls without TLS', () => {
    const queues = service.ofType('AWS::SQS::Queue', z.record(z.string(), z.unknown()));
    const refusing = service
      .ofType('AWS::SQS::QueuePolicy', z.extend(policyDocument, { Queues: z.array(z.unknown()) }))
      .filter(({ properties }) =>
        properties.PolicyDocument.Statement.some(
          ({ Effect, Condition }) =>
            Effect === 'Deny' && JSON.stringify(Condition) === '{"Bool":{"aws:SecureTransport":"false"}}',
        ),
      );
    const refused = refusing.flatMap(({ properties }) => properties.Queues.map((queue) => service.text(queue)));
    expect(refused.sort()).toEqual(queues.map(({ path }) => `<${path}>`).sort());
  });
});

describe('decisions 11, who: the API of operators', () => {
  const api = z.object({ Policy: z.optional(z.object({ Statement: z.array(z.record(z.string(), z.unknown())) })) });
  const policyOf = (service: Synthesised) =>
    service.ofType('AWS::ApiGateway::RestApi', api).find(({ path }) => path === 'Operators/Api')?.properties.Policy;

  // For signed calls, an Allow would admit callers in the account whose own policies do not allow the call.
  test('refuses in production all roles except those of the settings, and allows nothing', () => {
    const inAccount = 'arn:aws:iam::111122223333:role/example';
    expect(policyOf(synthesise('prod'))?.Statement).toEqual([
      {
        Effect: 'Deny',
        Principal: { AWS: '*' },
        Action: 'execute-api:Invoke',
        Resource: 'execute-api:/*',
        Condition: {
          ArnNotEquals: {
            'aws:PrincipalArn': [`${inAccount}-operations`, `${inAccount}-finance`, `${inAccount}-break-glass`],
          },
        },
      },
    ]);
  });

  test('refuses all addresses that the settings do not name, where they name some', () => {
    const stage: Stage = { ...stageNamed('staging'), settings: { operatorAddresses: ['192.0.2.0/24'] } };
    expect(operatorsPolicy(stage)?.toJSON().Statement).toMatchObject([
      { Effect: 'Deny', Condition: { NotIpAddress: { 'aws:SourceIp': ['192.0.2.0/24'] } } },
    ]);
    expect(policyOf(synthesise('staging'))).toBeUndefined();
  });
});
