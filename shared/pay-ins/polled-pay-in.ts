import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { payin } from './pay-in.ts';
import { findAs } from './pay-in-store.ts';

/** When the rail is asked next; absent when it is not asked again. */
const polledPayin = z.extend(payin, { nextPollAt: z.optional(z.string()) });

export type PolledPayin = Readonly<z.infer<typeof polledPayin>>;

/** A pay-in with its next poll, for operators. */
export function createFindPolledPayin(dynamo: DynamoDBDocumentClient, table: string) {
  return (payinId: string): Promise<PolledPayin | undefined> => findAs(polledPayin, dynamo, table, payinId);
}

export type FindPolledPayin = ReturnType<typeof createFindPolledPayin>;
