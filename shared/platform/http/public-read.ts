import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyResult } from 'aws-lambda';
import * as z from 'zod/mini';
import { publicReadMethods } from './methods.ts';

/** Seconds for which a browser need not ask again: a day. */
const PREFLIGHT_SECONDS = 24 * 3600;

/** What OPTIONS is answered with: scripts of any origin may read, with any header (the Fetch standard's preflight). */
export const preflightHeaders = {
  Allow: publicReadMethods.join(', '),
  'Access-Control-Allow-Methods': 'GET, HEAD',
  // The star does not stand for Authorization, which an application may send with every call.
  'Access-Control-Allow-Headers': '*, Authorization',
  'Access-Control-Max-Age': String(PREFLIGHT_SECONDS),
};

const head = z.object({ httpMethod: z.literal('HEAD') });

/** Lets scripts of any origin see the answer, errors too, and HEAD nothing but its headers (RFC 9110 §9.3.2). */
export function publicRead(): MiddlewareObj<unknown, APIGatewayProxyResult> {
  const finish: NonNullable<MiddlewareObj<unknown, APIGatewayProxyResult>['after']> = (request) => {
    const { event, response } = request;
    if (response === null || response === undefined) return;
    request.response = {
      ...response,
      headers: { ...response.headers, 'Access-Control-Allow-Origin': '*' },
      body: head.safeParse(event).success ? '' : response.body,
    };
  };
  return { after: finish, onError: finish };
}
