import { isUtf8 } from 'node:buffer';
import { Refusal } from '#shared/domain/refusal.ts';
import type { HttpRequest } from './event.ts';
import { parseJson } from './json.ts';

/** Bytes; every request of the interface fits many times over. */
const LARGEST_BODY = 64 * 1024;

/**
 * The JSON body of a request; a missing body reads as an empty object, so that what is missing is named.
 *
 * @throws {Refusal} PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, MALFORMED_JSON
 */
export function readJsonBody(request: HttpRequest): unknown {
  refuseLargeBody(request, LARGEST_BODY);
  if (request.rawBody.length === 0) return {};
  if (mediaType(request) !== 'application/json') throw new Refusal('UNSUPPORTED_MEDIA_TYPE');
  if (!isUtf8(request.rawBody))
    throw new Refusal('MALFORMED_JSON', { detail: 'The body is not UTF-8. Send it as UTF-8.' });
  return parseJson(request.rawBody.toString('utf8'));
}

export function refuseLargeBody(request: HttpRequest, limit: number): void {
  if (request.rawBody.length > limit) {
    throw new Refusal('PAYLOAD_TOO_LARGE', {
      detail: `The body is larger than this route accepts. Send at most ${limit} bytes.`,
    });
  }
}

export function mediaType(request: HttpRequest): string {
  return (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}
