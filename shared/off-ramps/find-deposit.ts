import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '#shared/platform/clock.ts';
import { batchGet } from '#shared/platform/dynamodb/batch-get.ts';
import { type Deposit, type DepositStatus, deposit, depositStatusOf } from './deposit.ts';

/* Apart from the store, so that who reads a deposit bundles nothing that writes. */

/** A deposit as it is now; none of which a notification could not be read, and no more is known than its id. */
export function createFindDeposit(dynamo: DynamoDBDocumentClient, table: string) {
  return async (custodianTransferId: string): Promise<Deposit | undefined> => {
    const { Item } = await dynamo.send(
      new GetCommand({ TableName: table, Key: { custodianTransferId }, ConsistentRead: true }),
    );
    return Item?.['network'] === undefined ? undefined : deposit.parse(Item);
  };
}

/** Keys of one call. */
const MOST_KEYS = 100;

/** Statuses of deposits by their ids, however many they are; none of one that cannot be read. */
export function createFindDepositStatuses(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  return async (ids: readonly string[]): Promise<ReadonlyMap<string, DepositStatus>> => {
    const each = [...new Set(ids)];
    const groups = Array.from({ length: Math.ceil(each.length / MOST_KEYS) }, (_, group) =>
      each.slice(group * MOST_KEYS, (group + 1) * MOST_KEYS).map((custodianTransferId) => ({ custodianTransferId })),
    );
    const found = await Promise.all(groups.map((keys) => batchGet(dynamo, clock, table, keys)));
    const statuses = found.flat().flatMap((item) => {
      const { data } = deposit.safeParse(item);
      const status = data && depositStatusOf(data);
      return data === undefined || status === undefined ? [] : [[data.custodianTransferId, status] as const];
    });
    return new Map(statuses);
  };
}

export type FindDepositStatuses = ReturnType<typeof createFindDepositStatuses>;

export type FindDeposit = ReturnType<typeof createFindDeposit>;
