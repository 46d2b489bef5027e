import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { parseAddress } from '#shared/networks/network.ts';
import { addressKey } from '#shared/off-ramps/custodians/assigned-addresses.ts';
import type { CustodianTransfer } from '#shared/off-ramps/custodians/custodian.ts';
import { type ExpectedDeposit, type OffRamp, offRamp } from '#shared/off-ramps/model/off-ramp.ts';
import type { Item } from '#shared/platform/dynamodb/client.ts';
import type { TransactionLeg } from '#shared/platform/dynamodb/transaction.ts';
import { readClaim } from './claims.ts';

/**
 * The key of an assigned deposit address: its normal form and tag, without the network, because the formats of the
 * families are disjoint, and one custody account has the same address on every EVM network.
 */
export function assignedAddress({ network, address, addressTag }: ExpectedDeposit): string {
  const to = parseAddress(network, address);
  return withTag(to?.address ?? address, addressTag ?? to?.tag);
}

/**
 * The keys of the assigned addresses to which a transfer can belong: its address with its tag, and without a tag. None
 * while the address is unknown or unreadable.
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

export const assignment = z.object({ operationId: z.string(), userId: z.string(), clientId: z.string() });

/** The owner of a deposit address: the last operation that it was assigned to. The user never changes. */
export type Assignment = Readonly<z.infer<typeof assignment>>;

/**
 * The leg that assigns an operation's deposit address: a free address, or that of an earlier operation of the same
 * user.
 */
export function assignAddress(table: string, operation: OffRamp, previous?: string): TransactionLeg {
  const { operationId, userId, clientId } = operation;
  return {
    Put: {
      TableName: table,
      Item: { ...addressKey(assignedAddress(operation)), operationId, userId, clientId },
      ...(previous === undefined
        ? { ConditionExpression: 'attribute_not_exists(claim)' }
        : {
            ConditionExpression: 'operationId = :previous AND userId = :user',
            ExpressionAttributeValues: { ':previous': previous, ':user': userId },
          }),
    },
  };
}

/** The key of the claim of a stored operation's deposit address. */
export const assignmentKey = (operation: Item): Item => addressKey(assignedAddress(offRamp.parse(operation)));

/** Finds the owner of an operation's deposit address. */
export function findAssignment(
  dynamo: DynamoDBDocumentClient,
  table: string,
  expected: ExpectedDeposit,
): Promise<Assignment | undefined> {
  return readAssignment(dynamo, table, assignedAddress(expected));
}

/** Finds the owner of an address, given in its normal form, with its tag if any. */
export function findAssignmentOf(
  dynamo: DynamoDBDocumentClient,
  table: string,
  address: string,
  tag: string | undefined,
): Promise<Assignment | undefined> {
  return readAssignment(dynamo, table, withTag(address, tag));
}

/**
 * Finds the owners of a transfer's address: first the owner of its tag, then that of the whole account. `undefined`
 * while the address is unknown.
 */
export function createFindAddressOwners(dynamo: DynamoDBDocumentClient, table: string) {
  return async (transfer: CustodianTransfer): Promise<readonly Assignment[] | undefined> => {
    const addresses = assignedAddressesOf(transfer);
    if (addresses.length === 0) return undefined;
    const found = await Promise.all(addresses.map((address) => readAssignment(dynamo, table, address)));
    return found.filter((one) => one !== undefined);
  };
}

export type FindAddressOwners = ReturnType<typeof createFindAddressOwners>;

async function readAssignment(dynamo: DynamoDBDocumentClient, table: string, address: string) {
  const item = await readClaim(dynamo, table, addressKey(address));
  return item && assignment.parse(item);
}
