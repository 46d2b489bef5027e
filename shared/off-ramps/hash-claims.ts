import { type DynamoDBClient, GetItemCommand, type TransactWriteItem } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { fromItem, type Item, toItem } from '#shared/platform/dynamodb/client.ts';

/**
 * Two kinds of claim on a hash (decisions.md 4, Unique hash): DECLARED, which one operation holds at a time and gives
 * back, and FUNDED, which is never changed and never deleted.
 */
type ClaimKind = 'DECLARED' | 'FUNDED';

const claim = z.object({ operationId: z.string() });

export async function claimantOf(
  dynamo: DynamoDBClient,
  table: string,
  kind: ClaimKind,
  txHash: string,
): Promise<string | undefined> {
  const { Item } = await dynamo.send(
    new GetItemCommand({ TableName: table, Key: claimKey(kind, txHash), ConsistentRead: true }),
  );
  return Item && fromItem(claim, Item).operationId;
}

export function declareHash(table: string, txHash: string, operationId: string): TransactWriteItem {
  return {
    Put: {
      TableName: table,
      Item: { ...claimKey('DECLARED', txHash), ...toItem({ operationId }) },
      ConditionExpression: 'attribute_not_exists(claim) OR operationId = :own',
      ExpressionAttributeValues: toItem({ ':own': operationId }),
    },
  };
}

/** The leg, if one is needed, that frees the hash an operation has declared, unless it is the one that stays. */
export function releaseDeclaration(
  table: string,
  { operationId, txHash: declared }: { readonly operationId: string; readonly txHash?: string | undefined },
  staying?: string,
): { readonly released?: TransactWriteItem } {
  if (declared === undefined || declared === staying) return {};
  return {
    released: {
      Delete: {
        TableName: table,
        Key: claimKey('DECLARED', declared),
        ConditionExpression: 'attribute_not_exists(claim) OR operationId = :own',
        ExpressionAttributeValues: toItem({ ':own': operationId }),
      },
    },
  };
}

export function checkUnfunded(table: string, txHash: string): TransactWriteItem {
  return {
    ConditionCheck: {
      TableName: table,
      Key: claimKey('FUNDED', txHash),
      ConditionExpression: 'attribute_not_exists(claim)',
    },
  };
}

/** One transaction funds one operation: this claim can be made once. */
export function fundWithHash(table: string, txHash: string, operationId: string): TransactWriteItem {
  return {
    Put: {
      TableName: table,
      Item: { ...claimKey('FUNDED', txHash), ...toItem({ operationId }) },
      ConditionExpression: 'attribute_not_exists(claim)',
    },
  };
}

/** The declaration of the hash is absent, or held by one of these operations. */
export function checkDeclaredByOneOf(
  table: string,
  txHash: string,
  operationIds: readonly string[],
): TransactWriteItem {
  const holders = operationIds.map((_, index) => `:holder${index}`);
  return {
    ConditionCheck: {
      TableName: table,
      Key: claimKey('DECLARED', txHash),
      ConditionExpression: `attribute_not_exists(claim) OR operationId IN (${holders.join(', ')})`,
      ExpressionAttributeValues: toItem(Object.fromEntries(operationIds.map((id, index) => [`:holder${index}`, id]))),
    },
  };
}

function claimKey(kind: ClaimKind, txHash: string): Item {
  return toItem({ claim: `${kind}#${txHash}` });
}
