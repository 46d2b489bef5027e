import type { BankRefresh, RuledBank, RuledBanks } from '#shared/parameters/ruled-banks.ts';
import { type ListRailBanks, type RailBank, RailUnavailable } from '#shared/pay-ins/rails/payment-rail.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { digestId } from '#shared/platform/ids.ts';
import { describe, log } from '#shared/platform/logger.ts';

interface Dependencies {
  /** The rail of the method that collects from a bank. */
  readonly rail: string;
  readonly listBanks: ListRailBanks;
  readonly banks: RuledBanks;
  readonly clock: Clock;
}

/** Milliseconds. */
const HOUR = 3600_000;
const DAY = 24 * HOUR;

/** Milliseconds since the list was last read, after which an alarm is raised. */
const LATE = 2 * DAY;

/** If one bank in five is missing, nothing is applied: so many banks of a rail do not close at once. */
const SUSPICIOUS_SHARE = 5;

/** A bank becomes inactive if it is still missing this many milliseconds after it was first missing, or later. */
const MISSING_AGAIN = 20 * HOUR;

/**
 * Reads the rail's list of banks, with their codes and names, once a day (decisions.md 6). A bank keeps its id for
 * ever. A bank that the rail no longer lists becomes inactive when it is missing the second time; banks of the stage's
 * file or of another rail are replaced at once, after the new ones are written. Returns the number of banks that it
 * wrote.
 */
export function refreshBanks(deps: Dependencies) {
  return async (): Promise<number> => {
    const { rail, listBanks, banks, clock } = deps;
    const now = clock.now();
    const last = await banks.findRefresh(rail);
    if (last !== undefined && Date.parse(last.nextRunAt) > now.getTime()) return 0;
    let listed: readonly RailBank[];
    try {
      listed = await listBanks();
    } catch (error) {
      if (!(error instanceof RailUnavailable)) throw error;
      await putOff(deps, last ?? { readAt: now.toISOString(), nextRunAt: now.toISOString() }, error);
      return 0;
    }
    const written = await apply(deps, await banks.all(), listed);
    await banks.saveRefresh(rail, { readAt: now.toISOString(), nextRunAt: at(now, DAY) });
    return written;
  };
}

async function putOff({ rail, banks, clock }: Dependencies, last: BankRefresh, error: RailUnavailable): Promise<void> {
  const now = clock.now();
  const details = { rail, cause: describe(error) };
  if (Date.parse(last.readAt) + LATE < now.getTime()) log.error('BANKS_NOT_REFRESHED', details);
  else log.warn('BANKS_NOT_LISTED', details);
  const pause = Math.min(Math.max(HOUR, (error.retryAfter ?? 0) * 1000), DAY);
  await banks.saveRefresh(rail, { ...last, nextRunAt: at(now, pause) });
}

async function apply(
  { rail, banks, clock }: Dependencies,
  known: readonly RuledBank[],
  listed: readonly RailBank[],
): Promise<number> {
  const now = clock.now();
  const codes = new Set(listed.map(({ code }) => code));
  const gone = known.filter(({ code, active }) => active && !codes.has(code));
  const [missing, replaced] = [gone.filter((bank) => bank.rail === rail), gone.filter((bank) => bank.rail !== rail)];
  const offered = known.filter((bank) => bank.rail === rail && isInForce(bank));
  // An operator who confirms that these banks are gone deactivates them by their ids.
  const missed = missing.filter(isInForce).map(({ code, id }) => `${code} ${id}`);
  if (missed.length > 0 && missed.length * SUSPICIOUS_SHARE >= offered.length) {
    log.error('BANKS_NOT_APPLIED', { rail, listed: listed.length, missing: missed.join(', '), known: offered.length });
    return 0;
  }
  const byCode = new Map(known.map((bank) => [bank.code, bank]));
  const changed = listed.filter((one) => !isSame(byCode.get(one.code), one, rail));
  for (const { code, name } of changed) {
    await banks.list({ id: byCode.get(code)?.id ?? digestId(`${rail} ${code}`), code, name, rail });
  }
  const isMissedBefore = ({ missingSince = at(now, 0) }: RuledBank) =>
    Date.parse(missingSince) + MISSING_AGAIN <= now.getTime();
  const newlyMissing = missing.filter(({ missingSince }) => missingSince === undefined);
  for (const { id } of newlyMissing) await banks.miss(id, now.toISOString());
  const ended = [...replaced, ...missing.filter(isMissedBefore)];
  for (const { id } of ended) await banks.end(id);
  return changed.length + newlyMissing.length + ended.length;
}

function isInForce({ active, deactivatedAt }: RuledBank): boolean {
  return active && deactivatedAt === undefined;
}

function isSame(known: RuledBank | undefined, { name }: RailBank, rail: string): boolean {
  return known?.active === true && known.name === name && known.rail === rail && known.missingSince === undefined;
}

function at(now: Date, later: number): string {
  return new Date(now.getTime() + later).toISOString();
}
