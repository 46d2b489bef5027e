import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { parseAddress } from '#shared/networks/address.ts';
import type { Item } from '#shared/platform/dynamodb/client.ts';
import type { TransactionLeg } from '#shared/platform/dynamodb/transaction.ts';
import type { CustodianTransfer } from './custodians/custodian-transfer.ts';
import type { ExpectedDeposit, OffRamp } from './off-ramp.ts';

/**
 * The text by which a deposit address is known to be assigned: its normal form and tag, without the network, because the
 * formats of the families are disjoint, and one custody account has the same address on every EVM network.
 */
export function assignedAddress({ network, address, addressTag }: ExpectedDeposit): string {
  const to = parseAddress(network, address);
  return withTag(to?.address ?? address, addressTag ?? to?.tag);
}

/**
 * The assigned addresses that a transfer can have been sent to: its own with its tag, and the one that asks for no tag.
 * None while the custodian does not know the address yet, or gives one that cannot be read.
 */
export function assignedAddressesOf({ network, toAddress, toTag }: CustodianTransfer): readonly string[] {
  const to = parseAddress(network, toAddress);
  if (to === undefined) return [];
  const tag = toTag || to.tag;
  return tag === undefined ? [to.address] : [withTag(to.address, tag), to.address];
}

function withTag(address: string, tag: string | undefined): string {
  return tag === undefined ? address : `${address}#${tag}`;
}

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

/** Ids of the clients to whom the address of a transfer belongs; `undefined` while the address is unknown. */
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
