import * as z from 'zod/mini';
import { deposit, depositStatus } from '#shared/off-ramps/model/deposit.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { lookup } from '#shared/platform/http/command.ts';
import { id } from '#shared/platform/http/fields.ts';
import { changeLine } from './audit-records.ts';
import { nextStep } from './next-step.ts';

/** A deposit as operators see it. */
export const lookedUpDeposit = z.object({
  /** The id that clients see. */
  depositId: id,
  ...z.pick(deposit, { custodianTransferId: true, network: true, txHash: true, reasons: true, detectedAt: true }).shape,
  ...z.pick(deposit, { settled: true, creditedTo: true, unmatchedSince: true, nextPollAt: true }).shape,
  /** Absent until the custodian was asked for it. */
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
    ...z.pick(deposit, { operationId: true, clientId: true, userId: true, creditedAt: true }).shape,
    ...z.pick(deposit, { firstNotifiedAt: true, lastNotifiedAt: true, updatedAt: true, sequence: true }).shape,
    /** The custodian's ids of further transfers of the transaction, for a look by hash: anybody may have made them. */
    othersOfHash: z.optional(z.array(z.string())),
    /** The operators' changes of it. */
    changes: z.array(changeLine),
  }),
  errors: [apiErrors.NOT_FOUND],
});
