import * as z from 'zod/mini';
import { deposit, depositStatus } from '#shared/off-ramps/model/deposit.ts';
import { contradiction, hashStatus, offRamp } from '#shared/off-ramps/model/off-ramp.ts';
import { verification } from '#shared/off-ramps/model/verification.ts';
import { payin } from '#shared/pay-ins/pay-in.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { lookup } from '#shared/platform/http/command.ts';
import { instant, instantIn, noQuery } from '#shared/platform/http/fields.ts';
import { webhook } from '#shared/webhooks/model/webhook.ts';
import { nextStep } from './next-step.ts';

/** An entry that waits for a person: since when, for how long, for whom and why. */
const waiting = {
  since: instant,
  age: z.string(),
  ...z.pick(nextStep, { who: true, what: true }).shape,
  /** The trade name of its client. */
  client: z.optional(z.string()),
};

/** Oldest first; if the list goes on, the next page begins with the entries of the given time. */
function listOf<Row extends z.ZodMiniType>(name: string, summary: string, row: Row) {
  return lookup({
    name,
    summary,
    query: z.strictObject({ since: z.optional(instantIn) }),
    answer: z.object({
      items: z.array(row),
      /** Ids of unreadable items. */
      unreadableIds: z.optional(z.array(z.string())),
      nextSince: z.optional(instant),
    }),
    errors: [apiErrors.SERVICE_UNAVAILABLE],
  });
}

export const listWaitingContract = listOf(
  'waiting',
  'Off-ramps that still await their deposit after expiresAt, oldest first.',
  z.object({
    ...z.pick(offRamp, { operationId: true, clientId: true, amount: true, token: true, network: true }).shape,
    hash: hashStatus,
    reason: verification.shape.reason,
    ...waiting,
  }),
);

export const listUnmatchedContract = listOf(
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

export const listUnreadableContract = listOf(
  'unreadable',
  'Transfers and pay-ins with an unreadable answer of custodian or rail for an hour or more, oldest first.',
  z.object({
    ...z.partial(z.pick(deposit, { custodianTransferId: true, network: true, txHash: true, operationId: true })).shape,
    ...z.partial(z.pick(payin, { payinId: true, clientId: true, status: true })).shape,
    ...waiting,
  }),
);

export const listOwedContract = listOf(
  'owed',
  'Credited deposits of off-ramps that were not paid out, oldest first.',
  z.object({
    ...z.pick(offRamp, { operationId: true, clientId: true, amount: true, token: true, network: true, status: true })
      .shape,
    ...z.pick(deposit, { custodianTransferId: true }).shape,
    ...waiting,
  }),
);

export const listContradictionsContract = listOf(
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

export const listUnpaidContract = listOf(
  'unpaid',
  'Off-ramps that have their deposit and were not paid out in time, oldest first.',
  z.object({
    ...z.pick(offRamp, { operationId: true, clientId: true, amount: true, token: true, network: true }).shape,
    ...waiting,
  }),
);

export const listMismatchedContract = listOf(
  'mismatched',
  'Pay-ins with another amount at the rail than ordered, or taken back, oldest first.',
  z.object({
    ...z.pick(payin, { payinId: true, clientId: true, status: true, amount: true, currency: true }).shape,
    ...z.pick(payin, { reversedAt: true }).shape,
    /** The amount at the rail. */
    paid: z.string(),
    ...waiting,
  }),
);

export const listFailingWebhooksContract = listOf(
  'failing-webhooks',
  'Webhooks whose endpoint has failed at least five times in a row, oldest first.',
  z.object({
    ...z.pick(webhook, { webhookId: true, clientId: true, statusReason: true }).shape,
    isActive: z.boolean(),
    /** No more of the address: the rest may contain a secret of the client. */
    host: z.string(),
    failures: z.int(),
    /** Its latest call: a status, or why there was no answer. */
    lastError: z.optional(z.string()),
    /** How many of its newest hundred deliveries wait for their first attempt. */
    neverAttempted: z.int(),
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
