import * as z from 'zod/mini';
import type { RouteShape } from './topology.ts';
import type { Resource } from './values.ts';

const apiProperties = z.object({
  Body: z.object({
    paths: z.record(
      z.string(),
      z.record(
        z.string(),
        z.object({
          security: z.array(z.record(z.string(), z.unknown())),
          'x-amazon-apigateway-integration': z.object({ uri: z.unknown() }),
        }),
      ),
    ),
    components: z.object({
      securitySchemes: z.optional(
        z.object({
          signature: z.optional(z.unknown()),
          accessToken: z.optional(
            z.object({
              'x-amazon-apigateway-authorizer': z.object({
                authorizerUri: z.unknown(),
                authorizerResultTtlInSeconds: z.int(),
              }),
            }),
          ),
        }),
      ),
    }),
  }),
});

/** Reads the routes from the bodies of all APIs. An integration's URI contains the ARN of its function. */
export function routesIn(
  resources: ReadonlyMap<string, Resource>,
  folderOf: (value: unknown) => string,
): readonly RouteShape[] {
  return [...resources].flatMap(([api, { Type, Properties }]) => {
    if (Type !== 'AWS::ApiGateway::RestApi') return [];
    const { paths, components } = apiProperties.parse(Properties).Body;
    const settings = components.securitySchemes?.accessToken?.['x-amazon-apigateway-authorizer'];
    const authorizer = settings && {
      folder: folderOf(settings.authorizerUri),
      cacheSeconds: settings.authorizerResultTtlInSeconds,
    };
    const isSigned = components.securitySchemes?.signature !== undefined;
    return Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { security, 'x-amazon-apigateway-integration': integration }]) => ({
        api,
        method: method.toUpperCase(),
        path,
        folder: folderOf(integration.uri),
        ...(security.length > 0 && authorizer && { authorizer }),
        isSigned,
      })),
    );
  });
}
