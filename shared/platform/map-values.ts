/** A record of the same keys, each with what is made of its value. */
export function mapValues<K extends string, V, R>(
  record: Readonly<Record<K, V>>,
  map: (value: V) => R,
): Readonly<Record<K, R>> {
  const mapped = Object.entries<V>(record).map(([key, value]) => [key, map(value)] as const);
  return { ...record, ...Object.fromEntries(mapped) };
}
