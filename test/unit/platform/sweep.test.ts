import { expect, test } from 'vitest';
import { sweep, sweepGroups } from '#shared/platform/sweep.ts';
import { fakeClock } from '#test/support/fake-clock.ts';

const clock = fakeClock('2026-08-01T12:00:00.000Z');
const seconds = (number: number) => clock.now().getTime() + number * 1000;
const report = (item: number, error: unknown) => {
  throw new Error(`${item}`, { cause: error });
};

test('the items of each shard are handled in order, a limited number at a time', async () => {
  const groups: (readonly number[])[] = [];
  const handle = async (group: readonly number[]) => groups.push(group);
  const shards = [[1, 2, 3], [], [4]];
  expect(await sweepGroups<number>(shards, handle, { clock, until: seconds(1), groupsOf: 2 })).toBe(4);
  expect(groups.toSorted()).toEqual([[1, 2], [3], [4]]);
});

test('items that are left when the time is over wait for the next run', async () => {
  const handled: number[] = [];
  const handle = async (item: number) => {
    handled.push(item);
    clock.advance(10);
  };
  expect(await sweep<number>([[1, 2, 3, 4]], handle, { clock, until: seconds(15), report })).toBe(2);
  expect(handled).toEqual([1, 2]);
});

test('an item that fails is reported, and does not stop the others', async () => {
  const [handled, failed]: [number[], number[]] = [[], []];
  const handle = async (item: number) => {
    if (item === 1) throw new Error('on fire');
    handled.push(item);
  };
  const run = { clock, until: seconds(1), atOnce: 2, report: (item: number) => failed.push(item) };
  expect(await sweep<number>([[1, 2, 3]], handle, run)).toBe(3);
  expect([handled, failed]).toEqual([[2, 3], [1]]);
});
