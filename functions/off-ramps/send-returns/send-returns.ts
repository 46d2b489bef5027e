import { CustodianUnavailable } from '#shared/off-ramps/custodians/custodian.ts';
import type { FindDeposit } from '#shared/off-ramps/store/deposit-repository.ts';
import type { ListDueReturns } from '#shared/off-ramps/store/return-lists.ts';
import { isReturning } from '#shared/off-ramps/transitions/return-deposit.ts';
import { retryOnConflict, WriteConflict } from '#shared/platform/dynamodb/transaction.ts';
import { describe, log } from '#shared/platform/logger.ts';
import { sweep } from '#shared/platform/sweep.ts';
import { sendingFields } from './other-sendings.ts';
import { postpone, type SendDependencies, sendReturn } from './send-return.ts';
import { watchReturn } from './watch-return.ts';

interface Dependencies extends SendDependencies {
  readonly listDueReturns: ListDueReturns;
  readonly findDeposit: FindDeposit;
}

/** Milliseconds after which a run begins no further step. Leaves time to finish before the function times out. */
export const RUNS_FOR = 40_000;

/** Seconds until a return that could not be handled is tried again. */
const LATER = 60;

/** Returns of each state that are handled at the same time. */
export const AT_ONCE = 5;

/**
 * Takes each due return one step further: sends it, looks up its sending, or looks at its transaction again. A run may
 * end at any point, and two may overlap: the id of a sending is written before it is sent, and the custodian accepts
 * each id only once.
 *
 * @returns the number of returns that it handled, or tried to handle
 */
export function sendReturns(deps: Dependencies) {
  return (): Promise<number> => {
    const { clock } = deps;
    const until = clock.now().getTime() + RUNS_FOR;
    const due = (['DUE', 'WATCHED'] as const).map(deps.listDueReturns);
    return sweep(due, ({ custodianTransferId }) => step(deps, custodianTransferId), {
      ...{ clock, until, atOnce: AT_ONCE },
      report: ({ custodianTransferId }, error) =>
        log.error('RETURN_NOT_HANDLED', { custodianTransferId, cause: describe(error) }),
    });
  };
}

async function step(deps: Dependencies, custodianTransferId: string): Promise<void> {
  const found = await deps.findDeposit(custodianTransferId);
  if (!isReturning(found)) return;
  try {
    if (found.returnState === 'DUE') await sendReturn(deps, found);
    if (found.returnState === 'WATCHED') await watchReturn(deps, found);
  } catch (error) {
    // Another writer was faster: a later run decides again.
    if (error instanceof WriteConflict) return;
    const isUnavailable = error instanceof CustodianUnavailable;
    if (isUnavailable) log.warn('CUSTODIAN_UNAVAILABLE', { ...sendingFields(found), cause: describe(error) });
    await lookLater(deps, custodianTransferId, isUnavailable ? error.retryAfter : undefined);
    if (!isUnavailable) throw error;
  }
}

/** Postpones a return that cannot be handled now, so that it does not delay those behind it. */
async function lookLater(deps: Dependencies, custodianTransferId: string, pause = 0): Promise<void> {
  await retryOnConflict(deps.clock, async () => {
    const now = await deps.findDeposit(custodianTransferId);
    if (isReturning(now)) await postpone(deps, now, Math.max(pause, LATER));
  });
}
