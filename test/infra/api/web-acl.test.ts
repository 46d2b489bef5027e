import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { stageNamed } from '#infra/stage/stages.ts';
import { simulatedCustodian } from '#shared/off-ramps/custodians/simulated/simulated-custodian-deployment.ts';
import { simulatedRail } from '#shared/pay-ins/rails/simulated/simulated-rail-deployment.ts';
import { wompiRail } from '#shared/pay-ins/rails/wompi/wompi-deployment.ts';
import { wompiServers } from '#shared/pay-ins/rails/wompi/wompi-settings.ts';
import { appOf, type StageName, synthesise } from '#test/support/synthesised.ts';

const rule = z.object({
  Name: z.string(),
  Priority: z.int(),
  Action: z.unknown(),
  Statement: z.unknown(),
  VisibilityConfig: z.object({
    CloudWatchMetricsEnabled: z.boolean(),
    MetricName: z.string(),
    SampledRequestsEnabled: z.boolean(),
  }),
});
const acl = z.object({
  Name: z.string(),
  Scope: z.string(),
  DefaultAction: z.unknown(),
  // AWS refuses an empty map.
  CustomResponseBodies: z.optional(
    z
      .record(z.string(), z.object({ Content: z.unknown() }))
      .check(z.refine((bodies) => Object.keys(bodies).length > 0)),
  ),
  Rules: z.array(rule),
  VisibilityConfig: z.object({ MetricName: z.string(), SampledRequestsEnabled: z.boolean() }),
});

/** Whether an ACL keeps samples of requests, with headers: of those that match no rule, then of those of each rule. */
const samplesOf = (one: z.infer<typeof acl> | undefined) =>
  one && [one, ...one.Rules].map(({ VisibilityConfig }) => VisibilityConfig.SampledRequestsEnabled);

/** The web ACL of an API, and the resource that its association protects. */
function aclOf(stageName: StageName, api: 'Clients' | 'Providers') {
  const service = synthesise(stageName);
  const found = service.ofType('AWS::WAFv2::WebACL', acl).find(({ path }) => path.startsWith(`${api}/`));
  const associations = service
    .ofType('AWS::WAFv2::WebACLAssociation', z.object({ ResourceArn: z.unknown(), WebACLArn: z.unknown() }))
    .filter(({ path }) => path.startsWith(`${api}/`))
    .map(({ properties }) => [service.text(properties.ResourceArn), service.text(properties.WebACLArn)]);
  return { service, acl: found?.properties, associations };
}

const stageOf = (api: string, stageName: string) =>
  expect.stringMatching(
    new RegExp(`:apigateway:.*::/restapis/<${api}/Api>/stages/<${api}/Api/DeploymentStage.${stageName}>$`),
  );

describe.each(['staging', 'prod'] as const)('decisions 10, callers without a client: tokens in %s', (stageName) => {
  const { service, acl: found, associations } = aclOf(stageName, 'Clients');

  test('are limited for each address, far below what the routes take', () => {
    expect(found?.Rules.map(({ Name }) => Name)).toEqual(['TokensByAddress']);
    const isOf = (SearchString: string) => ({
      ByteMatchStatement: expect.objectContaining({ SearchString, FieldToMatch: { UriPath: {} } }),
    });
    expect(found?.Rules[0]?.Statement).toEqual({
      RateBasedStatement: {
        AggregateKeyType: 'IP',
        Limit: 600,
        EvaluationWindowSec: 60,
        ScopeDownStatement: { OrStatement: { Statements: ['/api/v1/client/token', '/api/token'].map(isOf) } },
      },
    });
  });

  test('are answered 429 above the limit, with the body that a client gets for too many requests', () => {
    const content = service.text(found?.CustomResponseBodies?.['TOO_MANY_REQUESTS']?.Content);
    expect(JSON.parse(content)).toMatchObject({
      type: expect.stringMatching(/^https:.*\/errors\/TOO_MANY_REQUESTS\.html$/),
      status: 429,
      code: 'TOO_MANY_REQUESTS',
      error: 'temporarily_unavailable',
    });
    expect(found?.Rules[0]?.Action).toEqual({
      Block: {
        CustomResponse: {
          ResponseCode: 429,
          CustomResponseBodyKey: 'TOO_MANY_REQUESTS',
          ResponseHeaders: [{ Name: 'Retry-After', Value: '60' }],
        },
      },
    });
  });

  test('are limited by the only web ACL of the API of clients, which lets everything else pass', () => {
    expect(found).toMatchObject({ Scope: 'REGIONAL', DefaultAction: { Allow: {} } });
    expect(associations).toEqual([[stageOf('Clients', stageName), '<Clients/WebAcl/Acl.Arn>']]);
    expect(service.resources.filter(({ type }) => type === 'AWS::WAFv2::WebACL')).toHaveLength(
      stageName === 'prod' ? 2 : 1,
    );
  });
});

