import { type DynamoDBClient, PutItemCommand, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { EDGE_TABLE, type EdgeCase } from './edge-case.ts';
import { expressions } from './expressions.ts';
import { keys } from './keys.ts';
import { queries } from './queries.ts';
import { sizes } from './sizes.ts';

export const edgeCases: readonly EdgeCase[] = [...sizes, ...keys, ...expressions, ...queries];

const answer = z.object({ Items: z.optional(z.array(z.unknown())), LastEvaluatedKey: z.optional(z.unknown()) });

/** Runs a case, and returns the text that is compared. */
export async function outcomeOf({ items = [], send }: EdgeCase, dynamo: DynamoDBClient): Promise<string> {
  for (const Item of items) await dynamo.send(new PutItemCommand({ TableName: EDGE_TABLE, Item }));
  try {
    const { Items, LastEvaluatedKey } = answer.parse(await send(dynamo));
    if (Items === undefined) return 'done';
    return `${Items.length} items${LastEvaluatedKey === undefined ? '' : ', and a last key'}`;
  } catch (error) {
    if (!(error instanceof TransactionCanceledException)) return error instanceof Error ? error.name : String(error);
    return (error.CancellationReasons ?? []).map(({ Code }) => Code).join();
  }
}
