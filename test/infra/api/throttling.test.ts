import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { stageNamed, withSettings } from '#infra/stage/stages.ts';
import { apiBodiesOf, routesOf } from '#test/support/api-body.ts';
import { withRealProviders } from '#test/support/real-providers.ts';
import {
  type StageName,
  type Synthesised,
  stageNames,
  synthesise,
  synthesiseStage,
} from '#test/support/synthesised.ts';

const stageProperties = z.object({
  MethodSettings: z.array(
    z.object({
      HttpMethod: z.string(),
      ResourcePath: z.string(),
      ThrottlingRateLimit: z.number(),
      ThrottlingBurstLimit: z.number(),
      MetricsEnabled: z.boolean(),
      LoggingLevel: z.string(),
    }),
  ),
});

const limits = { local: [10_000, 5000], staging: [50, 100], prod: [500, 1000] } as const;

test.each(stageNames)(
  'requests per second and burst of every route of all APIs of %s are those of the stage',
  (stageName) => {
    const apis = synthesise(stageName).ofType('AWS::ApiGateway::Stage', stageProperties);
    const all = apis.map(({ properties }) =>
      properties.MethodSettings.filter(({ ResourcePath }) => ResourcePath === '/*'),
    );
    expect(all).toHaveLength(3);
    for (const settings of all) {
      expect(settings.map((one) => [one.HttpMethod, one.ThrottlingRateLimit, one.ThrottlingBurstLimit])).toEqual([
        ['*', ...limits[stageName]],
      ]);
    }
  },
);

/** Routes with which one caller could use up the account's limit, with the most requests that they need. */
const single = {
  'POST /api/v1/client/token': [300, 600],
  'POST /api/token': [300, 600],
  'POST /api/webhooks/{clientId}': [10, 50],
  'PATCH /api/webhooks/{clientId}/{webhook_id}': [10, 50],
  'POST /api/webhooks/{clientId}/{webhook_id}/test': [2, 10],
  'GET /api/v1/events': [100, 200],
  ...Object.fromEntries(
    ['GET', 'HEAD', 'OPTIONS'].flatMap((method) => [
      [`${method} /api/openapi.json`, [10, 40]],
      // A page of the guides takes about ten calls.
      [`${method} /api/docs`, [25, 100]],
      [`${method} /api/docs/{file+}`, [25, 100]],
    ]),
  ),
  'POST /api/custodian/notifications': [500, 1000],
  'POST /api/custodian/notifications/{custodian}': [500, 1000],
  'POST /api/custodian/notifications/simulated': [500, 1000],
  'POST /api/payment-rail/notifications': [500, 1000],
  'POST /api/payment-rail/notifications/{rail}': [500, 1000],
  'POST /api/payment-rail/notifications/simulated': [500, 1000],
};

/** Requests per second and burst of each route, by `{method} {path}`. */
function limitsOfRoutes(service: Synthesised) {
  const settings = service
    .ofType('AWS::ApiGateway::Stage', stageProperties)
    .flatMap(({ properties }) => properties.MethodSettings.filter(({ ResourcePath }) => ResourcePath !== '/*'));
  const pathOf = (path: string) => (service.stageName === 'local' ? path : path.slice(1).replaceAll('~1', '/'));
  const limited = settings.map(({ HttpMethod, ResourcePath, ThrottlingRateLimit, ThrottlingBurstLimit }) => [
    `${HttpMethod} ${pathOf(ResourcePath)}`,
    [ThrottlingRateLimit, ThrottlingBurstLimit] as const,
  ]);
  const measured = settings.map(({ MetricsEnabled, LoggingLevel }) => `${MetricsEnabled} ${LoggingLevel}`);
  return { limits: Object.fromEntries(limited), measured: new Set(measured) };
}

test.each(stageNames)('single routes of %s have limits of their own', (stageName) => {
  const { limits: found, measured } = limitsOfRoutes(synthesise(stageName));
  expect(found).toEqual(single);
  expect(measured).toEqual(new Set(['false ERROR']));
});

