import { id } from '#shared/contracts/fields.ts';
import { invalid, type Refusal } from '#shared/domain/refusal.ts';

/**
 * One page of a list: ids come from an index, which may lag behind, so each record is read again by its id before it is
 * shown. `isLast` is false when at least one more record would have fitted.
 */
export async function pageOf<Item>(
  limit: number,
  ids: AsyncIterable<string>,
  find: (id: string) => Promise<Item | undefined>,
  fits: (item: Item) => boolean,
): Promise<{ readonly items: readonly Item[]; readonly isLast: boolean }> {
  const items: Item[] = [];
  for await (const id of ids) {
    const item = await find(id);
    if (item === undefined || !fits(item)) continue;
    if (items.length === limit) return { items, isLast: false };
    items.push(item);
  }
  return { items, isLast: true };
}

/**
 * The last record of the page before. A cursor is its id, and it is checked to be one of this list.
 *
 * @throws {Refusal} VALIDATION_FAILED
 */
export async function recordAtCursor<Item>(
  cursor: string | undefined,
  find: (id: string) => Promise<Item | undefined>,
  isOfThisList: (item: Item) => boolean,
): Promise<Item | undefined> {
  if (cursor === undefined) return undefined;
  // The table refuses keys that are empty or too long.
  const known = id.safeParse(cursor);
  const item = known.success ? await find(known.data) : undefined;
  if (item !== undefined && isOfThisList(item)) return item;
  throw invalidCursor();
}

export function invalidCursor(): Refusal {
  return invalid({
    path: 'query.cursor',
    code: 'INVALID_CURSOR',
    message: 'must be the nextCursor of a page of this list',
  });
}
