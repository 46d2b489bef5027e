import type * as z from 'zod/mini';
import { describePolls } from '#shared/off-ramps/contract/hash-answer.ts';
import type { HashPolls } from '#shared/off-ramps/contract/hash-poll-contract.ts';
import { POLL_OVERDUE_AFTER } from '#shared/off-ramps/model/hash-next-step.ts';
import { type HashStatus, hashStatusOf, type OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import {
  executionName,
  reasonsInWords,
  verificationStates as states,
  type Verification,
  type VerificationReason,
} from '#shared/off-ramps/model/verification.ts';
import { lookedUpHash } from './operator-lookups.ts';

/** The most polls in an answer: a window of a year has hundreds. */
const MOST_POLLS = 20;

interface Described {
  readonly operation: OffRamp;
  readonly verification: Verification | undefined;
}

/** Describes the state of an off-ramp's verification, in words, and its execution. */
export function describeHash({ operation, verification }: Described, now: Date): z.infer<typeof lookedUpHash> {
  const status = hashStatusOf(operation);
  const { polls } = describePolls(verification);
  return lookedUpHash.parse({
    ...verification,
    ...operation,
    status,
    inWords: inWords(status, verification?.reason),
    ...(verification && {
      execution: executionName(verification),
      executionState: executionState(verification, polls[0], now),
    }),
    polls: polls.slice(0, MOST_POLLS).map((poll) => ({ ...poll, found: found(poll) })),
  });
}

function inWords(status: HashStatus, reason: VerificationReason | undefined): string {
  switch (status) {
    case 'VERIFIED':
      return 'The custodian has confirmed the deposit.';
    case 'NOT_VERIFIED':
      return 'The operation ended without a confirmed deposit.';
    case 'NOT_SUBMITTED':
      return 'No hash was reported, and no deposit is confirmed.';
    default:
      return reason === undefined ? 'It was not looked up yet.' : reasonsInWords[reason];
  }
}

function found({ outcome, reason }: HashPolls['polls'][number]): string {
  const why = reason === undefined ? '' : reasonsInWords[reason];
  switch (outcome) {
    case 'DEPOSIT_VERIFIED':
      return 'The custodian has confirmed the deposit.';
    case 'SUPERSEDED':
      return 'The operation had ended, or was funded by another hash.';
    case 'WINDOW_ENDED':
      return `${why} The window has ended.`;
    case 'LOOK_AGAIN':
      return why;
  }
}

type Poll = HashPolls['polls'][number];

type State = NonNullable<z.infer<typeof lookedUpHash>['executionState']>;

/**
 * The state of an attempt's execution, derived from its polls: an execution waits until the time that its last poll
 * gave it. `undefined` if it is overdue, because it may have broken off.
 */
function executionState({ nextCheckAt }: Verification, last: Poll | undefined, now: Date): State | undefined {
  if (nextCheckAt === undefined) return endOf(last?.outcome);
  if (now.getTime() - Date.parse(nextCheckAt) > POLL_OVERDUE_AFTER) return undefined;
  // No poll planned the first poll of a new run: that poll is in progress.
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
