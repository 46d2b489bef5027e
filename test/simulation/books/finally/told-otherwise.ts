import { OPERATION_STATUS_CHANGED } from '#shared/off-ramps/contract/off-ramp-events.ts';
import { depositIdOf } from '#shared/off-ramps/model/deposit.ts';
import type { Aftermath } from './aftermath.ts';

/**
 * True if events from before a restore say that the off-ramp had ended, that another deposit had funded it, or that
 * this deposit was sent back: then people decide.
 */
export function wasToldOtherwise(
  { events }: Aftermath['ledger'],
  operationId: string,
  custodianTransferId: string,
): boolean {
  const depositId = depositIdOf(custodianTransferId);
  return [...events.values()].some(
    ({ type, data }) =>
      data.operationId === operationId &&
      (data.depositId === depositId || type === OPERATION_STATUS_CHANGED
        ? ['CANCELLED', 'FAILED', 'RETURN_REQUESTED', 'RETURNED'].includes(data.status ?? '')
        : data.depositId !== undefined && data.status === 'CREDITED'),
  );
}
