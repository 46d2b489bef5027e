import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import {
  type DynamoDBDocumentClient,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { isThrottled, isTransient } from '#shared/platform/aws/aws-clients.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { retry, Unavailable } from '#shared/platform/retry.ts';

/** One write or check of a transaction. */
export type TransactionLeg = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** Another writer has changed the same items, or the table is throttled: read and decide again. */
export class WriteConflict extends Error {
  override readonly name = 'WriteConflict';
}

/**
 * The error to throw for a failed write of one item: a conflict if the same write may succeed a moment later, else the
 * error itself.
 */
export function asConflict(error: unknown): unknown {
  return error instanceof Error && isTransient(error.name) ? new WriteConflict(error.name, { cause: error }) : error;
}

/**
 * Writes all legs or none. Returns the names of the legs whose condition failed; an empty set means written.
 *
 * @throws {WriteConflict} when another transaction held one of the items, or DynamoDB was throttled. The SDK does not
 * retry a cancelled transaction, which needs a new decision.
 */
export async function transact<Name extends string>(
  dynamo: DynamoDBDocumentClient,
  legs: Readonly<Partial<Record<Name, TransactionLeg>>>,
): Promise<ReadonlySet<Name>> {
  const entries = namedLegs(legs);
  try {
    await dynamo.send(new TransactWriteCommand({ TransactItems: entries.map(([, leg]) => leg) }));
    return new Set();
  } catch (error) {
    if (!(error instanceof TransactionCanceledException)) throw asConflict(error);
    const codes = (error.CancellationReasons ?? []).map((reason) => reason.Code);
    const conflict = codes.find(isTransient);
    if (conflict !== undefined) throw new WriteConflict(conflict, { cause: error });
    const failed = entries.filter((_, position) => codes[position] === 'ConditionalCheckFailed').map(([name]) => name);
    if (failed.length === 0) throw error;
    return new Set(failed);
  }
}

function namedLegs<Name extends string>(
  legs: Readonly<Partial<Record<Name, TransactionLeg>>>,
): (readonly [Name, TransactionLeg])[] {
  const names = Object.keys(legs).filter((name): name is Name => name in legs);
  return names.flatMap((name) => {
    const leg = legs[name];
    return leg === undefined ? [] : [[name, leg] as const];
  });
}

/** Milliseconds. */
const TIME_LIMIT = 3000;
const LONGEST_PAUSE = 250;

/** Other writers kept winning for longer than a call can wait, or the table was throttled; nothing was written. */
export class ConflictPersists extends Unavailable {
  override readonly name = 'ConflictPersists';

  /**
   * The conflicts come from a client's own calls (decisions.md 10, Conflicts); a throttled table concerns everybody.
   */
  override get declinedFor() {
    return isThrottled(this.message) ? undefined : 'CONFLICT_PERSISTS';
  }
}

/**
 * Runs a decision that reads, decides and writes conditionally, and repeats it with a jittered pause while other
 * writers win, for up to 3 seconds (decisions.md 4, Writing an operation).
 *
 * @throws {ConflictPersists} when the conflict lasts longer; nothing was written.
 */
export async function retryOnConflict<T>(clock: Clock, decide: () => Promise<T>): Promise<T> {
  try {
    return await retry(decide, {
      clock,
      when: (error) => error instanceof WriteConflict,
      pause: () => 10 + clock.random() * LONGEST_PAUSE,
      timeLimit: TIME_LIMIT,
    });
  } catch (error) {
    throw error instanceof WriteConflict ? new ConflictPersists(error.message, { cause: error }) : error;
  }
}
