import * as z from 'zod/mini';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { contract } from '#shared/platform/http/contract.ts';
import { documentObject } from '#shared/platform/http/document.ts';
import { noPathParameters, noQuery } from '#shared/platform/http/fields.ts';

/** Seconds an access token is valid (interface 5.2: five minutes). */
export const ACCESS_TOKEN_SECONDS = 300;

/** The `Authorization` header of a call: `Bearer` and three base64url parts without padding (decisions.md 1). */
export const BEARER_TOKEN = /^Bearer ([A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+)$/;

export const issueTokenContract = contract({
  name: 'issue-token',
  method: 'POST',
  path: '/api/v1/client/token',
  aliases: ['/api/token'],
  summary: 'Exchange client credentials for an access token',
  access: 'public',
  repeatable: true,
  pathParameters: noPathParameters,
  unknownPath: apiErrors.NOT_FOUND,
  query: noQuery,
  /** OAuth 2.0 client credentials (RFC 6749 §4.4); a form or HTTP Basic may carry the same fields. */
  body: z.object({
    client_id: z.string(),
    client_secret: z.string(),
    grant_type: z.optional(z.literal('client_credentials')),
  }),
  success: {
    status: 200,
    body: z.object({
      access_token: z.string(),
      token_type: z.literal('Bearer'),
      expires_in: z.int(),
    }),
  },
  errors: [
    apiErrors.MALFORMED_JSON,
    apiErrors.INVALID_REQUEST,
    apiErrors.UNSUPPORTED_GRANT_TYPE,
    apiErrors.INVALID_CLIENT,
    apiErrors.PAYLOAD_TOO_LARGE,
    apiErrors.UNSUPPORTED_MEDIA_TYPE,
    apiErrors.TOO_MANY_REQUESTS,
  ],
  oauth: true,
});

documentObject(
  'TokenRequest',
  issueTokenContract.body,
  'The credentials of a client (OAuth 2.0 client credentials, RFC 6749 4.4).',
  {
    client_id: { description: "The client's id. Not needed with HTTP Basic, which has priority.", isOptional: true },
    client_secret: {
      description: 'The secret, which was shown only at its creation. Not needed with HTTP Basic, which has priority.',
      isOptional: true,
    },
    grant_type: 'The only supported grant.',
  },
);

documentObject('AccessToken', issueTokenContract.success.body, 'An access token and how long it is valid.', {
  access_token: {
    description: 'A JWT. Send it as `Authorization: Bearer <access_token>`.',
    pattern: '^[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+$',
  },
  token_type: 'How the token is sent.',
  expires_in: {
    description: 'Seconds for which the token is valid: 300. Get the next one before they are over.',
    minimum: 1,
  },
});
