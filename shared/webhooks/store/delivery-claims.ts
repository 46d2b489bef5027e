import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Clock } from '#shared/platform/clock.ts';
import type { Item } from '#shared/platform/dynamodb/client.ts';
import {
  assignments,
  conflictingItem,
  unlessConditionFails,
  updateItem,
} from '#shared/platform/dynamodb/conditional-write.ts';
import type { CallEnd, Delivery, DeliveryAttempt, UndeliveredReason } from '#shared/webhooks/model/delivery.ts';
import type { AttemptOutcome } from '#shared/webhooks/model/delivery-outcome.ts';
import { deliveryKey, keptAttempts, parseDelivery } from './delivery-repository.ts';

/** Longer than the function that holds the lease can run: if a lease expires, its function has died. */
const LEASE_SECONDS = 60;

/** Seconds by which an attempt may begin before it is due, because clocks differ. */
const EARLY_SECONDS = 2;

/** A delivery whose next attempt only the holder may make, until the lease ends. */
export interface ClaimedDelivery extends Delivery {
  readonly claimToken: string;
}

export type DeliveryClaim =
  | { readonly state: 'CLAIMED'; readonly delivery: ClaimedDelivery }
  | { readonly state: 'EARLY'; readonly nextAttemptAt: string }
  /** The attempt was made already, another process holds it, or the delivery is over. */
  | { readonly state: 'NOT_TO_MAKE' };

const NOT_TO_MAKE = { state: 'NOT_TO_MAKE' } as const;

const claimed = z.object({ claimToken: z.optional(z.string()) });

/** Every write by a holder is conditional on its own token: a holder that lost the lease writes nothing. */
export function createDeliveryClaims(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  return {
    /** Claims the attempt with this number, counted over all attempts of the delivery. */
    async claim(deliveryId: string, attempt: number, token: string, now: Date): Promise<DeliveryClaim> {
      const seconds = (offset: number) => new Date(now.getTime() + offset * 1000).toISOString();
      try {
        const { Attributes = {} } = await updateItem(
          dynamo,
          clock,
          new UpdateCommand({
            TableName: table,
            Key: deliveryKey(deliveryId),
            UpdateExpression: 'SET claimToken = :token, leaseUntil = :until, claims = claims + :one',
            ConditionExpression:
              '#status = :pending AND size(attempts) = :logged AND nextAttemptAt <= :soon AND (attribute_not_exists(leaseUntil) OR leaseUntil < :now)',
            ExpressionAttributeNames: { '#status': 'status' },
            ExpressionAttributeValues: {
              ':token': token,
              ':until': seconds(LEASE_SECONDS),
              ':one': 1,
              ':pending': 'PENDING',
              ':logged': attempt - 1,
              ':soon': seconds(EARLY_SECONDS),
              ':now': now.toISOString(),
            },
            ReturnValues: 'ALL_NEW',
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          }),
        );
        return { state: 'CLAIMED', delivery: { ...parseDelivery(Attributes), claimToken: token } };
      } catch (error) {
        const item = conflictingItem(error);
        return item === undefined ? NOT_TO_MAKE : claimBy(token, item, attempt, seconds(EARLY_SECONDS));
      }
    },

    /** Records the attempt and its outcome in one update; false when the lease was lost. */
    async finish(
      held: ClaimedDelivery,
      attempt: CallEnd & Pick<DeliveryAttempt, 'at' | 'durationMs'>,
      outcome: AttemptOutcome,
      dueAt?: string,
    ): Promise<boolean> {
      const { at, durationMs } = attempt;
      const made = [at, held.trigger, attempt.statusCode ?? attempt.error, durationMs];
      const update = closing(table, held, {
        status: outcome.status,
        reason: outcome.status === 'FAILED' ? outcome.reason : undefined,
        nextAttemptAt: outcome.status === 'PENDING' ? outcome.nextAttemptAt : undefined,
        dueAt: outcome.status === 'PENDING' ? dueAt : undefined,
        attemptsMade: held.attemptsMade + 1,
        attempts: [made],
      });
      try {
        await updateItem(dynamo, clock, update);
        return true;
      } catch (error) {
        const item = conflictingItem(error);
        // The attempt is already there if the SDK repeated the write because the first answer was lost.
        return item !== undefined && keptAttempts.parse(item).attempts[held.attempts.length]?.join() === made.join();
      }
    },

    /** Releases the attempt without making it, and moves it to the given time, unless the lease was lost. */
    async reschedule(held: ClaimedDelivery, at: string, isPutOff?: true): Promise<void> {
      const update = closing(table, held, { status: 'PENDING', nextAttemptAt: at, dueAt: at, isPutOff });
      await unlessConditionFails(updateItem(dynamo, clock, update));
    },

    /** Ends the delivery without an attempt, unless the lease was lost. */
    async end(held: ClaimedDelivery, status: 'FAILED' | 'CANCELLED', reason: UndeliveredReason): Promise<void> {
      await unlessConditionFails(updateItem(dynamo, clock, closing(table, held, { status, reason })));
    },
  };
}

export type DeliveryClaims = ReturnType<typeof createDeliveryClaims>;

interface Closing extends Pick<Delivery, 'status' | 'reason' | 'nextAttemptAt' | 'isPutOff'> {
  readonly dueAt?: string | undefined;
  readonly attemptsMade?: number;
  /** Attempts to append. */
  readonly attempts?: readonly unknown[];
}

/** The state of an attempt that could not be claimed. */
function claimBy(token: string, item: Item, attempt: number, soon: string): DeliveryClaim {
  const { claimToken } = claimed.parse(item);
  const delivery = parseDelivery(item);
  const { status, attempts, nextAttemptAt } = delivery;
  // The SDK repeated the claim, because the first answer was lost.
  if (claimToken === token) return { state: 'CLAIMED', delivery: { ...delivery, claimToken } };
  const isToCome = status === 'PENDING' && attempts.length === attempt - 1;
  if (!isToCome || nextAttemptAt === undefined || nextAttemptAt <= soon) return NOT_TO_MAKE;
  return { state: 'EARLY', nextAttemptAt };
}

/** Ends a claim. The delivery is in the index of due deliveries only if `dueAt` is given. */
function closing(table: string, held: ClaimedDelivery, { reason, nextAttemptAt, dueAt, isPutOff, ...to }: Closing) {
  const lease = { claims: 0, claimToken: undefined, leaseUntil: undefined };
  const { expression, names, values } = assignments({ ...to, reason, nextAttemptAt, dueAt, isPutOff, ...lease });
  return new UpdateCommand({
    TableName: table,
    Key: deliveryKey(held.deliveryId),
    UpdateExpression: expression.replace(/= :attempts\b/, '= list_append(#attempts, :attempts)'),
    ConditionExpression: '#claimToken = :held',
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: { ...values, ':held': held.claimToken },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
}
