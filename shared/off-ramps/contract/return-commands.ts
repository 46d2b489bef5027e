import * as z from 'zod/mini';
import { deposit, depositReturn, depositStatus } from '#shared/off-ramps/model/deposit.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { command } from '#shared/platform/http/command.ts';
import { id } from '#shared/platform/http/fields.ts';
import { personal } from '#shared/platform/http/personal.ts';
import { awaitedStep, proposedChange } from '#shared/platform/operators/proposals.ts';
import { offRampErrors } from './off-ramp-contract.ts';
import { depositArgument, enteredHash } from './operator-commands.ts';

/** The audit keeps the digest of an address in the result of the command. */
const address = personal(z.string().check(z.trim(), z.minLength(1), z.maxLength(128)));
const tag = personal(z.string().check(z.trim(), z.minLength(1), z.maxLength(64)));

const returnedDeposit = z.object({
  ...z.pick(deposit, { custodianTransferId: true }).shape,
  operationId: z.optional(id),
  status: z.optional(depositStatus),
  return: z.optional(depositReturn),
  awaits: z.optional(awaitedStep),
});

const errors = [apiErrors.NOT_FOUND, offRampErrors.OPERATION_STATUS_CONFLICT, apiErrors.SERVICE_UNAVAILABLE];

const common = { subject: ['custodianTransferId'], answer: returnedDeposit, errors };

export const requestReturnContract = command({
  ...common,
  name: 'request-return',
  summary:
    'Requests that a deposit is sent back: one that is unmatched, or credited and never paid out. Others approve it.',
  input: z.strictObject({
    ...depositArgument.shape,
    /** The address to send to, if the sender is not known. */
    address: z.optional(address),
    tag: z.optional(tag),
    /** For a credited deposit: confirms that payouts has said it never made the payout, and never will. */
    payoutNeverMade: z.optional(z.enum(['yes'])),
  }),
});

export const approveReturnContract = command({
  ...common,
  name: 'approve-return',
  summary: 'Approves a return that another person, or the client, has requested. With its last approval it is sent.',
  input: z.strictObject({
    ...depositArgument.shape,
    /** The address of the return, required if finance has named it. */
    confirmAddress: z.optional(address),
    tag: z.optional(tag),
  }),
});

export const declineReturnContract = command({
  ...common,
  name: 'decline-return',
  summary: 'Ends a requested return that is not being sent: the deposit is as before the request.',
  input: depositArgument,
});

export const startReturnContract = command({
  ...common,
  name: 'start-return',
  summary:
    'Says, before it is sent, that a person sends an approved return by hand. It then ends with record-return or abort-return alone.',
  input: depositArgument,
});

export const abortReturnContract = command({
  ...common,
  name: 'abort-return',
  summary: 'Proposes to end a return that is being sent, because nothing was sent and nothing will be.',
  input: depositArgument,
  answer: z.extend(returnedDeposit, { proposal: z.optional(proposedChange) }),
});

export const recordReturnContract = command({
  ...common,
  name: 'record-return',
  summary:
    'Records the hash of a return. It is looked up: from an account of the stage, to the address, in the amount.',
  input: z.strictObject({ ...depositArgument.shape, hash: enteredHash }),
});
