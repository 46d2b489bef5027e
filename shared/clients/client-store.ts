import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { clientApproval } from './client-approval.ts';
import { dailyLimits } from './costly-calls.ts';

const client = z.extend(z.pick(clientApproval, { clientId: true, complianceStatus: true, status: true }), {
  /** Of a client of which compliance has said nothing there are none. */
  resultIds: z.optional(z.array(z.string())),
  secretDigests: z.array(z.string()),
  previousSecretUntil: z.optional(z.string()),
  dailyLimits: z.optional(dailyLimits),
  /** Subjects of its client certificates, where an operator has named any. */
  certificateSubjects: z.optional(z.array(z.string())),
});

type Client = z.infer<typeof client>;
export type FindClient = (clientId: string) => Promise<Client | undefined>;

/** Read consistently: a client that was suspended a moment ago may change nothing more. */
export function createFindClient(dynamo: DynamoDBDocumentClient, table: string): FindClient {
  return async (clientId) => {
    const { Item } = await dynamo.send(new GetCommand({ TableName: table, Key: { clientId }, ConsistentRead: true }));
    return Item && client.parse(Item);
  };
}
