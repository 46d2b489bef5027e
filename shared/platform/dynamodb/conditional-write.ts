import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Clock } from '#shared/platform/clock.ts';
import type { Item } from './client.ts';
import { asConflict, retryOnConflict } from './transaction.ts';

/** The result of a conditional write; `undefined` when the condition failed and nothing was written. */
export async function unlessConditionFails<Output>(write: Promise<Output>): Promise<Output | undefined> {
  try {
    return await write;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
}

/**
 * The stored item that failed the condition of a write, if the write requested it; `undefined` without one. The
 * document client leaves the items of errors in DynamoDB's format.
 *
 * @throws any error other than a failed condition
 */
export function conflictingItem(error: unknown): Item | undefined {
  if (!(error instanceof ConditionalCheckFailedException)) throw error;
  return error.Item && unmarshall(error.Item);
}

type Attributes = Readonly<Record<string, unknown>>;

/**
 * The parts of an update that sets each attribute to its value, and removes undefined ones; the second group is set
 * only where the item has no value. Every name is an alias, `#name` and `:name`, because DynamoDB reserves many.
 */
export function assignments(always: Attributes, ifNone: Attributes = {}) {
  const attributes = { ...always, ...ifNone };
  const names = Object.keys(attributes);
  const set = names.filter((name) => attributes[name] !== undefined);
  const removed = names.filter((name) => attributes[name] === undefined);
  const assigned = (name: string) => (name in ifNone ? `if_not_exists(#${name}, :${name})` : `:${name}`);
  const clauses = [
    ...(set.length > 0 ? [`SET ${set.map((name) => `#${name} = ${assigned(name)}`).join(', ')}`] : []),
    ...(removed.length > 0 ? [`REMOVE ${removed.map((name) => `#${name}`).join(', ')}`] : []),
  ];
  return {
    expression: clauses.join(' '),
    names: Object.fromEntries(names.map((name) => [`#${name}`, name])),
    values: Object.fromEntries(set.map((name) => [`:${name}`, attributes[name]])),
  };
}

/**
 * Writes one item that transactions write as well. Retries while a transaction holds the item or the table is
 * throttled.
 */
export function retryOnTransactionConflict<Output>(clock: Clock, write: () => Promise<Output>): Promise<Output> {
  return retryOnConflict(clock, async () => {
    try {
      return await write();
    } catch (error) {
      throw asConflict(error);
    }
  });
}

/** Updates one item. The write does not depend on the stored item, except by the command's condition. */
export function updateItem(dynamo: DynamoDBDocumentClient, clock: Clock, command: UpdateCommand) {
  return retryOnTransactionConflict(clock, () => dynamo.send(command));
}

interface Counter {
  readonly table: string;
  readonly key: Item;
  /** The attribute with the count. */
  readonly name: string;
  /** Seconds since 1970. */
  readonly expiresAt: number;
}

/**
 * Increments a counter up to `most`, which is at least 1. At that limit nothing is written and `isCounted` is false.
 * Returns the item as it is afterwards.
 */
export async function incrementUpTo(
  dynamo: DynamoDBDocumentClient,
  clock: Clock,
  most: number,
  { table, key, name, expiresAt }: Counter,
): Promise<{ readonly isCounted: boolean; readonly item: Item | undefined }> {
  const update = new UpdateCommand({
    TableName: table,
    Key: key,
    UpdateExpression: 'SET #count = if_not_exists(#count, :none) + :one, expiresAt = :expiresAt',
    ConditionExpression: 'attribute_not_exists(#count) OR #count < :most',
    ExpressionAttributeNames: { '#count': name },
    ExpressionAttributeValues: { ':none': 0, ':one': 1, ':most': most, ':expiresAt': expiresAt },
    ReturnValues: 'ALL_NEW',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  try {
    const { Attributes } = await updateItem(dynamo, clock, update);
    return { isCounted: true, item: Attributes };
  } catch (error) {
    return { isCounted: false, item: conflictingItem(error) };
  }
}
