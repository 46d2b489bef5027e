import * as z from 'zod/mini';
import { clientErrors } from '#shared/clients/client-errors.ts';
import { network, txHash } from '#shared/networks/network.ts';
import { custodianTransfer } from '#shared/off-ramps/custodians/custodian.ts';
import { simulatedOutcome } from '#shared/off-ramps/custodians/simulated/outcomes.ts';
import { MOST_TRANSFERS } from '#shared/off-ramps/custodians/simulated/transactions.ts';
import { endStatus, statusReason } from '#shared/off-ramps/model/incoming-off-ramp-status.ts';
import { operationStatus } from '#shared/off-ramps/model/off-ramp.ts';
import { amountInput } from '#shared/platform/amount-input.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { contract } from '#shared/platform/http/contract.ts';
import { documentObject, documentValues } from '#shared/platform/http/document.ts';
import { id, instant, noPathParameters, noQuery } from '#shared/platform/http/fields.ts';
import { offRampErrors } from './off-ramp-contract.ts';

const shortText = z.string().check(z.minLength(1), z.maxLength(128));

const simulatedState = z.enum(['UNCONFIRMED', 'CONFIRMED', 'FAILED', 'HELD']);

documentValues('SimulatedDepositState', simulatedState, 'The state of a transaction at the simulated custodian.', {
  UNCONFIRMED: 'It is on its network, but not final.',
  CONFIRMED: 'It is final, if it has the confirmations that the simulated custodian asks for.',
  FAILED: 'It failed on its network.',
  HELD: 'The custodian holds it for a review.',
});

const confirmations = z.int().check(z.minimum(0), z.maximum(1_000_000));

const simulateDepositRequest = z.strictObject({
  network,
  txHash,
  fromAddress: shortText,
  toAddress: shortText,
  addressTag: z.optional(shortText),
  token: shortText,
  amount: amountInput,
  state: simulatedState,
  confirmations: z.optional(confirmations),
  transfer: z.optional(z.int().check(z.minimum(0), z.maximum(MOST_TRANSFERS - 1))),
  unavailable: z.optional(z.boolean()),
  notify: z.optional(z.boolean()),
});

documentObject('SimulateDepositRequest', simulateDepositRequest, 'A transaction for the simulated custodian.', {
  network: 'The network of the transaction.',
  txHash: {
    description: 'The transaction hash, in the format of the network.',
    pattern: '^(0x[0-9a-fA-F]{64}|[0-9a-fA-F]{64}|[1-9A-HJ-NP-Za-km-z]{32,88})$',
    maxLength: 88,
  },
  fromAddress: "The sender's address.",
  toAddress: "The recipient's address.",
  addressTag: 'The memo or tag that goes with the receiving address.',
  token: 'Symbol of the token, for example `USDC`.',
  amount: {
    description: 'Amount of the token, as a decimal text. A JSON number is accepted, too, exactly as it is written.',
    type: 'string',
    pattern: '^\\d{1,30}(\\.\\d{1,18})?$',
  },
  state: 'The state of the transaction at the custodian.',
  confirmations: 'Confirmations. By default enough if it is CONFIRMED, none otherwise.',
  transfer: 'The number of the transfer, because a transaction can have several. By default 0, the first.',
  unavailable:
    'If true, the custodian does not answer for this transaction and all its transfers. It answers again after a call without this field.',
  notify: "Whether the custodian's signed notification is sent, too.",
});

export const simulatedDeposit = z.extend(
  z.pick(custodianTransfer, { custodianTransferId: true, network: true, txHash: true }),
  { state: simulatedState, confirmations },
);

documentObject('SimulatedDeposit', simulatedDeposit, 'A transaction that the simulated custodian knows.', {
  custodianTransferId: "The custodian's id of the transfer.",
  network: 'The network of the transaction.',
  txHash: 'The transaction hash as it is stored.',
  state: 'The state of the transaction at the custodian.',
  confirmations: 'Confirmations.',
});

/** Puts a transaction on the simulated chain, or changes an existing one (decisions.md 8). Never in production. */
export const simulateDepositContract = contract({
  name: 'simulate-deposit',
  method: 'POST',
  path: '/api/sandbox/deposits',
  summary: 'Put a transaction into the simulated custodian, or change the one with that hash',
  access: 'approved-client',
  repeatable: true,
  pathParameters: noPathParameters,
  unknownPath: apiErrors.NOT_FOUND,
  query: noQuery,
  body: simulateDepositRequest,
  success: {
    status: 202,
    body: simulatedDeposit,
  },
  errors: [
    apiErrors.MALFORMED_JSON,
    apiErrors.UNAUTHORIZED,
    clientErrors.CLIENT_NOT_APPROVED,
    offRampErrors.SANDBOX_DEPOSIT_TAKEN,
    apiErrors.PAYLOAD_TOO_LARGE,
    apiErrors.UNSUPPORTED_MEDIA_TYPE,
    apiErrors.VALIDATION_FAILED,
    apiErrors.SERVICE_UNAVAILABLE,
  ],
});

