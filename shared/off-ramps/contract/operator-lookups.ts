import * as z from 'zod/mini';
import { txHash } from '#shared/networks/network.ts';
import {
  type Deposit,
  deposit,
  depositIdOf,
  depositReturn,
  depositStatus,
  depositStatusOf,
} from '#shared/off-ramps/model/deposit.ts';
import { nextStep } from '#shared/off-ramps/model/next-step.ts';
import { contradiction, hashStatus, offRamp, payout, statusChange } from '#shared/off-ramps/model/off-ramp.ts';
import { attemptProgress, verification, verificationStates } from '#shared/off-ramps/model/verification.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { lookup } from '#shared/platform/http/command.ts';
import { id, instant } from '#shared/platform/http/fields.ts';
import { changeLine } from '#shared/platform/operators/audit-records.ts';
import { listLookup, reportLookup, waitingFields } from '#shared/platform/operators/lists.ts';
import { hashPoll } from './hash-poll-contract.ts';

/** A deposit as operators see it. */
export const lookedUpDeposit = z.object({
  /** The id that clients see. */
  depositId: id,
  ...z.pick(deposit, { custodianTransferId: true, network: true, txHash: true, reasons: true, detectedAt: true }).shape,
  ...z.pick(deposit, { settled: true, creditedAt: true, unmatchedSince: true, nextPollAt: true }).shape,
  ...z.pick(deposit, { return: true, lastSending: true }).shape,
  /** Absent until the custodian was asked for the deposit. */
  status: z.optional(depositStatus),
  assetId: z.optional(z.string()),
  amount: z.optional(z.string()),
  fromAddress: z.optional(z.string()),
  toAddress: z.optional(z.string()),
  toTag: z.optional(z.string()),
  confirmations: z.optional(z.int()),
});

export const readDepositContract = lookup({
  name: 'deposit',
  summary: "A deposit, by the custodian's id of it, which operation shows, or by the hash of its transaction.",
  query: z.object({ deposit: z.string().check(z.trim(), z.minLength(1), z.maxLength(255)) }),
  answer: z.object({
    next: nextStep,
    ...lookedUpDeposit.shape,
    ...z.pick(deposit, { operationId: true, clientId: true, userId: true }).shape,
    ...z.pick(deposit, { firstNotifiedAt: true, lastNotifiedAt: true, updatedAt: true, sequence: true }).shape,
    /** The custodian's ids of the transaction's other transfers, if looked up by hash. Anybody may have made them. */
    othersOfHash: z.optional(z.array(z.string())),
    /** The changes that operators have made to the deposit. */
    changes: z.array(changeLine),
  }),
  errors: [apiErrors.NOT_FOUND],
});

/** A deposit with the custodian's last data. */
export function describeDepositForOperator(deposit: Deposit): z.infer<typeof lookedUpDeposit> {
  return lookedUpDeposit.parse({
    ...deposit.transfer,
    ...deposit,
    depositId: depositIdOf(deposit.custodianTransferId),
    status: depositStatusOf(deposit),
  });
}

const waiting = waitingFields(nextStep);

export const listWaitingContract = listLookup(
  'waiting',
  'Off-ramps that still await their deposit after expiresAt, oldest first.',
  z.object({
    ...z.pick(offRamp, { operationId: true, clientId: true, amount: true, token: true, network: true }).shape,
    hash: hashStatus,
    reason: verification.shape.reason,
    ...waiting,
  }),
);

export const listUnmatchedContract = listLookup(
  'unmatched',
  'Deposits that fund nothing or were taken back, oldest first.',
  z.object({
    ...z.pick(deposit, { custodianTransferId: true, operationId: true, clientId: true, network: true, reasons: true })
      .shape,
    status: z.optional(depositStatus),
    amount: z.optional(z.string()),
    assetId: z.optional(z.string()),
    ...waiting,
  }),
);

export const listOwedContract = listLookup(
  'owed',
  'Credited deposits of off-ramps that were not paid out, oldest first.',
  z.object({
    ...z.pick(offRamp, { operationId: true, clientId: true, amount: true, token: true, network: true, status: true })
      .shape,
    ...z.pick(deposit, { custodianTransferId: true }).shape,
    ...waiting,
  }),
);

export const listReturnsContract = listLookup(
  'returns',
  'Deposits that are to be sent back, or are being sent: who approves, sends or records. Oldest first.',
  z.object({
    ...z.pick(deposit, { custodianTransferId: true, operationId: true, clientId: true, network: true }).shape,
    ...z.pick(depositReturn, { amount: true, assetId: true, address: true, tag: true, requestedBy: true }).shape,
    /** The persons who have approved the return. */
    approvedBy: z.array(z.string()),
    approversNeeded: depositReturn.shape.approversNeeded,
    /** The id of the sending at the custodian. */
    sending: z.optional(z.string()),
    ...waiting,
  }),
);

