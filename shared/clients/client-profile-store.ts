import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { clientApproval } from './client-approval.ts';
import { clientAnswer } from './client-contract.ts';

export type ClientProfile = z.infer<typeof clientAnswer>;

export type FindClientProfile = (clientId: string) => Promise<ClientProfile | undefined>;

const profile = z.object({ profile: z.omit(clientAnswer, { id: true, complianceStatus: true, status: true }) });

/** Whose times and sequence do not matter here: a record that has none can be read. */
const approval = z.pick(clientApproval, { complianceStatus: true, status: true });

/** A client with its profile (interface 2.1). Its approval stands in the record itself, where every change reads it. */
export function createFindClientProfile(dynamo: DynamoDBDocumentClient, table: string): FindClientProfile {
  return async (clientId) => {
    const { Item } = await dynamo.send(new GetCommand({ TableName: table, Key: { clientId }, ConsistentRead: true }));
    if (Item === undefined) return undefined;
    const { complianceStatus, status } = approval.parse(Item);
    return { ...profile.parse(Item).profile, id: clientId, complianceStatus, status };
  };
}
