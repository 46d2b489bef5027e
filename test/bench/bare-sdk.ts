import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';

/** What any function over DynamoDB takes at least: one client, which makes its first call while it starts, and one read. */
const dynamo = DynamoDBDocumentClient.from(new DynamoDBClient());
const TableName = process.env['OPERATIONS_TABLE'];
const read = () => dynamo.send(new GetCommand({ TableName, Key: { operationId: 'none', record: 'OPERATION' } }));

await read();
export const handler = read;
