import * as z from 'zod/mini';
import { clientErrors } from '#shared/clients/client-errors.ts';
import {
  type OffRamp,
  offRamp,
  operationStatus,
  statusChange,
  statusHistoryOf,
} from '#shared/off-ramps/model/off-ramp.ts';
import { apiErrors, declareErrors } from '#shared/platform/http/api-errors.ts';
import { contract } from '#shared/platform/http/contract.ts';
import { documentObject } from '#shared/platform/http/document.ts';
import { externalReference, id, noBody, noPathParameters, noQuery, pageLimit } from '#shared/platform/http/fields.ts';

/** The errors of requests about off-ramps, their hashes and deposits. */
export const offRampErrors = declareErrors({
  OFF_RAMP_NOT_FOUND: [
    404,
    'The user has no off-ramp operation with this id that is funded from an external wallet. Check both ids.',
  ],
  OPERATION_NOT_AWAITING_DEPOSIT: [
    409,
    'The operation no longer awaits a deposit. Read it to see its status; another deposit needs another operation.',
  ],
  OPERATION_STATUS_CONFLICT: [
    409,
    'The status of the operation does not allow this change. Read the operation to see its status.',
  ],
  TX_HASH_ALREADY_DECLARED: [
    409,
    'Another operation has declared this hash or was funded by it. Submit the hash of the transaction that funds this operation.',
  ],
  DEPOSIT_IN_PROGRESS: [
    409,
    'A deposit for the operation is on its way, so it cannot be cancelled. Wait until the deposit is verified or has failed.',
  ],
  TOO_MANY_ATTEMPTS: [
    409,
    'The operation has used all of its 100 verification attempts. Its deposit is still detected without a hash; if it is not, ask for help.',
  ],
  DEPOSIT_NOT_FOUND: [404, 'There is no deposit with this id. Check it in the list of deposits of the off-ramp.'],
  DEPOSIT_NOT_RETURNABLE: [
    409,
    'The deposit cannot be sent back now, or not to this address. The `reasons` say why; the list of deposits shows what is `returnable`.',
  ],
  SANDBOX_DEPOSIT_TAKEN: [
    409,
    'Another client has created this simulated transaction, and only that client can change it. Use another hash.',
  ],
});

export const OFF_RAMPS_PATH = '/api/v1/admin/operation/{user_id}/withdrawal';

export const userPath = z.object({ user_id: id });
export const operationPath = z.extend(userPath, { operation_id: id });

/** An off-ramp as clients see it (interface 2.5, decisions.md 4). */
const operation = z.object({
  id,
  ...z.pick(offRamp, {
    userId: true,
    status: true,
    network: true,
    token: true,
    address: true,
    addressTag: true,
    amount: true,
    expiresAt: true,
    endsAt: true,
    originExternalWalletId: true,
    externalReference: true,
    createdAt: true,
    payout: true,
    sequence: true,
  }).shape,
});

documentObject('Operation', operation, 'An off-ramp: the user sends a deposit, and is paid out in fiat.', {
  id: 'Id of the operation.',
  userId: 'The user of the off-ramp.',
  status: 'Status of the operation.',
  network: 'The network on which the deposit is expected: that of the external wallet.',
  token: 'Symbol of the expected token, for example `USDC`.',
  address: 'The address to which the user sends the deposit; on EVM networks with its checksum (EIP-55).',
  addressTag:
    'The memo or tag that the deposit needs, because others share the address: without it, the owner of the deposit is unknown. Absent if none is needed.',
  amount: {
    description:
      'The exact expected amount, in units of the token, as decimal text. It must come in one transfer from the declared wallet: transfers are never added up.',
    pattern: '^\\d+(\\.\\d+)?$',
  },
  expiresAt:
    'A reported hash is checked repeatedly until this time. After it the operation stays AWAITING_DEPOSIT, and a later submission opens a new window.',
  endsAt:
    'When the operation becomes CANCELLED, with the reason `EXPIRED`, if nothing has arrived and no hash is being verified.',
  originExternalWalletId: 'The external wallet from which the deposit must come.',
  externalReference: { description: "The client's own reference, if one was given.", minLength: 1, maxLength: 255 },
  createdAt: 'When the operation was created.',
  payout: 'The payout, as far as the payout service has reported it. Absent until the operation is COMPLETED.',
  sequence: 'Grows with every change of the operation, as in its events: an event with a smaller sequence is older.',
});

export function describeOperation(of: OffRamp): z.infer<typeof operation> {
  return operation.parse({ ...of, id: of.operationId });
}