const simulateOperationRequest = z.strictObject({
  status: z.optional(endStatus),
  reason: z.optional(statusReason),
  expire: z.optional(z.literal(true)),
  hold: z.optional(z.literal(true)),
  payoutReturned: z.optional(z.literal(true)),
});

documentObject(
  'SimulateOperationRequest',
  simulateOperationRequest,
  'What happens to the off-ramp: exactly one of status, expire, hold and payoutReturned.',
  {
    status: 'The final status of the off-ramp.',
    reason:
      'The reason, with status or payoutReturned. The status history of the off-ramp shows the reason of a status.',
    expire: 'Ends the window of the off-ramp now. A reported hash is checked once more.',
    hold: 'Stops the simulated payout from completing the off-ramp, until a call with status ends it.',
    payoutReturned:
      'The payout of a completed off-ramp comes back. Its status stays: operators find it in their lists.',
  },
);

const simulatedOperation = z.object({ id, status: operationStatus, expiresAt: z.optional(instant) });

documentObject('SimulatedOperation', simulatedOperation, 'A simulation that was accepted.', {
  id: 'The off-ramp.',
  status: 'The future final status or, for any other action, the current status.',
  expiresAt: 'The end of its window. Only after expire.',
});

/** Simulates time, payouts or compliance for an off-ramp (decisions.md 8). Never in production. */
export const simulateOperationContract = contract({
  name: 'simulate-operation',
  method: 'POST',
  path: '/api/sandbox/operations/{operation_id}',
  summary: 'End an off-ramp as payouts or compliance would, let it expire, or hold or return its payout',
  access: 'approved-client',
  pathParameters: z.object({ operation_id: id }),
  unknownPath: offRampErrors.OFF_RAMP_NOT_FOUND,
  query: noQuery,
  body: simulateOperationRequest,
  success: {
    status: 202,
    body: simulatedOperation,
  },
  errors: [
    apiErrors.MALFORMED_JSON,
    apiErrors.UNAUTHORIZED,
    clientErrors.CLIENT_NOT_APPROVED,
    offRampErrors.OFF_RAMP_NOT_FOUND,
    offRampErrors.OPERATION_STATUS_CONFLICT,
    offRampErrors.TX_HASH_ALREADY_DECLARED,
    offRampErrors.TOO_MANY_ATTEMPTS,
    apiErrors.PAYLOAD_TOO_LARGE,
    apiErrors.UNSUPPORTED_MEDIA_TYPE,
    apiErrors.VALIDATION_FAILED,
    apiErrors.SERVICE_UNAVAILABLE,
  ],
});

documentValues('SimulatedReturnOutcome', simulatedOutcome, 'What becomes of sending a deposit back.', {
  COMPLETED: 'It arrives, two seconds after it was sent. So it is without this call.',
  FAILED: 'The custodian ends it without success: nothing was sent.',
  TIMEOUT: 'The custodian takes it, and does not answer until another outcome is chosen.',
  DECLINED: 'The custodian does not take it.',
});

const simulateReturnRequest = z.strictObject({ outcome: simulatedOutcome });

documentObject('SimulateReturnRequest', simulateReturnRequest, 'What the simulated custodian does.', {
  outcome: 'The outcome, from now on. It may be chosen before the return is requested.',
});

const simulatedReturn = z.object({ id, outcome: simulatedOutcome });

documentObject('SimulatedReturn', simulatedReturn, 'A simulation that was accepted.', {
  id: 'The deposit.',
  outcome: 'The outcome of sending it back.',
});

/** Simulates the custodian that sends a deposit back (decisions.md 9, Returns). Never in production. */
export const simulateReturnContract = contract({
  name: 'simulate-return',
  method: 'POST',
  path: '/api/sandbox/deposits/{deposit_id}/return',
  summary: 'Choose what the simulated custodian does when it sends a deposit back',
  access: 'approved-client',
  repeatable: true,
  pathParameters: z.object({ deposit_id: id }),
  unknownPath: offRampErrors.DEPOSIT_NOT_FOUND,
  query: noQuery,
  body: simulateReturnRequest,
  success: { status: 202, body: simulatedReturn },
  errors: [
    apiErrors.MALFORMED_JSON,
    apiErrors.UNAUTHORIZED,
    clientErrors.CLIENT_NOT_APPROVED,
    offRampErrors.DEPOSIT_NOT_FOUND,
    apiErrors.PAYLOAD_TOO_LARGE,
    apiErrors.UNSUPPORTED_MEDIA_TYPE,
    apiErrors.VALIDATION_FAILED,
    apiErrors.SERVICE_UNAVAILABLE,
  ],
});
