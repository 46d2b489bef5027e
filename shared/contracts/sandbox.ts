import * as z from 'zod/mini';
import { amountIn } from './amount-in.ts';
import { contract } from './contract.ts';
import { network, noPathParameters, noQuery } from './fields.ts';

const shortText = z.string().check(z.minLength(1), z.maxLength(128));
const state = z.enum(['UNCONFIRMED', 'CONFIRMED', 'FAILED', 'HELD']);
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
    /** Default: enough for CONFIRMED, none otherwise. */
    confirmations: z.optional(confirmations),
    /** Also send the custodian's signed notification. */
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
