import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';

/**
 * Whether an active bank of the bank list has this code, as it was a moment ago: banks change with a deployment. The list
 * has some dozens of them: one page.
 */
export function createListActiveBankCodes(dynamo: DynamoDBDocumentClient, table: string) {
  return async (code: string): Promise<boolean> => {
    const { Count = 0 } = await dynamo.send(
      new QueryCommand({
        TableName: table,
        KeyConditionExpression: '#kind = :bank',
        FilterExpression: '#code = :code AND #active = :yes',
        ExpressionAttributeNames: { '#kind': 'kind', '#code': 'code', '#active': 'active' },
        ExpressionAttributeValues: { ':bank': 'BANK', ':code': code, ':yes': true },
      }),
    );
    return Count > 0;
  };
}
