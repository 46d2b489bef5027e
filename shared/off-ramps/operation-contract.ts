import * as z from 'zod/mini';
import { network } from '#shared/networks/network.ts';
import { documentObject, documentValues } from '#shared/platform/http/document.ts';
import { id, instant } from '#shared/platform/http/fields.ts';
import { operationStatuses } from './operation.ts';

export const operationStatus = z.enum(operationStatuses);

documentValues('OperationStatus', operationStatus, 'How far an off-ramp is.', {
  AWAITING_DEPOSIT: 'It waits for the deposit of the user.',
  PENDING: 'The deposit is verified; compliance review and payout are under way.',
  COMPLETED: 'It was paid out. Final.',
  CANCELLED: 'It was cancelled. Final.',
  FAILED: 'It failed. Final.',
});

/** An off-ramp operation as clients see it (interface 2.5, decisions.md 4). */
export const operation = z.object({
  id,
  status: operationStatus,
  network,
  token: z.string(),
  address: z.string(),
  addressTag: z.optional(z.string()),
  amount: z.string(),
  expiresAt: instant,
  originExternalWalletId: id,
  externalReference: z.optional(z.string()),
  createdAt: instant,
});

documentObject('Operation', operation, 'An off-ramp: the user sends a deposit, and is paid out in fiat.', {
  id: 'Id of the operation.',
  status: 'How far the operation is.',
  network: 'The network on which the deposit is expected: that of the external wallet.',
  token: 'Symbol of the token that is expected, for example `USDC`.',
  address: 'The address to which the user sends the deposit.',
  addressTag: 'The memo or tag that the deposit needs besides the address. Absent when it needs none.',
  amount: {
    description: 'The exact amount that is expected, in units of the token, as a decimal text.',
    pattern: '^\\d+(\\.\\d+)?$',
  },
  expiresAt:
    'Until then a reported hash is checked again and again. The operation stays AWAITING_DEPOSIT after it, and a hash that is submitted later opens a new window.',
  originExternalWalletId: 'The external wallet from which the deposit has to come.',
  externalReference: { description: "The client's own reference, if one was given.", minLength: 1, maxLength: 255 },
  createdAt: 'When the operation was created.',
});

const operationStatusChange = z.object({ status: operationStatus, at: instant, reason: z.optional(z.string()) });

documentObject('OperationStatusChange', operationStatusChange, 'A status that an operation came to.', {
  status: 'The status.',
  at: 'When the operation came to it.',
  reason: { description: 'Why, if a reason was given. A code or a text, for people.', minLength: 1, maxLength: 255 },
});

/** An operation with all statuses it has had, oldest first. */
const operationWithHistory = z.extend(operation, {
  statusHistory: z.array(operationStatusChange),
});

documentObject(
  'OperationWithHistory',
  operationWithHistory,
  'An off-ramp with its status history.',
  { statusHistory: 'Every status that the operation has had, oldest first.' },
  operation,
);

/** What is answered of one operation. */
export const operationResult = z.object({ operation });

documentObject('OperationResult', operationResult, 'One off-ramp.', { operation: 'The off-ramp.' });

/** The same with its history. */
export const operationWithHistoryResult = z.object({ operation: operationWithHistory });

documentObject('OperationWithHistoryResult', operationWithHistoryResult, 'One off-ramp with its status history.', {
  operation: 'The off-ramp.',
});
