import type { BusEntry, EventBus } from '#shared/platform/aws/event-bus.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { ApiError } from './api-error.ts';

/** Puts one event on the bus. @throws {ApiError} SERVICE_UNAVAILABLE when the bus does not take it: the same call does later. */
export async function putEvent(bus: EventBus, entry: BusEntry): Promise<void> {
  const notTaken = await bus.put([entry]);
  if (notTaken.length > 0) throw new ApiError(apiErrors.SERVICE_UNAVAILABLE, { retryAfterSeconds: 1 });
}
