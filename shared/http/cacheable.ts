import { createHash } from 'node:crypto';
import type { APIGatewayProxyResult } from 'aws-lambda';

/**
 * A success that anybody may keep for some seconds (RFC 9111); without a body for those who have it already (RFC 9110
 * §13.1.2).
 */
export function cacheable(
  answer: APIGatewayProxyResult,
  seconds: number,
  ifNoneMatch: string | undefined,
): APIGatewayProxyResult {
  const tag = entityTag(answer.body);
  const headers = {
    ...answer.headers,
    'Cache-Control': `public, max-age=${seconds}`,
    ETag: tag,
    Vary: 'Accept-Encoding',
  };
  return matches(ifNoneMatch ?? '', tag) ? notModified(answer, headers) : { ...answer, headers };
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
  answer: APIGatewayProxyResult,
  { 'Content-Type': _, ...headers }: NonNullable<APIGatewayProxyResult['headers']>,
): APIGatewayProxyResult {
  return { ...answer, statusCode: 304, headers, body: '' };
}
