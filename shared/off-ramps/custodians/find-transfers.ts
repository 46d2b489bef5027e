import * as z from 'zod/mini';
import type { Clock } from '#shared/platform/clock.ts';
import { describe, log } from '#shared/platform/logger.ts';
import { requestedPause, retry } from '#shared/platform/retry.ts';
import {
  type AskForTransfers,
  type Custodians,
  CustodianUnavailable,
  type FindTransfer,
  type FoundTransfer,
  type ListTransfers,
  NotServed,
  type ScanTransfers,
} from './custodian.ts';
import { isIdOf, type ReadTransfer, readTransfer, readTransferOf, unprefixedId } from './normal-form.ts';

const TRIES = 4;

/** Milliseconds of the first pause, at most; each further pause is twice as long. */
const FIRST_PAUSE = 200;

/** Milliseconds for all tries: the functions that ask have 30 seconds, and may ask twice. */
const ANSWERED_WITHIN = 12_000;

/** Milliseconds. Clocks differ, and an address may have been assigned before the searched item was written. */
const MARGIN = 24 * 3600 * 1000;

/**
 * Asks the custodian of a network for transfers. If the custodian does not answer, it retries after a jittered,
 * doubling pause (up to 200, 400, 800 ms), unless the custodian requests a pause or did not know the transaction
 * before. Short faults are handled here, inside the poll, and cost no state transition; a longer outage is thrown,
 * after twelve seconds at the latest.
 *
 * @throws {CustodianUnavailable}
 */
export function createFindTransfers(custodians: Custodians<'findTransfers'>, clock: Clock): AskForTransfers {
  return async (query) => {
    const { name, findTransfers } = custodianOf(custodians, query.network);
    const since = withSearchMargin(query.since);
    const answer: unknown = await retryWhileUnavailable(
      clock,
      () => findTransfers({ ...query, since }),
      query.wasUnknown ? 1 : TRIES,
    );
    if (!Array.isArray(answer)) throw new CustodianUnavailable("The custodian's answer is not a list of transfers.");
    return answer.map((transfer: unknown) => readTransferOf(query, name, transfer));
  };
}

/** @throws {NotServed} */
export function custodianOf<Network extends string, Asked>(custodians: ReadonlyMap<Network, Asked>, network: Network) {
  const custodian = custodians.get(network);
  if (custodian === undefined) throw new NotServed(`No custodian serves ${network} here.`);
  return custodian;
}

/**
 * Asks the custodian that an id names for that transfer, with the same retries.
 *
 * @throws {CustodianUnavailable}
 */
export function createFindTransfer(custodians: Custodians<'findTransfer'>, clock: Clock): AskForTransfer {
  return async ({ custodianTransferId: id, seen }) => {
    const custodian = [...custodians.values()].find((one) => isIdOf(one.name, id));
    if (custodian === undefined) throw new NotServed(`No custodian here has the transfer ${id}.`);
    const { name, findTransfer } = custodian;
    const custodianTransferId = unprefixedId(name, id);
    const query = { custodianTransferId, seen: seen && { ...seen, custodianTransferId } };
    const answer: unknown = await retryWhileUnavailable(clock, () => findTransfer(query));
    if (answer === undefined) return undefined;
    const read = readTransfer(name, answer);
    return read.custodianTransferId === id
      ? read
      : { custodianTransferId: id, unreadableFields: 'custodianTransferId' };
  };
}

/** Like `FindTransfer`; an answer with another id than the requested one is unreadable. */
export type AskForTransfer = (...query: Parameters<FindTransfer>) => Promise<ReadTransfer | undefined>;

const page = z.object({ transfers: z.array(z.unknown()), cursor: z.optional(z.string()) });

/**
 * Asks one custodian for a page of its list, with the same retries.
 *
 * @throws {CustodianUnavailable}
 */
