import { type DynamoDBClient, type TransactWriteItem, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import type { Payin, PayinStatus } from '#shared/domain/payin.ts';
import { toItem } from './client.ts';
import { type EventSource, statusEvent } from './outbox.ts';
import { payinKey } from './payins.ts';
import { userReference } from './records-of-user.ts';
import { shardOf } from './shards.ts';
import { transact, WriteConflict } from './transaction.ts';
import { updateItem } from './update-item.ts';

/** The first look at the rail for a pay-in that no notification has ended. */
const FIRST_LOOK_SECONDS = 60;

/** Writes of the pay-ins table: a change and its event are one transaction. */
export function payinChangesIn(
  dynamo: DynamoDBClient,
  tables: { readonly payins: string; readonly events: string },
  newId: () => string,
) {
  const { payins: table } = tables;
  return {
    /** False when there is a pay-in with this id already. */
    async create(payin: Payin): Promise<boolean> {
      const firstLook = new Date(Date.parse(payin.createdAt) + FIRST_LOOK_SECONDS * 1000).toISOString();
      const due = { dueShard: shardOf('PAYIN', payin.payinId), nextLookAt: firstLook };
      const indexed = { ...due, userReference: userReference(payin) };
      const lost = await transact(dynamo, {
        payin: {
          Put: {
            TableName: table,
            Item: toItem({ ...payin, ...indexed, record: 'PAYIN' }),
            ConditionExpression: 'attribute_not_exists(payinId)',
          },
        },
        event: changedStatus({ table: tables.events, now: new Date(payin.createdAt), newId }, payin, null),
      });
      return lost.size === 0;
    },

    async keepLink(payinId: string, link: string): Promise<void> {
      await updateItem(
        dynamo,
        new UpdateItemCommand({
          TableName: table,
          Key: payinKey(payinId),
          UpdateExpression: 'SET pseLink = if_not_exists(pseLink, :link)',
          ExpressionAttributeValues: toItem({ ':link': link }),
        }),
      );
    },

    /** @throws {WriteConflict} when the pay-in was written since it was read. */
    async changeStatus(seen: Payin, to: PayinStatus, at: string): Promise<Payin> {
      const after: Payin = {
        ...seen,
        status: to,
        sequence: seen.sequence + 1,
        statusHistory: [...seen.statusHistory, { status: to, at }],
      };
      const lost = await transact(dynamo, {
        payin: {
          Update: {
            TableName: table,
            Key: payinKey(seen.payinId),
            UpdateExpression:
              'SET #status = :to, #sequence = :next, statusHistory = list_append(statusHistory, :entry) REMOVE dueShard, nextLookAt',
            ConditionExpression: '#sequence = :seen',
            ExpressionAttributeNames: { '#status': 'status', '#sequence': 'sequence' },
            ExpressionAttributeValues: toItem({
              ':to': to,
              ':next': after.sequence,
              ':seen': seen.sequence,
              ':entry': [{ status: to, at }],
            }),
          },
        },
        event: changedStatus({ table: tables.events, now: new Date(at), newId }, after, seen.status),
      });
      if (lost.size > 0) throw new WriteConflict([...lost].join());
      return after;
    },

    /** Puts the next look off; none takes the pay-in out of the index. */
    async lookAgainAt(payinId: string, nextLookAt: string | undefined): Promise<void> {
      await updateItem(
        dynamo,
        new UpdateItemCommand({
          TableName: table,
          Key: payinKey(payinId),
          ConditionExpression: 'attribute_exists(dueShard)',
          ...(nextLookAt === undefined
            ? { UpdateExpression: 'REMOVE dueShard, nextLookAt' }
            : {
                UpdateExpression: 'SET nextLookAt = :next',
                ExpressionAttributeValues: toItem({ ':next': nextLookAt }),
              }),
        }),
      );
    },
  };
}

export type PayinChanges = ReturnType<typeof payinChangesIn>;

function changedStatus(
  source: EventSource,
  { payinId, clientId, userId, status, sequence }: Payin,
  previousStatus: PayinStatus | null,
): TransactWriteItem {
  const data = { payinId, userId, status, previousStatus, sequence };
  return statusEvent(source, { clientId, type: 'ramp.payin.status_changed' }, data);
}
