import type { Json } from './schemas.ts';

const text = { type: 'string' };

/** Headers of answers, by their names. */
export const responseHeaders: Readonly<Record<string, Json>> = {
  'X-Request-Id': {
    description: 'Names the request in our logs; give it when you ask for help.',
    required: true,
    schema: text,
  },
  'Cache-Control': {
    description: '`no-store`, but for lists that anybody may keep for a while.',
    required: true,
    schema: text,
  },
  ETag: { description: 'Changes with the body; send it back in If-None-Match.', required: true, schema: text },
  'Idempotency-Replayed': {
    description: 'Present when this is the first answer to the Idempotency-Key again.',
    schema: { type: 'string', enum: ['true'] },
  },
  'WWW-Authenticate': {
    description: '`Bearer`, when API Gateway itself refused the access token; absent when the service did.',
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
      'Up to 255 printable characters. For 24 hours a repetition of the request under the same key gets the first answer again, and does nothing else.',
    schema: { type: 'string', pattern: '^[\\x20-\\x7e]{1,255}$' },
    example: '5f8e6a9c-order-4711',
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'The ETag of an answer that is known already; when it is still the current one, 304 without a body.',
    schema: text,
  },
};
