import * as z from 'zod/mini';
import { calledArnOf, functionCalledBy, type Synthesised } from './synthesised.ts';

const requirement = z.record(z.string(), z.tuple([]));

const integration = z.strictObject({
  type: z.literal('aws_proxy'),
  httpMethod: z.literal('POST'),
  uri: z.unknown(),
  credentials: z.unknown(),
  timeoutInMillis: z.int(),
});

const operation = z.strictObject({
  parameters: z.array(
    z.strictObject({
      name: z.string(),
      in: z.literal('path'),
      required: z.literal(true),
      schema: z.strictObject({ type: z.literal('string') }),
    }),
  ),
  security: z.array(requirement),
  responses: z.strictObject({}),
  'x-amazon-apigateway-integration': integration,
});

const gatewayResponse = z.strictObject({
  statusCode: z.string(),
  responseParameters: z.record(z.string(), z.string()),
  responseTemplates: z.record(z.string(), z.string()),
});

const body = z.strictObject({
  openapi: z.literal('3.0.1'),
  info: z.strictObject({ title: z.string(), description: z.string(), version: z.string() }),
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.strictObject({ securitySchemes: z.optional(z.record(z.string(), z.record(z.string(), z.unknown()))) }),
  'x-amazon-apigateway-gateway-responses': z.record(z.string(), gatewayResponse),
  'x-amazon-apigateway-api-key-source': z.optional(z.string()),
});

const restApi = z.object({ Name: z.string(), Body: body, FailOnWarnings: z.literal(true) });

/** The body of every API, with its name, such as `Clients`. An unknown member of a body fails here. */
export function apiBodiesOf(service: Synthesised) {
  return service
    .ofType('AWS::ApiGateway::RestApi', restApi)
    .map(({ path, properties }) => ({ api: path.replace(/\/Api$/, ''), name: properties.Name, ...properties.Body }));
}

export interface Route {
  /** The API, the method and the path: `Clients POST /api/token`. */
  readonly route: string;
  readonly path: string;
  /** Names of the security schemes, all of which API Gateway requires. */
  readonly security: readonly string[];
  readonly parameters: readonly string[];
  /** Path of the function in the stack; `undefined` when the address of the integration names none. */
  readonly function: string | undefined;
  /** Path of the role that API Gateway assumes to call the function. */
  readonly calledAs: string;
}

export function routesOf(service: Synthesised): readonly Route[] {
  return apiBodiesOf(service).flatMap(({ api, paths }) =>
    Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, { security, parameters, ...others }]) => ({
        route: `${api} ${method.toUpperCase()} ${path}`,
        path,
        security: security.flatMap((one) => Object.keys(one)),
        parameters: parameters.map(({ name }) => name),
        function: calledBy(service, others['x-amazon-apigateway-integration'].uri),
        calledAs: roleOf(service, others['x-amazon-apigateway-integration'].credentials),
      })),
    ),
  );
}

/** The path of the function that API Gateway calls under this address. */
export function calledBy(service: Synthesised, uri: unknown): string | undefined {
  const address =
    /^arn:(?:aws|<AWS::Partition>):apigateway:(?:us-east-1|<AWS::Region>):lambda:path\/2015-03-31\/functions\/(<[^<>]+>)\/invocations$/;
  const called = address.exec(service.text(uri))?.[1];
  const path = called && functionCalledBy(called.replace('.Arn>', '>'));
  return path && calledArnOf(service, path) === called ? path : undefined;
}

export function roleOf(service: Synthesised, credentials: unknown): string {
  return service.text(credentials).replace(/^<(.+)\.Arn>$/, '$1');
}
