import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { statusEvent } from '#shared/events/outbox.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { type TransactionLeg, transact, WriteConflict } from '#shared/platform/dynamodb/transaction.ts';
import { type ClientApproval, clientApproval, statusOf } from './client-approval.ts';
import { clientStatusChanged } from './client-events.ts';

/** The approval in the client's record, which every changing call of the client reads. */
export function createClientApprovals(
  dynamo: DynamoDBDocumentClient,
  tables: { readonly clients: string; readonly events: string },
  clock: Clock,
  newId: () => string,
) {
  return {
    async find(clientId: string): Promise<ClientApproval | undefined> {
      const { Item } = await dynamo.send(
        new GetCommand({ TableName: tables.clients, Key: { clientId }, ConsistentRead: true }),
      );
      return Item && clientApproval.parse(Item);
    },

    /**
     * Writes the approval, and in the same transaction the event if the status that the client reads has changed.
     *
     * @throws {WriteConflict} when the record was written since it was read.
     */
    async change(seen: ClientApproval, after: ClientApproval): Promise<void> {
      const [previousStatus, status] = [statusOf(seen), statusOf(after)];
      const lost = await transact(dynamo, {
        client: changeApproval(tables.clients, seen, after),
        ...(status !== previousStatus && {
          event: statusEvent(
            { table: tables.events, now: clock.now(), newId },
            { clientId: after.clientId, type: 'compliance.client.status_changed' },
            clientStatusChanged.shape.data.parse({ ...after, status, previousStatus }),
          ),
        }),
      });
      if (lost.size > 0) throw new WriteConflict([...lost].join());
    },
  };
}

export type ClientApprovals = ReturnType<typeof createClientApprovals>;

/** Nothing else of the record is written, and nothing at all if it is gone or was written since it was read. */
function changeApproval(table: string, seen: ClientApproval, after: ClientApproval): TransactionLeg {
  return {
    Update: {
      TableName: table,
      Key: { clientId: seen.clientId },
      UpdateExpression: `SET complianceStatus = :compliance, #status = :status, resultIds = :results, #sequence = :next${
        after.withheld === undefined ? '' : ', withheld = :withheld'
      }`,
      ConditionExpression:
        seen.sequence === 0 ? 'attribute_exists(clientId) AND attribute_not_exists(#sequence)' : '#sequence = :seen',
      ExpressionAttributeNames: { '#status': 'status', '#sequence': 'sequence' },
      ExpressionAttributeValues: {
        ':compliance': after.complianceStatus,
        ':status': after.status,
        ':results': after.resultIds,
        ':withheld': after.withheld,
        ':next': after.sequence,
        // A value that no expression uses is refused.
        ':seen': seen.sequence === 0 ? undefined : seen.sequence,
      },
    },
  };
}
