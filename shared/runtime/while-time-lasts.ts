import type { Clock } from './clock.ts';

/**
 * What there is until the time is over, so that a sweep finishes what it began before its function is stopped; the next
 * one goes on.
 */
export async function* whileTimeLasts<Item>(
  items: AsyncIterable<Item> | Iterable<Item>,
  clock: Clock,
  endsAt: number,
): AsyncGenerator<Item> {
  for await (const item of items) {
    if (clock.now().getTime() > endsAt) return;
    yield item;
  }
}
