import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { endpoints, sandboxEndpoints } from '#infra/api/endpoints.ts';
import { operatorModules, operatorRoutes } from '#infra/operators/operator-routes.ts';
import { type Endpoint, servedContract } from '#infra/platform/route.ts';
import { stageNamed } from '#infra/stage/stages.ts';
import { ACCESS_TOKEN_SECONDS, BEARER_TOKEN } from '#shared/clients/access-token-contract.ts';
import { methodsAndPathsOf } from '#shared/platform/http/contract.ts';
import { apiBodiesOf, calledBy, type Route, roleOf, routesOf } from '#test/support/api-body.ts';
import { publishedContract } from '#test/support/openapi.ts';
import {
  calledArnOf,
  functionsOf,
  grantsOf,
  type StageName,
  stageNames,
  synthesise,
} from '#test/support/synthesised.ts';

/** Every route that may be called without an access token, written out so that a further one has to be added here. */
const callableByAnyone = [
  ...['GET', 'HEAD', 'OPTIONS'].flatMap((method) => [
    `Clients ${method} /api/docs`,
    `Clients ${method} /api/docs/{file+}`,
    `Clients ${method} /api/openapi.json`,
    `Clients ${method} /api/parameters/banks`,
    `Clients ${method} /api/parameters/tokens`,
  ]),
  'Clients POST /api/token',
  'Clients POST /api/v1/client/token',
  'Providers POST /api/custodian/notifications',
  'Providers POST /api/custodian/notifications/simulated',
  'Providers POST /api/custodian/notifications/{custodian}',
  'Providers POST /api/payment-rail/notifications',
  'Providers POST /api/payment-rail/notifications/simulated',
  'Providers POST /api/payment-rail/notifications/{rail}',
];

/** Routes that only operators call. */
const ofOperators = operatorRoutes.map(({ contract: { method, path } }) => `Operators ${method} ${path}`);

/** One endpoint for each contract, even where a function serves several contracts. */
function declaredFor(stageName: StageName): readonly Endpoint[] {
  const declared = stageName === 'prod' ? endpoints : [...endpoints, ...sandboxEndpoints];
  return declared.flatMap((endpoint) =>
    [servedContract(stageNamed(stageName), endpoint), ...(endpoint.alsoServes ?? [])].map((contract) => ({
      ...endpoint,
      contract,
    })),
  );
}

function routesDeclaredBy({ contract }: Endpoint): readonly string[] {
  const name = contract.access === 'provider' ? 'Providers' : 'Clients';
  return methodsAndPathsOf(contract).map(({ method, path }) => `${name} ${method} ${path}`);
}

/** The routes of a stage that openapi.json describes. */
function publishedFor(stageName: StageName) {
  const described = Object.entries(publishedContract.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { security }]) => ({ method: method.toUpperCase(), path, security })),
  );
  return described.filter(({ path }) => stageName !== 'prod' || !path.startsWith('/api/sandbox/'));
}

const authorizerScheme = z.strictObject({
  type: z.literal('apiKey'),
  name: z.string(),
  in: z.string(),
  'x-amazon-apigateway-authtype': z.literal('custom'),
  'x-amazon-apigateway-authorizer': z.strictObject({
    type: z.string(),
    authorizerUri: z.unknown(),
    authorizerCredentials: z.unknown(),
    identityValidationExpression: z.string(),
    authorizerResultTtlInSeconds: z.int(),
  }),
});

