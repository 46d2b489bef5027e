import * as z from 'zod/mini';
import { hashStatuses, operationStatuses } from '#shared/domain/operation.ts';
import { verificationReasons } from '#shared/domain/verification-reason.ts';
import { contract } from './contract.ts';
import { id, instant, noBody, noQuery } from './fields.ts';

const path = '/api/v1/admin/operation/{user_id}/withdrawal/{operation_id}/hash';
const pathParameters = z.object({ user_id: id, operation_id: id });

export const submitOfframpHash = contract({
  name: 'submit-offramp-hash',
  method: 'POST',
  path,
  summary: 'Report the on-chain hash of the transaction that funds an off-ramp',
  access: 'approved-client',
  repeatable: true,
  pathParameters,
  unknownPath: 'OFF_RAMP_NOT_FOUND',
  query: noQuery,
  body: z.object({ txHash: z.string() }),
  success: {
    status: 202,
    body: z.object({ operationId: id, txHash: z.string(), status: z.literal('VERIFYING') }),
  },
  refusals: [
    'MALFORMED_JSON',
    'UNAUTHORIZED',
    'CLIENT_NOT_APPROVED',
    'OFF_RAMP_NOT_FOUND',
    'OPERATION_NOT_AWAITING_DEPOSIT',
    'TX_HASH_ALREADY_DECLARED',
    'TOO_MANY_ATTEMPTS',
    'PAYLOAD_TOO_LARGE',
    'UNSUPPORTED_MEDIA_TYPE',
    'VALIDATION_FAILED',
    'SERVICE_UNAVAILABLE',
  ],
});

/** Why a deposit has not verified and when the next look is: an addition to the interface (decisions.md 4). */
export const verification = z.object({
  /** DETECTED when the verified deposit was found without, or by another hash than, a report. */
  source: z.enum(['REPORTED', 'DETECTED']),
  /** While the hash status is VERIFYING: whether another look is to come. */
  state: z.optional(z.enum(['ACTIVE', 'WINDOW_ENDED'])),
  attempt: z.optional(z.int()),
  reason: z.optional(z.enum(verificationReasons)),
  confirmations: z.optional(z.int()),
  requiredConfirmations: z.optional(z.int()),
  lastCheckedAt: z.optional(instant),
  nextCheckAt: z.optional(instant),
  windowEndsAt: z.optional(instant),
});

export const getOfframpHash = contract({
  name: 'get-offramp-hash',
  method: 'GET',
  path,
  summary: 'Read the hash reported for an off-ramp and the hash verified with the custodian',
  access: 'client',
  pathParameters,
  unknownPath: 'OFF_RAMP_NOT_FOUND',
  query: noQuery,
  body: noBody,
  success: {
    status: 200,
    body: z.object({
      operationId: id,
      operationStatus: z.enum(operationStatuses),
      txHash: z.nullable(z.string()),
      verifiedTxHash: z.nullable(z.string()),
      status: z.enum(hashStatuses),
      verification: z.optional(verification),
    }),
  },
  refusals: ['UNAUTHORIZED', 'OFF_RAMP_NOT_FOUND'],
});
