import { isUtf8 } from 'node:buffer';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { ApiError } from './api-error.ts';
import type { HttpRequest } from './event.ts';
import { parseJson } from './json.ts';

/**
 * The JSON of a body; a missing body reads as an empty object, so that what is missing is named.
 *
 * @throws {ApiError} UNSUPPORTED_MEDIA_TYPE, MALFORMED_JSON
 */
export function parseJsonBody(request: Pick<HttpRequest, 'headers'>, bytes: Buffer): unknown {
  if (bytes.length === 0) return {};
  if (mediaType(request) !== 'application/json') throw new ApiError(apiErrors.UNSUPPORTED_MEDIA_TYPE);
  if (!isUtf8(bytes))
    throw new ApiError(apiErrors.MALFORMED_JSON, { detail: 'The body is not UTF-8. Send it as UTF-8.' });
  return parseJson(bytes.toString('utf8'));
}

/** The bytes of a body that is not too large. @throws {ApiError} PAYLOAD_TOO_LARGE */
export function atMost(limit: number, bytes: Buffer): Buffer {
  if (bytes.length <= limit) return bytes;
  throw new ApiError(apiErrors.PAYLOAD_TOO_LARGE, {
    detail: `The body is larger than this route accepts. Send at most ${limit} bytes.`,
  });
}

export function mediaType(request: Pick<HttpRequest, 'headers'>): string {
  return (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}
