import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { isTransient } from '#shared/platform/aws/aws-clients.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { conflictingItem, unlessConditionFails } from '#shared/platform/dynamodb/conditional-write.ts';

/** Milliseconds for each token, and the most unused tokens that a client may save up. */
const PAUSE = 500;
const BURST = 60;

export const tokenLimit = z.object({ usedUntil: z.number() });

/** Seconds until the client may have a token; 0 grants one and counts it. */
export type TakeToken = (clientId: string) => Promise<number>;

/**
 * Limits the tokens of each client after authentication, so that a caller that only names a client uses none of them.
 * Every token moves the end of the used time by one pause, from now at the earliest, up to sixty pauses ahead. A client
 * that asks rarely, as it should, costs one write.
 */
export function createTakeToken(dynamo: DynamoDBDocumentClient, table: string, clock: Clock): TakeToken {
  const update = (clientId: string, expression: string, condition: string, values: Record<string, number>) =>
    new UpdateCommand({
      TableName: table,
      Key: { allowance: `tokens#${clientId}` },
      UpdateExpression: expression,
      ConditionExpression: condition,
      ExpressionAttributeValues: values,
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });

  /** The end of the client's used time; `undefined` when it gets a token. */
  async function used(clientId: string, now: number): Promise<number | undefined> {
    const latest = now + (BURST - 1) * PAUSE;
    const rested = update(
      clientId,
      'SET usedUntil = :until, expiresAt = :expiresAt',
      'attribute_not_exists(usedUntil) OR usedUntil <= :now',
      // Later than any stored end.
      { ':until': now + PAUSE, ':now': now, ':expiresAt': Math.ceil((now + BURST * PAUSE) / 1000) + 3600 },
    );
    try {
      await dynamo.send(rested);
      return undefined;
    } catch (error) {
      const { usedUntil } = tokenLimit.parse(conflictingItem(error));
      if (usedUntil > latest) return usedUntil;
    }
    const another = update(clientId, 'SET usedUntil = usedUntil + :pause', 'usedUntil <= :latest', {
      ':pause': PAUSE,
      ':latest': latest,
    });
    // Other requests of the client have used the rest.
    return (await unlessConditionFails(dynamo.send(another))) === undefined ? latest + PAUSE : undefined;
  }

  return async (clientId) => {
    const now = clock.now().getTime();
    try {
      const until = await used(clientId, now);
      return until === undefined ? 0 : Math.max(1, Math.ceil((until - (BURST - 1) * PAUSE - now) / 1000));
    } catch (error) {
      // The client's requests are so fast that its own item throttles.
      if (error instanceof Error && isTransient(error.name)) return 1;
      throw error;
    }
  };
}
