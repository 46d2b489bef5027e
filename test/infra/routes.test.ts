import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { type Endpoint, endpoints, sandboxEndpoints } from '#infra/endpoints.ts';
import { methodsAndPathsOf } from '#shared/contracts/methods.ts';
import { ACCESS_TOKEN_SECONDS, BEARER_TOKEN } from '#shared/contracts/token.ts';
import {
  functionsOf,
  grantsOf,
  type StageName,
  type Synthesised,
  stageNames,
  synthesise,
} from '#test/support/synthesised.ts';

/** The whole of what may be called without an access token, written out so that a further one has to be added here. */
const callableByAnyone = [
  ...['GET', 'HEAD', 'OPTIONS'].flatMap((method) => [
    `Clients ${method} /api/docs`,
    `Clients ${method} /api/docs/{asset}`,
    `Clients ${method} /api/openapi.json`,
    `Clients ${method} /api/parameters/banks`,
    `Clients ${method} /api/parameters/tokens`,
  ]),
  'Clients POST /api/token',
  'Clients POST /api/v1/client/token',
  'Providers POST /api/custodian/notifications',
  'Providers POST /api/payment-rail/notifications',
];

const methodProperties = z.object({
  HttpMethod: z.string(),
  ResourceId: z.unknown(),
  RestApiId: z.unknown(),
  AuthorizationType: z.string(),
  AuthorizerId: z.optional(z.unknown()),
  ApiKeyRequired: z.optional(z.boolean()),
  Integration: z.object({ Type: z.string(), Uri: z.optional(z.unknown()) }),
});
const resourceProperties = z.object({ ParentId: z.unknown(), PathPart: z.string() });

interface Route {
  /** `Clients POST /api/token`: which API, the method, the path. */
  readonly route: string;
  readonly authorization: string;
  readonly authorizer: string | undefined;
  readonly needsApiKey: boolean;
  readonly function: string | undefined;
}

function routesOf(service: Synthesised): readonly Route[] {
  const parts = new Map(
    service
      .ofType('AWS::ApiGateway::Resource', resourceProperties)
      .map(({ path, properties: { ParentId, PathPart } }) => [
        `<${path}>`,
        { parent: service.text(ParentId), part: PathPart },
      ]),
  );
  const pathOf = (id: string): string => {
    const found = parts.get(id);
    return found === undefined ? '' : `${pathOf(found.parent)}/${found.part}`;
  };
  return service.ofType('AWS::ApiGateway::Method', methodProperties).map(({ properties }) => {
    const [, api] = /^<(.+)\/Api>$/.exec(service.text(properties.RestApiId)) ?? [];
    const uri = service.text(properties.Integration.Uri ?? '');
    return {
      route: `${api} ${properties.HttpMethod} ${pathOf(service.text(properties.ResourceId))}`,
      authorization: properties.AuthorizationType,
      authorizer: properties.AuthorizerId === undefined ? undefined : service.text(properties.AuthorizerId),
      needsApiKey: properties.ApiKeyRequired === true,
      function: /<(?:[^<>]+\/)?([^/<>]+)\/Function\.Arn>\/invocations$/.exec(uri)?.[1],
    };
  });
}

/** One for each contract, also where a function serves several. */
function declaredFor(stageName: StageName): readonly Endpoint[] {
  const declared = stageName === 'prod' ? endpoints : [...endpoints, ...sandboxEndpoints];
  return declared.flatMap((endpoint) =>
    [endpoint.contract, ...(endpoint.alsoServes ?? [])].map((contract) => ({ ...endpoint, contract })),
  );
}

function routesDeclaredBy({ contract, api }: Endpoint): readonly string[] {
  const name = { clients: 'Clients', providers: 'Providers' }[api];
  return methodsAndPathsOf(contract).map(({ method, path }) => `${name} ${method} ${path}`);
}

