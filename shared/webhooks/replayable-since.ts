import { REPLAY_DAYS } from '#shared/platform/dynamodb/expiry.ts';
import { invalid } from '#shared/platform/http/api-error.ts';

/** The oldest instant from which on there are events to send again. */
export function oldestReplayable(now: Date): Date {
  return new Date(now.getTime() - REPLAY_DAYS * 24 * 3600 * 1000);
}

/**
 * From when on events are to be sent again, as an instant.
 *
 * @param path of the field in the request that says it
 * @throws {ApiError} VALIDATION_FAILED
 */
export function replayableSince(given: string, path: string, now: Date): string {
  const since = new Date(given);
  if (since >= oldestReplayable(now) && since <= now) return since.toISOString();
  throw invalid({
    path,
    code: 'OUT_OF_RANGE',
    message: `must be at most ${REPLAY_DAYS} days ago and not in the future`,
  });
}
