import * as z from 'zod/mini';
import { operationStatuses } from '#shared/domain/operation.ts';
import { contract } from './contract.ts';
import { amountIn, id, instant, network, noBody, noQuery, pageLimit } from './fields.ts';

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
  query: noQuery,
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

const operationPath = '/api/v1/admin/operation/{user_id}/withdrawal/{operation_id}';
const operationParameters = z.object({ user_id: id, operation_id: id });

/** An operation with all statuses it has had, oldest first. */
const operationWithHistory = z.extend(operation, {
  statusHistory: z.array(z.object({ status: z.enum(operationStatuses), at: instant, reason: z.optional(z.string()) })),
});

export const getOperation = contract({
  name: 'get-operation',
  method: 'GET',
  path: operationPath,
  summary: 'Read an off-ramp with its status history',
  access: 'client',
  pathParameters: operationParameters,
  unknownPath: 'OFF_RAMP_NOT_FOUND',
  query: noQuery,
  body: noBody,
  success: { status: 200, body: z.object({ operation: operationWithHistory }) },
  refusals: ['UNAUTHORIZED', 'OFF_RAMP_NOT_FOUND'],
});

/** `limit` comes as a text, like every query parameter. */
export const listOperations = contract({
  name: 'list-operations',
  method: 'GET',
  path: '/api/v1/admin/operation/{user_id}/withdrawal',
  summary: "List a user's off-ramps, newest first",
  access: 'client',
  pathParameters: z.object({ user_id: id }),
  unknownPath: 'USER_NOT_FOUND',
  query: z.object({
    status: z.optional(z.enum(operationStatuses)),
    externalReference: z.optional(z.string()),
    limit: pageLimit,
    cursor: z.optional(z.string()),
  }),
  body: noBody,
  success: {
    status: 200,
    /** `nextCursor` is absent on the last page. */
    body: z.object({ operations: z.array(operation), nextCursor: z.optional(z.string()) }),
  },
  refusals: ['UNAUTHORIZED', 'USER_NOT_FOUND', 'VALIDATION_FAILED'],
});

export const cancelOperation = contract({
  name: 'cancel-operation',
  method: 'POST',
  path: `${operationPath}/cancel`,
  summary: 'Cancel an off-ramp for which no deposit has been seen',
  access: 'approved-client',
  pathParameters: operationParameters,
  unknownPath: 'OFF_RAMP_NOT_FOUND',
  query: noQuery,
  body: noBody,
  success: { status: 200, body: z.object({ operation: operationWithHistory }) },
  refusals: [
    'UNAUTHORIZED',
    'CLIENT_NOT_APPROVED',
    'OFF_RAMP_NOT_FOUND',
    'OPERATION_NOT_AWAITING_DEPOSIT',
    'DEPOSIT_IN_PROGRESS',
    'SERVICE_UNAVAILABLE',
  ],
});
