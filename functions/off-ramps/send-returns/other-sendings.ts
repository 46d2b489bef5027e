import type { FindSending } from '#shared/off-ramps/custodians/custodian.ts';
import type { Sending } from '#shared/off-ramps/custodians/outgoing.ts';
import { MOST_FAILED_SENDINGS } from '#shared/off-ramps/model/return-changes.ts';
import { sendingIdOf } from '#shared/off-ramps/model/returns.ts';
import type { Returning } from '#shared/off-ramps/transitions/return-deposit.ts';
import { log } from '#shared/platform/logger.ts';

interface Dependencies {
  readonly findSending: FindSending;
}

/** True if the custodian knows a later id. Asks for each: a refused order leaves no trace, but a later one may. */
export async function isLaterSendingKnown({ findSending }: Dependencies, seen: Returning): Promise<boolean> {
  const { network, lastSending = 0 } = seen;
  for (let n = lastSending + 1; n <= lastSending + MOST_FAILED_SENDINGS; n += 1) {
    if ((await findSending({ network, externalId: sendingIdOf({ ...seen, lastSending: n }) })) !== undefined)
      return true;
  }
  return false;
}

/**
 * The number of a sending that has not ended after all: a worker that was suspended may have sent the order after its
 * end was written, and what two persons have given up may arrive even after the next order. Then that one is followed.
 */
export async function findRunningSending({ findSending }: Dependencies, seen: Returning): Promise<number | undefined> {
  const { network, lastSending = 0, lastGivenUp = 0 } = seen;
  const givenUp = Array.from({ length: lastGivenUp }, (_, before) => lastGivenUp - before);
  for (const n of new Set([...(lastSending > 0 ? [lastSending] : []), ...givenUp])) {
    const sending = { ...seen, lastSending: n };
    const known = await findSending({ network, externalId: sendingIdOf(sending) });
    if (known === undefined || hasFailedForGood(known)) continue;
    // Two persons have decided about it, unless the custodian has taken it up again since then.
    if (known.state === 'FAILED' && n <= lastGivenUp) continue;
    log.error('RETURN_SENT_BEFORE', { ...sendingFields(sending), state: known.state });
    return n;
  }
  return undefined;
}

export const hasFailedForGood = ({ state, mayStillArrive: mayArrive }: Sending) => state === 'FAILED' && !mayArrive;

export function sendingFields(seen: Returning) {
  const { custodianTransferId, operationId } = seen;
  return { custodianTransferId, operationId, sending: sendingIdOf(seen) };
}
