import { inGroups } from '#shared/platform/collections.ts';
import { type ApiError, invalid } from './api-error.ts';
import { id } from './fields.ts';

/** The most records that one call examines, whatever its filter, so that its cost does not grow with the list. */
const MOST_EXAMINED = 300;

/** Records that are read at once if a filter may drop some. */
const GROUP = 100;

interface Listing<Item> {
  /** The most items of a page, at most 100. */
  readonly limit: number;
  /** Ids in the order of the list, starting after the cursor. */
  readonly ids: AsyncIterable<string>;
  /** The records with these ids, in their order; `undefined` for one that is gone. */
  readonly getAll: (ids: readonly string[]) => Promise<readonly (Item | undefined)[]>;
  /** The filter; without one, every record is listed. */
  readonly fits?: ((item: Item) => boolean) | undefined;
}

/**
 * One page of a list. Ids come from an index, which may lag behind, so each record is read again by its id before it is
 * shown. `examined` is the last record that was examined, shown or not: the next page starts after it. It is absent at
 * the end of the list. A page can be empty without being the last one.
 */
export async function readPage<Item>({ limit, ids, getAll, fits }: Listing<Item>): Promise<{
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

/** A filter for records with all of these values; `undefined` if no value is given. */
export function filterBy<Item extends object>(
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
 * The last record of the previous page. A cursor is the id of that record, which must belong to this list but need not
 * fit the filter.
 *
 * @throws {ApiError} VALIDATION_FAILED
 */
export async function findCursorRecord<Item>(
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
