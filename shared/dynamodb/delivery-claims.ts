import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  type TransactWriteItem,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import type { Delivery, UndeliveredReason } from '#shared/domain/delivery.ts';
import type { Verdict } from '#shared/domain/delivery-verdict.ts';
import { fromItem, toItem } from './client.ts';
import { attemptKey, deliveryKey, type LoggedAttempt, parseDelivery } from './deliveries.ts';
import { expiryFrom } from './expiry.ts';
import { shardOf } from './shards.ts';
import { transact } from './transaction.ts';

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
  /** Made already, another's at the moment, or the delivery is over. */
  | { readonly state: 'NOT_TO_MAKE' };

const standing = z.object({
  status: z.string(),
  attemptsLogged: z.int(),
  nextAttemptAt: z.optional(z.string()),
});

/** Every write by a holder is conditional on its own token: whoever lost the lease writes nothing. */
export function deliveryClaimsIn(dynamo: DynamoDBClient, table: string) {
  return {
    /** Claims the attempt of that number, counted over all attempts of the delivery. */
    async claim(deliveryId: string, attempt: number, token: string, now: Date): Promise<DeliveryClaim> {
      const seconds = (offset: number) => new Date(now.getTime() + offset * 1000).toISOString();
      try {
        const { Attributes = {} } = await dynamo.send(
          new UpdateItemCommand({
            TableName: table,
            Key: deliveryKey(deliveryId),
            UpdateExpression: 'SET claimToken = :token, leaseUntil = :until, claims = claims + :one',
            ConditionExpression:
              '#status = :pending AND attemptsLogged = :logged AND nextAttemptAt <= :soon AND (attribute_not_exists(leaseUntil) OR leaseUntil < :now)',
            ExpressionAttributeNames: { '#status': 'status' },
            ExpressionAttributeValues: toItem({
              ':token': token,
              ':until': seconds(LEASE_SECONDS),
              ':one': 1,
              ':pending': 'PENDING',
              ':logged': attempt - 1,
              ':soon': seconds(EARLY_SECONDS),
              ':now': now.toISOString(),
            }),
            ReturnValues: 'ALL_NEW',
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          }),
        );
        return { state: 'CLAIMED', delivery: { ...parseDelivery(Attributes), claimToken: token } };
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
        if (error.Item === undefined) return { state: 'NOT_TO_MAKE' };
        const { status, attemptsLogged, nextAttemptAt } = fromItem(standing, error.Item);
        const isToCome = status === 'PENDING' && attemptsLogged === attempt - 1 && nextAttemptAt !== undefined;
        if (!isToCome || nextAttemptAt <= seconds(EARLY_SECONDS)) return { state: 'NOT_TO_MAKE' };
        return { state: 'EARLY', nextAttemptAt };
      }
    },

    /** The attempt and what it leads to, in one transaction; false when the lease was lost. */
    async finish(
      held: ClaimedDelivery,
      attempt: Omit<LoggedAttempt, 'trigger'>,
      verdict: Verdict,
      due: { readonly now: Date; readonly dueAt?: string },
    ): Promise<boolean> {
      const number = held.attemptsLogged + 1;
      const lost = await transact(dynamo, {
        attempt: {
          Put: {
            TableName: table,
            Item: toItem({
              ...attemptKey(held.deliveryId, number),
              ...attempt,
              trigger: held.trigger,
              expiresAt: expiryFrom(due.now),
            }),
          },
        },
        delivery: settle(table, held, {
          status: verdict.status,
          reason: verdict.status === 'FAILED' ? verdict.reason : undefined,
          nextAttemptAt: verdict.status === 'PENDING' ? verdict.nextAttemptAt : undefined,
          dueAt: verdict.status === 'PENDING' ? due.dueAt : undefined,
          attemptsMade: held.attemptsMade + 1,
          attemptsLogged: number,
        }),
      });
      return lost.size === 0;
    },

    /** Gives the attempt back without having made it; it is as if it had been due then. */
    async putOff(held: ClaimedDelivery, nextAttemptAt: string, dueAt: string): Promise<boolean> {
      const { attemptsMade, attemptsLogged } = held;
      const update = { status: 'PENDING', nextAttemptAt, dueAt, attemptsMade, attemptsLogged } as const;
      return (await transact(dynamo, { delivery: settle(table, held, update) })).size === 0;
    },

    /** Ends the delivery without an attempt. */
    async end(held: ClaimedDelivery, status: 'FAILED' | 'CANCELLED', reason: UndeliveredReason): Promise<boolean> {
      const { attemptsMade, attemptsLogged } = held;
      const update = { status, reason, attemptsMade, attemptsLogged };
      return (await transact(dynamo, { delivery: settle(table, held, update) })).size === 0;
    },
  };
}

export type DeliveryClaims = ReturnType<typeof deliveryClaimsIn>;

interface Settlement extends Pick<Delivery, 'status' | 'reason' | 'nextAttemptAt' | 'attemptsMade' | 'attemptsLogged'> {
  readonly dueAt?: string | undefined;
}

/** The leg that ends a claim. With a time to be due at, the delivery is in the index of those to come, and else not. */
function settle(table: string, held: ClaimedDelivery, to: Settlement): TransactWriteItem {
  const { dueAt } = to;
  const dueShard = dueAt === undefined ? undefined : shardOf('DELIVERY', held.deliveryId);
  const values = { ...to, dueShard, claims: 0 };
  const set = Object.entries(values).filter(([, value]) => value !== undefined);
  const gone = ['reason', 'nextAttemptAt', 'dueAt', 'dueShard'].filter(
    (name) => !set.some(([present]) => present === name),
  );
  const removed = ['claimToken', 'leaseUntil', ...gone];
  return {
    Update: {
      TableName: table,
      Key: deliveryKey(held.deliveryId),
      UpdateExpression: `SET ${set.map(([name]) => `#${name} = :${name}`).join(', ')} REMOVE ${removed.map((name) => `#${name}`).join(', ')}`,
      ConditionExpression: 'claimToken = :token',
      ExpressionAttributeNames: Object.fromEntries(
        [...set.map(([name]) => name), ...removed].map((name) => [`#${name}`, name]),
      ),
      ExpressionAttributeValues: toItem({
        ...Object.fromEntries(set.map(([name, value]) => [`:${name}`, value])),
        ':token': held.claimToken,
      }),
    },
  };
}