test('decisions 10, callers without a client: notifications of one provider do not use up the limit of another', () => {
  const service = synthesiseStage(withRealProviders(['ETHEREUM']));
  const { limits: found } = limitsOfRoutes(service);
  const paths = [
    ...['simulated', 'fireblocks'].map((name) => `/api/custodian/notifications/${name}`),
    '/api/payment-rail/notifications/wompi',
  ];
  const served = routesOf(service).map(({ route }) => route);
  for (const path of paths) {
    // A path that the API does not have would not be limited.
    expect(served).toContain(`Providers POST ${path}`);
    const [rate = 0, burst = 0] = found[`POST ${path}`] ?? [];
    expect([path, rate >= 4 * 10 * 5, burst >= 2 * rate]).toEqual([path, true, true]);
  }
});

/** The quota *API Stage throttles in a usage plan* of an account (docs/on-aws.md, B3). */
const MOST_OF_A_PLAN = 20;

describe('decisions 10, requests: the requests of a single client', () => {
  const plans = (stageName: StageName) => {
    const service = synthesise(stageName);
    const planned = z.object({
      ApiStages: z.array(z.record(z.string(), z.unknown())),
      Throttle: z.unknown(),
      Quota: z.unknown(),
    });
    return service.ofType('AWS::ApiGateway::UsagePlan', planned).map(({ properties }) => ({
      throttle: properties.Throttle,
      quota: properties.Quota,
      stages: properties.ApiStages.map(({ ApiId, Stage }) => [service.text(ApiId), service.text(Stage)]),
    }));
  };
  const keySources = (stageName: StageName) =>
    apiBodiesOf(synthesise(stageName)).map((body) => [body.api, body['x-amazon-apigateway-api-key-source']]);

  test.each([
    ['staging', 20, 40, 250_000],
    ['prod', 50, 100, 500_000],
  ] as const)('are limited in %s, by the client that the authorizer names', (stageName, rate, burst, perDay) => {
    expect(plans(stageName)).toEqual([
      {
        throttle: { RateLimit: rate, BurstLimit: burst },
        quota: { Limit: perDay, Period: 'DAY' },
        stages: [['<Clients/Api>', `<Clients/Api/DeploymentStage.${stageName}>`]],
      },
    ]);
    expect(Object.fromEntries(keySources(stageName))).toEqual({ Clients: 'AUTHORIZER', Providers: undefined });
  });

  test.each(['staging', 'prod'] as const)(
    'have at most 20 limits of single routes in %s, as many as AWS takes in a usage plan unless asked for more',
    (stageName) => {
      const staged = z.object({ ApiStages: z.array(z.object({ Throttle: z.record(z.string(), z.unknown()) })) });
      const found = synthesise(stageName).ofType('AWS::ApiGateway::UsagePlan', staged);
      const routes = found.flatMap(({ properties }) =>
        properties.ApiStages.flatMap((one) => Object.keys(one.Throttle)),
      );
      expect([routes.length > 0, routes.length <= MOST_OF_A_PLAN]).toEqual([true, true]);
    },
  );

  test('are not limited on the local stage, whose AWS knows no keys that an authorizer names', () => {
    expect(plans('local')).toEqual([]);
    expect(Object.fromEntries(keySources('local'))).toEqual({ Clients: undefined, Providers: undefined });
  });

  test.each(['staging', 'prod'] as const)(
    'need an API key, which is no secret and is made with the client: the stack of %s has none',
    (stageName) => {
      expect(synthesise(stageName).resources.filter(({ type }) => type.includes('ApiKey'))).toEqual([]);
    },
  );
});

const throttle = z.record(z.string(), z.object({ RateLimit: z.number(), BurstLimit: z.number() }));

/** The limits of each client for single routes, by route. */
function sharesOf(stageName: StageName) {
  const planned = z.object({ ApiStages: z.array(z.object({ Throttle: z.optional(throttle) })) });
  return synthesise(stageName)
    .ofType('AWS::ApiGateway::UsagePlan', planned)
    .flatMap(({ properties }) => properties.ApiStages.flatMap(({ Throttle = {} }) => Object.entries(Throttle)))
    .map(([route, share]) => [route.replace(/(.*)\/([A-Z]+)$/, '$2 $1'), share] as const);
}

