import * as z from 'zod/mini';
import { hashStatuses, operationStatuses } from '#shared/domain/operation.ts';
import { payinStatuses } from '#shared/domain/payin.ts';
import { verificationReasons } from '#shared/domain/verification-reason.ts';
import { id, instant } from './fields.ts';

/** What webhooks are sent: the body of Standard Webhooks 1.0 (decisions.md 7, Payload). Never personal data. */

export const OPERATION_STATUS_CHANGED = 'ramp.operation.status_changed';

/** Grows with every change of the resource, so that deliveries that arrive out of order can be put into order. */
const sequence = z.int().check(z.minimum(1));

function event<Type extends string, Data extends z.ZodMiniType>(type: Type, data: Data) {
  return z.object({ type: z.literal(type), timestamp: instant, data });
}

/** An off-ramp was created, of which `previousStatus` is null, or its status changed. */
export const operationStatusChanged = event(
  OPERATION_STATUS_CHANGED,
  z.object({
    operationId: id,
    userId: id,
    status: z.enum(operationStatuses),
    previousStatus: z.nullable(z.enum(operationStatuses)),
    sequence,
  }),
);

/** The status of the hash that funds an off-ramp changed. */
export const depositHashStatusChanged = event(
  'ramp.deposit_hash.status_changed',
  z.object({
    operationId: id,
    userId: id,
    status: z.enum(hashStatuses),
    previousStatus: z.enum(hashStatuses),
    sequence,
    /** As reported. */
    txHash: z.optional(z.string()),
    /** Of the deposit that the custodian confirmed. */
    verifiedTxHash: z.optional(z.string()),
  }),
);

/** The last look for a reported hash was made, and its deposit has not verified. The hash status stays as it is. */
export const depositHashWindowEnded = event(
  'ramp.deposit_hash.window_ended',
  z.object({
    operationId: id,
    userId: id,
    attempt: z.int().check(z.minimum(1)),
    txHash: z.string(),
    /** What the last look found wanting. */
    reason: z.enum(verificationReasons),
    windowEndsAt: instant,
    status: z.literal('VERIFYING'),
    previousStatus: z.literal('VERIFYING'),
    sequence,
  }),
);

/** A pay-in was created, of which `previousStatus` is null, or its status changed. */
export const payinStatusChanged = event(
  'ramp.payin.status_changed',
  z.object({
    payinId: id,
    userId: id,
    status: z.enum(payinStatuses),
    previousStatus: z.nullable(z.enum(payinStatuses)),
    sequence,
  }),
);

/** The compliance review of the client came to another result. */
export const clientStatusChanged = event(
  'compliance.client.status_changed',
  z.object({
    clientId: id,
    status: z.string(),
    previousStatus: z.nullable(z.string()),
    sequence,
  }),
);

/** Sent on the client's own request, to see that its endpoint takes what it is sent. */
export const webhookTest = event('webhook.test', z.object({ webhookId: id }));
