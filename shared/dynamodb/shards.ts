/** One partition could not take all the due items of a busy service. */
const SHARDS = 10;

/** Partition keys of a `due` index. */
export function shards(kind: string): readonly string[] {
  return Array.from({ length: SHARDS }, (_, shard) => `${kind}#${shard}`);
}

/** The same id is always in the same shard. */
export function shardOf(kind: string, id: string): string {
  return `${kind}#${Number.parseInt(id.slice(-4), 16) % SHARDS || 0}`;
}