documentObject('OperationStatusChange', statusChange, 'A status in the history of an operation.', {
  status: 'The status.',
  at: 'When the operation got it.',
  reason: { description: 'Why, if a reason was given. A code or a text, for people.', minLength: 1, maxLength: 255 },
});

const operationWithHistory = z.extend(operation, { statusHistory: z.array(statusChange) });

documentObject(
  'OperationWithHistory',
  operationWithHistory,
  'An off-ramp with its status history.',
  { statusHistory: 'Every status that the operation has had, oldest first.' },
  operation,
);

export function describeOperationWithHistory(of: OffRamp): z.infer<typeof operationWithHistory> {
  return operationWithHistory.parse({ ...of, id: of.operationId, statusHistory: statusHistoryOf(of) });
}

export const operationResult = z.object({ operation });

documentObject('OperationResult', operationResult, 'One off-ramp.', { operation: 'The off-ramp.' });

const operationWithHistoryResult = z.object({ operation: operationWithHistory });

documentObject('OperationWithHistoryResult', operationWithHistoryResult, 'One off-ramp with its status history.', {
  operation: 'The off-ramp.',
});

export const getOperationContract = contract({
  name: 'get-operation',
  method: 'GET',
  path: `${OFF_RAMPS_PATH}/{operation_id}`,
  summary: 'Read an off-ramp with its status history',
  access: 'client',
  pathParameters: operationPath,
  unknownPath: offRampErrors.OFF_RAMP_NOT_FOUND,
  query: noQuery,
  body: noBody,
  success: { status: 200, body: operationWithHistoryResult },
  errors: [apiErrors.UNAUTHORIZED, offRampErrors.OFF_RAMP_NOT_FOUND],
});

const operationPage = z.object({ operations: z.array(operation), nextCursor: z.optional(z.string()) });

documentObject('OperationPage', operationPage, 'A page of off-ramps.', {
  operations: 'The off-ramps of this page, newest first.',
  nextCursor: 'Opaque. Send it as `cursor` to get the next page; absent on the last one.',
});

/** `limit` comes as a text, like every query parameter. */
const operationsQuery = z.strictObject({
  status: z.optional(operationStatus),
  externalReference: z.optional(externalReference),
  limit: pageLimit,
  cursor: z.optional(z.string()),
});

export const listOperationsContract = contract({
  name: 'list-operations',
  method: 'GET',
  path: OFF_RAMPS_PATH,
  summary: "List a user's off-ramps, newest first",
  access: 'client',
  pathParameters: userPath,
  unknownPath: clientErrors.USER_NOT_FOUND,
  query: operationsQuery,
  body: noBody,
  success: { status: 200, body: operationPage },
  errors: [
    apiErrors.UNAUTHORIZED,
    clientErrors.USER_NOT_FOUND,
    apiErrors.VALIDATION_FAILED,
    apiErrors.SERVICE_UNAVAILABLE,
  ],
});

/** Lists a client's off-ramps of all its users (decisions.md 14, Lists over all users). */
export const listClientOperationsContract = contract({
  name: 'list-client-operations',
  method: 'GET',
  path: '/api/v1/admin/withdrawals',
  summary: "List the off-ramps of all of the client's users, newest first",
  access: 'client',
  pathParameters: noPathParameters,
  unknownPath: apiErrors.NOT_FOUND,
  query: operationsQuery,
  body: noBody,
  success: { status: 200, body: operationPage },
  errors: [apiErrors.UNAUTHORIZED, apiErrors.VALIDATION_FAILED, apiErrors.SERVICE_UNAVAILABLE],
});

export const cancelOperationContract = contract({
  name: 'cancel-operation',
  method: 'POST',
  path: `${OFF_RAMPS_PATH}/{operation_id}/cancel`,
  summary: 'Cancel an off-ramp that has no deposit on its way',
  access: 'approved-client',
  pathParameters: operationPath,
  unknownPath: offRampErrors.OFF_RAMP_NOT_FOUND,
  query: noQuery,
  body: noBody,
  success: { status: 200, body: operationWithHistoryResult },
  errors: [
    apiErrors.UNAUTHORIZED,
    clientErrors.CLIENT_NOT_APPROVED,
    offRampErrors.OFF_RAMP_NOT_FOUND,
    offRampErrors.OPERATION_NOT_AWAITING_DEPOSIT,
    offRampErrors.DEPOSIT_IN_PROGRESS,
    apiErrors.SERVICE_UNAVAILABLE,
  ],
});
