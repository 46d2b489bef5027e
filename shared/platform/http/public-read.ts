import { createHash } from 'node:crypto';
import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyResult } from 'aws-lambda';
import * as z from 'zod/mini';
import { publicReadMethods } from './contract.ts';
import { parseGatewayEvent } from './event.ts';

/** Seconds for which a browser may keep the answer to a preflight: a day. */
const PREFLIGHT_SECONDS = 24 * 3600;

/** The answer to OPTIONS: scripts of any origin may read, with any header (the Fetch standard's preflight). */
export const preflightHeaders = {
  Allow: publicReadMethods.join(', '),
  'Access-Control-Allow-Methods': 'GET, HEAD',
  // The wildcard does not cover Authorization, which an application may send with every call.
  'Access-Control-Allow-Headers': '*, Authorization',
  'Access-Control-Max-Age': String(PREFLIGHT_SECONDS),
};

const head = z.object({ httpMethod: z.literal('HEAD') });

/**
 * Lets scripts of any origin read the answer, errors included, and reduces an answer to HEAD to its headers (RFC 9110
 * §9.3.2).
 */
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

/**
 * Makes a success cacheable for some seconds (RFC 9111), and answers 304 without a body to a client that already has it
 * (RFC 9110 §13.1.2). Errors are not cacheable.
 */
export function cacheable(seconds: number): MiddlewareObj<unknown, APIGatewayProxyResult> {
  return {
    after(request) {
      const { event, response } = request;
      // The answer to OPTIONS is not content.
      if (response === null || response === undefined || response.statusCode === 204) return;
      const tag = entityTag(response.body);
      const headers = {
        ...response.headers,
        'Cache-Control': `public, max-age=${seconds}`,
        ETag: tag,
        Vary: 'Accept-Encoding',
      };
      const isKnown = matches(parseGatewayEvent(event).headers.get('if-none-match') ?? '', tag);
      request.response = isKnown ? notModified(response, headers) : { ...response, headers };
    },
  };
}

/** A tag of the content, not of the bytes that are sent, which API Gateway may compress. */
function entityTag(body: string): string {
  return `W/"${createHash('sha256').update(body).digest('base64url')}"`;
}

/** A weak comparison, as for all reads (RFC 9110 §13.1.2). */
function matches(ifNoneMatch: string, tag: string): boolean {
  return ifNoneMatch.trim() === '*' || [...ifNoneMatch.matchAll(/"[^"]*"/g)].some(([known]) => `W/${known}` === tag);
}

function notModified(
  response: APIGatewayProxyResult,
  { 'Content-Type': _, ...headers }: NonNullable<APIGatewayProxyResult['headers']>,
): APIGatewayProxyResult {
  return { ...response, statusCode: 304, headers, body: '' };
}
