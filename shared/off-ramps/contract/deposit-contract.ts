import * as z from 'zod/mini';
import { custodianTransfer } from '#shared/off-ramps/custodians/custodian.ts';
import { deposit, depositReturn, depositStatus } from '#shared/off-ramps/model/deposit.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { contract } from '#shared/platform/http/contract.ts';
import { documentObject } from '#shared/platform/http/document.ts';
import { id, noBody } from '#shared/platform/http/fields.ts';
import { OFF_RAMPS_PATH, offRampErrors, operationPath } from './off-ramp-contract.ts';

/** What clients see of a return. */
export const shownReturn = z.pick(depositReturn, {
  amount: true,
  fee: true,
  address: true,
  tag: true,
  requestedAt: true,
  sendingAt: true,
  txHash: true,
});

documentObject('DepositReturn', shownReturn, 'How a deposit is sent back.', {
  amount: { description: 'What is sent: its amount less the fee, as decimal text.', pattern: '^\\d+(\\.\\d+)?$' },
  fee: { description: 'What is kept for sending it, as decimal text.', pattern: '^\\d+(\\.\\d+)?$' },
  address: 'Where it is sent.',
  tag: 'The memo or tag that it is sent with. Absent when there is none.',
  requestedAt: 'When its return was requested.',
  sendingAt: 'Since when it is being sent. Absent before that.',
  txHash: 'The hash of the transaction that has returned it. Absent before that.',
});

/** A deposit as clients see it (decisions.md 9, Reading). */
export const shownDeposit = z.object({
  id,
  status: depositStatus,
  reasons: deposit.shape.reasons,
  returnable: z.boolean(),
  ...z.pick(custodianTransfer, { network: true, txHash: true }).shape,
  token: z.string(),
  ...z.pick(custodianTransfer, { amount: true, fromAddress: true, toAddress: true }).shape,
  addressTag: custodianTransfer.shape.toTag,
  ...z.pick(custodianTransfer, { confirmations: true, requiredConfirmations: true }).shape,
  ...z.required(z.pick(deposit, { detectedAt: true, updatedAt: true, sequence: true })).shape,
  return: z.optional(shownReturn),
});

documentObject('Deposit', shownDeposit, 'A transfer to the deposit address of an off-ramp.', {
  id: 'Id of the deposit.',
  status: 'Status of the deposit.',
  reasons: 'All reasons why it funds nothing. Only while it is `UNMATCHED`.',
  returnable:
    'Whether its client can ask for it back: it is `UNMATCHED`, of a supported token, from a known sender, worth more than the fee of sending it, and nothing else is being decided about it.',
  network: 'The network on which it was sent.',
  txHash: 'The hash of its transaction.',
  token: "Symbol of the off-ramp's token; for another token the custodian's id of it.",
  amount: { description: 'The amount sent, in units of the token, as decimal text.', pattern: '^\\d+(\\.\\d+)?$' },
  fromAddress: "The sender's address. Empty while the custodian does not know it.",
  toAddress: 'The address that it was sent to.',
  addressTag: 'The memo or tag that it was sent with. Absent when there is none.',
  confirmations: { description: 'Confirmations at its last check, where the custodian counts them.', minimum: 0 },
  requiredConfirmations: {
    description: 'Confirmations that the custodian asks for, where it counts them.',
    minimum: 0,
  },
  detectedAt: 'When it was first seen.',
  updatedAt: 'When it got its current status.',
  sequence: 'Grows with every change of its status, as in its events.',
  return: 'How it is sent back. Only while that is so, and once it was.',
});

const depositList = z.object({ deposits: z.array(shownDeposit), nextCursor: z.optional(z.string()) });

documentObject('DepositList', depositList, 'The deposits to the address of an off-ramp.', {
  deposits: 'Oldest first, at most 100.',
  nextCursor: 'Opaque. Send it as `cursor` to get the next page; absent on the last one.',
});

export const listDepositsContract = contract({
  name: 'list-deposits',
  method: 'GET',
  path: `${OFF_RAMPS_PATH}/{operation_id}/deposits`,
  summary: 'List the deposits to the address of an off-ramp, oldest first',
  access: 'client',
  pathParameters: operationPath,
  unknownPath: offRampErrors.OFF_RAMP_NOT_FOUND,
  query: z.strictObject({ cursor: z.optional(z.string()) }),
  body: noBody,
  success: { status: 200, body: depositList },
  errors: [
    apiErrors.UNAUTHORIZED,
    offRampErrors.OFF_RAMP_NOT_FOUND,
    apiErrors.VALIDATION_FAILED,
    apiErrors.SERVICE_UNAVAILABLE,
  ],
});
