import type { Clock } from '#shared/runtime/clock.ts';
import { CustodianUnavailable, type FindTransfers } from './custodian.ts';

const TRIES = 4;
const FIRST_PAUSE = 200;

/**
 * Asks again after a jittered, doubling pause (up to 200, 400, 800 ms) when the custodian does not answer. Short faults
 * end here, inside the look, where they cost no state transition; a longer outage is told to the caller.
 */
export function patiently(findTransfers: FindTransfers, clock: Clock): FindTransfers {
  return async (query) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await findTransfers(query);
      } catch (error) {
        if (!(error instanceof CustodianUnavailable) || attempt === TRIES) throw error;
        await clock.sleep(clock.random() * FIRST_PAUSE * 2 ** (attempt - 1));
      }
    }
  };
}
