import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '#shared/platform/clock.ts';
import { inGroups } from '#shared/platform/collections.ts';
import { updateItem } from '#shared/platform/dynamodb/conditional-write.ts';
import type { Payin } from './pay-in.ts';
import { payinKey } from './pay-in-records.ts';
import { createListedPayins } from './pay-in-repository.ts';

/** Pay-ins that are read and written at the same time. */
const AT_ONCE = 25;

/**
 * Erases the payer's data from a user's pay-ins, which nothing needs after their end: the phone number of the order,
 * the client's return address, which may name the payer, the payment page, which may show the payer, and the rail's own
 * words about a failure, which may quote the payer's data.
 */
export function createForgetPayer(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  const payins = createListedPayins(dynamo, table, clock);
  const forget = (payinId: string) =>
    updateItem(
      dynamo,
      clock,
      new UpdateCommand({
        TableName: table,
        Key: payinKey(payinId),
        UpdateExpression: 'REMOVE phone, redirectUrl, paymentUrl, failureReason',
        ConditionExpression: 'attribute_exists(payinId)',
      }),
    );
  return async (userId: string): Promise<void> => {
    for await (const ids of inGroups(payins.idsOfUser({ userId }, undefined), AT_ONCE)) {
      const found = (await payins.getAll(ids)).filter((one) => one !== undefined && hasPayer(one));
      await Promise.all(found.map((one) => one && forget(one.payinId)));
    }
  };
}

function hasPayer({ phone, redirectUrl, paymentUrl, failureReason }: Payin): boolean {
  return [phone, redirectUrl, paymentUrl, failureReason].some((one) => one !== undefined);
}
