import * as z from 'zod/mini';
import { clientStatusEvent } from '#shared/clients/incoming-client-status.ts';
import { OPERATION_STATUS, operationStatusEvent } from '#shared/off-ramps/incoming-off-ramp-status.ts';
import type { changeClient } from './change-client.ts';
import type { changeOperation } from './change-operation.ts';

const incomingEvent = z.discriminatedUnion('detail-type', [operationStatusEvent, clientStatusEvent]);

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
  return async (message: string): Promise<void> => {
    const event = incomingEvent.parse(JSON.parse(message));
    if (event['detail-type'] === OPERATION_STATUS) return apply.changeOperation(event.detail, event.source);
    const { clientId, ...change } = event.detail;
    return apply.changeClient(clientId, { ...change, at: new Date(event.time).toISOString() });
  };
}
