import { createHash } from 'node:crypto';
import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { parseGatewayEvent } from './event.ts';

/**
 * Makes a success cacheable for some seconds (RFC 9111), and answers 304 without a body to a client that has it already
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

/** Of the content and not of the bytes that are sent, which API Gateway may compress. */
function entityTag(body: string): string {
  return `W/"${createHash('sha256').update(body).digest('base64url')}"`;
}

/** Compared weakly, as a reading is (RFC 9110 §13.1.2). */
function matches(ifNoneMatch: string, tag: string): boolean {
  return ifNoneMatch.trim() === '*' || [...ifNoneMatch.matchAll(/"[^"]*"/g)].some(([known]) => `W/${known}` === tag);
}

function notModified(
  response: APIGatewayProxyResult,
  { 'Content-Type': _, ...headers }: NonNullable<APIGatewayProxyResult['headers']>,
): APIGatewayProxyResult {
  return { ...response, statusCode: 304, headers, body: '' };
}
