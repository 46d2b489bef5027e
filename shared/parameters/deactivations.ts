import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { conflictingItem, unlessConditionFails } from '#shared/platform/dynamodb/conditional-write.ts';
import type { ParameterKind } from './parameter-store.ts';

/** The operators' deactivations of banks and tokens, stored with the entries that deployments load from files. */
export function createDeactivations(dynamo: DynamoDBDocumentClient, table: string) {
  return {
    /** Deactivates an entry; false if there is none. An entry that is already deactivated stays as it is. */
    async deactivate(kind: ParameterKind, id: string, at: string): Promise<boolean> {
      const update = new UpdateCommand({
        TableName: table,
        Key: { kind, id },
        UpdateExpression: 'SET deactivatedAt = if_not_exists(deactivatedAt, :at)',
        ConditionExpression: 'attribute_exists(id)',
        ExpressionAttributeValues: { ':at': at },
      });
      return (await unlessConditionFails(dynamo.send(update))) !== undefined;
    },

    /** Undoes a deactivation. Writes nothing for an entry that is inactive in the files: only they can activate it. */
    async activate(kind: ParameterKind, id: string): Promise<'ACTIVE' | 'INACTIVE_IN_FILES' | 'UNKNOWN'> {
      const update = new UpdateCommand({
        TableName: table,
        Key: { kind, id },
        UpdateExpression: 'REMOVE deactivatedAt',
        ConditionExpression: 'attribute_exists(id) AND #active = :yes',
        ExpressionAttributeNames: { '#active': 'active' },
        ExpressionAttributeValues: { ':yes': true },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      });
      try {
        await dynamo.send(update);
        return 'ACTIVE';
      } catch (error) {
        return conflictingItem(error) === undefined ? 'UNKNOWN' : 'INACTIVE_IN_FILES';
      }
    },
  };
}
