import * as z from 'zod/mini';
import { documentEvent, event, sequence } from '#shared/events/event-envelope.ts';
import { type EventSource, statusEvent } from '#shared/events/outbox.ts';
import { type Deposit, deposit, depositIdOf, depositStatus, depositStatusOf } from '#shared/off-ramps/model/deposit.ts';
import type { TransactionLeg } from '#shared/platform/dynamodb/transaction.ts';
import { id } from '#shared/platform/http/fields.ts';

const DEPOSIT_STATUS_CHANGED = 'ramp.deposit.status_changed';

/** A deposit was seen (`previousStatus` is null), or its status changed. */
export const depositStatusChanged = event(
  DEPOSIT_STATUS_CHANGED,
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
  sequence: 'Grows with every change of the deposit. An event with a smaller sequence than a known one is out of date.',
});

/** The writes beside a changed deposit; nothing if its client's status stays. */
export interface DepositStatusChange {
  readonly set: { readonly sequence?: number; readonly updatedAt?: string };
  readonly event?: TransactionLeg;
}

/**
 * The sequence and event of a changed deposit, for the same transaction: its client receives every status. There is
 * none while the operation of its address is unknown.
 */
export function depositStatusChange(
  source: EventSource,
  before: Deposit | undefined,
  after: Deposit,
): DepositStatusChange {
  const { clientId, custodianTransferId, reasons } = after;
  const [from, to] = [before && statusKnown(before), statusKnown(after)];
  if (to === undefined || to === from || clientId === undefined) return { set: {} };
  const next = (before?.sequence ?? 0) + 1;
  const data = depositStatusChanged.shape.data.parse({
    ...after,
    depositId: depositIdOf(custodianTransferId),
    status: to,
    previousStatus: from ?? null,
    reasons: to === 'UNMATCHED' ? reasons : undefined,
    sequence: next,
  });
  return {
    set: { sequence: next, updatedAt: source.now.toISOString() },
    event: statusEvent(source, { clientId, type: DEPOSIT_STATUS_CHANGED }, data),
  };
}

function statusKnown(deposit: Deposit) {
  return deposit.operationId === undefined ? undefined : depositStatusOf(deposit);
}
