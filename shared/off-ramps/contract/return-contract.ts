import * as z from 'zod/mini';
import { clientErrors } from '#shared/clients/client-errors.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { contract } from '#shared/platform/http/contract.ts';
import { documentObject } from '#shared/platform/http/document.ts';
import { noQuery } from '#shared/platform/http/fields.ts';
import { shownDeposit } from './deposit-contract.ts';
import { OFF_RAMPS_PATH, offRampErrors, operationPath } from './off-ramp-contract.ts';

const returnRequest = z.object({
  confirmAddress: z.optional(z.string().check(z.trim(), z.minLength(1), z.maxLength(128))),
  tag: z.optional(z.string().check(z.trim(), z.minLength(1), z.maxLength(64))),
});

documentObject('ReturnDepositRequest', returnRequest, 'Where a deposit is sent back: to its sender.', {
  confirmAddress: {
    description:
      "The sender's address, repeated. Needed when the sender is not the declared wallet, and on networks with tags. Any other address is refused.",
    minLength: 1,
    maxLength: 128,
  },
  tag: {
    description: 'The memo or tag that the address needs, on networks with tags.',
    minLength: 1,
    maxLength: 64,
  },
});

const depositResult = z.object({ deposit: shownDeposit });

documentObject('DepositResult', depositResult, 'One deposit.', { deposit: 'The deposit.' });

export const returnDepositContract = contract({
  name: 'return-deposit',
  method: 'POST',
  path: `${OFF_RAMPS_PATH}/{operation_id}/deposits/{deposit_id}/return`,
  summary: 'Ask for a deposit that funds nothing to be sent back to its sender',
  access: 'approved-client',
  // A deposit's id is a UUID. Any other text gets DEPOSIT_NOT_FOUND, which is checked after the operation.
  pathParameters: z.extend(operationPath, { deposit_id: z.string().check(z.toLowerCase()) }),
  unknownPath: offRampErrors.OFF_RAMP_NOT_FOUND,
  query: noQuery,
  body: returnRequest,
  mayLackBody: true,
  idempotent: true,
  success: { status: 202, body: depositResult },
  errors: [
    apiErrors.MALFORMED_JSON,
    apiErrors.UNAUTHORIZED,
    clientErrors.CLIENT_NOT_APPROVED,
    offRampErrors.OFF_RAMP_NOT_FOUND,
    offRampErrors.DEPOSIT_NOT_FOUND,
    offRampErrors.DEPOSIT_NOT_RETURNABLE,
    apiErrors.IDEMPOTENCY_IN_PROGRESS,
    apiErrors.PAYLOAD_TOO_LARGE,
    apiErrors.UNSUPPORTED_MEDIA_TYPE,
    apiErrors.VALIDATION_FAILED,
    apiErrors.IDEMPOTENCY_KEY_REUSED,
    apiErrors.SERVICE_UNAVAILABLE,
  ],
});