describe.each(stageNames)('the routes of %s', (stageName) => {
  const service = synthesise(stageName);
  const routes = routesOf(service);
  const routesWhere = (holds: (route: Route) => boolean) => routes.filter(holds).map(({ route }) => route);
  const needsToken = ({ security }: Route) => security.includes('accessToken');
  const isSigned = ({ security }: Route) => security.includes('signature');

  test('are those of the endpoints with their aliases, and no other', () => {
    const declared = [...declaredFor(stageName).flatMap(routesDeclaredBy), ...ofOperators];
    expect(routesWhere(() => true).sort()).toEqual(declared.sort());
  });

  test('need an access token where the published contract says so, and there only', () => {
    const described = publishedFor(stageName).filter(({ security }) => security.some((one) => 'bearerAuth' in one));
    expect(routesWhere(needsToken).sort()).toEqual(
      described.map(({ method, path }) => `Clients ${method} ${path}`).sort(),
    );
  });

  test('can be called without an access token only if this file lists them', () => {
    expect(routesWhere((route) => !needsToken(route) && !isSigned(route)).sort()).toEqual(callableByAnyone);
  });

  test('decisions 11, who: need the signature of an identity of the account if they are of operators, and only then', () => {
    expect(ofOperators.length).toBeGreaterThan(5);
    expect(routesWhere(isSigned).sort()).toEqual([...ofOperators].sort());
    expect(routes.filter(isSigned).map(({ security }) => security)).toEqual(ofOperators.map(() => ['signature']));
  });

  test('decisions 11, who: look up by GET and change by POST, so that a policy can tell them apart', () => {
    for (const { contract } of operatorRoutes) {
      const changes =
        /^(create|approve|suspend|rotate|add|update|declare|withdraw|redrive|activate|deactivate|poll|end|resolve|search|set|settle|put|give-up|unsettle|credit|confirm|erase|expire|explain|request|approve|decline|start|abort|record|run)-|^resend$/.test(
          contract.name,
        );
      expect([contract.method, contract.path]).toEqual([changes ? 'POST' : 'GET', `/operations/${contract.name}`]);
    }
  });

  test('that need an access token also need an API key, except on the local stage; public ones need nothing', () => {
    const asked = stageName === 'local' ? ['accessToken'] : ['accessToken', 'clientKey'];
    const others = routes.filter((route) => !isSigned(route));
    expect(others.map(({ security }) => security)).toEqual(others.map((route) => (needsToken(route) ? asked : [])));
  });

  // On the local AWS, a scheme that is not defined would leave the route open to everybody.
  test('require no security scheme that their API does not define', () => {
    const defined = apiBodiesOf(service).map(({ api, components }) => [
      api,
      Object.keys(components.securitySchemes ?? {}),
    ]);
    const asked = stageName === 'local' ? ['accessToken'] : ['accessToken', 'clientKey'];
    expect(Object.fromEntries(defined)).toEqual({ Clients: asked, Providers: [], Operators: ['signature'] });
  });

  test('have each parameter of their path', () => {
    const inPath = (path: string) => [...path.matchAll(/\{([^{}+]+)\+?\}/g)].map(([, name]) => name);
    expect(routes.map(({ parameters }) => parameters)).toEqual(routes.map(({ path }) => inPath(path)));
  });

  test('are each served by the function that is named after the contract', () => {
    const served = declaredFor(stageName).flatMap((endpoint) =>
      routesDeclaredBy(endpoint).map((route) => ({ route, function: `${endpoint.contract.name}/Function` })),
    );
    for (const { looksUp, changes, routes: ofModule } of operatorModules) {
      for (const { contract } of ofModule) {
        const route = `Operators ${contract.method} ${contract.path}`;
        served.push({ route, function: `${basename(contract.method === 'GET' ? looksUp : changes)}/Function` });
      }
    }
    const deployed = routes.map(({ route, function: path }) => ({ route, function: path }));
    expect(deployed).toHaveLength(served.length);
    expect(deployed).toEqual(expect.arrayContaining(served));
  });

  // The local AWS checks no permission; AWS answers 500 without one.
  test.each(['Clients', 'Providers', 'Operators'])(
    'of %s are called with a role that may call their functions and the authorizer, and no others',
    (api) => {
      const ofApi = routes.filter(({ route }) => route.startsWith(api));
      const functions = new Set(ofApi.map((route) => calledArnOf(service, route.function ?? '')));
      if (api === 'Clients') functions.add(calledArnOf(service, 'authorize-request/Function'));
      const allowed = grantsOf(service).filter(({ role }) => role === `${api}/Invoker`);
      expect(new Set(ofApi.map(({ calledAs }) => calledAs))).toEqual(new Set([`${api}/Invoker`]));
      expect(allowed.map(({ action, resource }) => `${action} ${resource}`).sort()).toEqual(
        [...functions].map((one) => `lambda:InvokeFunction ${one}`).sort(),
      );
    },
  );

  test('are of an API that is named in its body as it is in the stack', () => {
    const names = apiBodiesOf(service).map(({ name, info }) => [name, info.title]);
    expect(names).toHaveLength(3);
    for (const [name, title] of names) expect(title).toBe(name);
  });

  test('get the bytes as they were sent, and compress large answers for callers that accept it', () => {
    const apis = service.ofType(
      'AWS::ApiGateway::RestApi',
      z.object({ BinaryMediaTypes: z.array(z.string()), MinimumCompressionSize: z.int() }),
    );
    const settings = { BinaryMediaTypes: ['*/*'], MinimumCompressionSize: 1024 };
    expect(apis.map(({ path, properties }) => [path, properties])).toEqual([
      ['Providers/Api', settings],
      ['Clients/Api', settings],
      ['Operators/Api', settings],
    ]);
  });
});

