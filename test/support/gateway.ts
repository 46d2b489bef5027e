import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import { problem } from '#infra/api/openapi/problem.ts';
import { CLIENT, OPERATION, USER } from './ids.ts';

export const context: Context = {
  callbackWaitsForEmptyEventLoop: false,
  functionName: 'test',
  functionVersion: '1',
  invokedFunctionArn: 'arn:aws:lambda:us-east-1:000000000000:function:test',
  memoryLimitInMB: '128',
  awsRequestId: 'invocation',
  logGroupName: 'test',
  logStreamName: 'test',
  getRemainingTimeInMillis: () => 30_000,
  done: () => {},
  fail: () => {},
  succeed: () => {},
};

type Handler = (event: unknown, context: Context) => Promise<APIGatewayProxyResult>;

/** A proxy event of API Gateway after its authorizer, with a token that is valid until 2096. */
export function gatewayEvent(differences: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    httpMethod: 'POST',
    resource: '/api/v1/admin/operation/{user_id}/withdrawal/{operation_id}/hash',
    headers: { 'Content-Type': 'application/json' },
    pathParameters: { user_id: USER, operation_id: OPERATION },
    body: '{"txHash":"x"}',
    isBase64Encoded: false,
    requestContext: authorized(4_000_000_000),
    ...differences,
  };
}

/** API Gateway passes on every value of the authorizer's context as a string. */
export function authorized(expiresAtSeconds: number) {
  return { requestId: 'request-1', authorizer: { clientId: CLIENT, exp: String(expiresAtSeconds) } };
}

export function invoke(handler: Handler, event: unknown): Promise<APIGatewayProxyResult> {
  return handler(event, context);
}

/** Parses the problem of an answer. An answer without a problem fails the test. */
export function problemOf(answer: APIGatewayProxyResult) {
  return problem.parse(JSON.parse(answer.body));
}
