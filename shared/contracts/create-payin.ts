import * as z from 'zod/mini';
import { rails } from '#shared/domain/payin.ts';
import { contract } from './contract.ts';
import { externalReference, id, instantIn, noQuery } from './fields.ts';
import { payin } from './payin.ts';

export const createPayin = contract({
  name: 'create-payin',
  method: 'POST',
  path: '/api/v1/admin/fiats/{user_id}/payin',
  summary: "Collect fiat from one of the client's users",
  access: 'approved-client',
  pathParameters: z.object({ user_id: id }),
  unknownPath: 'USER_NOT_FOUND',
  query: noQuery,
  body: z.object({
    amount: z.number(),
    currency: z.literal('COP'),
    /** PSE when not given. */
    paymentMethod: z._default(z.enum(rails), 'PSE'),
    /** Code of an active bank; required for PSE. */
    bank: z.optional(z.string()),
    redirectUrl: z.optional(z.string().check(z.maxLength(2048))),
    /** For NEQUI and DAVIPLATA; the user's registered phone when not given. */
    phone: z.optional(z.string()),
    externalReference: z.optional(externalReference),
    /** In the future. */
    expirationDate: z.optional(instantIn),
  }),
  idempotent: true,
  success: { status: 201, body: payin },
  refusals: [
    'MALFORMED_JSON',
    'UNAUTHORIZED',
    'CLIENT_NOT_APPROVED',
    'USER_NOT_FOUND',
    'IDEMPOTENCY_IN_PROGRESS',
    'PAYLOAD_TOO_LARGE',
    'UNSUPPORTED_MEDIA_TYPE',
    'VALIDATION_FAILED',
    'IDEMPOTENCY_KEY_REUSED',
    'RAIL_REJECTED',
    'RAIL_UNAVAILABLE',
  ],
});
