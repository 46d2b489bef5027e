import type { Clock } from './clock.ts';
import { inGroups } from './collections.ts';

type Items<Item> = AsyncIterable<Item> | Iterable<Item>;

interface Run {
  readonly clock: Clock;
  /** Milliseconds since 1970: no work starts after this time, so that all work ends before the function is stopped. */
  readonly until: number;
}

/**
 * Handles due items: all shards at the same time, each in its order, with at most `atOnce` items of a shard at a time.
 * The next run finds the items that are left when the time is over. A failure stops no other item.
 *
 * @returns the number of items that it handled, or tried to handle
 */
export function sweep<Item>(
  shards: Iterable<Items<Item>>,
  handle: (item: Item) => Promise<unknown>,
  {
    atOnce = 1,
    report,
    ...run
  }: Run & { readonly atOnce?: number; readonly report: (item: Item, error: unknown) => void },
): Promise<number> {
  const handleOrReport = async (item: Item) => {
    try {
      await handle(item);
    } catch (error) {
      report(item, error);
    }
  };
  return sweepGroups(shards, (group) => Promise.all(group.map(handleOrReport)), { ...run, groupsOf: atOnce });
}

/** Like `sweep`, for items that are handled in groups. A failed group ends the sweep. */
export async function sweepGroups<Item>(
  shards: Iterable<Items<Item>>,
  handle: (group: readonly Item[]) => Promise<unknown>,
  { clock, until, groupsOf }: Run & { readonly groupsOf: number },
): Promise<number> {
  let handled = 0;
  await Promise.all(
    Array.from(shards, async (items) => {
      for await (const group of inGroups(whileTimeLasts(items, clock, until), groupsOf)) {
        handled += group.length;
        await handle(group);
      }
    }),
  );
  return handled;
}

/** Lists that are read at the same time: as many as the SDK has connections. */
const READ_AT_ONCE = 50;

/**
 * Takes one item of each list, then the second of each, and so on, so that no list waits for a long one. The lists are
 * read on demand, and a random list comes first.
 */
export async function* roundRobin<Item>(
  lists: readonly AsyncIterable<Item>[],
  { random }: Pick<Clock, 'random'>,
): AsyncGenerator<Item> {
  const first = Math.floor(random() * lists.length);
  const rotated = [...lists.slice(first), ...lists.slice(0, first)];
  let round: Turn<Item>[] = [];
  for await (const group of inGroups(rotated, READ_AT_ONCE)) {
    round.push(...(await Promise.all(group.map((list) => nextTurn(list[Symbol.asyncIterator]())))).flat());
  }
  while (round.length > 0) {
    const next: Turn<Item>[] = [];
    for (const { item, rest } of round) {
      yield item;
      next.push(...(await nextTurn(rest)));
    }
    round = next;
  }
}

interface Turn<Item> {
  readonly item: Item;
  readonly rest: AsyncIterator<Item>;
}

async function nextTurn<Item>(rest: AsyncIterator<Item>): Promise<readonly Turn<Item>[]> {
  const found = await rest.next();
  return found.done === true ? [] : [{ item: found.value, rest }];
}

/** Shares the items among several consumers: each item goes to exactly one of them. */
export function shareAmongConsumers<Item>(items: AsyncIterable<Item>, number: number): readonly AsyncIterable<Item>[] {
  return Array.from({ length: number }, () => items);
}

async function* whileTimeLasts<Item>(items: Items<Item>, clock: Clock, until: number): AsyncGenerator<Item> {
  for await (const item of items) {
    if (clock.now().getTime() > until) return;
    yield item;
  }
}