/** Limits for one client of routes that cost more than their answer, or that call somebody else's service. */
const ofClient = (costly: readonly [number, number]) => ({
  'POST /api/v1/admin/fiats/{user_id}/payin': costly,
  'POST /api/v1/admin/operation/{user_id}/withdrawal': costly,
  'POST /api/v1/admin/operation/{user_id}/withdrawal/{operation_id}/cancel': costly,
  'POST /api/v1/admin/operation/{user_id}/withdrawal/{operation_id}/deposits/{deposit_id}/return': costly,
  'POST /api/v1/admin/operation/{user_id}/withdrawal/{operation_id}/hash': costly,
  'GET /api/v1/admin/fiats/{user_id}/payin': [5, 25],
  'GET /api/v1/admin/operation/{user_id}/withdrawal': [5, 25],
  'GET /api/v1/admin/operation/{user_id}/withdrawal/{operation_id}/deposits': [5, 25],
  'GET /api/webhooks/{clientId}/{webhook_id}/deliveries': [5, 25],
  'GET /api/v1/admin/payins': [5, 25],
  'GET /api/v1/admin/withdrawals': [5, 25],
  'GET /api/v1/admin/users': [5, 25],
  'GET /api/v1/admin/users/{user_id}/wallets': [5, 25],
  'GET /api/v1/events': [5, 10],
  'POST /api/webhooks/{clientId}': [2, 10],
  'PATCH /api/webhooks/{clientId}/{webhook_id}': [2, 10],
  'POST /api/webhooks/{clientId}/{webhook_id}/secret': [0.5, 5],
  'POST /api/webhooks/{clientId}/{webhook_id}/test': [0.5, 2],
});

test.each([
  ['staging', [2.5, 25]],
  ['prod', [5, 50]],
] as const)('decisions 10, costly calls: the limits of one client for single routes of %s', (stageName, costly) => {
  const shares = sharesOf(stageName).map(([route, { RateLimit, BurstLimit }]) => [route, [RateLimit, BurstLimit]]);
  expect(Object.fromEntries(shares)).toEqual(ofClient(costly));
});

/** Limits of single routes that AWS takes in a usage plan, unless an account has asked for more. */
const MOST_SHARES = 20;

test.each(['staging', 'prod'] as const)(
  'the usage plan of clients of %s is within the limits that AWS sets for any account',
  (stageName) => {
    expect(sharesOf(stageName).length).toBeLessThanOrEqual(MOST_SHARES);
  },
);

test.each(['staging', 'prod'] as const)(
  'no client can use up a route of %s: its share is at most a quarter of the route’s limit',
  (stageName) => {
    for (const [route, { RateLimit, BurstLimit }] of sharesOf(stageName)) {
      const [rate = 0, burst = 0] = new Map(Object.entries(single)).get(route) ?? limits[stageName];
      expect(RateLimit, route).toBeLessThanOrEqual(rate / 4);
      expect(BurstLimit, route).toBeLessThanOrEqual(burst / 4);
    }
  },
);

describe('decisions 10, concurrency', () => {
  const reserved = (stageName: StageName) =>
    synthesise(stageName)
      .ofType('AWS::Lambda::Function', z.object({ ReservedConcurrentExecutions: z.optional(z.int()) }))
      .flatMap(({ path, properties }) => {
        const kept = properties.ReservedConcurrentExecutions;
        return kept === undefined ? [] : [[path.split('/').at(-2), kept] as const];
      });

  test('is reserved in prod, as its settings say', () => {
    expect(Object.fromEntries(reserved('prod'))).toEqual({
      'authorize-request': 100,
      'issue-token': 20,
      'check-deposit': 100,
      'match-deposit': 50,
      'receive-custodian-notification': 50,
      'receive-rail-notification': 50,
    });
  });

  test.each(['local', 'staging'] as const)(
    'is reserved nowhere by default, as in %s: a new account refuses every reservation',
    (stageName) => {
      expect(reserved(stageName)).toEqual([]);
    },
  );

  test('no queue may call its function more often at once than is reserved for it', () => {
    const prod = stageNamed('prod');
    const settings = { ...prod.settings, reservedConcurrency: { matchDeposit: 7 } };
    const service = synthesiseStage(withSettings(prod, settings));
    const asked = service
      .ofType(
        'AWS::Lambda::EventSourceMapping',
        z.object({ FunctionName: z.unknown(), ScalingConfig: z.optional(z.object({ MaximumConcurrency: z.int() })) }),
      )
      .map(({ properties: { FunctionName, ScalingConfig } }) => [
        service.text(FunctionName).split('/').at(-2),
        ScalingConfig?.MaximumConcurrency,
      ]);
    expect(asked.filter(([name]) => name === 'match-deposit')).toEqual([['match-deposit', 7]]);
  });
});
