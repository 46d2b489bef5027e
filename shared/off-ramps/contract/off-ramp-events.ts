import * as z from 'zod/mini';
import { documentEvent, event } from '#shared/events/event-envelope.ts';
import { deposit, depositStatus } from '#shared/off-ramps/model/deposit.ts';
import { hashStatus, offRamp, operationStatus } from '#shared/off-ramps/model/off-ramp.ts';
import { mismatch, verification } from '#shared/off-ramps/model/verification.ts';
import { id } from '#shared/platform/http/fields.ts';

export const OPERATION_STATUS_CHANGED = 'ramp.operation.status_changed';

const { sequence } = offRamp.shape;
const whose = z.pick(offRamp, { operationId: true, userId: true });

/** An off-ramp was created (`previousStatus` is null), or its status changed. */
export const operationStatusChanged = event(
  OPERATION_STATUS_CHANGED,
  z.extend(whose, {
    status: operationStatus,
    previousStatus: z.nullable(operationStatus),
    payout: offRamp.shape.payout,
    sequence,
  }),
);

documentEvent('OperationStatusChanged', operationStatusChanged, 'An off-ramp was created, or its status changed.', {
  operationId: 'The off-ramp.',
  userId: 'The user that it belongs to.',
  status: 'The new status.',
  previousStatus: 'The previous status; null when the off-ramp was created.',
  payout: 'The payout, as far as the payout service has reported it. Only when it is `COMPLETED`.',
  sequence:
    'Grows with every change of the off-ramp. An event with a smaller sequence than a known one of its type is out of date.',
});

/** The status of the hash that funds an off-ramp changed. */
export const depositHashStatusChanged = event(
  'ramp.deposit_hash.status_changed',
  z.extend(whose, {
    status: hashStatus,
    previousStatus: hashStatus,
    sequence,
    ...z.pick(offRamp, { txHash: true, verifiedTxHash: true }).shape,
  }),
);

documentEvent(
  'DepositHashStatusChanged',
  depositHashStatusChanged,
  'The status of the hash that funds an off-ramp changed.',
  {
    operationId: 'The off-ramp.',
    userId: 'The user that it belongs to.',
    status: 'The new status of the verification.',
    previousStatus: 'The previous status.',
    sequence:
      'Grows with every change of the off-ramp. An event with a smaller sequence than a known one of its type is out of date.',
    txHash: 'The reported hash. Absent if there is none.',
    verifiedTxHash: 'The hash of the confirmed deposit. Absent while there is none.',
  },
);

/** The last poll of a reported hash did not verify its deposit. The status of the hash stays. */
export const depositHashWindowEnded = event(
  'ramp.deposit_hash.window_ended',
  z.extend(whose, {
    attempt: verification.shape.attempt.check(z.minimum(1)),
    txHash: verification.shape.txHash,
    reason: mismatch.shape.reason,
    windowEndsAt: verification.shape.windowEndsAt,
    status: z.literal('VERIFYING'),
    previousStatus: z.literal('VERIFYING'),
    sequence,
  }),
);

documentEvent(
  'DepositHashWindowEnded',
  depositHashWindowEnded,
  'The last check of a reported hash did not verify its deposit. A new submission starts new checks.',
  {
    operationId: 'The off-ramp.',
    userId: 'The user that it belongs to.',
    attempt: 'The number of submissions that had started a verification, this one included.',
    txHash: 'The hash that was reported.',
    reason: 'Why the last check did not verify the deposit.',
    windowEndsAt: 'When the window ended.',
    status: 'The status of the hash, which stays as it was.',
    previousStatus: 'The previous status: the same.',
    sequence:
      'Grows with every change of the off-ramp. An event with a smaller sequence than a known one of its type is out of date.',
  },
);

/** A deposit was seen (`previousStatus` is null), or its status changed. */
export const depositStatusChanged = event(
  'ramp.deposit.status_changed',
  z.object({
    depositId: id,
    ...z.required(z.pick(deposit, { operationId: true, userId: true })).shape,
    txHash: deposit.shape.txHash,
    status: depositStatus,
    previousStatus: z.nullable(depositStatus),
    reasons: deposit.shape.reasons,
    sequence,
  }),
);

documentEvent('DepositStatusChanged', depositStatusChanged, 'A deposit was seen, or its status changed.', {
  depositId: 'The deposit.',
  operationId: 'The off-ramp of its address.',
  userId: 'The user that it belongs to.',
  txHash: 'The hash of its transaction.',
  status: 'The new status.',
  previousStatus: 'The previous status; null when it had none.',
  reasons: 'All reasons why it funds nothing. Only while it is `UNMATCHED`.',
  sequence:
    'Grows with every change of the deposit. An event with a smaller sequence than a known one of its type is out of date.',
});
