import { DeleteCommand, type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Clock } from '#shared/platform/clock.ts';
import { conflictingItem, unlessConditionFails } from './conditional-write.ts';

/**
 * Seconds of the longest hold of a slot. No function that holds one may run longer, and one that makes attempts only
 * half as long. So the slot of a killed holder becomes free, even if clocks differ, and no holder loses its slot while
 * it works.
 */
export const SLOT_LEASE = 60;

/** Slots with consecutive numbers, all equivalent. */
interface Range {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

/**
 * Slots that are tried before an owner counts as busy: a failed search costs four writes, however large the share. With
 * one of 20 slots free, every fifth search finds it; with three, every second. So the last slots of a large share fill
 * slowly, by repeated searches. A share of four or fewer is searched completely.
 */
const TRIES = 4;

export const heldSlot = z.object({ leaseUntil: z.string(), token: z.string() });

export interface Slot {
  readonly slot: string;
  readonly token: string;
}

export type Acquisition =
  | { readonly state: 'ACQUIRED'; readonly slot: Slot }
  /**
   * @property heldSeconds the longest time for which one of the tried slots has been held; with several ranges, the
   * shortest of their times
   * @property holder the token of the last slot that was tried
   */
  | { readonly state: 'BUSY'; readonly heldSeconds: number; readonly holder?: string };

interface Held {
  /** Seconds for which the slot has been held. */
  readonly seconds: number;
  readonly holder: string;
}

/**
 * Limits how much of a shared resource each owner uses. Every slot of its share is an item, which the holder acquires
 * and releases. There is no counter, and no item that all owners write.
 */
export function createSlots(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  /** Acquires the slot and returns `undefined`, or returns the other holder. */
  const take = async ({ slot, token }: Slot): Promise<Held | undefined> => {
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
          // The token is checked because the SDK repeats a call whose answer was lost.
          ConditionExpression: 'attribute_not_exists(slot) OR leaseUntil <= :now OR #token = :token',
          ExpressionAttributeNames: { '#token': 'token' },
          ExpressionAttributeValues: { ':now': new Date(now).toISOString(), ':token': token },
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      );
      return undefined;
    } catch (error) {
      const item = conflictingItem(error);
      if (item === undefined) return { seconds: 0, holder: '' };
      const other = heldSlot.parse(item);
      // The clock of the holder may be ahead.
      const seconds = Math.max(0, SLOT_LEASE - (Date.parse(other.leaseUntil) - now) / 1000);
      return { seconds, holder: other.token };
    }
  };

  const search = async (owner: string, { from, to }: Range, token: string, most: number): Promise<Acquisition> => {
    const numbers = Array.from({ length: to - from }, (_, number) => from + number);
    const tries = Math.min(most, numbers.length);
    let heldSeconds = 0;
    let holder = '';
    for (let tried = 0; tried < tries; tried += 1) {
      const [number] = numbers.splice(Math.floor(clock.random() * numbers.length), 1);
      const slot = { slot: `slot#${owner}#${number}`, token };
      const other = await take(slot);
      if (other === undefined) return { state: 'ACQUIRED', slot };
      heldSeconds = Math.max(heldSeconds, other.seconds);
      holder = other.holder;
    }
    return { state: 'BUSY', heldSeconds, holder };
  };

  return {
    /**
     * Acquires a slot of the owner for a minute at most.
     *
     * @param share the number of slots, or the ranges of slots that are searched one after the other
     */
    async acquire(owner: string, share: number | readonly Range[], token: string): Promise<Acquisition> {
      const ranges = typeof share === 'number' ? [{ from: 0, to: share }] : share;
      let heldSeconds = Number.POSITIVE_INFINITY;
      let holder = '';
      for (const range of ranges) {
        const found = await search(owner, range, token, Math.ceil(TRIES / ranges.length));
        if (found.state === 'ACQUIRED') return found;
        heldSeconds = Math.min(heldSeconds, found.heldSeconds);
        holder = found.holder ?? '';
      }
      return { state: 'BUSY', heldSeconds, holder };
    },

    /** Releases a slot, unless its lease has ended and another holder has acquired it. */
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
