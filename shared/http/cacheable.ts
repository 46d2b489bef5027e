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
  const headers = { ...answer.headers, 'Cache-Control': `public, max-age=${seconds}`, ETag: tag };
  return matches(ifNoneMatch ?? '', tag) ? notModified(answer, headers) : { ...answer, headers };
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
  answer: APIGatewayProxyResult,
  { 'Content-Type': _, ...headers }: NonNullable<APIGatewayProxyResult['headers']>,
): APIGatewayProxyResult {
  return { ...answer, statusCode: 304, headers, body: '' };
}
