import type { Clock } from '#shared/platform/clock.ts';
import { retry } from '#shared/platform/retry.ts';
import { CustodianUnavailable, type FindTransfers } from './custodian.ts';

const TRIES = 4;
const FIRST_PAUSE = 200;

/**
 * Asks again after a jittered, doubling pause (up to 200, 400, 800 ms) when the custodian does not answer. Short faults
 * end here, inside the look, where they cost no state transition; a longer outage is told to the caller.
 */
export function patiently(findTransfers: FindTransfers, clock: Clock): FindTransfers {
  return (query) =>
    retry(() => findTransfers(query), {
      clock,
      when: (error) => error instanceof CustodianUnavailable,
      pause: (failed) => clock.random() * FIRST_PAUSE * 2 ** (failed - 1),
      tries: TRIES,
    });
}
