import type * as z from 'zod/mini';
import type { HashPolls } from '#shared/off-ramps/contract/hash-poll-contract.ts';
import type { Verification } from '#shared/off-ramps/model/verification.ts';
import { verificationStates as states } from '#shared/off-ramps/model/verification.ts';
import type { lookedUpHash } from '#shared/operators/operation-lookup.ts';
import { OVERDUE } from './hash-next-step.ts';

type Poll = HashPolls['polls'][number];

type State = NonNullable<z.infer<typeof lookedUpHash>['executionState']>;

/**
 * The state in which the execution of an attempt is, as far as its polls tell: an execution waits until the time that its
 * last poll gave it. `undefined` for one that is overdue, because it may have broken off.
 */
export function executionState({ nextCheckAt }: Verification, last: Poll | undefined, now: Date): State | undefined {
  if (nextCheckAt === undefined) return endOf(last?.outcome);
  if (now.getTime() - Date.parse(nextCheckAt) > OVERDUE) return undefined;
  // The next poll of a run that has only begun was planned by no poll: it is being made.
  return last?.nextCheckAt === nextCheckAt && now.toISOString() < nextCheckAt ? states.wait : states.check;
}

function endOf(outcome: Poll['outcome'] | undefined): State | undefined {
  switch (outcome) {
    case 'DEPOSIT_VERIFIED':
      return states.verified;
    case 'WINDOW_ENDED':
      return states.windowEnded;
    case 'SUPERSEDED':
      return states.superseded;
    default:
      return undefined;
  }
}
