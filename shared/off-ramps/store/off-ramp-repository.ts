import { type DynamoDBDocumentClient, GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import {
  type ClientFilter,
  queryClientIndex,
  queryUserIndex,
  referenceKey,
  type UserFilter,
} from '#shared/clients/record-index.ts';
import { type OffRamp, offRamp } from '#shared/off-ramps/model/off-ramp.ts';
import { type Verification, verification } from '#shared/off-ramps/model/verification.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { batchGet } from '#shared/platform/dynamodb/batch-get.ts';
import type { Item } from '#shared/platform/dynamodb/client.ts';
import { assignments } from '#shared/platform/dynamodb/conditional-write.ts';
import { shardOf, shards } from '#shared/platform/dynamodb/index-entries.ts';
import type { TransactionLeg } from '#shared/platform/dynamodb/transaction.ts';
import { parseReadable } from '#shared/platform/unreadable.ts';

const recordKind = z.object({ record: z.string(), originExternalWalletId: z.optional(z.string()) });

export const operationKey = (operationId: string): Item => ({ operationId, record: 'OPERATION' });
export const verificationKey = (operationId: string): Item => ({ operationId, record: 'VERIFICATION' });

export interface OffRampState {
  readonly operation: OffRamp;
  readonly verification: Verification | undefined;
}

/** Consistent reads of the operations table. */
export function createOffRampRepository(dynamo: DynamoDBDocumentClient, table: string) {
  return {
    /** Reads the operation, if it is an off-ramp funded from an external wallet. */
    async find(operationId: string): Promise<OffRamp | undefined> {
      const { Item } = await dynamo.send(
        new GetCommand({ TableName: table, Key: operationKey(operationId), ConsistentRead: true }),
      );
      return Item && parseOffRamp(Item);
    },

    /** Reads the operation and its current verification, in one query. */
    async findWithVerification(operationId: string): Promise<OffRampState | undefined> {
      const { Items = [] } = await dynamo.send(
        new QueryCommand({
          TableName: table,
          KeyConditionExpression: 'operationId = :id AND #record >= :first',
          ExpressionAttributeNames: { '#record': 'record' },
          ExpressionAttributeValues: { ':id': operationId, ':first': 'OPERATION' },
          ConsistentRead: true,
        }),
      );
      const records = new Map(Items.map((item) => [recordKind.parse(item).record, item]));
      const [operationItem, verificationItem] = [records.get('OPERATION'), records.get('VERIFICATION')];
      const operation = operationItem && parseOffRamp(operationItem);
      return operation && { operation, verification: verificationItem && verification.parse(verificationItem) };
    },
  };
}

export type OffRamps = ReturnType<typeof createOffRampRepository>;

/** Reads for the lists of a user's or a client's operations: newest first, beginning after the given operation. */
export function createListedOffRamps(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  const placeOf = (after: OffRamp | undefined) =>
    after && { key: operationKey(after.operationId), createdAt: after.createdAt };
  return {
    idsOfUser: (of: UserFilter, after: OffRamp | undefined): AsyncGenerator<string> =>
      queryUserIndex(dynamo, table, 'operationId', of, placeOf(after)),

    idsOfClient: (of: ClientFilter, after: OffRamp | undefined): AsyncGenerator<string> =>
      queryClientIndex(dynamo, table, 'operationId', of, placeOf(after)),

    /** Reads at most 100 operations, in the order of `ids`. */
    async getAll(ids: readonly string[]): Promise<readonly (OffRamp | undefined)[]> {
      const items = await batchGet(dynamo, clock, table, ids.map(operationKey));
      return items.map((item) => item && parseOffRamp(item));
    },

    /** Like `getAll`, but `undefined` for an operation that cannot be read. */
    async getReadable(ids: readonly string[]): Promise<readonly (OffRamp | undefined)[]> {
      const items = await batchGet(dynamo, clock, table, ids.map(operationKey));
      return ids.map((id, position) => parseReadable(id, () => items[position] && parseOffRamp(items[position])));
    },

    /** Reads the verifications of at most 100 operations, in the order of `ids`; `undefined` where there is none. */
    async getVerifications(ids: readonly string[]): Promise<readonly (Verification | 'UNREADABLE' | undefined)[]> {
      const items = await batchGet(dynamo, clock, table, ids.map(verificationKey));
      return items.map(
        (item, at) => item && (parseReadable(ids[at] ?? '', () => verification.parse(item)) ?? 'UNREADABLE'),
      );
    },
  };
}

export type ListedOffRamps = ReturnType<typeof createListedOffRamps>;

function parseOffRamp(item: Item): OffRamp | undefined {
  return recordKind.parse(item).originExternalWalletId === undefined ? undefined : offRamp.parse(item);
}

/** A sparse index of the operations that await their deposit, by expiry; each client is a shard. */
export const AWAITING_INDEX = 'awaiting';

/** A sparse index of each client's credited operations, by the time of their credit. */
export const CREDITED_INDEX = 'credited';

/** A sparse index of the operations that wait for their payout, by the time of their credit. */
export const PENDING_INDEX = 'pending';

export const pendingShards = shards('PENDING');

/** A sparse index of the operations with an open contradiction, by its time. */
export const CONTRADICTED_INDEX = 'contradicted';

/** Prefix of the shards of that index. */
export const CONTRADICTED = 'CONTRADICTED';

/** The leg that writes a new operation, or puts back one that a restore has lost. */
export function putOperation(table: string, operation: OffRamp): TransactionLeg {
  return {
    Put: {
      TableName: table,
      Item: {
        ...operation,
        ...referenceKey(operation),
        record: 'OPERATION',
        ...(operation.status === 'AWAITING_DEPOSIT' && { awaitingShard: operation.clientId }),
      },
      ConditionExpression: 'attribute_not_exists(operationId)',
    },
  };
}

/** The leg that records the hash reported for an operation that awaits its deposit, and counts the attempt. */
export function recordHash(table: string, seen: OffRamp, of: Pick<Verification, 'txHash' | 'attempt'>): TransactionLeg {
  return setWhileAwaiting(table, seen, { txHash: of.txHash, attempt: of.attempt });
}

/** The leg that only raises the sequence of an operation that awaits its deposit. */
export function advanceSequence(table: string, seen: OffRamp): TransactionLeg {
  return setWhileAwaiting(table, seen, {});
}

/** The leg that ends the window of an operation that awaits its deposit, which only the sandbox does. */
export function expireAt(table: string, seen: OffRamp, at: string): TransactionLeg {
  return setWhileAwaiting(table, seen, { expiresAt: at });
}

/** The leg that sets an operation's attributes and removes undefined ones, if status and sequence are as read. */
export function setAttributes(table: string, seen: OffRamp, attributes: Item): TransactionLeg {
  const { expression, names, values } = assignments({ ...attributes, sequence: seen.sequence + 1 });
  return {
    Update: {
      TableName: table,
      Key: operationKey(seen.operationId),
      UpdateExpression: expression,
      ConditionExpression: '#sequence = :seen AND #status = :from',
      ExpressionAttributeNames: { ...names, '#status': 'status' },
      ExpressionAttributeValues: { ...values, ':seen': seen.sequence, ':from': seen.status },
    },
  };
}

/** Like `setAttributes`, but only for an operation that awaits its deposit. */
function setWhileAwaiting(table: string, seen: OffRamp, attributes: Item): TransactionLeg {
  return setAttributes(table, { ...seen, status: 'AWAITING_DEPOSIT' }, attributes);
}

/** The check that an operation is as read, in any status. */
export function checkOperationUnchanged(table: string, { operationId, sequence }: OffRamp): TransactionLeg {
  return {
    ConditionCheck: {
      TableName: table,
      Key: operationKey(operationId),
      ConditionExpression: '#sequence = :sequence',
      ExpressionAttributeNames: { '#sequence': 'sequence' },
      ExpressionAttributeValues: { ':sequence': sequence },
    },
  };
}

/**
 * The leg that credits an operation with a verified deposit: from now on it waits for its payout. The reported hash
 * stays in its verification.
 */
export function markCredited(table: string, seen: OffRamp, at: string, verifiedTxHash: string): TransactionLeg {
  const { operationId } = seen;
  return setAttributes(table, seen, {
    status: 'PENDING',
    ...{ verifiedTxHash, txHash: undefined, creditedAt: at },
    awaitingShard: undefined,
    pendingShard: shardOf('PENDING', operationId),
  });
}

/** The leg that ends the operation, with the details of its end. */
export function markEnded(
  table: string,
  seen: OffRamp,
  end: Partial<OffRamp> & { readonly contradictedShard?: string },
): TransactionLeg {
  return setAttributes(table, seen, { ...end, awaitingShard: undefined, pendingShard: undefined });
}
