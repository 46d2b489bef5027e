import { keysOf } from './keys-of.ts';

/** A record with the same keys and mapped values. */
export function mapValues<K extends string, V, R>(
  record: Readonly<Record<K, V>>,
  map: (value: V, key: K) => R,
): Readonly<Record<K, R>> {
  const mapped = keysOf(record).map((key) => [key, map(record[key], key)] as const);
  return { ...record, ...Object.fromEntries(mapped) };
}
