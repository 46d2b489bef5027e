import type { ProviderLimits } from '#shared/platform/dynamodb/provider-limits.ts';
import { describe } from '#shared/platform/logger.ts';
import { CustodianUnavailable, type FindTransfers } from './custodian.ts';

/** Questions about what clients alone have told of: they must not use up what credits need. */
const shares = { UNKNOWN_HASHES: 'unknown hashes', REPORTED_HASHES: 'reported hashes', CANCELS: 'cancels' } as const;

type Share = keyof typeof shares;

/** The custodian is not asked in this minute: clients report or cancel more than their share of calls. */
class PutOff extends CustodianUnavailable {
  readonly #share: Share;

  constructor(share: Share, retryAfter: number) {
    super(`What ${shares[share]} may use of this minute is used up.`, { retryAfter });
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
 * Counts a question before it is asked. What anybody can make up has a part of what the custodian takes in a minute, of
 * which no client uses up the others' part; any other question is asked.
 *
 * @throws {CustodianUnavailable} when its part is used up
 */
export function createTakeShare(
  limits: Pick<ProviderLimits, 'take'>,
  { callsPerMinute, unknownHashesPercent }: Allowed,
) {
  const ofUnknown = Math.floor((callsPerMinute * unknownHashesPercent) / 100);
  // Of the rest, credits and lists have the other half.
  const ofCancels = Math.floor((callsPerMinute - ofUnknown) / 6);
  const ofReported = 2 * ofCancels;

  const takeOne = async (kind: Share, of: string, most: number) => {
    const seconds = await asUnavailable(() => limits.take(of, Math.max(1, Math.floor(most))));
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

/** A fault of our own on the way is no answer either. */
export async function asUnavailable<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    throw error instanceof CustodianUnavailable ? error : new CustodianUnavailable(describe(error));
  }
}
