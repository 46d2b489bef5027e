import type { ProviderLimits } from '#shared/platform/dynamodb/provider-limits.ts';
import { describe } from '#shared/platform/logger.ts';
import { CustodianUnavailable, type FindTransfers } from './custodian.ts';

/** Kinds of calls that clients alone can cause: they must not use up the calls that credits need. */
const shares = { UNKNOWN_HASHES: 'unknown hashes', REPORTED_HASHES: 'reported hashes', CANCELS: 'cancels' } as const;

type Share = keyof typeof shares;

/** The call is postponed to another minute: clients report or cancel more than their share of calls allows. */
class PutOff extends CustodianUnavailable {
  readonly #share: Share;

  constructor(share: Share, retryAfter: number) {
    super(`The calls for ${shares[share]} in this minute are used up.`, { retryAfter });
    this.#share = share;
  }

  override get declinedFor() {
    return this.#share;
  }
}

interface Allowed {
  readonly callsPerMinute: number;
  readonly unknownHashesPercent: number;
}

/**
 * Counts a call before it is made. Calls that clients alone can cause have a share of the calls that the custodian
 * allows in a minute, and one client gets at most half of that share. All other calls pass.
 *
 * @throws {CustodianUnavailable} when the share is used up
 */
export function createTakeShare(limits: Pick<ProviderLimits, 'take'>, allowed: Allowed) {
  const { ofUnknown, ofReported, ofCancels } = sharesOf(allowed);

  const takeOne = async (kind: Share, counter: string, most: number) => {
    const seconds = await orCustodianUnavailable(() => limits.take(counter, Math.max(1, Math.floor(most))));
    if (seconds > 0) throw new PutOff(kind, seconds);
  };
  const take = async (kind: Share, share: number, clientId: string | undefined) => {
    if (clientId !== undefined) await takeOne(kind, `${kind}#${clientId}`, share / 2);
    await takeOne(kind, kind, share);
  };

  return async ({ wasUnknown = false, isReported = false, ...by }: Parameters<FindTransfers>[0]): Promise<void> => {
    if (wasUnknown) await take('UNKNOWN_HASHES', ofUnknown, by.reportedBy);
    else if (isReported) await take('REPORTED_HASHES', ofReported, by.reportedBy);
    else if (by.cancelledBy !== undefined) await take('CANCELS', ofCancels, by.cancelledBy);
  };
}

/** The calls of each share in a minute; one client gets half of a share. */
export function sharesOf({ callsPerMinute, unknownHashesPercent }: Allowed) {
  const ofUnknown = Math.floor((callsPerMinute * unknownHashesPercent) / 100);
  // Cancels and reported hashes get half of the rest; the other half is for credits and lists.
  const ofCancels = Math.floor((callsPerMinute - ofUnknown) / 6);
  return { ofUnknown, ofReported: 2 * ofCancels, ofCancels };
}

/** Turns any error into `CustodianUnavailable`: after a fault of our own there is no answer either. */
export async function orCustodianUnavailable<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    throw error instanceof CustodianUnavailable ? error : new CustodianUnavailable(describe(error));
  }
}