describe.each(stageNames)('decisions 1: the routes of %s', (stageName) => {
  const service = synthesise(stageName);
  const routes = routesOf(service);
  const routesWhere = (holds: (route: Route) => boolean) => routes.filter(holds).map(({ route }) => route);

  test('are those of the endpoints with their aliases, and no other', () => {
    expect(routesWhere(() => true).sort()).toEqual(declaredFor(stageName).flatMap(routesDeclaredBy).sort());
  });

  test('need an access token unless their contract says public or provider', () => {
    const needToken = declaredFor(stageName).filter(({ contract }) => !/^(public|provider)$/.test(contract.access));
    expect(needToken).not.toEqual([]);
    expect(routesWhere(({ authorization }) => authorization === 'CUSTOM').sort()).toEqual(
      needToken.flatMap(routesDeclaredBy).sort(),
    );
  });

  test('can be called without an access token only where this file says so', () => {
    expect(routesWhere(({ authorization }) => authorization !== 'CUSTOM').sort()).toEqual(callableByAnyone);
  });

  test('that need an access token all ask the one authorizer', () => {
    const guarded = routes.filter(({ authorization }) => authorization === 'CUSTOM');
    expect(new Set(guarded.map(({ authorizer }) => authorizer))).toEqual(new Set(['<Authorizer>']));
  });

  test('never go by IAM', () => {
    expect(new Set(routes.map(({ authorization }) => authorization))).toEqual(new Set(['CUSTOM', 'NONE']));
  });

  test('that need an access token are counted by client, but on the local stage', () => {
    const needToken = stageName === 'local' ? [] : routesWhere(({ authorization }) => authorization === 'CUSTOM');
    expect(routesWhere(({ needsApiKey }) => needsApiKey)).toEqual(needToken);
  });

  test('are each served by the function that is named after the contract', () => {
    const served = declaredFor(stageName).flatMap((endpoint) =>
      routesDeclaredBy(endpoint).map((route) => ({ route, function: endpoint.contract.name })),
    );
    const deployed = routes.map(({ route, function: name }) => ({ route, function: name }));
    expect(deployed).toHaveLength(served.length);
    expect(deployed).toEqual(expect.arrayContaining(served));
  });

  test('get the bytes as they were sent, and send large answers compressed to who takes them so', () => {
    const apis = service.ofType(
      'AWS::ApiGateway::RestApi',
      z.object({ BinaryMediaTypes: z.array(z.string()), MinimumCompressionSize: z.int() }),
    );
    const settings = { BinaryMediaTypes: ['*/*'], MinimumCompressionSize: 1024 };
    expect(apis.map(({ path, properties }) => [path, properties])).toEqual([
      ['Clients/Api', settings],
      ['Providers/Api', settings],
    ]);
  });

  test('of providers are on an API of their own', () => {
    const ofProviders = declaredFor(stageName).filter(({ contract }) => contract.access === 'provider');
    expect(ofProviders.map(({ api }) => api)).toEqual(ofProviders.map(() => 'providers'));
    expect(routesWhere(({ route }) => route.startsWith('Providers')).sort()).toEqual(
      ofProviders.flatMap(routesDeclaredBy).sort(),
    );
  });
});

