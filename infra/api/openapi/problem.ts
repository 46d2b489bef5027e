import * as z from 'zod/mini';
import { notReturnableReasons } from '#shared/off-ramps/model/returns.ts';
import { oauthErrorCodes } from '#shared/platform/http/answer.ts';
import { documentObject, documentValues } from '#shared/platform/http/document.ts';
import { errorCodes, meaningOf } from './declared-errors.ts';

const fieldError = z.object({ path: z.string(), code: z.string(), message: z.string() });

documentObject('FieldError', fieldError, 'One invalid value of the request.', {
  path: 'The path of the value, from `body`, `path`, `query` or `header` on: `body.txHash`.',
  code: {
    description:
      'For programs: what is wrong with it, for example `REQUIRED`, `INVALID_TYPE`, `INVALID_FORMAT`, `NOT_ALLOWED` or `OUT_OF_RANGE`. Codes may be added.',
    pattern: '^[A-Z_]+$',
  },
  message: 'For people: what it must be.',
});

const notReturnable = z.enum(notReturnableReasons);

documentValues('NotReturnableReason', notReturnable, 'Why a deposit cannot be sent back.', {
  STATUS: 'It is not `UNMATCHED`, or what became of its off-ramp is being clarified.',
  SETTLED: 'Finance operations have settled it.',
  HELD: 'The custodian holds it.',
  NOTHING_LEFT: 'It is not worth more than the fee of sending it.',
  SENDER_UNKNOWN: 'Its sender is not known.',
  NOT_SERVED: 'The token is not supported, or nothing is sent back on its network.',
  OTHER_ADDRESS: 'The address is not that of its sender, or not the one that it is being sent to.',
});

const oauthErrorCode = z.enum(oauthErrorCodes);

documentValues('OauthErrorCode', oauthErrorCode, 'Why a token was refused (RFC 6749 5.2).', {
  invalid_client: 'The client id or the client secret is wrong.',
  invalid_request: 'The request is malformed, or a field is missing or repeated.',
  unsupported_grant_type: 'Only client_credentials is supported.',
  temporarily_unavailable: 'The client requests too many tokens.',
});

/** Every error body of the service, API Gateway's own included (RFC 9457; decisions.md 3). */
export const problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  code: z.enum(errorCodes),
  detail: z.string(),
  requestId: z.string(),
  payinId: z.optional(z.string()),
  oldestCursor: z.optional(z.string()),
  reasons: z.optional(z.array(notReturnable)),
  error: z.optional(oauthErrorCode),
  error_description: z.optional(z.string()),
  errors: z.optional(z.array(fieldError)),
});

documentObject('Problem', problem, 'Why a request was refused or failed (RFC 9457).', {
  type: 'The address of the page about the code, for people; it may change.',
  title: 'Name of the HTTP status.',
  status: { description: 'The HTTP status.', minimum: 400, maximum: 599 },
  code: 'For programs: what is wrong. Stable.',
  detail: 'For people: what is wrong, and what to do.',
  requestId: 'Id of the request, as in the header X-Request-Id. Quote it when you ask for help.',
  payinId: { description: 'The pay-in of a failed creation.', format: 'uuid' },
  oldestCursor: 'Only with the code CURSOR_EXPIRED: the cursor of the oldest events, to be sent as `after`.',
  reasons: 'Only with the code DEPOSIT_NOT_RETURNABLE: all reasons that hold.',
  error: 'Only for a refused token request, for OAuth clients: the reason.',
  error_description: 'Only for a refused token request, for OAuth clients: the text of `detail`.',
  errors: 'Only with the status 422 and the code VALIDATION_FAILED: every invalid value.',
});

const meanings = Object.fromEntries(errorCodes.map((code) => [code, meaningOf(code)]));
documentValues(
  'ProblemCode',
  problem.shape.code,
  'What is wrong, for programs.',
  z.record(problem.shape.code, z.string()).parse(meanings),
);
