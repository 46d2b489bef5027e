import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Item } from '#shared/platform/dynamodb/client.ts';
import type { TransactionLeg } from '#shared/platform/dynamodb/transaction.ts';

/**
 * Two kinds of claim on a hash (decisions.md 4, Unique hash): DECLARED, which one operation holds at a time and
 * releases, and FUNDED, which is never changed and never deleted.
 */
type ClaimKind = 'DECLARED' | 'FUNDED';

const claim = z.object({ operationId: z.string() });

export async function claimantOf(
  dynamo: DynamoDBDocumentClient,
  table: string,
  kind: ClaimKind,
  txHash: string,
): Promise<string | undefined> {
  const { Item } = await dynamo.send(
    new GetCommand({ TableName: table, Key: claimKey(kind, txHash), ConsistentRead: true }),
  );
  return Item && claim.parse(Item).operationId;
}

export function declareHash(table: string, txHash: string, operationId: string): TransactionLeg {
  return {
    Put: {
      TableName: table,
      Item: { ...claimKey('DECLARED', txHash), ...{ operationId } },
      ConditionExpression: 'attribute_not_exists(claim) OR operationId = :own',
      ExpressionAttributeValues: { ':own': operationId },
    },
  };
}

/** The leg, if needed, that releases an operation's declared hash, unless that hash stays. */
export function releaseDeclaration(
  table: string,
  { operationId, txHash: declared }: { readonly operationId: string; readonly txHash?: string | undefined },
  staying?: string,
): { readonly released?: TransactionLeg } {
  if (declared === undefined || declared === staying) return {};
  return {
    released: {
      Delete: {
        TableName: table,
        Key: claimKey('DECLARED', declared),
        ConditionExpression: 'attribute_not_exists(claim) OR operationId = :own',
        ExpressionAttributeValues: { ':own': operationId },
      },
    },
  };
}

export function checkUnfunded(table: string, txHash: string): TransactionLeg {
  return {
    ConditionCheck: {
      TableName: table,
      Key: claimKey('FUNDED', txHash),
      ConditionExpression: 'attribute_not_exists(claim)',
    },
  };
}

/** One transaction funds one operation: this claim can be made once. */
export function fundWithHash(table: string, txHash: string, operationId: string): TransactionLeg {
  return {
    Put: {
      TableName: table,
      Item: { ...claimKey('FUNDED', txHash), ...{ operationId } },
      ConditionExpression: 'attribute_not_exists(claim)',
    },
  };
}

function claimKey(kind: ClaimKind, txHash: string): Item {
  return { claim: `${kind}#${txHash}` };
}
