import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Item } from '#shared/platform/dynamodb/client.ts';
import type { TransactionLeg } from '#shared/platform/dynamodb/transaction.ts';
import { assignedAddress, assignedAddressesOf } from './assigned-address.ts';
import type { CustodianTransfer } from './custodians/custodian-transfer.ts';
import type { OffRamp } from './off-ramp.ts';

const assignment = z.object({ operationId: z.string(), userId: z.string(), clientId: z.string() });

/** The leg that assigns an operation's deposit address to it: an address belongs to one user for ever. */
export function assignAddress(table: string, operation: OffRamp): TransactionLeg {
  const { operationId, userId, clientId } = operation;
  return {
    Put: {
      TableName: table,
      Item: { ...addressKey(assignedAddress(operation)), ...{ operationId, userId, clientId } },
      ConditionExpression: 'attribute_not_exists(claim) OR userId = :user',
      ExpressionAttributeValues: { ':user': userId },
    },
  };
}

/** Ids of the clients to whom the address of a transfer belongs; `undefined` while nobody can say which address it is. */
export function createFindAddressOwners(dynamo: DynamoDBDocumentClient, table: string) {
  return async (transfer: CustodianTransfer): Promise<readonly string[] | undefined> => {
    const addresses = assignedAddressesOf(transfer);
    if (addresses.length === 0) return undefined;
    const found = await Promise.all(
      addresses.map((address) =>
        dynamo.send(new GetCommand({ TableName: table, Key: addressKey(address), ConsistentRead: true })),
      ),
    );
    return found.flatMap(({ Item }) => (Item === undefined ? [] : [assignment.parse(Item).clientId]));
  };
}

export type FindAddressOwners = ReturnType<typeof createFindAddressOwners>;

function addressKey(address: string): Item {
  return { claim: `ADDRESS#${address}` };
}
