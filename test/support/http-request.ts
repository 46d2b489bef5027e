import type { HttpRequest } from '#shared/platform/http/event.ts';
import { CLIENT } from './ids.ts';

/** A request as it reaches a use case. Header names in lower case. */
export function httpRequest(
  rawBody: string | Buffer,
  headers: Readonly<Record<string, string>> = { 'content-type': 'application/json' },
  differences: Partial<HttpRequest> = {},
): HttpRequest {
  return {
    requestId: 'request-1',
    method: 'POST',
    url: 'https://api.example/prod/api/things',
    route: 'POST /api/things',
    headers: new Map(Object.entries(headers)),
    repeatedHeaders: new Set(),
    pathParameters: {},
    query: {},
    rawBody: Buffer.from(rawBody),
    operator: undefined,
    token: { clientId: CLIENT, expiresAtSeconds: 4_000_000_000 },
    ...differences,
  };
}
