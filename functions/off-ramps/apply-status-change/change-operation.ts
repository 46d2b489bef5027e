import type { EndOperation } from '#shared/off-ramps/end-operation.ts';
import type { OperationStatusChange } from '#shared/off-ramps/incoming-off-ramp-status.ts';
import { endsTooEarly, mayEndAs } from '#shared/off-ramps/off-ramp.ts';
import type { OffRamps } from '#shared/off-ramps/off-ramp-store.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { retryOnConflict } from '#shared/platform/dynamodb/retry-on-conflict.ts';
import { log } from '#shared/platform/logger.ts';

interface Dependencies {
  readonly operations: Pick<OffRamps, 'find'>;
  readonly endOperation: EndOperation;
  readonly clock: Clock;
}

/**
 * Ends an operation as another service says, if its current status allows it. A repeated event changes nothing. One that
 * ends its operation too early throws: it is received again, and ends in the dead letters if no deposit is confirmed.
 */
export function changeOperation({ operations, endOperation, clock }: Dependencies) {
  return (incoming: OperationStatusChange, by: string): Promise<void> =>
    retryOnConflict(clock, async () => {
      const { operationId, status, reason } = incoming;
      const seen = await operations.find(operationId);
      const change = { operationId, by, from: seen?.status, to: status };
      if (seen?.status === status) return log.info('STATUS_CHANGE_REPEATED', change);
      if (seen !== undefined && endsTooEarly(seen.status, status)) throw new Error('no deposit is confirmed yet');
      if (seen === undefined || !mayEndAs(seen.status, status)) return log.error('STATUS_CHANGE_REFUSED', change);
      await endOperation(seen, { status, reason });
      log.info('STATUS_CHANGED', change);
    });
}
