import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { createSlots } from '#shared/platform/dynamodb/slots.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { fakeDynamo } from '#test/support/fake-dynamo.ts';
import { tablesInMemory } from '#test/support/tables-in-memory.ts';

const NOW = '2026-11-21T12:00:00.000Z';
const put = z.object({ Item: z.object({ slot: z.string() }) });

/** Slots of a table in which all but the given numbers have been held for 12 seconds. */
function slotsWith(free: readonly number[], random: () => number) {
  const asked: number[] = [];
  const { client } = fakeDynamo(async (input) => {
    const number = Number(put.parse(input).Item.slot.split('#').at(-1));
    asked.push(number);
    if (free.includes(number)) return {};
    const Item = marshall({ token: 'holder', leaseUntil: '2026-11-21T12:00:48.000Z' });
    throw new ConditionalCheckFailedException({ message: 'held', $metadata: {}, Item });
  });
  return { asked, slots: createSlots(client, 'slots', fakeClock(NOW, random)) };
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('decisions 7, isolation: a slot is looked for at random, four times at most', () => {
  test('an owner whose share is full costs four writes, and learns how long the holders take', async () => {
    const { asked, slots } = slotsWith([], Math.random);
    expect(await slots.acquire('first#webhook', 20, 'token')).toEqual({
      state: 'BUSY',
      heldSeconds: 12,
      holder: 'holder',
    });
    expect(new Set(asked).size).toBe(4);
    expect(asked).toHaveLength(4);
    for (const number of asked) expect(number).toBeLessThan(20);
  });

  test('a holder whose clock is ahead has held its slot for zero time, not for less', async () => {
    const { client } = fakeDynamo(async () => {
      const Item = marshall({ token: 'holder', leaseUntil: '2026-11-21T12:01:09.000Z' });
      throw new ConditionalCheckFailedException({ message: 'held', $metadata: {}, Item });
    });
    const slots = createSlots(client, 'slots', fakeClock(NOW));
    expect(await slots.acquire('first#webhook', 1, 'token')).toEqual({
      state: 'BUSY',
      heldSeconds: 0,
      holder: 'holder',
    });
  });

  test('a share of four or fewer is searched completely: a free slot is always found', async () => {
    for (const share of [1, 2, 3, 4]) {
      for (const free of upTo(share)) {
        const { asked, slots } = slotsWith([free], Math.random);
        const acquired = await slots.acquire('first#client', share, 'token');
        expect(acquired).toEqual({ state: 'ACQUIRED', slot: { slot: `slot#first#client#${free}`, token: 'token' } });
        expect(asked.length).toBeLessThanOrEqual(share);
      }
    }
  });

  test('every slot has its turn, and the last free one of 20 is found by every fifth', async () => {
    const rolls = upTo(20).map((index) => index / 20);
    const first = await Promise.all(
      rolls.map(async (roll) => {
        const { asked, slots } = slotsWith([], () => roll);
        await slots.acquire('first#webhook', 20, 'token');
        return asked;
      }),
    );
    expect(first.map(([number]) => number)).toEqual(upTo(20));
    // With the same roll each time four neighbours are drawn, so each slot is among the four of four rolls in twenty.
    expect(first.filter((asked) => asked.includes(10))).toHaveLength(4);
  });
});

test('a slot is its next holder’s once the lease is over: the one before releases it no more', async () => {
  const clock = fakeClock(NOW);
  const slots = createSlots(tablesInMemory().dynamo, 'slots', clock);
  const before = await slots.acquire('first#webhook', 1, 'before');
  if (before.state !== 'ACQUIRED') throw new Error('The slot is held.');
  expect((await slots.acquire('first#webhook', 1, 'other')).state).toBe('BUSY');
  clock.advance(60);
  expect((await slots.acquire('first#webhook', 1, 'next')).state).toBe('ACQUIRED');
  await slots.release(before.slot);
  expect(await slots.acquire('first#webhook', 1, 'other')).toMatchObject({ state: 'BUSY', holder: 'next' });
});

test('a slot whose answer was lost is held by whom it was given to', async () => {
  const slots = createSlots(tablesInMemory(1).dynamo, 'slots', fakeClock(NOW));
  expect((await slots.acquire('first#webhook', 1, 'token')).state).toBe('ACQUIRED');
});
