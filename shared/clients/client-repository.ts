import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { statusEvent, writeWithEvents } from '#shared/events/write-with-events.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { type TransactionLeg, WriteConflict } from '#shared/platform/dynamodb/transaction.ts';
import { type ClientApproval, clientApproval, clientStatusOf } from './client-approval.ts';
import { type ClientProfile, clientAnswer, clientStatusChanged } from './client-contract.ts';
import { dailyLimits } from './daily-allowances.ts';

export const client = z.extend(z.pick(clientApproval, { clientId: true, complianceStatus: true, status: true }), {
  /** Absent until the first result of compliance. */
  resultIds: z.optional(z.array(z.string())),
  secretDigests: z.array(z.string()),
  previousSecretUntil: z.optional(z.string()),
  dailyLimits: z.optional(dailyLimits),
  /** Subjects of its client certificates, if an operator has named any. */
  certificateSubjects: z.optional(z.array(z.string())),
});

export type Client = z.infer<typeof client>;
export type FindClient = (clientId: string) => Promise<Client | undefined>;

/** A consistent read, so that a suspension takes effect at once. */
export function createFindClient(dynamo: DynamoDBDocumentClient, table: string): FindClient {
  return async (clientId) => {
    const { Item } = await dynamo.send(new GetCommand({ TableName: table, Key: { clientId }, ConsistentRead: true }));
    return Item && client.parse(Item);
  };
}

export type FindClientProfile = (clientId: string) => Promise<ClientProfile | undefined>;

export const storedProfile = z.object({
  profile: z.omit(clientAnswer, { id: true, complianceStatus: true, status: true }),
});

/** Times and sequence do not matter here, so a record without them is readable. */
const approval = z.pick(clientApproval, { complianceStatus: true, status: true });

/** A client with its profile (interface 2.1). The record itself has the approval, because every change reads it. */
export function createFindClientProfile(dynamo: DynamoDBDocumentClient, table: string): FindClientProfile {
  return async (clientId) => {
    const { Item } = await dynamo.send(new GetCommand({ TableName: table, Key: { clientId }, ConsistentRead: true }));
    if (Item === undefined) return undefined;
    const { complianceStatus, status } = approval.parse(Item);
    return { ...storedProfile.parse(Item).profile, id: clientId, complianceStatus, status };
  };
}

/** The approval in the client's record, which every changing call of the client reads. */
export function createClientApprovals(
  dynamo: DynamoDBDocumentClient,
  tables: { readonly clients: string; readonly events: string },
  clock: Clock,
) {
  return {
    async find(clientId: string): Promise<ClientApproval | undefined> {
      const { Item } = await dynamo.send(
        new GetCommand({ TableName: tables.clients, Key: { clientId }, ConsistentRead: true }),
      );
      return Item && clientApproval.parse(Item);
    },

    /**
     * Writes the approval, and in the same transaction the event if the client's status has changed.
     *
     * @throws {WriteConflict} when the record changed after it was read.
     */
    async change(seen: ClientApproval, after: ClientApproval): Promise<void> {
      const [previousStatus, status] = [clientStatusOf(seen), clientStatusOf(after)];
      const failed = await writeWithEvents(dynamo, {
        client: changeApproval(tables.clients, seen, after),
        ...(status !== previousStatus && {
          event: statusEvent(
            { table: tables.events, now: clock.now() },
            { clientId: after.clientId, type: 'compliance.client.status_changed' },
            clientStatusChanged.shape.data.parse({ ...after, status, previousStatus }),
          ),
        }),
      });
      if (failed.size > 0) throw new WriteConflict([...failed].join());
    },
  };
}

export type ClientApprovals = ReturnType<typeof createClientApprovals>;

/** Writes only the approval, and nothing if the record was removed or changed after it was read. */
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
        // DynamoDB refuses a value that no expression uses; an undefined one is left out.
        ':seen': seen.sequence === 0 ? undefined : seen.sequence,
      },
    },
  };
}

/** True if the client may make changes. */
export function isApproved(client: Awaited<ReturnType<FindClient>>): boolean {
  return client?.status === 'approved' && client.complianceStatus === 'approved';
}

/** The subjects of a client's certificates, as API Gateway writes them. */
interface Certified {
  readonly certificateSubjects?: readonly string[] | undefined;
}

/**
 * True if the call has a certificate of the client (decisions.md 1, Production), or if no certificate is declared for
 * the client.
 */
export function hasCertificateOf({ certificateSubjects = [] }: Certified, subject: string | undefined): boolean {
  return certificateSubjects.length === 0 || (subject !== undefined && certificateSubjects.includes(subject));
}
