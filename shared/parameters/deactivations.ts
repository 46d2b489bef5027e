import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { itemInTheWay, unlessConditionFails } from '#shared/platform/dynamodb/conditional-write.ts';
import type { ParameterKind } from './parameter-store.ts';

/** Operators' decisions about banks and tokens, beside the files that deployments load. */
export function createDeactivations(dynamo: DynamoDBDocumentClient, table: string) {
  return {
    /** False if there is no such entry. A deactivated entry stays as it is. */
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

    /** Writes nothing for an entry that is inactive in the files: only they can activate it. */
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
        return itemInTheWay(error) === undefined ? 'UNKNOWN' : 'INACTIVE_IN_FILES';
      }
    },
  };
}
