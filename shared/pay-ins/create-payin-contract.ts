import * as z from 'zod/mini';
import { contract } from '#shared/platform/http/contract.ts';
import { documentObject } from '#shared/platform/http/document.ts';
import { externalReference, id, instantIn, noQuery } from '#shared/platform/http/fields.ts';
import { payin } from './payin-contract.ts';
import { paymentMethod } from './rails/rail-specs.ts';

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
    paymentMethod: z._default(paymentMethod, 'PSE'),
    bank: z.optional(z.string()),
    redirectUrl: z.optional(z.string().check(z.maxLength(2048))),
    phone: z.optional(z.string()),
    externalReference: z.optional(externalReference),
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

documentObject('CreatePayinRequest', createPayin.body, 'What to collect, and by which rail.', {
  amount: {
    description: 'Pesos to collect, whole or with two decimals.',
    format: 'double',
    minimum: 1500,
    maximum: 50_000_000,
  },
  currency: 'Currency of the amount, by ISO 4217.',
  paymentMethod: 'The rail that collects the money.',
  bank: { description: "Code of the payer's bank, from the list of banks. Required for PSE.", pattern: '^\\d{4}$' },
  redirectUrl: {
    description: 'Where the user returns after paying: an absolute https URL without user name and password.',
    format: 'uri',
  },
  phone: {
    description:
      "The payer's Colombian mobile number, for NEQUI and DAVIPLATA. The user's registered phone when left out.",
    pattern: '^(\\+57)?3\\d{9}$',
  },
  externalReference: "The client's own reference for the pay-in. Lists can be filtered by it.",
  expirationDate: 'Until when the pay-in may be paid: a time in the future, by RFC 3339 with an offset.',
});
