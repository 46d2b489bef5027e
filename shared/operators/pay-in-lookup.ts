import * as z from 'zod/mini';
import { payin, payinStatusChange } from '#shared/pay-ins/pay-in.ts';
import { payinErrors } from '#shared/pay-ins/pay-in-errors.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { lookup } from '#shared/platform/http/command.ts';
import { id } from '#shared/platform/http/fields.ts';
import { changeLine } from './audit-records.ts';
import { lookedUpDelivery, lookedUpEvent } from './event-lookup.ts';
import { nextStep } from './next-step.ts';
import { sameReference } from './same-reference.ts';

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
    next: nextStep,
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