describe.each(stageNames)('the authorizer of %s', (stageName) => {
  const service = synthesise(stageName);
  const schemes = apiBodiesOf(service).flatMap(({ components }) => Object.values(components.securitySchemes ?? {}));
  const authorizers = schemes.flatMap((scheme) => {
    const { data } = authorizerScheme.safeParse(scheme);
    return data === undefined ? [] : [{ ...data, ...data['x-amazon-apigateway-authorizer'] }];
  });

  test('is the function authorize-request alone, on the API of the clients', () => {
    expect(authorizers.map(({ authorizerUri }) => calledBy(service, authorizerUri))).toEqual([
      'authorize-request/Function',
    ]);
    expect(authorizers.map((one) => roleOf(service, one.authorizerCredentials))).toEqual(['Clients/Invoker']);
  });

  test('alone says which client calls: no client is identified by IAM or by a key that it sends', () => {
    const ofClients = apiBodiesOf(service).filter(({ api }) => api === 'Clients');
    const others = ofClients
      .flatMap(({ components }) => Object.values(components.securitySchemes ?? {}))
      .filter((scheme) => !authorizerScheme.safeParse(scheme).success);
    const clientKey = { type: 'apiKey', name: 'x-api-key', in: 'header' };
    expect(others).toEqual(stageName === 'local' ? [] : [clientKey]);
    const sources = apiBodiesOf(service).map((body) => body['x-amazon-apigateway-api-key-source']);
    expect(sources).toEqual([undefined, stageName === 'local' ? undefined : 'AUTHORIZER', undefined]);
  });

  test('takes the Authorization header and no other, written as its function reads it', () => {
    expect(authorizers.map((one) => [one.type, one.name, one.in, one.identityValidationExpression])).toEqual([
      ['token', 'Authorization', 'header', BEARER_TOKEN.source],
    ]);
  });

  test('keeps no answer for longer than a token lives', () => {
    expect(authorizers).toHaveLength(1);
    for (const { authorizerResultTtlInSeconds } of authorizers) {
      expect(authorizerResultTtlInSeconds).toBeLessThanOrEqual(ACCESS_TOKEN_SECONDS);
    }
  });
});

describe('the sandbox', () => {
  const names = sandboxEndpoints.map(({ contract }) => contract.name);
  const functionNames = (stageName: StageName) => functionsOf(synthesise(stageName)).map(({ name }) => name);
  const inSandbox = (stageName: StageName) =>
    routesOf(synthesise(stageName)).filter(({ route }) => / \/api\/sandbox\//.test(route));

  test('is every route below /api/sandbox, and every such route is one of the sandbox', () => {
    for (const { contract } of sandboxEndpoints) expect(contract.path).toMatch(/^\/api\/sandbox\//);
    for (const { contract } of endpoints) expect(contract.path).not.toMatch(/^\/api\/sandbox\//);
  });

  test('has no route, no function and no role in prod', () => {
    expect(inSandbox('prod')).toEqual([]);
    expect(functionNames('prod').filter((name) => names.includes(name) || name === 'simulate-payout')).toEqual([]);
    expect(functionNames('staging')).toContain('simulate-payout');
    expect(JSON.stringify(synthesise('prod').resources)).not.toMatch(/sandbox|simulate-|SimulatedPayouts/i);
  });

  test('leaves nobody in prod who could put a simulated transaction, end a simulated payment or sign as a simulated partner', () => {
    const writes = (stageName: StageName) =>
      grantsOf(synthesise(stageName)).filter(
        ({ action, resource }) =>
          (resource === '<Tables/simulatedTransactions.Arn>' && !/^dynamodb:(?:Batch)?GetItem$/.test(action)) ||
          (resource === '<Tables/simulatedPayments.Arn>' && action === 'dynamodb:UpdateItem') ||
          (/^<Simulated\w+Key\.Arn>$/.test(resource) && action !== 'kms:GetPublicKey'),
      );
    expect(writes('staging')).not.toEqual([]);
    expect(writes('prod')).toEqual([]);
  });
});
