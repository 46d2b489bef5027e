import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Clock } from '#shared/platform/clock.ts';
import type { Item } from '#shared/platform/dynamodb/client.ts';
import {
  assignments,
  itemInTheWay,
  unlessConditionFails,
  updateItem,
} from '#shared/platform/dynamodb/conditional-write.ts';
import { retryOnConflict, transact } from '#shared/platform/dynamodb/transaction.ts';
import {
  type Delivery,
  type DeliveryAttempt,
  delivery,
  deliveryExpiry,
  type UndeliveredReason,
} from '#shared/webhooks/model/delivery.ts';
import type { AttemptOutcome } from '#shared/webhooks/model/delivery-outcome.ts';
import { attemptKey, deliveryKey } from './delivery-repository.ts';

/** Longer than the function that holds it can run: a lease that is over belongs to one that died. */
const LEASE_SECONDS = 60;

/** How much earlier than it is due an attempt may begin: clocks differ. */
const EARLY_SECONDS = 2;

/** A delivery whose next attempt is the holder's, until the lease is over. */
export interface ClaimedDelivery extends Delivery {
  readonly claimToken: string;
}

export type DeliveryClaim =
  | { readonly state: 'CLAIMED'; readonly delivery: ClaimedDelivery }
  | { readonly state: 'EARLY'; readonly nextAttemptAt: string }
  /** The attempt is made already, another process holds it, or the delivery is over. */
  | { readonly state: 'NOT_TO_MAKE' };

const NOT_TO_MAKE = { state: 'NOT_TO_MAKE' } as const;

const claimStatus = z.extend(z.pick(delivery, { status: true, attemptsLogged: true, nextAttemptAt: true }), {
  claimToken: z.optional(z.string()),
});

/** Every write by a holder is conditional on its own token: a holder that lost the lease writes nothing. */
export function createDeliveryClaims(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  return {
    /** Claims the attempt of that number, counted over all attempts of the delivery. */
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
              '#status = :pending AND attemptsLogged = :logged AND nextAttemptAt <= :soon AND (attribute_not_exists(leaseUntil) OR leaseUntil < :now)',
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
        return { state: 'CLAIMED', delivery: { ...delivery.parse(Attributes), claimToken: token } };
      } catch (error) {
        const item = itemInTheWay(error);
        return item === undefined ? NOT_TO_MAKE : claimBy(token, item, attempt, seconds(EARLY_SECONDS));
      }
    },

    /** Records the attempt and its outcome in one transaction; false when the lease was lost. */
    async finish(
      held: ClaimedDelivery,
      attempt: Omit<DeliveryAttempt, 'trigger'>,
      outcome: AttemptOutcome,
      due: { readonly now: Date; readonly dueAt?: string },
    ): Promise<boolean> {
      const number = held.attemptsLogged + 1;
      const expiresAt = deliveryExpiry(due.now);
      const row = { ...attemptKey(held.deliveryId, number), ...attempt, trigger: held.trigger, expiresAt };
      const legs = {
        attempt: { Put: { TableName: table, Item: row } },
        delivery: {
          Update: closingOf(table, held, {
            status: outcome.status,
            reason: outcome.status === 'FAILED' ? outcome.reason : undefined,
            nextAttemptAt: outcome.status === 'PENDING' ? outcome.nextAttemptAt : undefined,
            dueAt: outcome.status === 'PENDING' ? due.dueAt : undefined,
            attemptsMade: held.attemptsMade + 1,
            attemptsLogged: number,
          }),
        },
      };
      return (await retryOnConflict(clock, () => transact(dynamo, legs))).size === 0;
    },

    /** Releases the attempt without making it, and moves it to the given time. False when the lease was lost. */
    reschedule: ({ attemptsMade, attemptsLogged, ...held }: ClaimedDelivery, nextAttemptAt: string, dueAt: string) =>
      close(dynamo, table, clock, held, { status: 'PENDING', nextAttemptAt, dueAt, attemptsMade, attemptsLogged }),

    /** Ends the delivery without an attempt; false when the lease was lost. */
    end: (
      { attemptsMade, attemptsLogged, ...held }: ClaimedDelivery,
      status: 'FAILED' | 'CANCELLED',
      reason: UndeliveredReason,
    ) => close(dynamo, table, clock, held, { status, reason, attemptsMade, attemptsLogged }),
  };
}

export type DeliveryClaims = ReturnType<typeof createDeliveryClaims>;

interface Closing extends Pick<Delivery, 'status' | 'reason' | 'nextAttemptAt' | 'attemptsMade' | 'attemptsLogged'> {
  readonly dueAt?: string | undefined;
}

/** The state of an attempt that could not be claimed. */
function claimBy(token: string, item: Item, attempt: number, soon: string): DeliveryClaim {
  const { status, attemptsLogged, nextAttemptAt, claimToken } = claimStatus.parse(item);
  // The SDK asked twice, because the answer to the first was lost.
  if (claimToken === token) return { state: 'CLAIMED', delivery: { ...delivery.parse(item), claimToken } };
  const isToCome = status === 'PENDING' && attemptsLogged === attempt - 1;
  if (!isToCome || nextAttemptAt === undefined || nextAttemptAt <= soon) return NOT_TO_MAKE;
  return { state: 'EARLY', nextAttemptAt };
}

type Held = Pick<ClaimedDelivery, 'deliveryId' | 'claimToken'>;

async function close(
  dynamo: DynamoDBDocumentClient,
  table: string,
  clock: Clock,
  held: Held,
  to: Closing,
): Promise<boolean> {
  const update = new UpdateCommand(closingOf(table, held, to));
  return (await unlessConditionFails(updateItem(dynamo, clock, update))) !== undefined;
}

/** Ends a claim. The delivery is in the index of due deliveries only if `dueAt` is given. */
function closingOf(table: string, held: Held, { reason, nextAttemptAt, dueAt, ...to }: Closing) {
  const lease = { claims: 0, claimToken: undefined, leaseUntil: undefined };
  const { expression, names, values } = assignments({ ...to, reason, nextAttemptAt, dueAt, ...lease });
  return {
    TableName: table,
    Key: deliveryKey(held.deliveryId),
    UpdateExpression: expression,
    ConditionExpression: '#claimToken = :held',
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: { ...values, ':held': held.claimToken },
  };
}
