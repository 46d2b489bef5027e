import type { Clock } from '#shared/platform/clock.ts';
import { describe, log } from '#shared/platform/logger.ts';
import { retry } from '#shared/platform/retry.ts';
import type { FoundTransfer } from './custodian.ts';
import { type AskForTransfers, type Custodian, CustodianUnavailable } from './custodian.ts';
import { readTransfer } from './normal-form.ts';

const TRIES = 4;

/** Milliseconds at most. */
const FIRST_PAUSE = 200;

/** Milliseconds. Clocks differ, and an address may have been assigned before the searched item was written. */
const MARGIN = 24 * 3600 * 1000;

/**
 * Asks any custodian for transfers. It retries after a jittered, doubling pause (up to 200, 400, 800 ms) when the
 * custodian does not answer, unless the custodian requests a pause. Short faults are handled here, inside the poll, and
 * cost no state transition; a longer outage is thrown.
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
    if (!Array.isArray(answer)) throw new CustodianUnavailable("The custodian's answer is not a list of transfers.");
    return answer.map((transfer: unknown) => readTransfer(name, transfer, query));
  };
}

/** Seconds: the longest pause that a custodian may request, so that its mistake cannot stop deposits for a year. */
const LONGEST_PAUSE = 24 * 3600;

export interface AskDependencies {
  readonly findTransfers: AskForTransfers;
  readonly clock: Clock;
}

interface Asked {
  /** `undefined` when the custodian does not answer, which decides nothing. */
  readonly transfers: readonly FoundTransfer[] | undefined;
  /** Seconds since 1970 before which it is not asked again; 0 without a request for a pause. */
  readonly notBefore: number;
}

/**
 * The transfers of a transaction as the custodian has them now, for an attempt, a deposit or a search.
 *
 * @param asker the caller, for the log
 */
export async function askForTransaction(
  { findTransfers, clock }: AskDependencies,
  { network, txHash, since }: Parameters<AskForTransfers>[0],
  asker: Readonly<Record<string, unknown>>,
): Promise<Asked> {
  try {
    return { transfers: await findTransfers({ network, txHash, since }), notBefore: 0 };
  } catch (error) {
    if (!(error instanceof CustodianUnavailable)) throw error;
    log.warn('CUSTODIAN_UNAVAILABLE', { ...asker, cause: describe(error) });
    return { transfers: undefined, notBefore: notBefore(error, clock.now()) };
  }
}

/** The end of the requested pause, in seconds since 1970; 0 without one. */
export function notBefore({ retryAfter }: CustodianUnavailable, now: Date): number {
  return retryAfter === undefined ? 0 : now.getTime() / 1000 + Math.min(LONGEST_PAUSE, Math.max(0, retryAfter));
}
