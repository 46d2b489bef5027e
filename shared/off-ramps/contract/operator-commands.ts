import * as z from 'zod/mini';
import { network, txHash } from '#shared/networks/network.ts';
import { deposit, depositStatus } from '#shared/off-ramps/model/deposit.ts';
import { contradiction, offRamp } from '#shared/off-ramps/model/off-ramp.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { command } from '#shared/platform/http/command.ts';
import { id, instant } from '#shared/platform/http/fields.ts';
import { awaitedStep, confirmCommand, proposedChange } from '#shared/platform/operators/proposals.ts';
import { offRampErrors } from './off-ramp-contract.ts';

/** A hash as an operator writes it. */
export const enteredHash = txHash.check(z.trim(), z.minLength(1), z.maxLength(255));

export const resolveContradictionContract = command({
  name: 'resolve-contradiction',
  subject: ['operationId'],
  summary: 'Records whether a contradicted off-ramp was paid out: if not, its deposit may be returned.',
  input: z.strictObject({
    ...z.pick(offRamp, { operationId: true }).shape,
    outcome: z.enum(['paid', 'not-paid']),
    /** The sequence that the operator has seen. */
    sequence: z.string().check(z.trim(), z.regex(/^[1-9]\d{0,8}$/)),
  }),
  answer: z.object({
    ...z.pick(offRamp, { operationId: true, status: true, sequence: true, paidOut: true }).shape,
    /** All contradictions so far. */
    contradictions: z.array(contradiction),
  }),
  errors: [offRampErrors.OFF_RAMP_NOT_FOUND, offRampErrors.OPERATION_STATUS_CONFLICT, apiErrors.SERVICE_UNAVAILABLE],
});

export const putBackContract = command({
  name: 'put-back',
  subject: ['operationId'],
  summary:
    'After its table was restored to before its creation: puts an off-ramp and its deposit address back from its events: it awaits its deposit, or has ended if it did so without one.',
  input: z.strictObject(z.pick(offRamp, { operationId: true }).shape),
  answer: z.pick(offRamp, {
    ...{ operationId: true, clientId: true, userId: true, status: true, sequence: true, network: true, token: true },
    ...{ amount: true, address: true, addressTag: true, senderAddress: true, createdAt: true, endsAt: true },
  }),
  errors: [offRampErrors.OFF_RAMP_NOT_FOUND, offRampErrors.OPERATION_STATUS_CONFLICT, apiErrors.SERVICE_UNAVAILABLE],
});

export const pollDepositContract = command({
  name: 'poll-deposit',
  subject: ['custodianTransferId'],
  summary: 'Asks the custodian for a deposit, by its id there, within a minute.',
  input: z.strictObject({ custodianTransferId: z.string().check(z.trim(), z.minLength(1), z.maxLength(255)) }),
  answer: z.object({
    ...z.pick(deposit, { custodianTransferId: true }).shape,
    operationId: z.optional(id),
    nextPollAt: instant,
  }),
  errors: [apiErrors.NOT_FOUND, offRampErrors.OPERATION_STATUS_CONFLICT],
});

export const searchHashContract = command({
  name: 'search-hash',
  subject: ['txHash'],
  summary: 'Searches for the transfers of a transaction at the custodian for 24 hours, and handles them as notified.',
  input: z.strictObject({ network, txHash: enteredHash }),
  answer: z.object({ network, txHash, endsAt: instant, nextPollAt: z.optional(instant) }),
  errors: [apiErrors.SERVICE_UNAVAILABLE],
});

/** The deposit that a command is about, by the custodian's id of its transfer. */
export const depositArgument = pollDepositContract.body.shape.arguments;

const { custodianTransferId } = depositArgument.shape;

export const giveUpUnreadableContract = command({
  name: 'give-up-unreadable',
  subject: ['custodianTransferId'],
  summary:
    'Removes a transfer that was never readable from the list unreadable: it is no longer polled, unless it is notified again.',
  input: z.strictObject({ custodianTransferId }),
  answer: z.pick(deposit, { custodianTransferId: true }),
  errors: [apiErrors.NOT_FOUND],
});

const settledDeposit = z.object({
  ...z.pick(deposit, { custodianTransferId: true, settled: true }).shape,
  operationId: z.optional(id),
  status: z.optional(depositStatus),
});

export const settleDepositContract = command({
  name: 'settle-deposit',
  subject: ['custodianTransferId'],
  summary:
    'Proposes that a deposit in unmatched or owed is kept, or that one that was taken back, or never became final, is written off: once another person confirms it, it leaves its list.',
  input: z.strictObject({ custodianTransferId, outcome: z.enum(['kept', 'written-off']) }),
  answer: z.extend(settledDeposit, { proposal: z.optional(proposedChange) }),
  errors: [apiErrors.NOT_FOUND, offRampErrors.OPERATION_STATUS_CONFLICT, apiErrors.SERVICE_UNAVAILABLE],
});

export const unsettleDepositContract = command({
  name: 'unsettle-deposit',
  subject: ['custodianTransferId'],
  summary: 'Undoes settle-deposit, by as many persons: the deposit is in its list again.',
  input: z.strictObject({ custodianTransferId }),
  answer: z.extend(settledDeposit, { proposal: z.optional(proposedChange) }),
  errors: [apiErrors.NOT_FOUND, offRampErrors.OPERATION_STATUS_CONFLICT, apiErrors.SERVICE_UNAVAILABLE],
});

const creditedDeposit = z.object({
  ...z.pick(deposit, { custodianTransferId: true }).shape,
  operationId: id,
  status: z.optional(depositStatus),
});

export const creditDepositContract = command({
  name: 'credit-deposit',
  subject: ['custodianTransferId'],
  summary:
    'Credits an unmatched deposit to an off-ramp of the same user that awaits exactly its token, network and amount. From another sender, or without a user, it is only proposed.',
  input: z.strictObject({
    custodianTransferId,
    /** The off-ramp that gets the deposit; by default, the off-ramp of its address. */
    operation: z.optional(id),
  }),
  answer: z.extend(creditedDeposit, { proposal: z.optional(proposedChange) }),
  errors: [apiErrors.NOT_FOUND, offRampErrors.OPERATION_STATUS_CONFLICT, apiErrors.SERVICE_UNAVAILABLE],
});

export const confirmDepositContract = confirmCommand({
  name: 'confirm-deposit',
  subject: 'custodianTransferId',
  of: 'a deposit',
  answer: z.extend(settledDeposit, { awaits: z.optional(awaitedStep) }),
  errors: [offRampErrors.OPERATION_STATUS_CONFLICT],
});
