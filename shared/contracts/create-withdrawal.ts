import * as z from 'zod/mini';
import { amountIn } from './amount-in.ts';
import { contract } from './contract.ts';
import { externalReference, id, noQuery } from './fields.ts';
import { operation } from './operation.ts';

export const createWithdrawal = contract({
  name: 'create-withdrawal',
  method: 'POST',
  path: '/api/v1/admin/operation/{user_id}/withdrawal',
  summary: 'Create an off-ramp that is funded from an external wallet of the user',
  access: 'approved-client',
  pathParameters: z.object({ user_id: id }),
  unknownPath: 'USER_NOT_FOUND',
  query: noQuery,
  body: z.object({
    originExternalWalletId: id,
    supportedTokenId: z.int(),
    amount: amountIn,
    externalReference: z.optional(externalReference),
  }),
  idempotent: true,
  success: { status: 201, body: z.object({ operation }) },
  refusals: [
    'MALFORMED_JSON',
    'UNAUTHORIZED',
    'CLIENT_NOT_APPROVED',
    'USER_NOT_FOUND',
    'EXTERNAL_WALLET_NOT_FOUND',
    'IDEMPOTENCY_IN_PROGRESS',
    'PAYLOAD_TOO_LARGE',
    'UNSUPPORTED_MEDIA_TYPE',
    'VALIDATION_FAILED',
    'IDEMPOTENCY_KEY_REUSED',
    'SERVICE_UNAVAILABLE',
  ],
});
