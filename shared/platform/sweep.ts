import type { Clock } from './clock.ts';
import { inGroups } from './collections.ts';

type Items<Item> = AsyncIterable<Item> | Iterable<Item>;

interface Run {
  readonly clock: Clock;
  /**
   * Milliseconds since 1970: no work is begun after this time, so that all work ends before the function is stopped.
   */
  readonly until: number;
}

/**
 * Handles what is due: all shards at the same time, each in its order, with an upper limit of concurrent work per
 * shard. What is left when the time is over is found by the next run. A failure stops nothing else.
 *
 * @returns how many it handled, or tried to
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

/** The same for what is handled in groups; a group that fails ends the sweep. */
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

/** How many lists are read at the same time: as many as the SDK has connections. */
const READ_AT_ONCE = 50;

/**
 * Takes one item of each list, then the second of each, and so on, so that no list waits for a long one. The lists are
 * read as they are taken from, and each round begins with another list.
 */
export async function* inTurns<Item>(
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

/** Shares the items among several takers: each item goes to one of them. */
export function lanes<Item>(items: AsyncIterable<Item>, number: number): readonly AsyncIterable<Item>[] {
  return Array.from({ length: number }, () => items);
}

async function* whileTimeLasts<Item>(items: Items<Item>, clock: Clock, until: number): AsyncGenerator<Item> {
  for await (const item of items) {
    if (clock.now().getTime() > until) return;
    yield item;
  }
}
