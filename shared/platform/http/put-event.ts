import type { BusEntry, EventBus } from '#shared/platform/aws/event-bus.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { ApiError } from './api-error.ts';

/** Puts one event on the bus. @throws {ApiError} SERVICE_UNAVAILABLE if the bus does not accept it now. */
export async function putEvent(bus: EventBus, entry: BusEntry): Promise<void> {
  const notTaken = await bus.put([entry]);
  if (notTaken.length > 0) throw new ApiError(apiErrors.SERVICE_UNAVAILABLE, { retryAfterSeconds: 1 });
}
