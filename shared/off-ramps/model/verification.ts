import * as z from 'zod/mini';
import { network, txHash } from '#shared/networks/network.ts';
import { documentValues } from '#shared/platform/http/document.ts';
import { id, instant } from '#shared/platform/http/fields.ts';

/** Why a deposit has not been verified, as its client reads it (decisions.md 4, Reasons while not verified). */
export const verificationReasons = [
  'NOT_FOUND',
  'UNCONFIRMED',
  'WRONG_ADDRESS',
  'WRONG_TOKEN',
  'WRONG_AMOUNT',
  'WRONG_SENDER',
  'FAILED_ON_CHAIN',
  'HELD_BY_CUSTODIAN',
  'FUNDS_ANOTHER_OPERATION',
  'CUSTODIAN_UNAVAILABLE',
] as const;

export type VerificationReason = (typeof verificationReasons)[number];

const verificationReason = z.enum(verificationReasons);

/** The reasons in words, for clients and in the results of executions. */
export const reasonsInWords: Readonly<Record<VerificationReason, string>> = {
  NOT_FOUND:
    'The custodian knows no transaction with this hash on the network of the operation, or none that this client may see.',
  UNCONFIRMED: 'The transaction is not final yet.',
  WRONG_ADDRESS: 'The transaction was sent to another address than that of the operation.',
  WRONG_TOKEN: 'The transaction is of another token, or on a network that is not served here.',
  WRONG_AMOUNT: 'The amount of the transaction is not exactly the awaited one. Amounts are never added up.',
  WRONG_SENDER: 'The transaction was sent from another wallet than the declared one.',
  FAILED_ON_CHAIN: 'The transaction failed on its network.',
  HELD_BY_CUSTODIAN: 'The custodian holds the deposit for a review.',
  FUNDS_ANOTHER_OPERATION: 'The transaction funds another operation of this client, or is a deposit of one.',
  CUSTODIAN_UNAVAILABLE:
    'The custodian did not answer, or this hash waits its turn because many are reported, which says nothing of the deposit.',
};

documentValues('VerificationReason', verificationReason, 'Why a deposit has not been verified yet.', reasonsInWords);

/** The reason of the last poll, and the confirmations at that time. */
export const mismatch = z.object({
  reason: verificationReason,
  confirmations: z.optional(z.int()),
  /** The number of confirmations that the custodian requires. */
  requiredConfirmations: z.optional(z.int()),
  /** True if the custodian was not asked: the hash waits for the calls of another minute. */
  isPutOff: z.optional(z.literal(true)),
});

export type Mismatch = Readonly<z.infer<typeof mismatch>>;

/** The current attempt to verify a reported hash. A poll writes to the operation only when it credits or ends the window. */
export const verification = z.object({
  operationId: id,
  attempt: z.int(),
  /** The number of the attempt's execution, from 1. The next run begins after one that broke off. */
  run: z.int(),
  /** Copied from the operation for people who read the execution. */
  clientId: id,
  amount: z.string(),
  token: z.string(),
  network,
  txHash,
  windowStartsAt: instant,
  windowEndsAt: instant,
  ...z.partial(mismatch).shape,
  lastCheckedAt: z.optional(instant),
  /** The deposit of the last poll, if it went to the operation's own address and does not match. */
  seenTransferId: z.optional(z.string()),
  /** The deposit that funds another client's operation, for which this attempt raised an alarm. */
  calledFor: z.optional(z.string()),
  /** The time of the next poll; absent when none is planned. */
  nextCheckAt: z.optional(instant),
  /** `LoggedPoll` items, oldest first. */
  polls: z.optional(z.readonly(z.array(z.unknown()))),
  /** `EarlierAttempt` items, oldest first. */
  earlierAttempts: z.optional(z.readonly(z.array(z.unknown()))),
});

export type Verification = Readonly<z.infer<typeof verification>>;

/** The state of the current attempt for readers. All fields are absent before the first attempt. */
export const attemptProgress = z.partial(
  z.pick(verification, {
    attempt: true,
    reason: true,
    confirmations: true,
    requiredConfirmations: true,
    lastCheckedAt: true,
    nextCheckAt: true,
    windowEndsAt: true,
  }),
);

/** The input of an attempt's execution. It never changes, so that a repeated start is the same start. */
export const attemptInput = z.pick(verification, {
  operationId: true,
  attempt: true,
  clientId: true,
  amount: true,
  token: true,
  network: true,
  txHash: true,
  windowStartsAt: true,
  windowEndsAt: true,
});

export type AttemptInput = Readonly<z.infer<typeof attemptInput>>;

const MINUTE = 60_000;
const LONGEST_PAUSE = 60 * MINUTE;

/**
 * The stored time of the next poll of a new run, after one that broke off: 2, 4, 8 … minutes from now, at most 60. The
 * run itself polls at once; if it breaks off too, the next run may begin from this time on. It is never past the
 * window's end, except for a run that begins after that end to make the last poll.
 */
export function nextPollOfRun({ run, windowEndsAt }: Pick<Verification, 'run' | 'windowEndsAt'>, now: Date): string {
  const paused = new Date(now.getTime() + Math.min(LONGEST_PAUSE, 2 ** run * MINUTE)).toISOString();
  return now.toISOString() < windowEndsAt && windowEndsAt < paused ? windowEndsAt : paused;
}

/** The state machine's states, as finance operations read them. */
export const verificationStates = {
  check: 'Check with the custodian',
  decide: 'Deposit confirmed?',
  wait: 'Wait until the next check',
  verified: 'Deposit verified',
  windowEnded: 'Window ended',
  superseded: 'Superseded',
} as const;

/** The name of a run's execution. It begins with the operation's id; the first run of an attempt has no number. */
export function executionName({ operationId, attempt, run }: Pick<Verification, 'operationId' | 'attempt' | 'run'>) {
  return run === 1 ? `${operationId}-${attempt}` : `${operationId}-${attempt}-${run}`;
}