test('samples of requests, which have all headers, are kept only for providers: those of clients would contain tokens and secrets', () => {
  expect(samplesOf(aclOf('prod', 'Clients').acl)).toEqual([false, false]);
  expect(samplesOf(aclOf('prod', 'Providers').acl)).toEqual([true, true, true]);
});

test('the local stage has no web ACL', () => {
  expect(synthesise('local').resources.filter(({ type }) => type.startsWith('AWS::WAFv2'))).toEqual([]);
});

describe('decisions 10, callers without a client: notifications in prod', () => {
  const { service, acl: found, associations } = aclOf('prod', 'Providers');
  const fromElsewhere = {
    NotStatement: {
      Statement: {
        OrStatement: {
          Statements: ['IPV4', 'IPV6'].map((family) => ({
            IPSetReferenceStatement: {
              Arn: expect.objectContaining({ 'Fn::GetAtt': [expect.stringContaining(family), 'Arn'] }),
            },
          })),
        },
      },
    },
  };

  test('are let in from the addresses that the settings name, and from no others', () => {
    expect(found?.DefaultAction).toEqual({ Allow: {} });
    expect(found?.Rules.at(-1)).toMatchObject({ Name: 'FromElsewhere', Action: { Block: {} } });
    expect(found?.Rules.at(-1)?.Statement).toEqual(fromElsewhere);
    const sets = service.ofType(
      'AWS::WAFv2::IPSet',
      z.object({ IPAddressVersion: z.string(), Addresses: z.array(z.string()) }),
    );
    expect(sets.map(({ properties }) => properties)).toEqual([
      { IPAddressVersion: 'IPV4', Addresses: ['203.0.113.0/24'] },
      { IPAddressVersion: 'IPV6', Addresses: ['2001:db8:17::/48'] },
    ]);
    expect(associations).toEqual([[stageOf('Providers', 'prod'), '<Providers/WebAcl/Acl.Arn>']]);
  });

  test('are counted apart, before the others, when they are refused and have a signature header of a provider', () => {
    const [first] = found?.Rules ?? [];
    expect(first).toMatchObject({ Name: 'SignedFromElsewhere', Priority: 0, Action: { Block: {} } });
    const hasHeader = (Name: string) => ({
      SizeConstraintStatement: expect.objectContaining({
        ComparisonOperator: 'GT',
        Size: 0,
        FieldToMatch: { SingleHeader: { Name } },
      }),
    });
    expect(first?.Statement).toEqual({
      AndStatement: {
        Statements: [
          fromElsewhere,
          { OrStatement: { Statements: ['custodian-signature', 'rail-signature'].map(hasHeader) } },
        ],
      },
    });
  });

  const alarm = z.object({
    Namespace: z.string(),
    MetricName: z.string(),
    Dimensions: z._default(z.array(z.object({ Name: z.string(), Value: z.unknown() })), []),
    Threshold: z.number(),
    Period: z.int(),
    EvaluationPeriods: z.int(),
    DatapointsToAlarm: z.optional(z.int()),
    TreatMissingData: z.string(),
  });
  const alarmAt = (path: string) =>
    service.ofType('AWS::CloudWatch::Alarm', z.unknown()).find((one) => one.path === path);

  test('call a person when more than twenty are refused in ten minutes, at most once a day', () => {
    const { Dimensions, ...told } = alarm.parse(alarmAt('Providers/SignedFromElsewhere')?.properties);
    expect(told).toEqual({
      Namespace: 'AWS/WAFV2',
      MetricName: 'BlockedRequests',
      Threshold: 21,
      Period: 600,
      EvaluationPeriods: 144,
      DatapointsToAlarm: 1,
      TreatMissingData: 'notBreaching',
    });
    // CloudWatch looks back for a day at most.
    expect(told.Period * told.EvaluationPeriods).toBe(24 * 3600);
    expect(Object.fromEntries(Dimensions.map(({ Name, Value }) => [Name, service.text(Value)]))).toEqual({
      WebACL: found?.VisibilityConfig.MetricName,
      Rule: found?.Rules[0]?.VisibilityConfig.MetricName,
      Region: 'us-east-1',
    });
  });

  test('call a person when they are answered 429', () => {
    const filter = z.object({ FilterPattern: z.string() });
    const filters = service.ofType('AWS::Logs::MetricFilter', filter);
    const throttled = filters.find(({ path }) => path === 'Providers/AccessLog/Throttled');
    expect(throttled?.properties.FilterPattern).toBe('{ $.status = "429" }');
    expect(alarmAt('Providers/AccessLog/ThrottledAlarm')).toBeDefined();
  });
});

