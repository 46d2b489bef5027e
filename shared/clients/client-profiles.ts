import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { fromItem, toItem } from '#shared/platform/dynamodb/client.ts';
import { clientAnswer } from './client-contract.ts';

type ClientProfile = z.infer<typeof clientAnswer>;

export type FindClientProfile = (clientId: string) => Promise<ClientProfile | undefined>;

/** What the client's record has besides its profile. */
const approval = z.object({ clientId: z.string(), complianceStatus: z.string(), status: z.string() });

const profile = z.object({ profile: z.omit(clientAnswer, { id: true, complianceStatus: true, status: true }) });

/** A client with its profile (interface 2.1). Its approval stands in the record itself, where every change reads it. */
export function createFindClientProfile(dynamo: DynamoDBClient, table: string): FindClientProfile {
  return async (clientId) => {
    const { Item } = await dynamo.send(
      new GetItemCommand({ TableName: table, Key: toItem({ clientId }), ConsistentRead: true }),
    );
    if (Item === undefined) return undefined;
    const { complianceStatus, status } = fromItem(approval, Item);
    return { ...fromItem(profile, Item).profile, id: clientId, complianceStatus, status };
  };
}
