import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import {
  type DynamoDBDocumentClient,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { isTransient } from '#shared/platform/aws/transient-error.ts';

/** One write or check of a transaction. */
export type TransactionLeg = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** Another writer has changed the same items, or the table is throttled: read and decide again. */
export class WriteConflict extends Error {
  override readonly name = 'WriteConflict';
}

/**
 * The error of a failed write of one item as its caller handles it: a conflict when the same write may succeed a moment
 * later, else the error itself.
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
