/** A record with the same keys and mapped values. */
export function mapValues<K extends string, V, R>(
  record: Readonly<Record<K, V>>,
  map: (value: V) => R,
): Readonly<Record<K, R>> {
  const mapped = Object.entries<V>(record).map(([key, value]) => [key, map(value)] as const);
  return { ...record, ...Object.fromEntries(mapped) };
}
