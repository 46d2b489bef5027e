import { type DynamoDBDocumentClient, UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { LoggedPoll } from '#shared/off-ramps/model/poll-schedule.ts';
import { type Mismatch, nextPollOfRun, type Verification } from '#shared/off-ramps/model/verification.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { assignments, unlessConditionFails, updateItem } from '#shared/platform/dynamodb/conditional-write.ts';
import { createDueBefore } from '#shared/platform/dynamodb/due-queue.ts';
import type { TransactionLeg } from '#shared/platform/dynamodb/transaction.ts';
import { verificationKey } from './off-ramp-repository.ts';

/** The most polls of earlier runs that a new run keeps. A run has fewer than 200, so an item never grows too big. */
const MOST_KEPT = 200;

const APPENDED = 'list_append(if_not_exists(#polls, :none), :polls)';

const NO_NEXT = { nextCheckAt: undefined, dueShard: undefined };

/** The leg that starts an attempt, due at once. It replaces the previous attempt, if that is still as read. */
export function putVerification(
  table: string,
  verification: Verification,
  before: Pick<Verification, 'attempt'> | undefined,
): TransactionLeg {
  return {
    Put: {
      TableName: table,
      Item: { ...verification, record: 'VERIFICATION', dueShard: verification.clientId },
      ...(before === undefined
        ? { ConditionExpression: 'attribute_not_exists(operationId)' }
        : {
            ConditionExpression: 'attempt = :before',
            ExpressionAttributeValues: { ':before': before.attempt },
          }),
    },
  };
}

/** The result of a poll, and the time of the next one. Without a next one the attempt ends. */
export interface RecordedPoll {
  readonly lastCheckedAt: string;
  readonly nextCheckAt: string | undefined;
  readonly mismatch: Mismatch | undefined;
  /** The deposit that does not match. */
  readonly seenTransferId?: string | undefined;
  /** The deposit for which an alarm was raised. */
  readonly calledFor?: string | undefined;
}

/**
 * Identifies an attempt, by its start too: a restore undoes attempts and their numbers are given again, while
 * executions of the undone ones go on.
 */
type Current = Pick<Verification, 'operationId' | 'attempt' | 'windowStartsAt'>;

const asBegun = ({ attempt, windowStartsAt }: Current) => ({ attempt, windowStartsAt });

/** The leg that records the last poll of an attempt, which ends it. */
export function endAttempt(table: string, current: Current, poll: Omit<RecordedPoll, 'nextCheckAt'>): TransactionLeg {
  const result = found({ ...poll, nextCheckAt: undefined });
  return { Update: updateWhileOpen(table, current.operationId, asBegun(current), ...result) };
}

export function createVerificationRepository(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  return {
    /** Records a poll. False when the attempt is not the current one, or has ended and the poll plans another. */
    recordPoll: (current: Current, result: RecordedPoll) =>
      isWritten(dynamo, clock, pollUpdate(table, current, result)),

    /** Removes an attempt that needs no further poll from the due index. */
    removeFromDueIndex: (current: Current) =>
      isWritten(dynamo, clock, updateWhileOpen(table, current.operationId, asBegun(current), NO_NEXT)),

    /** Records the poll that found an attempt superseded: it keeps its previous result and gets no further poll. */
    recordSuperseded: (current: Current, polledAt: string) =>
      isWritten(
        dynamo,
        clock,
        updateAsSeen(table, current.operationId, asBegun(current), NO_NEXT, [Date.parse(polledAt), 'SUPERSEDED']),
      ),

    /**
     * Begins the next run of an attempt whose execution broke off; `undefined` when something was written since the
     * read. The time of the next poll distinguishes an attempt that ended meanwhile, and must not be restarted, from
     * one that broke off.
     */
    async beginRun(seen: Verification, now: Date): Promise<Verification | undefined> {
      const { operationId, attempt, run, nextCheckAt } = seen;
      const next = { run: run + 1, nextCheckAt: nextPollOfRun(seen, now), polls: seen.polls?.slice(-MOST_KEPT) };
      const begin = updateWhileOpen(table, operationId, { attempt, run, nextCheckAt }, next);
      return (await isWritten(dynamo, clock, begin)) ? { ...seen, ...next } : undefined;
    },

    /** Lists the ids of one client's operations whose next poll was due before the given time, most overdue first. */
    overdue: createDueBefore(dynamo, table, {
      index: 'due',
      shard: 'dueShard',
      at: 'nextCheckAt',
      entry: operationIdOf,
    }),
  };
}

export type Verifications = ReturnType<typeof createVerificationRepository>;

const operationIdOf = z.pipe(
  z.object({ operationId: z.string() }),
  z.transform(({ operationId }) => operationId),
);

function pollUpdate(table: string, current: Current, result: RecordedPoll) {
  const update = result.nextCheckAt === undefined ? updateAsSeen : updateWhileOpen;
  return update(table, current.operationId, asBegun(current), ...found(result));
}

/** The attributes of a poll and its result. */
function found(result: RecordedPoll) {
  const { lastCheckedAt, nextCheckAt, mismatch, seenTransferId, calledFor } = result;
  const attributes = {
    lastCheckedAt,
    reason: mismatch?.reason,
    confirmations: mismatch?.confirmations,
    requiredConfirmations: mismatch?.requiredConfirmations,
    isPutOff: mismatch?.isPutOff,
    seenTransferId,
    ...(calledFor !== undefined && { calledFor }),
    ...(nextCheckAt === undefined ? NO_NEXT : { nextCheckAt }),
  };
  const at = Date.parse(lastCheckedAt);
  const code = mismatch?.reason ?? 'DEPOSIT_VERIFIED';
  const poll: LoggedPoll = nextCheckAt === undefined ? [at, code] : [at, code, Date.parse(nextCheckAt)];
  return [attributes, poll] as const;
}

/** Updates a verification that is open and, in each given attribute, as read: a late write reopens no attempt. */
function updateWhileOpen(...update: Parameters<typeof updateAsSeen>) {
  const asSeen = updateAsSeen(...update);
  return { ...asSeen, ConditionExpression: `${asSeen.ConditionExpression} AND attribute_exists(#nextCheckAt)` };
}

/** Updates a verification that is as read in each given attribute, and appends a poll. */
function updateAsSeen(
  table: string,
  operationId: string,
  seen: Partial<Verification>,
  attributes: Readonly<Record<string, unknown>>,
  poll?: LoggedPoll,
) {
  const { expression, names, values } = assignments({ ...attributes, ...(poll && { polls: [poll] }) });
  const asSeen = Object.entries(seen);
  return {
    TableName: table,
    Key: verificationKey(operationId),
    UpdateExpression: poll === undefined ? expression : expression.replace('= :polls', `= ${APPENDED}`),
    ConditionExpression: asSeen.map(([name]) => `#${name} = :seen_${name}`).join(' AND '),
    ExpressionAttributeNames: { ...names, ...Object.fromEntries(asSeen.map(([name]) => [`#${name}`, name])) },
    ExpressionAttributeValues: {
      ...values,
      ...(poll && { ':none': [] }),
      ...Object.fromEntries(asSeen.map(([name, value]) => [`:seen_${name}`, value])),
    },
  };
}

async function isWritten(dynamo: DynamoDBDocumentClient, clock: Clock, update: UpdateCommandInput): Promise<boolean> {
  return (await unlessConditionFails(updateItem(dynamo, clock, new UpdateCommand(update)))) !== undefined;
}
