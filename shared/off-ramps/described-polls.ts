import * as z from 'zod/mini';
import type { HashPolls } from './hash-poll-contract.ts';
import { type EarlierAttempt, earlierAttempt, type LoggedPoll, loggedPoll } from './logged-polls.ts';
import type { Verification } from './verification.ts';

/** The polls of a verification in full, newest first. */
export function describePolls(verification: Verification | undefined): HashPolls {
  const { polls = [], earlierAttempts = [] } = verification ?? {};
  return {
    polls: z.parse(z.array(loggedPoll), polls).filter(isFirstWrite).map(describePoll).toReversed(),
    earlierAttempts: z.parse(z.array(earlierAttempt), earlierAttempts).map(describeAttempt).toReversed(),
  };
}

/** The SDK writes a poll twice when the answer to the first write was lost. */
function isFirstWrite([at]: LoggedPoll, position: number, all: readonly LoggedPoll[]): boolean {
  return at !== all[position - 1]?.[0];
}

function describePoll([at, code, next]: LoggedPoll): HashPolls['polls'][number] {
  const found = { at: new Date(at).toISOString() };
  if (code === 'DEPOSIT_VERIFIED' || code === 'SUPERSEDED') return { ...found, outcome: code };
  if (next === undefined) return { ...found, outcome: 'WINDOW_ENDED', reason: code };
  return { ...found, outcome: 'LOOK_AGAIN', reason: code, nextCheckAt: new Date(next).toISOString() };
}

function describeAttempt([attempt, txHash, outcome, lastCheckedAt, reason]: EarlierAttempt) {
  return { attempt, txHash, outcome, reason, lastCheckedAt };
}
