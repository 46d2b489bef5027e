import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetCommand, PutCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { documentClient } from '#shared/platform/dynamodb/client.ts';

/** The client of the stores, with what it sends, and what the service would answer. */
function clientThat(answer: object = {}) {
  const sent: unknown[] = [];
  const requestHandler = {
    async handle({ body }: { readonly body: string | Uint8Array }) {
      sent.push(JSON.parse(Buffer.from(body).toString()));
      const response = { statusCode: 200, headers: {}, body: new Blob([JSON.stringify(answer)]).stream() };
      return { response };
    },
  };
  const credentials = { accessKeyId: 'none', secretAccessKey: 'none' };
  return { sent, dynamo: documentClient(new DynamoDBClient({ region: 'us-east-1', credentials, requestHandler })) };
}

const transfer = { amount: '1.50', toTag: undefined, legs: [{ memo: undefined, index: 1 }] };
const marshalled = { M: { amount: { S: '1.50' }, legs: { L: [{ M: { index: { N: '1' } } }] } } };

describe('the client of the stores', () => {
  test('writes no attribute whose value is undefined, however deep it stands', async () => {
    const { dynamo, sent } = clientThat();
    const [TableName, Key] = ['deposits', { id: 'a' }];
    await dynamo.send(new PutCommand({ TableName, Item: { id: 'a', memo: undefined, transfer } }));
    const change = { TableName, Key, UpdateExpression: 'SET #transfer = :transfer' };
    const ExpressionAttributeValues = { ':transfer': transfer, ':none': undefined };
    await dynamo.send(new UpdateCommand({ ...change, ExpressionAttributeValues }));
    await dynamo.send(
      new TransactWriteCommand({ TransactItems: [{ Update: { ...change, ExpressionAttributeValues } }] }),
    );
    const update = { ...change, Key: { id: { S: 'a' } }, ExpressionAttributeValues: { ':transfer': marshalled } };
    expect(sent).toMatchObject([
      { TableName, Item: { id: { S: 'a' }, transfer: marshalled } },
      update,
      { TransactItems: [{ Update: update }] },
    ]);
    expect(JSON.stringify(sent)).not.toMatch(/memo|toTag|:none/);
  });

  test('keeps an empty text, zero, false and null, and reads them as they were', async () => {
    const Item = { id: { S: '' }, sequence: { N: '0' }, isHeld: { BOOL: false }, reason: { NULL: true } };
    const { dynamo, sent } = clientThat({ Item });
    const record = { id: '', sequence: 0, isHeld: false, reason: null };
    await dynamo.send(new PutCommand({ TableName: 'operations', Item: record }));
    expect(sent).toMatchObject([{ Item }]);
    const read = await dynamo.send(new GetCommand({ TableName: 'operations', Key: { id: '' } }));
    expect(read.Item).toEqual(record);
  });
});
