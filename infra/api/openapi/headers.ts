import type { Json } from './schemas.ts';

const text = { type: 'string' };

/** Headers of answers, by their names. */
export const responseHeaders: Readonly<Record<string, Json>> = {
  'X-Request-Id': {
    description: 'Identifies the request in the logs of the service; quote it when you ask for help.',
    required: true,
    schema: text,
  },
  'Cache-Control': {
    description: '`no-store`, except for lists that anybody may cache.',
    required: true,
    schema: text,
  },
  ETag: { description: 'Changes with the body; send it back in If-None-Match.', required: true, schema: text },
  'Idempotency-Replayed': {
    description:
      'Present if this answer repeats the first one to the Idempotency-Key. Its status is that of then: read the resource for what it is now.',
    schema: { type: 'string', enum: ['true'] },
  },
  'WWW-Authenticate': {
    description: '`Bearer` if API Gateway itself refused the access token; absent if the service did.',
    schema: { type: 'string', enum: ['Bearer'] },
  },
  'Retry-After': { description: 'Seconds after which a retry may help.', schema: { type: 'integer', minimum: 0 } },
};

/** References to headers by their names. */
export function headers(...names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Headers of requests, by the names of their components. */
export const requestHeaders: Readonly<Record<string, Json>> = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Up to 255 printable characters, sent once. For 24 hours a repeat of the request with the same key returns the first answer and has no other effect.',
    schema: { type: 'string', pattern: '^[\\x20-\\x7e]{1,255}$' },
    example: '5f8e6a9c-order-4711',
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'The ETag of a known answer; if it is still current, the answer is 304 without a body.',
    schema: text,
  },
};
