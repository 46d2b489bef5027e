/** The keys of a record, in its order, each as one of them. */
export function keysOf<K extends string>(record: Readonly<Record<K, unknown>>): readonly K[] {
  return Object.keys(record).filter((key): key is K => key in record);
}
