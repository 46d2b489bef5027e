import * as z from 'zod/mini';
import { clientErrors } from '#shared/clients/client-errors.ts';
import { offRampErrors } from '#shared/off-ramps/contract/off-ramp-errors.ts';
import { type OffRamp, offRamp, operationStatus, statusChange } from '#shared/off-ramps/model/off-ramp.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { contract } from '#shared/platform/http/contract.ts';
import { documentObject } from '#shared/platform/http/document.ts';
import { externalReference, id, noBody, noQuery } from '#shared/platform/http/fields.ts';
import { pageLimit } from '#shared/platform/http/page-limit.ts';

export const OFF_RAMPS_PATH = '/api/v1/admin/operation/{user_id}/withdrawal';

export const ofUser = z.object({ user_id: id });
export const ofOperation = z.extend(ofUser, { operation_id: id });

/** An off-ramp as clients see it (interface 2.5, decisions.md 4). */
const operation = z.object({
  id,
  ...z.pick(offRamp, {
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
  status: 'How far the operation is.',
  network: 'The network on which the deposit is expected: that of the external wallet.',
  token: 'Symbol of the token that is expected, for example `USDC`.',
  address: 'The address to which the user sends the deposit; on EVM networks with its checksum (EIP-55).',
  addressTag:
    'The memo or tag that the deposit needs besides the address, which others share: without it, it is not known whose the deposit is. Absent when it needs none.',
  amount: {
    description:
      'The exact amount that is expected, in units of the token, as a decimal text. It has to come whole, in one transfer from the declared wallet: transfers are not added up.',
    pattern: '^\\d+(\\.\\d+)?$',
  },
  expiresAt:
    'Until then a reported hash is checked again and again. The operation stays AWAITING_DEPOSIT after it, and a hash that is submitted later opens a new window.',
  endsAt:
    'When the operation ends if nothing has arrived until then, and no hash is being verified: it is CANCELLED, with the reason `EXPIRED`.',
  originExternalWalletId: 'The external wallet from which the deposit has to come.',
  externalReference: { description: "The client's own reference, if one was given.", minLength: 1, maxLength: 255 },
  createdAt: 'When the operation was created.',
  payout: 'What was paid out, as far as the payout service has said it. Absent until the operation is COMPLETED.',
  sequence:
    'Grows with every change of the operation, as in its events: one with a smaller sequence is older than this.',
});

export function describeOperation(of: OffRamp): z.infer<typeof operation> {
  return operation.parse({ ...of, id: of.operationId });
}

documentObject('OperationStatusChange', statusChange, 'A status that an operation came to.', {
  status: 'The status.',
  at: 'When the operation came to it.',
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

export function describeWithHistory(of: OffRamp): z.infer<typeof operationWithHistory> {
  return operationWithHistory.parse({ ...of, id: of.operationId });
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
  pathParameters: ofOperation,
  unknownPath: offRampErrors.OFF_RAMP_NOT_FOUND,
  query: noQuery,
  body: noBody,
  success: { status: 200, body: operationWithHistoryResult },
  errors: [apiErrors.UNAUTHORIZED, offRampErrors.OFF_RAMP_NOT_FOUND],
});

const operationPage = z.object({ operations: z.array(operation), nextCursor: z.optional(z.string()) });

documentObject('OperationPage', operationPage, "A page of a user's off-ramps.", {
  operations: 'The off-ramps of this page, newest first.',
  nextCursor: 'Opaque. Send it as `cursor` to get the next page; absent on the last one.',
});

/** `limit` comes as a text, like every query parameter. */
export const listOperationsContract = contract({
  name: 'list-operations',
  method: 'GET',
  path: OFF_RAMPS_PATH,
  summary: "List a user's off-ramps, newest first",
  access: 'client',
  pathParameters: ofUser,
  unknownPath: clientErrors.USER_NOT_FOUND,
  query: z.strictObject({
    status: z.optional(operationStatus),
    externalReference: z.optional(externalReference),
    limit: pageLimit,
    cursor: z.optional(z.string()),
  }),
  body: noBody,
  success: {
    status: 200,
    body: operationPage,
  },
  errors: [
    apiErrors.UNAUTHORIZED,
    clientErrors.USER_NOT_FOUND,
    apiErrors.VALIDATION_FAILED,
    apiErrors.SERVICE_UNAVAILABLE,
  ],
});

export const cancelOperationContract = contract({
  name: 'cancel-operation',
  method: 'POST',
  path: `${OFF_RAMPS_PATH}/{operation_id}/cancel`,
  summary: 'Cancel an off-ramp that has no deposit on its way',
  access: 'approved-client',
  pathParameters: ofOperation,
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
