import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { awsClientOptions } from '#shared/platform/aws/aws-clients.ts';

/** A client that takes and returns items as objects. An attribute whose value is `undefined` is not written. */
export function documentClient(client: DynamoDBClient): DynamoDBDocumentClient {
  return DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
}

/** One client per function instance; made in INIT, where a Lambda has its full processor. */
export const dynamo = documentClient(new DynamoDBClient(awsClientOptions));

/** An item or a key. Every item that is read is parsed before it is used: an item that does not fit is a fault. */
export type Item = Readonly<Record<string, unknown>>;
