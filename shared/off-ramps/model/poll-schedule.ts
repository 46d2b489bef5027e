import * as z from 'zod/mini';
import { documentValues } from '#shared/platform/http/document.ts';
import { verificationReasons } from './verification.ts';

/** All values are in seconds, times since 1970. */
export interface VerificationWindow {
  readonly startsAt: number;
  readonly endsAt: number;
}

/**
 * What the custodian said of the transaction in the poll before. NOT_FOUND: it does not know it. FOLLOWED: a transfer that
 * is not final yet, whose deposit has polls of its own. FOUND: anything else. NONE: it did not answer.
 */
export type PollAnswer = 'NOT_FOUND' | 'FOUND' | 'FOLLOWED' | 'NONE';

/**
 * A transaction that is still unknown so many finalities after its report, or so many seconds, will hardly come. If it does,
 * its address finds the deposit, and whoever notifies of it has its hash polled at once.
 */
const [LONG_UNKNOWN_FINALITIES, LONG_UNKNOWN_SECONDS] = [60, 4 * 3600];

/** After the window a last poll without an answer is repeated for this long (decisions.md 4). */
export const OUTAGE_GRACE_SECONDS = 24 * 3600;

/**
 * When to poll the custodian again, or `undefined` after the last poll. Inside the window: at the network's finality,
 * then after waits that grow with the age of the attempt, so that a long window costs few state transitions and a short
 * one is still polled often; a transaction that has been unknown for long is polled when three times as much time has
 * passed; one whose deposit is polled at the network's finality, and credited then, at twice the finality, by when there is
 * usually nothing left to wait for; the last poll is at the window's end. From a second before the end on (a wait may end
 * early) there is no further poll, unless the custodian did not answer: then after waits as long as the outage has
 * already outlasted the window, for at most a day.
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

/* The log of polls, apart from verification.ts: its schemas cost 2 kB, and few readers of a verification read its log. */

/**
 * A poll in short, because every write of a verification pays for all of them: its time in milliseconds since 1970, its
 * result, and the time of the next one, if any.
 */
export const loggedPoll = z.readonly(
  z.tuple([z.int(), z.enum([...verificationReasons, 'DEPOSIT_VERIFIED', 'SUPERSEDED']), z.optional(z.int())]),
);

export type LoggedPoll = z.infer<typeof loggedPoll>;

/** An earlier attempt in short: its number, its hash, and when and why its last poll verified nothing. */
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
