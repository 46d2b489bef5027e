import { type AttributeValue, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type * as z from 'zod/mini';
import { awsClientOptions } from '#shared/platform/aws/aws-client-options.ts';

/** One client per function instance; made in INIT, where a Lambda has its full processor. */
export const dynamo = new DynamoDBClient(awsClientOptions);

export type Item = Record<string, AttributeValue>;

export function toItem(record: Readonly<Record<string, unknown>>): Item {
  return marshall(record, { removeUndefinedValues: true });
}

/** Every item is parsed before it is used: what does not fit is a fault to be seen, not to be worked with. */
export function fromItem<S extends z.ZodMiniType>(schema: S, item: Item): z.infer<S> {
  return schema.parse(unmarshall(item));
}
