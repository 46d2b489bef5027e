import * as z from 'zod/mini';
import { hashPoll } from '#shared/off-ramps/contract/hash-poll-contract.ts';
import { offRampErrors } from '#shared/off-ramps/contract/off-ramp-errors.ts';
import { lookedUpDeposit } from '#shared/off-ramps/contract/operator-lookups.ts';
import { deposit } from '#shared/off-ramps/model/deposit.ts';
import { nextStep } from '#shared/off-ramps/model/next-step.ts';
import { contradiction, hashStatus, offRamp, payout, statusChange } from '#shared/off-ramps/model/off-ramp.ts';
import { attemptProgress, verificationStates } from '#shared/off-ramps/model/verification.ts';
import { payin, payinStatusChange } from '#shared/pay-ins/pay-in.ts';
import { payinErrors } from '#shared/pay-ins/pay-in-errors.ts';
import { nextStep as payinNextStep } from '#shared/pay-ins/pay-in-next-step.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { lookup } from '#shared/platform/http/command.ts';
import { id, instant, noQuery } from '#shared/platform/http/fields.ts';
import { changeLine } from '#shared/platform/operators/audit-records.ts';
import { listOf, waitingFor } from '#shared/platform/operators/lists.ts';
import { sameReference } from '#shared/platform/operators/same-reference.ts';
import { lookedUpDelivery } from '#shared/webhooks/contract/webhook-lookups.ts';

/* What operators look up of several modules at once. */

/** An event for webhooks, and whether it was published. */
export const lookedUpEvent = z.object({
  occurredAt: instant,
  type: z.string(),
  status: z.optional(z.string()),
  sequence: z.optional(z.int()),
  /** The bus has accepted it. */
  isPublished: z.boolean(),
  eventId: z.string(),
});

export const lookedUpHash = z.object({
  status: hashStatus,
  /** The custodian's last answer, in words. */
  inWords: z.string(),
  ...z.pick(offRamp, { txHash: true, verifiedTxHash: true }).shape,
  ...attemptProgress.shape,
  /** Name of the execution that polls for it. */
  execution: z.optional(z.string()),
  /** The state of the execution, by its polls; absent if it may have broken off. */
  executionState: z.optional(z.enum(verificationStates)),
  /** Of the current attempt, newest first. */
  polls: z.array(z.object({ at: hashPoll.shape.at, found: z.string(), nextCheckAt: hashPoll.shape.nextCheckAt })),
});

const lookedUpPayout = z.object({
  ...payout.shape,
  status: z.enum(['NOT_DUE', 'AWAITED', 'COMPLETED', 'FAILED', 'CANCELLED']),
  since: z.optional(instant),
  reason: z.optional(z.string()),
});

export const referencedOperation = z.extend(sameReference, { operationId: id });

/** Where an off-ramp is, why, and what happens next: the first lookup for one. */
export const readOperationContract = lookup({
  name: 'operation',
  summary:
    'An off-ramp: where it is and why, what happens next and who does it, its hash, deposits, events and deliveries.',
  query: z.object({
    /** Its id, its hash or that of its deposit, its deposit address (`address#tag`), or its reference. */
    operation: z.string().check(z.trim(), z.minLength(1), z.maxLength(255)),
    /** The user of the reference, if several users have it. */
    user: z.optional(id),
  }),
  answer: z.object({
    ...z.pick(offRamp, { operationId: true, status: true }).shape,
    next: nextStep,
    ...z.pick(offRamp, { clientId: true, userId: true, network: true, token: true, amount: true, address: true }).shape,
    ...z.pick(offRamp, { addressTag: true, senderAddress: true, externalReference: true, createdAt: true }).shape,
    ...z.pick(offRamp, { expiresAt: true, endsAt: true, sequence: true }).shape,
    /** Others with its reference, of any client, newest first; the lookup finds the newest. */
    othersOfReference: z.optional(z.array(referencedOperation)),
    hash: lookedUpHash,
    statusHistory: z.array(statusChange),
    deposits: z.array(lookedUpDeposit),
    /** The custodian's ids of unreadable deposits. */
    unreadableDeposits: z.optional(z.array(z.string())),
    payout: lookedUpPayout,
    /** Closed ones included. */
    contradictions: z.optional(z.array(contradiction)),
    ...z.pick(offRamp, { contradictedSince: true, paidOut: true }).shape,
    events: z.array(lookedUpEvent),
    deliveries: z.array(lookedUpDelivery),
    /** The operators' changes of it. */
    changes: z.array(changeLine),
  }),
  errors: [offRampErrors.OFF_RAMP_NOT_FOUND, apiErrors.SERVICE_UNAVAILABLE],
});

/** Without the payer's data: the lookup of the user has it. */
const lookedUpPayin = z.object({
  ...z.pick(payin, { payinId: true, status: true, clientId: true, userId: true, currency: true, amount: true }).shape,
  ...z.pick(payin, { paymentMethod: true, externalReference: true, expirationDate: true, orderingSince: true }).shape,
  ...z.pick(payin, { settlementMismatch: true, reversedAt: true, wholeSince: true, mismatchedAt: true }).shape,
  ...z.pick(payin, { mismatchEnds: true, unreadableSince: true, createdAt: true, sequence: true }).shape,
  /** When the rail is polled next; absent if never. */
  nextPollAt: z.optional(z.string()),
});

export const referencedPayin = z.extend(sameReference, { payinId: id });

export const readPayinContract = lookup({
  name: 'payin',
  summary:
    'A pay-in, by its id or its reference: where it is, what happens next and who does it, its events and deliveries.',
  query: z.object({ payin: z.string().check(z.trim(), z.minLength(1), z.maxLength(255)) }),
  answer: z.object({
    next: payinNextStep,
    ...lookedUpPayin.shape,
    /** Others with its reference, of any client, newest first; the lookup finds the newest. */
    othersOfReference: z.optional(z.array(referencedPayin)),
    statusHistory: z.array(payinStatusChange),
    events: z.array(lookedUpEvent),
    deliveries: z.array(lookedUpDelivery),
    /** The operators' changes of it. */
    changes: z.array(changeLine),
  }),
  errors: [payinErrors.PAYIN_NOT_FOUND, apiErrors.SERVICE_UNAVAILABLE],
});

const waiting = waitingFor(nextStep);

export const listUnreadableContract = listOf(
  'unreadable',
  'Transfers and pay-ins with an unreadable answer of custodian or rail for an hour or more, oldest first.',
  z.object({
    ...z.partial(z.pick(deposit, { custodianTransferId: true, network: true, txHash: true, operationId: true })).shape,
    ...z.partial(z.pick(payin, { payinId: true, clientId: true, status: true })).shape,
    ...waiting,
  }),
);

const named = z.optional(z.string());

/** The ids that the oldest message names. */
export const namedIds = z.object({
  operationId: named,
  payinId: named,
  deliveryId: named,
  eventId: named,
  custodianTransferId: named,
});

export const deadLetters = z.object({
  queue: z.string(),
  messages: z.int(),
  /** The oldest of the messages that SQS returned. */
  since: z.optional(instant),
  age: z.optional(z.string()),
  ...namedIds.shape,
  ...z.pick(nextStep, { who: true, what: true }).shape,
});

export const listDeadLettersContract = lookup({
  name: 'dead-letters',
  summary: 'Queues with messages that could not be handled, what clients lose, and the oldest of some of each.',
  query: noQuery,
  answer: z.object({ items: z.array(deadLetters) }),
  errors: [apiErrors.SERVICE_UNAVAILABLE],
});
