import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyResult } from 'aws-lambda';
import type { Contract } from './contract.ts';

/** Says of every answer, errors too, that its route is deprecated (RFC 9745) and when it ends (RFC 8594). */
export function deprecation({
  since,
  sunset,
}: NonNullable<Contract['deprecated']>): MiddlewareObj<unknown, APIGatewayProxyResult> {
  const headers = { Deprecation: `@${Date.parse(since) / 1000}`, Sunset: new Date(sunset).toUTCString() };
  const say: NonNullable<MiddlewareObj<unknown, APIGatewayProxyResult>['after']> = (request) => {
    if (request.response)
      request.response = { ...request.response, headers: { ...request.response.headers, ...headers } };
  };
  return { after: say, onError: say };
}
