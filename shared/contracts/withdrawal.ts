import * as z from 'zod/mini';
import { operationStatuses } from '#shared/domain/operation.ts';
import { contract } from './contract.ts';
import { amountIn, id, instant, network } from './fields.ts';

/** An off-ramp operation as clients see it (interface 2.5, decisions.md 4). */
export const operation = z.object({
  id,
  status: z.enum(operationStatuses),
  network,
  token: z.string(),
  /** The deposit address. */
  address: z.string(),
  /** Memo or tag that has to go with the deposit, on networks that have one. */
  addressTag: z.optional(z.string()),
  /** Exact amount expected, as a decimal text. */
  amount: z.string(),
  /** Until then a reported hash is looked up again and again. */
  expiresAt: instant,
  originExternalWalletId: id,
  externalReference: z.optional(z.string()),
  createdAt: instant,
});

export const createWithdrawal = contract({
  name: 'create-withdrawal',
  method: 'POST',
  path: '/api/v1/admin/operation/{user_id}/withdrawal',
  summary: 'Create an off-ramp that is funded from an external wallet of the user',
  access: 'approved-client',
  pathParameters: z.object({ user_id: id }),
  unknownPath: 'USER_NOT_FOUND',
  body: z.object({
    originExternalWalletId: id,
    supportedTokenId: z.int(),
    amount: amountIn,
    externalReference: z.optional(z.string().check(z.minLength(1), z.maxLength(255))),
  }),
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
