import type { Change } from '#test/simulation/aws/dynamodb/change.ts';

export type { Change };

/**
 * Everything that one request wrote: a single change, or all changes of a transaction in the order of its legs.
 * A deletion by TTL is a transaction of its own. Condition checks, and writes that change nothing, are left out.
 */
export type Transaction = readonly Change[];