describe.each(stageNames)('decisions 1: the authorizer of %s', (stageName) => {
  const service = synthesise(stageName);
  const authorizers = service.ofType(
    'AWS::ApiGateway::Authorizer',
    z.object({
      Type: z.string(),
      IdentitySource: z.string(),
      IdentityValidationExpression: z.string(),
      AuthorizerResultTtlInSeconds: z.int(),
      AuthorizerUri: z.unknown(),
      RestApiId: z.unknown(),
    }),
  );

  test('is one, the function authorize-request, on the API of the clients', () => {
    expect(authorizers.map(({ properties }) => service.text(properties.RestApiId))).toEqual(['<Clients/Api>']);
    expect(authorizers.map(({ properties }) => service.text(properties.AuthorizerUri))).toEqual([
      expect.stringMatching(/<authorize-request\/Function\.Arn>\/invocations$/),
    ]);
  });

  test('takes the Authorization header and no other', () => {
    expect(authorizers.map(({ properties: { Type, IdentitySource } }) => [Type, IdentitySource])).toEqual([
      ['TOKEN', 'method.request.header.Authorization'],
    ]);
  });

  test('keeps no answer for longer than a token lives', () => {
    for (const { properties } of authorizers) {
      expect(properties.AuthorizerResultTtlInSeconds).toBeLessThanOrEqual(ACCESS_TOKEN_SECONDS);
    }
  });

  test.each([
    ['Bearer eyJh-_.eyJz.c2ln', true],
    ['bearer eyJh.eyJz.c2ln', false],
    ['Bearer  eyJh.eyJz.c2ln', false],
    ['Bearer eyJh.eyJz', false],
    ['Bearer eyJh.eyJz.', false],
    ['Bearer eyJh.eyJz.c2ln.c2ln', false],
    ['Bearer eyJh.eyJz.c2lnMQ==', false],
    ['Bearer eyJh.eyJz.c2+n', false],
    ['Basic ZGVtbzpkZW1v', false],
    ['eyJh.eyJz.c2ln', false],
  ])('takes only Bearer and three base64url parts without padding, as its function does: %s', (header, taken) => {
    const expressions = authorizers.map(({ properties }) => properties.IdentityValidationExpression);
    expect(expressions).toEqual([BEARER_TOKEN.source]);
    expect(BEARER_TOKEN.test(header)).toBe(taken);
  });
});

describe('decisions 8: the sandbox', () => {
  const names = sandboxEndpoints.map(({ contract }) => contract.name);
  const functionNames = (stageName: StageName) => functionsOf(synthesise(stageName)).map(({ name }) => name);
  const inSandbox = (stageName: StageName) =>
    routesOf(synthesise(stageName)).filter(({ route }) => / \/api\/sandbox\//.test(route));

  test('is every route below /api/sandbox, and every such route is one of the sandbox', () => {
    for (const { contract } of sandboxEndpoints) expect(contract.path).toMatch(/^\/api\/sandbox\//);
    for (const { contract } of endpoints) expect(contract.path).not.toMatch(/^\/api\/sandbox\//);
  });

  test.each(['local', 'staging'] as const)('exists in %s, behind the authorizer', (stageName) => {
    expect(
      inSandbox(stageName)
        .map(({ route }) => route)
        .sort(),
    ).toEqual(sandboxEndpoints.flatMap(routesDeclaredBy).sort());
    expect(new Set(inSandbox(stageName).map(({ authorization }) => authorization))).toEqual(new Set(['CUSTOM']));
    expect(functionNames(stageName)).toEqual(expect.arrayContaining(names));
  });

  test('has no route, no function and no role in prod', () => {
    expect(inSandbox('prod')).toEqual([]);
    expect(functionNames('prod').filter((name) => names.includes(name) || name === 'complete-payout')).toEqual([]);
    expect(functionNames('staging')).toContain('complete-payout');
    expect(JSON.stringify(synthesise('prod').resources)).not.toMatch(
      /sandbox|simulate-|complete-payout|SimulatedPayouts/i,
    );
  });

  test('leaves nobody in prod who could put a simulated transaction, end a simulated payment or sign as a simulated partner', () => {
    const writes = (stageName: StageName) =>
      grantsOf(synthesise(stageName)).filter(
        ({ action, resource }) =>
          (resource === '<Tables/simulatedTransactions.Arn>' && action !== 'dynamodb:GetItem') ||
          (resource === '<Tables/simulatedPayments.Arn>' && action === 'dynamodb:UpdateItem') ||
          (/^<Simulated\w+Key\.Arn>$/.test(resource) && action !== 'kms:GetPublicKey'),
      );
    expect(writes('staging')).not.toEqual([]);
    expect(writes('prod')).toEqual([]);
  });
});
