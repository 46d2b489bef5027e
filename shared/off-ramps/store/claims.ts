import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { CustodianTransfer } from '#shared/off-ramps/custodians/custodian.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { inGroups } from '#shared/platform/collections.ts';
import { batchGet } from '#shared/platform/dynamodb/batch-get.ts';
import type { Item } from '#shared/platform/dynamodb/client.ts';
import type { TransactionLeg } from '#shared/platform/dynamodb/transaction.ts';

/**
 * Two kinds of claim on a hash (decisions.md 4, Unique hash): DECLARED, which one operation holds at a time and
 * releases, and FUNDED, which is never changed and never deleted.
 */
type ClaimKind = 'DECLARED' | 'FUNDED';

export const claim = z.object({ operationId: z.string() });

/** The most claims that one batch reads. */
const MOST_READ = 100;

/** A FUNDED claim also names the deposit that funds the operation. The operation does not, to keep its writes small. */
export const funding = z.object({ custodianTransferId: z.string() });

export async function findClaimant(
  dynamo: DynamoDBDocumentClient,
  table: string,
  kind: ClaimKind,
  txHash: string,
): Promise<string | undefined> {
  const item = await readClaim(dynamo, table, claimKey(kind, txHash));
  return item && claim.parse(item).operationId;
}

/** The custodian's id of the deposit that funds an operation with the transaction. */
export async function findFundingDeposit(
  dynamo: DynamoDBDocumentClient,
  table: string,
  txHash: string,
): Promise<string> {
  return funding.parse(await readClaim(dynamo, table, claimKey('FUNDED', txHash))).custodianTransferId;
}

/** Adds to any number of operations the deposit that funds each. `unfunded` has those whose claim cannot be read. */
export async function addFundingDeposits<Funded extends { readonly verifiedTxHash: string }>(
  dynamo: DynamoDBDocumentClient,
  table: string,
  clock: Clock,
  operations: readonly Funded[],
) {
  const funded: (Funded & z.infer<typeof funding>)[] = [];
  const unfunded: Funded[] = [];
  for await (const group of inGroups(operations, MOST_READ)) {
    const keys = group.map(({ verifiedTxHash }) => claimKey('FUNDED', verifiedTxHash));
    const claims = await batchGet(dynamo, clock, table, keys);
    for (const [position, one] of group.entries()) {
      const { data } = funding.safeParse(claims[position]);
      if (data === undefined) unfunded.push(one);
      else funded.push({ ...one, ...data });
    }
  }
  return { funded, unfunded };
}

/** The key of the claim that one outgoing movement returns one deposit. It is never changed. */
export const returnKey = (txHash: string, movementId: string): Item => ({ claim: `RETURN#${txHash}#${movementId}` });

/** Finds the custodian's ids of the deposits that these movements return; `undefined` if one returns none. */
export function createFindReturnedDeposits(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  return async (movements: readonly { readonly txHash: string; readonly movementId: string }[]) => {
    const found: (string | undefined)[] = [];
    for await (const group of inGroups(movements, MOST_READ)) {
      const keys = group.map(({ txHash, movementId }) => returnKey(txHash, movementId));
      const claims = await batchGet(dynamo, clock, table, keys);
      found.push(...claims.map((item) => item && funding.parse(item).custodianTransferId));
    }
    return found;
  };
}

export type FindReturnedDeposits = ReturnType<typeof createFindReturnedDeposits>;

export function declareHash(table: string, txHash: string, operationId: string): TransactionLeg {
  return {
    Put: {
      TableName: table,
      Item: { ...claimKey('DECLARED', txHash), operationId },
      ConditionExpression: 'attribute_not_exists(claim) OR operationId = :own',
      ExpressionAttributeValues: { ':own': operationId },
    },
  };
}

/** The leg that releases an operation's declared hash, if there is one and it is not `staying`. */
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

/**
 * The leg that claims a hash as FUNDED: one transaction funds one operation by one deposit. The same claim is accepted
 * again, because a restore may have kept it without the rest of its credit.
 */
export function fundWithHash(
  table: string,
  { txHash, custodianTransferId }: Pick<CustodianTransfer, 'txHash' | 'custodianTransferId'>,
  operationId: string,
): TransactionLeg {
  return {
    Put: {
      TableName: table,
      Item: { ...claimKey('FUNDED', txHash), operationId, custodianTransferId },
      ConditionExpression:
        'attribute_not_exists(claim) OR (operationId = :operation AND custodianTransferId = :deposit)',
      ExpressionAttributeValues: { ':operation': operationId, ':deposit': custodianTransferId },
    },
  };
}

/**
 * The key of the movement of a transfer into our accounts: two records of one movement at the custodian are one deposit
 * (decisions.md 9, Sending). If the adapter does not know the chain's own index, the custodian's id takes its place.
 */
function movementKey({
  network,
  txHash,
  movementIndex,
  custodianTransferId,
}: Pick<CustodianTransfer, 'network' | 'txHash' | 'movementIndex' | 'custodianTransferId'>): Item {
  return { claim: `MOVEMENT#${network}#${txHash}#${movementIndex ?? custodianTransferId}` };
}

/** The leg that claims a movement for its deposit. Fails if another deposit has the claim. */
export function claimMovement(table: string, transfer: CustodianTransfer): TransactionLeg {
  return claimOnce(table, movementKey(transfer), transfer.custodianTransferId);
}

/** Reads and claims the movements of transfers. */
export function createMovements(dynamo: DynamoDBDocumentClient, table: string) {
  return {
    /** True if another deposit has claimed the transfer's movement. */
    async isTaken(transfer: CustodianTransfer): Promise<boolean> {
      const item = await readClaim(dynamo, table, movementKey(transfer));
      return item !== undefined && funding.parse(item).custodianTransferId !== transfer.custodianTransferId;
    },

    claim: (transfer: CustodianTransfer) => claimMovement(table, transfer),
  };
}

export type Movements = ReturnType<typeof createMovements>;

/** True if a hash has settled another deposit, from when hashes of returns were not yet looked up. */
export function createIsSettledBy(dynamo: DynamoDBDocumentClient, table: string) {
  return async ({ network, txHash }: Pick<CustodianTransfer, 'network' | 'txHash'>, custodianTransferId: string) => {
    const item = await readClaim(dynamo, table, { claim: `SETTLED#${network}#${txHash}` });
    return item !== undefined && funding.parse(item).custodianTransferId !== custodianTransferId;
  };
}

/** The leg that claims a movement out of our accounts for the one deposit that it returns. */
export function claimReturn(
  table: string,
  { txHash, movementId }: { readonly txHash: string; readonly movementId: string },
  custodianTransferId: string,
): TransactionLeg {
  return claimOnce(table, returnKey(txHash, movementId), custodianTransferId);
}

function claimOnce(table: string, key: Item, custodianTransferId: string): TransactionLeg {
  return {
    Put: {
      TableName: table,
      Item: { ...key, custodianTransferId },
      ConditionExpression: 'attribute_not_exists(claim) OR custodianTransferId = :own',
      ExpressionAttributeValues: { ':own': custodianTransferId },
    },
  };
}

/** A claim by its key, read consistently. */
export async function readClaim(dynamo: DynamoDBDocumentClient, table: string, Key: Item): Promise<Item | undefined> {
  const { Item } = await dynamo.send(new GetCommand({ TableName: table, Key, ConsistentRead: true }));
  return Item;
}

function claimKey(kind: ClaimKind, txHash: string): Item {
  return { claim: `${kind}#${txHash}` };
}
