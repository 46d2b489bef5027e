import * as z from 'zod/mini';
import {
  operationStatusEvent,
  payoutReturnedEvent,
  readStatusReport,
} from '#shared/off-ramps/model/incoming-off-ramp-status.ts';
import type { Arrival } from '#shared/platform/aws/messages.ts';
import { parseExactly } from '#shared/platform/exact-json.ts';
import type { changeOperation } from './change-operation.ts';

export const incomingEvent = z.discriminatedUnion('detail-type', [operationStatusEvent, payoutReturnedEvent]);

/**
 * Applies one event of another service. An event that can never be applied is logged as an error and acknowledged. If
 * an event cannot be read, or its change cannot be written now, this throws: the message is received again, and finally
 * becomes a dead letter.
 */
export function applyStatusChange(apply: ReturnType<typeof changeOperation>) {
  return async (message: string, arrival: Arrival): Promise<void> => {
    await apply(readStatusReport(incomingEvent.parse(parseExactly(message))), arrival);
  };
}
