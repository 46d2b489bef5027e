import { DeleteCommand, type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Item } from './client.ts';
import { conflictingItem, unlessConditionFails } from './conditional-write.ts';

/** All times in seconds since 1970, as DynamoDB's time to live requires. */
export const record = z.object({
  requestDigest: z.string(),
  resourceId: z.string(),
  claimToken: z.string(),
  lockedUntil: z.optional(z.number()),
  answer: z.optional(z.string()),
});

interface Claim {
  /** Digest of client, method, path and key. */
  readonly scopeDigest: string;
  /** Digest of the request's body. */
  readonly requestDigest: string;
  /** The id of the future resource, unless an earlier try has chosen one. */
  readonly resourceId: string;
  readonly now: number;
  readonly lockedUntil: number;
  readonly expiresAt: number;
}

/** The lock of a try, until another try takes it over. */
interface Held {
  readonly scopeDigest: string;
  /** Unique to this try. */
  readonly claimToken: string;
}

export type ClaimResult =
  /** If `isFirstTry` is false, an earlier try under this key may have created something before it failed. */
  | {
      readonly state: 'CLAIMED';
      readonly resourceId: string;
      readonly isFirstTry: boolean;
      readonly claimToken: string;
    }
  | { readonly state: 'ANSWERED'; readonly answer: string }
  | { readonly state: 'LOCKED' }
  | { readonly state: 'OTHER_REQUEST' };

export function createIdempotencyRecords(dynamo: DynamoDBDocumentClient, table: string, newToken: () => string) {
  /**
   * A try that timed out may resume when Lambda thaws its function. By then another try can hold the lock, so its result
   * must not be written.
   */
  const whileHeld = ({ scopeDigest, claimToken }: Held, values: Readonly<Record<string, string | number>> = {}) => ({
    TableName: table,
    Key: { scopeDigest },
    ConditionExpression: 'claimToken = :token',
    ExpressionAttributeValues: { ...values, ':token': claimToken },
  });

  return {
    /**
     * Takes the lock of a key that is new, expired, or left by a failed or dead try; otherwise returns the stored
     * state.
     */
    async claim(claim: Claim): Promise<ClaimResult> {
      const { scopeDigest, requestDigest, resourceId, now, lockedUntil, expiresAt } = claim;
      const token = newToken();
      const values = {
        ':request': requestDigest,
        ':token': token,
        ':now': now,
        ':locked': lockedUntil,
        ':expires': expiresAt,
      };
      const first = takeLock(dynamo, table, scopeDigest, {
        condition: 'attribute_not_exists(scopeDigest) OR expiresAt <= :now',
        set: 'requestDigest = :request, resourceId = :id, claimToken = :token, lockedUntil = :locked, expiresAt = :expires REMOVE answer',
        values: { ...values, ':id': resourceId },
        isFirstTry: true,
      });
      const claimed = await unlessConditionFails(first);
      if (claimed !== undefined) return claimed;
      try {
        return await takeLock(dynamo, table, scopeDigest, {
          condition: 'requestDigest = :request AND attribute_not_exists(answer) AND lockedUntil <= :now',
          set: 'claimToken = :token, lockedUntil = :locked, expiresAt = :expires',
          values,
          isFirstTry: false,
        });
      } catch (error) {
        const item = conflictingItem(error);
        if (item === undefined) throw error;
        return storedState(record.parse(item), claim, token);
      }
    },

    async answer(held: Held, answer: string): Promise<void> {
      const update = {
        ...whileHeld(held, { ':answer': answer }),
        UpdateExpression: 'SET answer = :answer REMOVE lockedUntil',
      };
      await unlessConditionFails(dynamo.send(new UpdateCommand(update)));
    },

    /** After a client error nothing was created: the key is free again, also for another body. */
    async forget(held: Held): Promise<void> {
      await unlessConditionFails(dynamo.send(new DeleteCommand(whileHeld(held))));
    },

    /** After a fault something may have been created: the next try does not wait for the lock, but keeps the id. */
    async unlock(held: Held): Promise<void> {
      const update = { ...whileHeld(held, { ':past': 0 }), UpdateExpression: 'SET lockedUntil = :past' };
      await unlessConditionFails(dynamo.send(new UpdateCommand(update)));
    },
  };
}

export type IdempotencyRecords = ReturnType<typeof createIdempotencyRecords>;

async function takeLock(
  dynamo: DynamoDBDocumentClient,
  table: string,
  scopeDigest: string,
  { condition, set, values, isFirstTry }: { condition: string; set: string; values: Item; isFirstTry: boolean },
): Promise<ClaimResult> {
  const { Attributes } = await dynamo.send(
    new UpdateCommand({
      TableName: table,
      Key: { scopeDigest },
      UpdateExpression: `SET ${set}`,
      ConditionExpression: condition,
      ExpressionAttributeValues: values,
      ReturnValues: 'ALL_NEW',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    }),
  );
  const { resourceId, claimToken } = record.parse(Attributes ?? {});
  return { state: 'CLAIMED', resourceId, isFirstTry, claimToken };
}

/** The state of a key whose lock could not be taken. */
function storedState(found: z.infer<typeof record>, claim: Claim, token: string): ClaimResult {
  if (found.requestDigest !== claim.requestDigest) return { state: 'OTHER_REQUEST' };
  if (found.answer !== undefined) return { state: 'ANSWERED', answer: found.answer };
  if (found.claimToken !== token) return { state: 'LOCKED' };
  // This try holds the lock: the SDK repeated a call whose answer was lost.
  const { resourceId } = found;
  return { state: 'CLAIMED', resourceId, isFirstTry: resourceId === claim.resourceId, claimToken: token };
}
