import * as z from 'zod/mini';
import { offRampErrors } from '#shared/off-ramps/contract/off-ramp-contract.ts';
import { lookedUpOperation, unreadableTransfer } from '#shared/off-ramps/contract/operator-lookups.ts';
import { payinErrors } from '#shared/pay-ins/pay-in-errors.ts';
import { lookedUpPayin, unreadablePayin } from '#shared/pay-ins/pay-in-lookups.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { lookup } from '#shared/platform/http/command.ts';
import { id, instant, instantInput, noQuery } from '#shared/platform/http/fields.ts';
import { auditLine, changeLine } from '#shared/platform/operators/audit-records.ts';
import { listLookup } from '#shared/platform/operators/lists.ts';
import { referencedRecord } from '#shared/platform/operators/referenced-record.ts';
import { lookedUpDelivery } from '#shared/webhooks/contract/webhook-lookups.ts';

/* Operators' lookups that read several modules at once. */

/** An event for webhooks, and whether it was published. */
export const lookedUpEvent = z.object({
  occurredAt: instant,
  type: z.string(),
  status: z.optional(z.string()),
  sequence: z.optional(z.int()),
  /** True if the bus has accepted the event. */
  isPublished: z.boolean(),
  eventId: z.string(),
});

export const referencedOperation = z.extend(referencedRecord, { operationId: id });

/** The first lookup for an off-ramp: its state, the reason, and the next step. */
export const readOperationContract = lookup({
  name: 'operation',
  summary:
    'An off-ramp: where it is and why, what happens next and who does it, its hash, deposits, events and deliveries.',
  query: z.object({
    /** The off-ramp's id, its hash or its deposit's hash, its deposit address (`address#tag`), or its reference. */
    operation: z.string().check(z.trim(), z.minLength(1), z.maxLength(255)),
    /** The user, if several users have the reference. */
    user: z.optional(id),
  }),
  answer: z.object({
    ...lookedUpOperation.shape,
    /** Others with the same reference, of any client, newest first; a lookup by reference finds the newest. */
    othersOfReference: z.optional(z.array(referencedOperation)),
    events: z.array(lookedUpEvent),
    deliveries: z.array(lookedUpDelivery),
    /** Changes by operators. */
    changes: z.array(changeLine),
  }),
  errors: [offRampErrors.OFF_RAMP_NOT_FOUND, apiErrors.SERVICE_UNAVAILABLE],
});

export const referencedPayin = z.extend(referencedRecord, { payinId: id });

export const readPayinContract = lookup({
  name: 'payin',
  summary:
    'A pay-in, by its id or its reference: where it is, what happens next and who does it, its events and deliveries.',
  query: z.object({ payin: z.string().check(z.trim(), z.minLength(1), z.maxLength(255)) }),
  answer: z.object({
    ...lookedUpPayin.shape,
    /** Others with the same reference, of any client, newest first; a lookup by reference finds the newest. */
    othersOfReference: z.optional(z.array(referencedPayin)),
    events: z.array(lookedUpEvent),
    deliveries: z.array(lookedUpDelivery),
    /** Changes by operators. */
    changes: z.array(changeLine),
  }),
  errors: [payinErrors.PAYIN_NOT_FOUND, apiErrors.SERVICE_UNAVAILABLE],
});

export const listUnreadableContract = listLookup(
  'unreadable',
  'Transfers and pay-ins with an unreadable answer of custodian or rail for an hour or more, oldest first.',
  z.object({
    ...unreadableTransfer.shape,
    ...unreadablePayin.shape,
  }),
);

const named = z.optional(z.string());

/** The ids that the oldest message names. */
export const idsInMessage = z.object({
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
  ...idsInMessage.shape,
  who: z.literal('FINANCE'),
  what: z.string(),
});

export const listDeadLettersContract = lookup({
  name: 'dead-letters',
  summary:
    'Queues with messages that could not be handled, what clients lose, and the oldest message of a sample of each queue.',
  query: noQuery,
  answer: z.object({ items: z.array(deadLetters) }),
  errors: [apiErrors.SERVICE_UNAVAILABLE],
});

/** A creation, change or ending since a second, from the audit and the events, which no restore changes. */
export const sinceLine = z.object({
  at: instant,
  /** The operators' command, or what the event reports. */
  what: z.string(),
  /** The id of the changed record. */
  about: z.optional(z.string()),
  clientId: z.optional(z.string()),
  /** Whether the tables have it: after a restore, what is missing is repaired. Absent if only a person can tell. */
  isThere: z.optional(z.boolean()),
  /** What repairs the change if it is lost. */
  next: z.string(),
  who: z.optional(z.string()),
  ...z.partial(z.pick(auditLine, { arguments: true })).shape,
});

export const listSinceContract = lookup({
  name: 'since',
  summary:
    'Creations, endings, and changes by operators and compliance since a second, for a restore to it, each with what repairs it. The last seconds may be missing.',
  query: z.strictObject({
    since: instantInput,
    /** Only events of this client, even if its record is lost; without `client`, only known clients are read. */
    client: z.optional(id),
    cursor: z.optional(z.string().check(z.regex(/^[AUE]#[\w:.#-]{0,250}$/))),
  }),
  answer: z.object({
    items: z.array(sinceLine),
    /** Ids of unreadable items. */
    unreadableIds: z.optional(z.array(z.string())),
    nextCursor: z.optional(z.string()),
  }),
  errors: [apiErrors.SERVICE_UNAVAILABLE],
});
