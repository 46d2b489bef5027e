import type { Clock } from '#shared/platform/clock.ts';
import { retry } from '#shared/platform/retry.ts';
import { type Custodian, CustodianUnavailable, type FindTransfers } from './custodian.ts';
import { inNormalForm } from './normal-form.ts';

const TRIES = 4;

/** Milliseconds at most. */
const FIRST_PAUSE = 200;

/**
 * How the service asks any custodian for transfers. It retries after a jittered, doubling pause (up to 200, 400, 800
 * ms) when the custodian does not answer. Short faults are handled here, inside the poll, and cost no state transition;
 * a longer outage is thrown.
 *
 * @throws {CustodianUnavailable}
 */
export function createFindTransfers(
  { name, findTransfers }: Pick<Custodian, 'name' | 'findTransfers'>,
  clock: Clock,
): FindTransfers {
  return async (query) => {
    const transfers = await retry(() => findTransfers(query), {
      clock,
      when: (error) => error instanceof CustodianUnavailable,
      pause: (failed) => clock.random() * FIRST_PAUSE * 2 ** (failed - 1),
      tries: TRIES,
    });
    return transfers.map((transfer) => inNormalForm(name, transfer));
  };
}
