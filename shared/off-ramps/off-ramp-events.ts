import * as z from 'zod/mini';
import { documentEvent, event, sequence } from '#shared/events/event-envelope.ts';
import { id, instant } from '#shared/platform/http/fields.ts';
import { hashStatus, verificationReason } from './hash-values.ts';
import { operationStatus } from './operation-contract.ts';

export const OPERATION_STATUS_CHANGED = 'ramp.operation.status_changed';

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