describe('decisions 10, callers without a client: providerSources', () => {
  const { providerSources: _, ...settings } = stageNamed('prod').settings;

  test('are required in production as soon as a provider is real', () => {
    const prod = { ...stageNamed('prod'), settings };
    const custodians = { POLYGON: { ...simulatedCustodian, isSimulated: false } };
    const rails = { PSE: { ...simulatedRail, isSimulated: false } };
    for (const real of [{ custodians }, { rails }]) {
      expect(() => appOf({ ...prod, ...real })).toThrow('list them as providerSources');
    }
    expect(() => appOf(prod)).not.toThrow();
  });

  test('are not required of a rail that publishes none: only its own path is open', () => {
    const secrets = { WOMPI_KEYS: 'payments/wompi-keys', WOMPI_EVENTS: 'payments/wompi-events' };
    const prod = { ...stageNamed('prod'), rails: { PSE: wompiRail(wompiServers.production) } };
    expect(() => appOf({ ...prod, settings: { ...settings, secrets } })).not.toThrow();
    const { service } = appOf({ ...prod, settings: { ...prod.settings, secrets } });
    const [rule] = Object.values(Template.fromStack(service).findResources('AWS::WAFv2::WebACL')).flatMap(
      ({ Properties }) => Properties.Rules.filter(({ Name }: { Name: string }) => Name === 'FromElsewhere'),
    );
    const { Statements } = rule.Statement.NotStatement.Statement.OrStatement;
    expect(Statements).toEqual([
      { OrStatement: expect.anything() },
      {
        ByteMatchStatement: {
          SearchString: '/api/payment-rail/notifications/wompi',
          PositionalConstraint: 'ENDS_WITH',
          FieldToMatch: { UriPath: {} },
          TextTransformations: [{ Priority: 0, Type: 'NONE' }],
        },
      },
    ]);
  });

  test('are refused where the simulated providers notify from addresses of AWS', () => {
    const staging = stageNamed('staging');
    const named = { ...staging, settings: { ...staging.settings, providerSources: ['203.0.113.0/24'] } };
    expect(() => appOf(named)).toThrow('leave providerSources out');
  });
});
