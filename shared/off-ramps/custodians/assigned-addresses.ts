import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '#shared/platform/clock.ts';
import { inGroups } from '#shared/platform/collections.ts';
import { batchGet } from '#shared/platform/dynamodb/batch-get.ts';

/** The most keys of one batch. */
const MOST_READ = 100;

/** The key, in the table of claims, of a deposit address that was assigned to an operation. */
export const addressKey = (address: string) => ({ claim: `ADDRESS#${address}` });

/** Finds which addresses, of any number without tags, were ever assigned to an operation. */
export function createFindAssignedAddresses(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  return async (addresses: readonly string[]): Promise<ReadonlySet<string>> => {
    const assigned = new Set<string>();
    for await (const group of inGroups(addresses, MOST_READ)) {
      const items = await batchGet(dynamo, clock, table, group.map(addressKey));
      for (const [at, address] of group.entries()) if (items[at] !== undefined) assigned.add(address);
    }
    return assigned;
  };
}
