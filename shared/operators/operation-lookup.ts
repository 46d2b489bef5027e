import * as z from 'zod/mini';
import { hashPoll } from '#shared/off-ramps/contract/hash-poll-contract.ts';
import { offRampErrors } from '#shared/off-ramps/contract/off-ramp-errors.ts';
import { contradiction, hashStatus, offRamp, payout, statusChange } from '#shared/off-ramps/model/off-ramp.ts';
import { attemptProgress, verificationStates } from '#shared/off-ramps/model/verification.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { lookup } from '#shared/platform/http/command.ts';
import { id, instant } from '#shared/platform/http/fields.ts';
import { changeLine } from './audit-records.ts';
import { lookedUpDeposit } from './deposit-lookup.ts';
import { lookedUpDelivery, lookedUpEvent } from './event-lookup.ts';
import { nextStep } from './next-step.ts';
import { sameReference } from './same-reference.ts';

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
