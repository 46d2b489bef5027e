import * as z from 'zod/mini';
import { approvalIn, queuedClientStatus } from '#shared/clients/incoming-client-status.ts';
import { operationStatusEvent, payoutReturnedEvent, saidBy } from '#shared/off-ramps/model/incoming-off-ramp-status.ts';
import type { Arrival } from '#shared/platform/aws/each-message.ts';
import type { changeClient } from './change-client.ts';
import type { changeOperation } from './change-operation.ts';

const incomingEvent = z.union([
  z.discriminatedUnion('detail-type', [operationStatusEvent, payoutReturnedEvent]),
  queuedClientStatus,
]);

interface Dependencies {
  readonly changeOperation: ReturnType<typeof changeOperation>;
  readonly changeClient: ReturnType<typeof changeClient>;
}

/**
 * Applies one event of another service. An event that can never be applied is logged as an error and
 * acknowledged. An event that cannot be read, or written just now, throws: it is received again, and ends in the dead
 * letters.
 */
export function applyStatusChange(apply: Dependencies) {
  return async (message: string, arrival: Arrival): Promise<void> => {
    const event = incomingEvent.parse(JSON.parse(message));
    if ('event' in event) return apply.changeClient(approvalIn(event, arrival.sentAt));
    return apply.changeOperation(saidBy(event), arrival);
  };
}
