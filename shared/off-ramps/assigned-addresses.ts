import { type DynamoDBClient, GetItemCommand, type TransactWriteItem } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { fromItem, type Item, toItem } from '#shared/platform/dynamodb/client.ts';
import { assignedAddress, assignedAddressesOf } from './assigned-address.ts';
import type { CustodianTransfer } from './custodians/custodian-transfer.ts';
import type { OffRamp } from './off-ramp.ts';

const assignment = z.object({ operationId: z.string(), userId: z.string(), clientId: z.string() });

/** The leg that assigns an operation's deposit address to it: an address belongs to one user for ever. */
export function assignAddress(table: string, operation: OffRamp): TransactWriteItem {
  const { operationId, userId, clientId } = operation;
  return {
    Put: {
      TableName: table,
      Item: { ...addressKey(assignedAddress(operation)), ...toItem({ operationId, userId, clientId }) },
      ConditionExpression: 'attribute_not_exists(claim) OR userId = :user',
      ExpressionAttributeValues: toItem({ ':user': userId }),
    },
  };
}

/** Ids of the clients to whom the address of a transfer belongs; `undefined` while nobody can say which address it is. */
export function createFindAddressOwners(dynamo: DynamoDBClient, table: string) {
  return async (transfer: CustodianTransfer): Promise<readonly string[] | undefined> => {
    const addresses = assignedAddressesOf(transfer);
    if (addresses.length === 0) return undefined;
    const found = await Promise.all(
      addresses.map((address) =>
        dynamo.send(new GetItemCommand({ TableName: table, Key: addressKey(address), ConsistentRead: true })),
      ),
    );
    return found.flatMap(({ Item }) => (Item === undefined ? [] : [fromItem(assignment, Item).clientId]));
  };
}

export type FindAddressOwners = ReturnType<typeof createFindAddressOwners>;

function addressKey(address: string): Item {
  return toItem({ claim: `ADDRESS#${address}` });
}
