import { createHash } from 'node:crypto';
import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { parseGatewayEvent } from './event.ts';

/**
 * Lets anybody keep a success for some seconds (RFC 9111), and answers 304 without a body to those who have it already
 * (RFC 9110 §13.1.2). What is refused is kept by nobody.
 */
export function cacheable(seconds: number): MiddlewareObj<unknown, APIGatewayProxyResult> {
  return {
    after(request) {
      const { event, response } = request;
      if (response === null || response === undefined) return;
      const tag = entityTag(response.body);
      const headers = { ...response.headers, 'Cache-Control': `public, max-age=${seconds}`, ETag: tag };
      const isKnown = matches(parseGatewayEvent(event).headers.get('if-none-match') ?? '', tag);
      request.response = isKnown ? notModified(response, headers) : { ...response, headers };
    },
  };
}

/** A strong tag: the same for the same bytes, and for no others. */
function entityTag(body: string): string {
  return `"${createHash('sha256').update(body).digest('base64url')}"`;
}

/** Compared weakly, as a reading is: a proxy that compresses makes a tag weak (`W/"…"`). */
function matches(ifNoneMatch: string, tag: string): boolean {
  return ifNoneMatch.trim() === '*' || [...ifNoneMatch.matchAll(/"[^"]*"/g)].some(([known]) => known === tag);
}

function notModified(
  response: APIGatewayProxyResult,
  { 'Content-Type': _, ...headers }: NonNullable<APIGatewayProxyResult['headers']>,
): APIGatewayProxyResult {
  return { ...response, statusCode: 304, headers, body: '' };
}
