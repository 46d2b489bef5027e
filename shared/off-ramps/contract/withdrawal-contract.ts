import * as z from 'zod/mini';
import { clientErrors } from '#shared/clients/client-errors.ts';
import { amountInput } from '#shared/platform/amount-input.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { contract } from '#shared/platform/http/contract.ts';
import { documentObject } from '#shared/platform/http/document.ts';
import { externalReference, id, noQuery } from '#shared/platform/http/fields.ts';
import { OFF_RAMPS_PATH, operationResult, userPath } from './off-ramp-contract.ts';

/* A separate file: the request's schema would add 4 kB to each function that only reads off-ramps. */

const withdrawalRequest = z.object({
  originExternalWalletId: id,
  supportedTokenId: z.int(),
  amount: amountInput,
  externalReference: z.optional(externalReference),
});

documentObject('CreateWithdrawalRequest', withdrawalRequest, 'The deposit that the user sends, and its wallet.', {
  originExternalWalletId: 'The external wallet from which the user sends the deposit.',
  supportedTokenId: "Id of the token, from the list of tokens. It must be active on the wallet's network.",
  amount: {
    description:
      'Amount of the token, as decimal text, within the decimals and bounds of the token on its network: the list of tokens has them. A JSON number is accepted, too, exactly as it is written.',
    type: 'string',
    pattern: '^\\d{1,30}(\\.\\d{1,18})?$',
  },
  externalReference: "The client's own reference for the off-ramp. Lists can be filtered by it.",
});

export const createWithdrawalContract = contract({
  name: 'create-withdrawal',
  method: 'POST',
  path: OFF_RAMPS_PATH,
  summary: 'Create an off-ramp that is funded from an external wallet of the user',
  access: 'approved-client',
  pathParameters: userPath,
  unknownPath: clientErrors.USER_NOT_FOUND,
  query: noQuery,
  body: withdrawalRequest,
  idempotent: true,
  success: { status: 201, body: operationResult },
  errors: [
    apiErrors.MALFORMED_JSON,
    apiErrors.UNAUTHORIZED,
    clientErrors.CLIENT_NOT_APPROVED,
    clientErrors.USER_NOT_FOUND,
    clientErrors.EXTERNAL_WALLET_NOT_FOUND,
    clientErrors.USER_ERASED,
    apiErrors.IDEMPOTENCY_IN_PROGRESS,
    apiErrors.PAYLOAD_TOO_LARGE,
    apiErrors.UNSUPPORTED_MEDIA_TYPE,
    apiErrors.VALIDATION_FAILED,
    apiErrors.IDEMPOTENCY_KEY_REUSED,
    apiErrors.SERVICE_UNAVAILABLE,
  ],
});
