/** The keys of a record, in their order and with their type. */
export function keysOf<K extends string>(record: Readonly<Record<K, unknown>>): readonly K[] {
  return Object.keys(record).filter((key): key is K => key in record);
}

/** A record with the same keys and mapped values. */
export function mapValues<K extends string, V, R>(
  record: Readonly<Record<K, V>>,
  map: (value: V, key: K) => R,
): Readonly<Record<K, R>> {
  const mapped = keysOf(record).map((key) => [key, map(record[key], key)] as const);
  return { ...record, ...Object.fromEntries(mapped) };
}

/** Like `mapValues`, for a record that lacks some keys. A key whose value maps to `undefined` is left out. */
export function mapPresent<K extends string, V, R>(
  record: Readonly<Partial<Record<K, V>>>,
  map: (value: V) => R | undefined,
): Readonly<Partial<Record<K, R>>> {
  const mapped: Partial<Record<K, R>> = {};
  for (const key in record) {
    const value = record[key];
    const made = value === undefined ? undefined : map(value);
    if (made !== undefined) mapped[key] = made;
  }
  return mapped;
}

/** Groups the items of an iterable, up to the given number in each group. */
export async function* inGroups<Item>(
  items: AsyncIterable<Item> | Iterable<Item>,
  size: number,
): AsyncGenerator<readonly Item[]> {
  let group: Item[] = [];
  for await (const item of items) {
    group.push(item);
    if (group.length < size) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}
