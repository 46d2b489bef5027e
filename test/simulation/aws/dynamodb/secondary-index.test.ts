import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Item } from './attribute-values.ts';
import { createSecondaryIndex } from './secondary-index.ts';

const group = fc.constantFrom('p', 'q', undefined);
const write = fc.record({
  id: fc.constantFrom('a', 'b', 'c'),
  group,
  rank: fc.constantFrom('1', '2', '3'),
  lateness: fc.nat({ max: 3 }),
  pause: fc.nat({ max: 3 }),
});

const itemOf = (id: string, partition: string | undefined, rank: string, version: number): Item => ({
  id: { S: id },
  rank: { S: rank },
  version: { N: String(version) },
  ...(partition !== undefined && { group: { S: partition } }),
});

test('an index has each write once its time has come, after those before it, and in the order of its keys', () => {
  fc.assert(
    fc.property(fc.array(write, { maxLength: 30 }), (writes) => {
      let [now, late] = [0, 0];
      const index = createSecondaryIndex(['group', 'rank'], ['id'], ['version'], {
        now: () => now,
        ofIndexes: () => late,
      });
      const expected: { readonly id: string; readonly at: number; readonly item: Item }[] = [];
      for (const [version, { id, group: partition, rank, lateness, pause }] of writes.entries()) {
        const item = itemOf(id, partition, rank, version);
        late = lateness;
        index.follow(id, item);
        const before = expected.findLast((one) => one.id === id);
        const isOutside = partition === undefined && before?.item['group'] === undefined;
        if (!isOutside) expected.push({ id, at: Math.max(now + lateness, before?.at ?? 0), item });
        now += pause;
        for (const name of ['p', 'q']) {
          const arrived = ['a', 'b', 'c'].flatMap(
            (one) => expected.findLast((each) => each.id === one && each.at <= now) ?? [],
          );
          const inIndex = arrived.map((one) => one.item).filter((one) => one['group']?.S === name);
          const order = (one: Item) => `${one['rank']?.S} ${one['id']?.S}`;
          const sorted = inIndex.toSorted((one, other) => (order(one) < order(other) ? -1 : 1));
          expect(index.source.partition(name).map(({ item: one }) => one)).toEqual(sorted);
        }
      }
    }),
  );
});

test('what is in no index yet, or no more, is not in it', () => {
  const index = createSecondaryIndex(['group', 'rank'], ['id'], [], { now: () => 0, ofIndexes: () => 0 });
  index.follow('a', itemOf('a', 'p', '1', 1));
  index.follow('b', undefined);
  expect(index.items()).toEqual([{ id: { S: 'a' }, rank: { S: '1' }, group: { S: 'p' } }]);
  index.follow('a', undefined);
  expect(index.items()).toEqual([]);
});
