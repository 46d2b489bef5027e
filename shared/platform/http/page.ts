import { inGroups } from '#shared/platform/collections.ts';
import { type ApiError, invalid } from './api-error.ts';
import { id } from './fields.ts';

/** Records that one call looks at, whatever its filter: what a list costs does not grow with what there is to list. */
const MOST_EXAMINED = 300;

/** Records that are read at once where a filter may drop some. */
const GROUP = 100;

interface Listing<Item> {
  /** The most items of a page, at most 100. */
  readonly limit: number;
  /** In the order of the list, from after the cursor on. */
  readonly ids: AsyncIterable<string>;
  /** The records with these ids, in their order; `undefined` for one that is gone. */
  readonly getAll: (ids: readonly string[]) => Promise<readonly (Item | undefined)[]>;
  /** Without it every record is listed. */
  readonly fits?: ((item: Item) => boolean) | undefined;
}

/**
 * One page of a list: ids come from an index, which may lag behind, so each record is read again by its id before it is
 * shown. `examined` is the last record that was looked at, shown or not, from which the next page goes on; it is absent when
 * the list is at its end. A page can be empty and not be the last.
 */
export async function pageOf<Item>({ limit, ids, getAll, fits }: Listing<Item>): Promise<{
  readonly items: readonly Item[];
  readonly examined?: Item | undefined;
}> {
  const items: Item[] = [];
  const seen: (Item | undefined)[] = [];
  const isFull = () => items.length === limit || seen.length === MOST_EXAMINED;
  const unfinished = () => ({ items, examined: seen.findLast((record) => record !== undefined) });
  for await (const group of inGroups(ids, fits === undefined ? limit : GROUP)) {
    if (isFull()) return unfinished();
    for (const record of await getAll(group)) {
      if (isFull()) return unfinished();
      seen.push(record);
      if (record !== undefined && (fits === undefined || fits(record))) items.push(record);
    }
  }
  return { items };
}

/** Whether a record has all of these values; nothing without any. */
export function having<Item extends object>(
  values: {
    readonly [Name in keyof Item]?: Item[Name] | undefined;
  },
): ((item: Item) => boolean) | undefined {
  const asked = Object.entries(values).filter(([, value]) => value !== undefined);
  if (asked.length === 0) return undefined;
  return (item) => {
    const has = new Map(Object.entries(item));
    return asked.every(([name, value]) => has.get(name) === value);
  };
}

/**
 * The record that the page before ended with. A cursor is its id, and it is checked to be one of this list; whether it fits
 * the filter does not matter.
 *
 * @throws {ApiError} VALIDATION_FAILED
 */
export async function recordAtCursor<Item>(
  cursor: string | undefined,
  getAll: Listing<Item>['getAll'],
  isOfThisList: (item: Item) => boolean,
): Promise<Item | undefined> {
  if (cursor === undefined) return undefined;
  // The table refuses keys that are empty or too long.
  const known = id.safeParse(cursor);
  const [item] = known.success ? await getAll([known.data]) : [];
  if (item !== undefined && isOfThisList(item)) return item;
  throw invalidCursor();
}

export function invalidCursor(): ApiError {
  return invalid({
    path: 'query.cursor',
    code: 'INVALID_CURSOR',
    message: 'must be the nextCursor of a page of this list',
  });
}
