import * as z from 'zod/mini';
import { verificationReasons } from './verification.ts';

/* A separate file: only functions that list polls bundle it. */

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
