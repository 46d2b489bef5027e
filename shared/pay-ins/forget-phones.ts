import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '#shared/platform/clock.ts';
import { inGroups } from '#shared/platform/collections.ts';
import { updateItem } from '#shared/platform/dynamodb/conditional-write.ts';
import { payinKey } from './pay-in-records.ts';
import { createListedPayins } from './pay-in-repository.ts';

/** Pay-ins that are read and written at the same time. */
const AT_ONCE = 25;

/** Erases the phone numbers that the pay-ins of a user were ordered with: nothing asks for them after the order. */
export function createForgetPhones(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  const payins = createListedPayins(dynamo, table, clock);
  const forget = (payinId: string) =>
    updateItem(
      dynamo,
      clock,
      new UpdateCommand({
        TableName: table,
        Key: payinKey(payinId),
        UpdateExpression: 'REMOVE phone',
        ConditionExpression: 'attribute_exists(payinId)',
      }),
    );
  return async (userId: string): Promise<void> => {
    for await (const ids of inGroups(payins.idsOfUser({ userId }, undefined), AT_ONCE)) {
      const found = (await payins.getAll(ids)).filter((one) => one?.phone !== undefined);
      await Promise.all(found.map((one) => one && forget(one.payinId)));
    }
  };
}
