import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { itemInTheWay, unlessConditionFails } from '#shared/platform/dynamodb/conditional-write.ts';
import type { ParameterKind } from './parameter-store.ts';

/** What operators decide of banks and tokens, beside what the files say of them, which deployments load. */
export function createDeactivations(dynamo: DynamoDBDocumentClient, table: string) {
  return {
    /** False when there is no such entry. One that is deactivated already stays as it is. */
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

    /** Nothing is written of one that is inactive in the files: only they can activate it. */
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
