/** One partition could not take all the due items of a busy service. */
const SHARDS = 10;

/** Partition keys of a `due` index. */
export function shards(kind: string): readonly string[] {
  return Array.from({ length: SHARDS }, (_, shard) => `${kind}#${shard}`);
}

/** The same id is always in the same shard. Any text is an id. */
export function shardOf(kind: string, id: string): string {
  const sum = Array.from(id.slice(-4)).reduce((total, character) => total + character.charCodeAt(0), 0);
  return `${kind}#${sum % SHARDS}`;
}
