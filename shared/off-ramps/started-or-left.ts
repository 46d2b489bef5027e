import { describe, log } from '#shared/platform/logger.ts';
import type { Verification } from './verification.ts';

/** The hash is on record, so a start that fails now is not lost: the same call or the sweep makes up for it. */
export async function startedOrLeft({ operationId, attempt }: Verification, start: Promise<unknown>): Promise<void> {
  try {
    await start;
  } catch (error) {
    log.warn('VERIFICATION_START_FAILED', { operationId, attempt, cause: describe(error) });
  }
}
