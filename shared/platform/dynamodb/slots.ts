import { DeleteCommand, type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Clock } from '#shared/platform/clock.ts';
import { itemInTheWay, unlessConditionFails } from './condition.ts';

/**
 * Seconds for which a slot is held at most. No function that holds one may run longer, and one that makes attempts half as
 * long: a holder that was killed frees itself, by whoever's clock, and none loses its slot while it works.
 */
export const SLOT_LEASE = 60;

/**
 * Slots that are looked at before an owner counts as busy: who finds none has cost four writes, however large the share.
 * Where one of 20 is free, every fifth ask finds it; where three are, every second. So the last slots of a large share
 * fill slowly, by those that ask again; a share of four or fewer is looked through.
 */
const TRIES = 4;

const held = z.object({ leaseUntil: z.string() });

export interface Slot {
  readonly slot: string;
  readonly token: string;
}

export type Acquisition =
  | { readonly state: 'ACQUIRED'; readonly slot: Slot }
  /** @property heldSeconds for how long the slots have been held that were looked at; of the longest */
  | { readonly state: 'BUSY'; readonly heldSeconds: number };

/**
 * What each owner may have of something that all share: below its share every slot is an item, taken and given back by
 * whoever holds it. Nothing is counted, and no item is written by all.
 */
export function createSlots(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  /** Seconds for which somebody else has held it; `undefined` when it is ours now. */
  const take = async ({ slot, token }: Slot): Promise<number | undefined> => {
    const now = clock.now().getTime();
    const leaseUntil = new Date(now + SLOT_LEASE * 1000);
    try {
      await dynamo.send(
        new PutCommand({
          TableName: table,
          Item: {
            slot,
            token,
            leaseUntil: leaseUntil.toISOString(),
            expiresAt: Math.ceil(leaseUntil.getTime() / 1000),
          },
          // The token: the SDK asked twice, because the answer to the first was lost.
          ConditionExpression: 'attribute_not_exists(slot) OR leaseUntil <= :now OR #token = :token',
          ExpressionAttributeNames: { '#token': 'token' },
          ExpressionAttributeValues: { ':now': new Date(now).toISOString(), ':token': token },
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      );
      return undefined;
    } catch (error) {
      const item = itemInTheWay(error);
      if (item === undefined) return 0;
      return SLOT_LEASE - (Date.parse(held.parse(item).leaseUntil) - now) / 1000;
    }
  };

  return {
    /** Takes a slot of the owner for a minute at most. */
    async acquire(owner: string, share: number, token: string): Promise<Acquisition> {
      const numbers = Array.from({ length: share }, (_, number) => number);
      let heldSeconds = 0;
      for (let tries = 0; tries < Math.min(TRIES, share); tries += 1) {
        const [number] = numbers.splice(Math.floor(clock.random() * numbers.length), 1);
        const slot = { slot: `slot#${owner}#${number}`, token };
        const seconds = await take(slot);
        if (seconds === undefined) return { state: 'ACQUIRED', slot };
        heldSeconds = Math.max(heldSeconds, seconds);
      }
      return { state: 'BUSY', heldSeconds };
    },

    /** Another's, who took it when its lease was over, stays as it is. */
    async release({ slot, token }: Slot): Promise<void> {
      const remove = new DeleteCommand({
        TableName: table,
        Key: { slot },
        ConditionExpression: '#token = :token',
        ExpressionAttributeNames: { '#token': 'token' },
        ExpressionAttributeValues: { ':token': token },
      });
      await unlessConditionFails(dynamo.send(remove));
    },
  };
}

export type Slots = ReturnType<typeof createSlots>;
