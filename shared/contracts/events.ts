import * as z from 'zod/mini';
import { documentObject, type FieldText } from './document.ts';
import { id, instant } from './fields.ts';
import { hashStatus, verificationReason } from './hash-values.ts';
import { operationStatus } from './operation.ts';
import { payinStatus } from './payin.ts';

/** What webhooks are sent: the body of Standard Webhooks 1.0 (decisions.md 7, Payload). Never personal data. */

export const OPERATION_STATUS_CHANGED = 'ramp.operation.status_changed';

/** Grows with every change of the resource, so that deliveries that arrive out of order can be put into order. */
const sequence = z.int().check(z.minimum(1));

function event<Type extends string, Data extends z.ZodMiniObject>(type: Type, data: Data) {
  return z.object({ type: z.literal(type), timestamp: instant, data });
}

function documentEvent<Type extends string, Data extends z.ZodMiniObject>(
  name: string,
  schema: ReturnType<typeof event<Type, Data>>,
  description: string,
  fields: Readonly<Record<keyof Data['shape'], FieldText>>,
): void {
  documentObject(`${name}Event`, schema, description, {
    type: 'Type of the event.',
    timestamp: 'When it happened; the same on every attempt.',
    data: 'What happened.',
  });
  documentObject<Data>(`${name}EventData`, schema.shape.data, description, fields);
}

/** An off-ramp was created, of which `previousStatus` is null, or its status changed. */
export const operationStatusChanged = event(
  OPERATION_STATUS_CHANGED,
  z.object({
    operationId: id,
    userId: id,
    status: operationStatus,
    previousStatus: z.nullable(operationStatus),
    sequence,
  }),
);

documentEvent('OperationStatusChanged', operationStatusChanged, 'An off-ramp was created, or its status changed.', {
  operationId: 'The off-ramp.',
  userId: 'The user that it belongs to.',
  status: 'The status that it came to.',
  previousStatus: 'The status before; null when the off-ramp was created.',
  sequence: 'Grows with every change of the off-ramp. An event with a smaller one than a known one is out of date.',
});

/** The status of the hash that funds an off-ramp changed. */
export const depositHashStatusChanged = event(
  'ramp.deposit_hash.status_changed',
  z.object({
    operationId: id,
    userId: id,
    status: hashStatus,
    previousStatus: hashStatus,
    sequence,
    txHash: z.optional(z.string()),
    verifiedTxHash: z.optional(z.string()),
  }),
);

documentEvent(
  'DepositHashStatusChanged',
  depositHashStatusChanged,
  'The status of the hash that funds an off-ramp changed.',
  {
    operationId: 'The off-ramp.',
    userId: 'The user that it belongs to.',
    status: 'The status that the verification came to.',
    previousStatus: 'The status before.',
    sequence: 'Grows with every change of the off-ramp. An event with a smaller one than a known one is out of date.',
    txHash: 'The hash that was reported. Absent when none was.',
    verifiedTxHash: 'The hash of the confirmed deposit. Absent while there is none.',
  },
);

/** The last look for a reported hash was made, and its deposit has not verified. The hash status stays as it is. */
export const depositHashWindowEnded = event(
  'ramp.deposit_hash.window_ended',
  z.object({
    operationId: id,
    userId: id,
    attempt: z.int().check(z.minimum(1)),
    txHash: z.string(),
    reason: verificationReason,
    windowEndsAt: instant,
    status: z.literal('VERIFYING'),
    previousStatus: z.literal('VERIFYING'),
    sequence,
  }),
);

documentEvent(
  'DepositHashWindowEnded',
  depositHashWindowEnded,
  'The last check of a reported hash was made, and its deposit has not verified. A new submission starts new checks.',
  {
    operationId: 'The off-ramp.',
    userId: 'The user that it belongs to.',
    attempt: 'How many submissions had started a verification, this one included.',
    txHash: 'The hash that was reported.',
    reason: 'What the last check found wanting.',
    windowEndsAt: 'When the window ended.',
    status: 'The status of the hash, which stays as it was.',
    previousStatus: 'The status before: the same.',
    sequence: 'Grows with every change of the off-ramp. An event with a smaller one than a known one is out of date.',
  },
);

/** A pay-in was created, of which `previousStatus` is null, or its status changed. */
export const payinStatusChanged = event(
  'ramp.payin.status_changed',
  z.object({
    payinId: id,
    userId: id,
    status: payinStatus,
    previousStatus: z.nullable(payinStatus),
    sequence,
  }),
);

documentEvent('PayinStatusChanged', payinStatusChanged, 'A pay-in was created, or its status changed.', {
  payinId: 'The pay-in.',
  userId: 'The user that it belongs to.',
  status: 'The status that it came to.',
  previousStatus: 'The status before; null when the pay-in was created.',
  sequence: 'Grows with every change of the pay-in. An event with a smaller one than a known one is out of date.',
});

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

documentEvent('ClientStatusChanged', clientStatusChanged, 'The compliance status of the client changed.', {
  clientId: 'The client.',
  status: 'The compliance status that it came to. It may operate only while this is `approved`.',
  previousStatus: 'The compliance status before; null when there was none.',
  sequence: 'Grows with every change of the client. An event with a smaller one than a known one is out of date.',
});

/** Sent on the client's own request, to see that its endpoint takes what it is sent. */
export const webhookTest = event('webhook.test', z.object({ webhookId: id }));

documentEvent('WebhookTest', webhookTest, 'The client asked for a test of its webhook.', {
  webhookId: 'The webhook.',
});
