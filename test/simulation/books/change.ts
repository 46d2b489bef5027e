import type { TableName } from '#infra/platform/table-shapes.ts';
import type { Item } from '#test/simulation/aws/dynamodb/attribute-values.ts';

/** What one request wrote to one item, as DynamoDB keeps it; absent before the first write and after a deletion. */
export interface Change {
  readonly table: TableName;
  readonly before: Item | undefined;
  readonly after: Item | undefined;
}

/**
 * Everything that one request wrote: one change of a single write, all changes of a transaction, in the order of its legs.
 * A deletion by TTL is one of its own. What a check only looks at is none.
 */
export type Transaction = readonly Change[];
