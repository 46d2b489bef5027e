import * as z from 'zod/mini';
import type { listHashPolls as contract, HashPolls } from '#shared/off-ramps/hash-poll-contract.ts';
import { type EarlierAttempt, earlierAttempt, type LoggedPoll, loggedPoll } from '#shared/off-ramps/logged-polls.ts';
import type { OffRamps } from '#shared/off-ramps/off-ramp-store.ts';
import { ownedOffRamp } from '#shared/off-ramps/owned-off-ramp.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';

export function listHashPolls(operations: Pick<OffRamps, 'findWithVerification'>): UseCase<typeof contract> {
  return async ({ clientId, path }) => {
    const { verification } = await ownedOffRamp(operations, clientId, path);
    const { polls = [], earlierAttempts = [] } = verification ?? {};
    return {
      body: {
        polls: z.parse(z.array(loggedPoll), polls).filter(isFirstWrite).map(describePoll).toReversed(),
        earlierAttempts: z.parse(z.array(earlierAttempt), earlierAttempts).map(describeAttempt).toReversed(),
      },
    };
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
