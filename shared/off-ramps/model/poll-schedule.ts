import * as z from 'zod/mini';
import { documentValues } from '#shared/platform/http/document.ts';
import { verificationReasons } from './verification.ts';

/** The window of an attempt, in seconds since 1970. */
export interface VerificationWindow {
  readonly startsAt: number;
  readonly endsAt: number;
}

/**
 * The custodian's answer about the transaction in this poll. NOT_FOUND: it does not know the transaction. FOLLOWED: a
 * transfer is not final yet, and its deposit has polls of its own. FOUND: any other answer. NONE: no answer.
 */
export type PollAnswer = 'NOT_FOUND' | 'FOUND' | 'FOLLOWED' | 'NONE';

/**
 * A transaction that is still unknown this many finality times or this many seconds after its report, whichever is
 * shorter, will hardly come. If it does, its deposit is found by its address, and a new report or notification has the
 * hash polled at once.
 */
const [LONG_UNKNOWN_FINALITIES, LONG_UNKNOWN_SECONDS] = [60, 4 * 3600];

/** Seconds after the window for which a last poll without an answer is repeated (decisions.md 4). */
export const OUTAGE_GRACE_SECONDS = 24 * 3600;

/**
 * When to poll the custodian again, or `undefined` after the last poll.
 *
 * Inside the window, the first poll is at the network's finality. Later waits grow with the age of the attempt, so that
 * a long window costs few state transitions and a short one is still polled often. Two answers wait longer:
 * - A transaction that has been unknown for long: until about three times as much time has passed.
 * - A transfer whose deposit has polls of its own: until twice the finality. That deposit is polled at finality and
 *   credited then, so usually nothing is left to wait for.
 *
 * The last poll is at the window's end. From a second before the end on (a wait may end early) there is no further
 * poll, unless the custodian did not answer: then after waits as long as the outage has already outlasted the window,
 * for at most a day.
 */
export function nextPollTime(
  now: number,
  window: VerificationWindow,
  finalitySeconds: number,
  answer: PollAnswer,
): number | undefined {
  return window.endsAt - now >= 1
    ? nextPollInWindow(now, window, finalitySeconds, answer)
    : answer === 'NONE'
      ? nextPollAfterOutage(now, window.endsAt)
      : undefined;
}

function nextPollInWindow(now: number, window: VerificationWindow, finality: number, answer: PollAnswer): number {
  const age = now - window.startsAt;
  const isLongUnknown =
    answer === 'NOT_FOUND' && age > Math.min(LONG_UNKNOWN_FINALITIES * finality, LONG_UNKNOWN_SECONDS);
  const first = answer === 'FOLLOWED' ? 2 * finality : finality;
  const grown = age < first - 1 ? first - age : Math.max(5, finality / 4, 0.6 * (age - finality));
  const gap = isLongUnknown
    ? Math.max(5, 2 * (age - finality))
    : Math.min(grown, Math.max(3600, age / 24), Math.max(5, (window.endsAt - window.startsAt) / 12));
  const next = Math.ceil(now + Math.max(1, gap));
  return window.endsAt - next < 5 ? window.endsAt : next;
}

function nextPollAfterOutage(now: number, windowEndsAt: number): number | undefined {
  const graceEndsAt = windowEndsAt + OUTAGE_GRACE_SECONDS;
  if (now >= graceEndsAt) return undefined;
  return Math.min(graceEndsAt, Math.ceil(now + Math.max(60, now - windowEndsAt)));
}

/** The result of a poll of a reported hash: the state machine branches on it, and clients read it. */
export const pollOutcome = z.enum(['DEPOSIT_VERIFIED', 'LOOK_AGAIN', 'WINDOW_ENDED', 'SUPERSEDED']);

export type PollOutcome = z.infer<typeof pollOutcome>;

documentValues('PollOutcome', pollOutcome, 'The result of a check of a hash.', {
  DEPOSIT_VERIFIED: 'This hash has funded the off-ramp.',
  LOOK_AGAIN: 'No deposit was verified, and another check was planned.',
  WINDOW_ENDED: 'No deposit was verified, and no other check was planned.',
  SUPERSEDED: 'The off-ramp has ended, was funded by another hash, or verifies another hash or attempt.',
});

/* The log of polls. Not in verification.ts: its schemas cost 2 kB, and few readers of a verification read its log. */

/**
 * A poll in short form, because every write of a verification pays for all of its polls: the time of the poll, its
 * result, and the time of the next poll, if any. Times are in milliseconds since 1970.
 */
export const loggedPoll = z.readonly(
  z.tuple([z.int(), z.enum([...verificationReasons, 'DEPOSIT_VERIFIED', 'SUPERSEDED']), z.optional(z.int())]),
);

export type LoggedPoll = z.infer<typeof loggedPoll>;

/** An earlier attempt in short form: number, hash, how it ended, and when and why its last poll failed to verify. */
export const earlierAttempt = z.readonly(
  z.tuple([
    z.int(),
    z.string(),
    z.enum(['WINDOW_ENDED', 'SUPERSEDED']),
    z.optional(z.string()),
    z.optional(z.enum(verificationReasons)),
  ]),
);

export type EarlierAttempt = z.infer<typeof earlierAttempt>;
