import type { Clock } from '#shared/platform/clock.ts';
import { retry } from '#shared/platform/retry.ts';
import { type AskForTransfers, type Custodian, CustodianUnavailable } from './custodian.ts';
import { readTransfer } from './normal-form.ts';

const TRIES = 4;

/** Milliseconds at most. */
const FIRST_PAUSE = 200;

/** Milliseconds. Clocks differ, and an address may have been given before what it is asked for was written. */
const MARGIN = 24 * 3600 * 1000;

/**
 * How the service asks any custodian for transfers. It retries after a jittered, doubling pause (up to 200, 400, 800
 * ms) when the custodian does not answer, unless that says when to come again. Short faults are handled here, inside
 * the poll, and cost no state transition; a longer outage is thrown.
 *
 * @throws {CustodianUnavailable}
 */
export function createFindTransfers(
  { name, findTransfers }: Pick<Custodian, 'name' | 'findTransfers'>,
  clock: Clock,
): AskForTransfers {
  return async (query) => {
    const since = new Date(Date.parse(query.since) - MARGIN).toISOString();
    const answer: unknown = await retry(() => findTransfers({ ...query, since }), {
      clock,
      when: (error) => error instanceof CustodianUnavailable && error.retryAfter === undefined,
      pause: (failed) => clock.random() * FIRST_PAUSE * 2 ** (failed - 1),
      tries: TRIES,
    });
    if (!Array.isArray(answer)) throw new CustodianUnavailable('What the custodian answers is no list of transfers.');
    return answer.map((transfer: unknown) => readTransfer(name, transfer, query));
  };
}

/** Seconds for which a custodian is believed that wants to be left alone: a mistake of its must not stop deposits for a year. */
const LONGEST_PAUSE = 24 * 3600;

/** Before when it is not asked again, in seconds since 1970; 0 when it says nothing of it. */
export function notBefore({ retryAfter }: CustodianUnavailable, now: Date): number {
  return retryAfter === undefined ? 0 : now.getTime() / 1000 + Math.min(LONGEST_PAUSE, Math.max(0, retryAfter));
}