export function createAskForPage(
  { name, listTransfers }: { readonly name: string; readonly listTransfers: ListTransfers },
  clock: Clock,
) {
  return async (query: Parameters<ListTransfers>[0]) => {
    const { data } = page.safeParse(await retryWhileUnavailable(clock, () => listTransfers(query)));
    if (data === undefined) throw new CustodianUnavailable("The custodian's answer is not a page of transfers.");
    return { transfers: data.transfers.map((transfer) => readTransfer(name, transfer)), cursor: data.cursor };
  };
}

const scanned = z.object({ transfers: z.array(z.unknown()), cursor: z.string(), isAtEnd: z.boolean() });

/**
 * Asks one custodian for the next part of a network, with the same retries.
 *
 * @throws {CustodianUnavailable}
 */
export function createAskForScan(
  { name, scanTransfers }: { readonly name: string; readonly scanTransfers: ScanTransfers },
  clock: Clock,
) {
  return async (query: Parameters<ScanTransfers>[0]) => {
    const { data } = scanned.safeParse(await retryWhileUnavailable(clock, () => scanTransfers(query)));
    if (data === undefined) throw new CustodianUnavailable("The custodian's answer is not a part of a scan.");
    return { ...data, transfers: data.transfers.map((transfer) => readTransfer(name, transfer)) };
  };
}

/** Milliseconds. A transaction can be this much older than its notification: custodians resend for a month. */
const SEARCHED_BEFORE = 31 * 24 * 3600 * 1000;

/** The time from which to search for a transaction that was notified at this time. */
export const searchStart = (notifiedAt: string) => new Date(Date.parse(notifiedAt) - SEARCHED_BEFORE).toISOString();

/** Moves the start of a search back by the margin. */
export const withSearchMargin = (time: string) => new Date(Date.parse(time) - MARGIN).toISOString();

/** Repeats a call while the custodian is unavailable, for twelve seconds at most. @throws {CustodianUnavailable} */
export async function retryWhileUnavailable<Answer>(
  clock: Clock,
  ask: () => Promise<Answer>,
  tries = TRIES,
): Promise<Answer> {
  const late = Promise.withResolvers<never>();
  const stopWaiting = clock.after(ANSWERED_WITHIN, () =>
    late.reject(new CustodianUnavailable('The custodian takes too long.')),
  );
  const answer = retry(ask, {
    clock,
    when: (error) => error instanceof CustodianUnavailable && error.retryAfter === undefined,
    pause: (failed) => clock.random() * FIRST_PAUSE * 2 ** (failed - 1),
    tries,
    timeLimit: ANSWERED_WITHIN,
  });
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    stopWaiting();
  }
}

interface Asked {
  /** `undefined` when the custodian does not answer, which decides nothing. */
  readonly transfers: readonly FoundTransfer[] | undefined;
  /** Seconds since 1970 before which the custodian is not asked again; 0 if it requested no pause. */
  readonly notBefore: number;
  /** True if the custodian was not asked, because clients have used up the calls of this minute. */
  readonly isPutOff?: boolean;
}

/**
 * Asks a custodian for an attempt, a deposit or a search. An outage is logged, not thrown.
 *
 * @param asker the caller, for the log
 */
export async function askOrLogOutage(
  clock: Clock,
  asker: Readonly<Record<string, unknown>>,
  ask: () => Promise<readonly FoundTransfer[]>,
): Promise<Asked> {
  try {
    return { transfers: await ask(), notBefore: 0 };
  } catch (error) {
    if (!(error instanceof CustodianUnavailable)) throw error;
    const fields = { ...asker, cause: describe(error) };
    if (error instanceof NotServed) log.error('NETWORK_NOT_SERVED', fields);
    else if (error.declinedFor === undefined) log.warn('CUSTODIAN_UNAVAILABLE', fields);
    else log.info('HASH_PUT_OFF', fields);
    const isPutOff = error.declinedFor !== undefined;
    return { transfers: undefined, notBefore: endOfPause(error, clock.now()), isPutOff };
  }
}

/** The end of the requested pause, in seconds since 1970; 0 without one. */
export function endOfPause(error: CustodianUnavailable, now: Date): number {
  return error.retryAfter === undefined ? 0 : now.getTime() / 1000 + requestedPause(error);
}
