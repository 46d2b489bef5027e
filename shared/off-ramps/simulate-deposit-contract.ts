import * as z from 'zod/mini';
import { network } from '#shared/networks/network.ts';
import { MOST_TRANSFERS } from '#shared/off-ramps/custodians/simulated/simulated-chain.ts';
import { amountIn } from '#shared/platform/amount-in.ts';
import { contract } from '#shared/platform/http/contract.ts';
import { documentObject, documentValues } from '#shared/platform/http/document.ts';
import { noPathParameters, noQuery } from '#shared/platform/http/fields.ts';

const shortText = z.string().check(z.minLength(1), z.maxLength(128));
const state = z.enum(['UNCONFIRMED', 'CONFIRMED', 'FAILED', 'HELD']);

documentValues('SimulatedDepositState', state, 'What the simulated custodian says of a transaction.', {
  UNCONFIRMED: 'It is on its network and not final.',
  CONFIRMED: 'It is final.',
  FAILED: 'It failed on its network.',
  HELD: 'The custodian holds it for a review.',
});

const confirmations = z.int().check(z.minimum(0), z.maximum(1_000_000));

/** Puts a transaction on the simulated chain, or changes the one with that hash (decisions.md 8). Never in production. */
export const simulateDeposit = contract({
  name: 'simulate-deposit',
  method: 'POST',
  path: '/api/sandbox/deposits',
  summary: 'Put a transaction into the simulated custodian, or change the one with that hash',
  access: 'approved-client',
  repeatable: true,
  pathParameters: noPathParameters,
  unknownPath: 'NOT_FOUND',
  query: noQuery,
  body: z.object({
    network,
    txHash: z.string(),
    fromAddress: shortText,
    toAddress: shortText,
    addressTag: z.optional(shortText),
    token: shortText,
    amount: amountIn,
    state,
    confirmations: z.optional(confirmations),
    transfer: z.optional(z.int().check(z.minimum(0), z.maximum(MOST_TRANSFERS - 1))),
    unavailable: z.optional(z.boolean()),
    notify: z.optional(z.boolean()),
  }),
  success: {
    status: 202,
    body: z.object({ custodianTransferId: z.string(), network, txHash: z.string(), state, confirmations }),
  },
  refusals: [
    'MALFORMED_JSON',
    'UNAUTHORIZED',
    'CLIENT_NOT_APPROVED',
    'SANDBOX_DEPOSIT_TAKEN',
    'PAYLOAD_TOO_LARGE',
    'UNSUPPORTED_MEDIA_TYPE',
    'VALIDATION_FAILED',
    'SERVICE_UNAVAILABLE',
  ],
});

documentObject('SimulateDepositRequest', simulateDeposit.body, 'A transaction for the simulated custodian.', {
  network: 'The network of the transaction.',
  txHash: {
    description: 'The transaction hash, in the format of the network.',
    pattern: '^(0x[0-9a-fA-F]{64}|[0-9a-fA-F]{64}|[1-9A-HJ-NP-Za-km-z]{32,88})$',
    maxLength: 88,
  },
  fromAddress: 'The address that sends.',
  toAddress: 'The address that receives.',
  addressTag: 'The memo or tag that goes with the receiving address.',
  token: 'Symbol of the token, for example `USDC`.',
  amount: {
    description: 'Amount of the token, as a decimal text. A JSON number is taken, too, exactly as it is written.',
    type: 'string',
    pattern: '^\\d{1,30}(\\.\\d{1,18})?$',
  },
  state: 'What the custodian says of the transaction.',
  confirmations: 'Confirmations. When left out: enough if it is CONFIRMED, none otherwise.',
  transfer:
    'Which transfer of the transaction this is, because one can have several. When left out: the first, which is 0.',
  unavailable:
    'Whether the custodian does not answer for this transaction, whatever its transfers. It answers again after a call without it.',
  notify: "Whether the custodian's signed notification is sent, too.",
});

documentObject('SimulatedDeposit', simulateDeposit.success.body, 'A transaction that the simulated custodian knows.', {
  custodianTransferId: "The custodian's id of the transfer.",
  network: 'The network of the transaction.',
  txHash: 'The transaction hash as it is stored.',
  state: 'What the custodian says of the transaction.',
  confirmations: 'Confirmations.',
});
