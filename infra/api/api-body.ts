import { Duration, Stack } from 'aws-cdk-lib';
import type { IRole } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { BEARER_TOKEN } from '#shared/clients/access-token-contract.ts';
import { type Contract, methodsAndPathsOf } from '#shared/platform/http/contract.ts';
import { gatewayResponses } from './gateway-answers.ts';

/** A route, and the function that answers it. */
export interface ServedRoute {
  readonly contract: Contract;
  readonly lambda: IFunction;
}

interface ApiBodyProps {
  readonly name: string;
  readonly description: string;
  readonly routes: readonly ServedRoute[];
  /** The authorizer of the routes that need an access token. */
  readonly authorizer: IFunction | undefined;
  /** URL of the guides; undefined where the API itself serves them. */
  readonly docsUrl: string | undefined;
  /** True if calls with an access token count for a usage plan, by the key that the authorizer returns. */
  readonly countsByClient: boolean;
  /** The role by which API Gateway calls the functions. */
  readonly invoker: IRole;
}

/** The longest that API Gateway waits for a function. */
const TIMEOUT = Duration.seconds(29);

/** How long API Gateway caches an answer of the authorizer. */
const AUTHORIZER_TTL = Duration.minutes(5);

/**
 * The body that API Gateway imports: the paths of the contracts, who may call them, and the function of each. It has no
 * schemas: API Gateway reads no OpenAPI 3.1, and the contracts check the requests. Clients read openapi.json.
 */
export function apiBody({ name, description, routes, authorizer, docsUrl, countsByClient, invoker }: ApiBodyProps) {
  const isSigned = areSigned(routes);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { contract, lambda } of routes) {
    const security = securityOf(contract, countsByClient);
    if (security.some((scheme) => 'accessToken' in scheme) && authorizer === undefined)
      throw new Error(`${contract.name} needs an access token, and this API has no authorizer.`);
    for (const { method, path } of methodsAndPathsOf(contract)) {
      paths[path] = {
        ...paths[path],
        [method.toLowerCase()]: {
          parameters: parametersOf(path),
          security,
          responses: {},
          'x-amazon-apigateway-integration': {
            type: 'aws_proxy',
            httpMethod: 'POST',
            uri: invocationOf(lambda),
            credentials: invoker.roleArn,
            timeoutInMillis: TIMEOUT.toMilliseconds(),
          },
        },
      };
    }
  }
  return {
    openapi: '3.0.1',
    info: { title: name, description, version: '1' },
    paths,
    components: {
      securitySchemes: {
        ...(authorizer && securitySchemes(authorizer, invoker, countsByClient)),
        ...(isSigned && { signature }),
      },
    },
    'x-amazon-apigateway-gateway-responses': gatewayResponses(isSigned, docsUrl),
    ...(countsByClient && { 'x-amazon-apigateway-api-key-source': 'AUTHORIZER' }),
  };
}

/** True if every call of the API is signed by an identity of the account. */
export function areSigned(routes: readonly ServedRoute[]): boolean {
  return routes.every(({ contract }) => contract.access === 'operator');
}

/** The security schemes of a route. API Gateway requires all of them, where OpenAPI would accept any one. */
function securityOf({ access }: Contract, countsByClient: boolean): readonly Record<string, readonly []>[] {
  if (access === 'public' || access === 'provider') return [];
  if (access === 'operator') return [{ signature: [] }];
  return [{ accessToken: [] }, ...(countsByClient ? [{ clientKey: [] as const }] : [])];
}

/** IAM authorization: an identity of the account signs the call, and its policy says what it may call. */
const signature = {
  type: 'apiKey',
  name: 'Authorization',
  in: 'header',
  'x-amazon-apigateway-authtype': 'awsSigv4',
};

function securitySchemes(authorizer: IFunction, invoker: IRole, countsByClient: boolean) {
  return {
    accessToken: {
      type: 'apiKey',
      name: 'Authorization',
      in: 'header',
      'x-amazon-apigateway-authtype': 'custom',
      'x-amazon-apigateway-authorizer': {
        type: 'token',
        authorizerUri: invocationOf(authorizer),
        authorizerCredentials: invoker.roleArn,
        identityValidationExpression: BEARER_TOKEN.source,
        authorizerResultTtlInSeconds: AUTHORIZER_TTL.toSeconds(),
      },
    },
    // The header is not read: the key comes from the authorizer.
    ...(countsByClient && { clientKey: { type: 'apiKey', name: 'x-api-key', in: 'header' } }),
  };
}

function parametersOf(path: string) {
  return [...path.matchAll(/\{(\w+)\+?\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

/** The URI by which API Gateway calls a function. */
function invocationOf(lambda: IFunction): string {
  const { partition, region } = Stack.of(lambda);
  return `arn:${partition}:apigateway:${region}:lambda:path/2015-03-31/functions/${lambda.functionArn}/invocations`;
}
