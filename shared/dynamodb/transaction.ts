import {
  type DynamoDBClient,
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';

/** Another writer was at the same items: read again and decide again. */
export class WriteConflict extends Error {
  override readonly name = 'WriteConflict';
}

/**
 * Writes all legs or none, and tells by name whose condition failed; an empty set means written.
 *
 * @throws {WriteConflict} when another transaction held one of the items; nothing was written. The SDK does not try
 * again by itself, and without a new decision it should not.
 */
export async function transact<Name extends string>(
  dynamo: DynamoDBClient,
  legs: Readonly<Partial<Record<Name, TransactWriteItem>>>,
): Promise<ReadonlySet<Name>> {
  const entries = namedLegs(legs);
  try {
    await dynamo.send(new TransactWriteItemsCommand({ TransactItems: entries.map(([, leg]) => leg) }));
    return new Set();
  } catch (error) {
    if (!(error instanceof TransactionCanceledException)) throw error;
    const codes = (error.CancellationReasons ?? []).map((reason) => reason.Code);
    if (codes.includes('TransactionConflict')) throw new WriteConflict('TransactionConflict', { cause: error });
    const failed = entries.filter((_, position) => codes[position] === 'ConditionalCheckFailed').map(([name]) => name);
    if (failed.length === 0) throw error;
    return new Set(failed);
  }
}

function namedLegs<Name extends string>(
  legs: Readonly<Partial<Record<Name, TransactWriteItem>>>,
): (readonly [Name, TransactWriteItem])[] {
  const names = Object.keys(legs).filter((name): name is Name => name in legs);
  return names.flatMap((name) => {
    const leg = legs[name];
    return leg === undefined ? [] : [[name, leg] as const];
  });
}
