import * as z from 'zod/mini';
import { verificationReasons } from './verification.ts';

/* Apart from the verification that keeps them: only who lists polls bundles what they are. */

/**
 * A poll in short, because every write of a verification pays for all of them: its time in milliseconds since 1970, what
 * it found, and the time of the next one, if one was to come.
 */
export const loggedPoll = z.readonly(
  z.tuple([z.int(), z.enum([...verificationReasons, 'DEPOSIT_VERIFIED', 'SUPERSEDED']), z.optional(z.int())]),
);

export type LoggedPoll = z.infer<typeof loggedPoll>;

/** An attempt that another one has followed, in short: its number, its hash, and when and why its last poll verified nothing. */
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