export const listContradictionsContract = listLookup(
  'contradictions',
  'Off-ramps with an event of another service that their status does not allow, oldest first.',
  z.object({
    ...z.pick(offRamp, { operationId: true, clientId: true, amount: true, token: true, network: true, status: true })
      .shape,
    /** The sequence that resolve-contradiction needs. */
    ...z.pick(offRamp, { sequence: true }).shape,
    /** The open contradictions. */
    said: z.array(contradiction.shape.status),
    ...waiting,
  }),
);

export const listUnpaidContract = listLookup(
  'unpaid',
  'Off-ramps that have their deposit and were not paid out in time, oldest first.',
  z.object({
    ...z.pick(offRamp, { operationId: true, clientId: true, amount: true, token: true, network: true }).shape,
    ...waiting,
  }),
);

/** A credited deposit, and the current state of its off-ramp. */
export const creditedLine = z.object({
  creditedAt: instant,
  ...z.pick(offRamp, { operationId: true, clientId: true, userId: true, network: true, token: true, amount: true })
    .shape,
  ...z.pick(offRamp, { status: true }).shape,
  /** When the off-ramp was paid out or ended otherwise. */
  endedAt: z.optional(instant),
  /** As far as is known. A payout that came back does not count, and a person's decision overrides the reports. */
  isPaidOut: z.boolean(),
  txHash,
  custodianTransferId: z.string(),
  ...z.pick(offRamp, { address: true }).shape,
  /** For a derived address: how the owner of the keys finds its key. */
  keyFingerprint: z.optional(z.string()),
  keyPath: z.optional(z.string()),
  ...z.pick(offRamp, { senderAddress: true, createdAt: true, externalReference: true }).shape,
  /** Says whether the deposit is still there: `REVERSED` if it was taken back. */
  depositStatus: z.optional(depositStatus),
  /** The payout, as far as the payout service has reported it. */
  payoutAmount: payout.shape.amount,
  payoutCurrency: payout.shape.currency,
  payoutReference: payout.shape.reference,
  paidAt: payout.shape.paidAt,
});

export const reportOfframpsContract = reportLookup(
  'report-offramps',
  'Credited deposits: totals per day, client, token, status of the off-ramp, whether it was paid out, and status of the deposit; with --csv a line each.',
  creditedLine,
);

export const lookedUpHash = z.object({
  status: hashStatus,
  /** The custodian's last answer, in words. */
  inWords: z.string(),
  ...z.pick(offRamp, { txHash: true, verifiedTxHash: true }).shape,
  ...attemptProgress.shape,
  /** The name of the execution that polls for the hash. */
  execution: z.optional(z.string()),
  /** The state of the execution, by its polls; absent if it may have broken off. */
  executionState: z.optional(z.enum(verificationStates)),
  /** The polls of the current attempt, newest first. */
  polls: z.array(z.object({ at: hashPoll.shape.at, found: z.string(), nextCheckAt: hashPoll.shape.nextCheckAt })),
});

const lookedUpPayout = z.object({
  ...payout.shape,
  status: z.enum(['NOT_DUE', 'AWAITED', 'COMPLETED', 'FAILED', 'CANCELLED']),
  since: z.optional(instant),
  reason: z.optional(z.string()),
});

/** An off-ramp as operators see it, with its deposits. */
export const lookedUpOperation = z.object({
  ...z.pick(offRamp, { operationId: true, status: true }).shape,
  next: nextStep,
  ...z.pick(offRamp, { clientId: true, userId: true, network: true, token: true, amount: true, address: true }).shape,
  ...z.pick(offRamp, { addressTag: true, derivation: true, senderAddress: true, externalReference: true }).shape,
  ...z.pick(offRamp, { createdAt: true, expiresAt: true, endsAt: true, sequence: true }).shape,
  hash: lookedUpHash,
  statusHistory: z.array(statusChange),
  deposits: z.array(lookedUpDeposit),
  /** The custodian's ids of unreadable deposits. */
  unreadableDeposits: z.optional(z.array(z.string())),
  payout: lookedUpPayout,
  /** All contradictions, including closed ones. */
  contradictions: z.optional(z.array(contradiction)),
  ...z.pick(offRamp, { contradictedSince: true, paidOut: true }).shape,
});

/** A transfer for which the custodian's answer is unreadable. */
export const unreadableTransfer = z.object({
  ...z.partial(z.pick(deposit, { custodianTransferId: true, network: true, txHash: true, operationId: true })).shape,
  ...waiting,
});
