import { StopExecutionCommand } from '@aws-sdk/client-sfn';
import { ListQueuesCommand, PurgeQueueCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type * as z from 'zod/mini';
import { awsOf } from '#infra/cli/local-outputs.ts';
import { listDeadLettersContract, readOperationContract } from '#shared/operators/lookups.ts';
import { deployedParts } from '#test/support/deployed.ts';
import { eventually } from '#test/support/eventually.ts';
import { type HashRead, newHash, OffRampUser } from '#test/support/http-client.ts';
import { operate } from '#test/support/operator-client.ts';
import { type Subscriber, subscriber } from '#test/support/webhook-subscriber.ts';

/** Incidents as they happen. The operators' lookups say where an off-ramp is, why, and who acts. */

const { dynamo, stepFunctions, execution, tables } = deployedParts();
const user = new OffRampUser();

let subscribers: Subscriber;
beforeAll(async () => {
  subscribers = await subscriber();
});
afterAll(() => subscribers.stop());

type Looked = z.infer<typeof readOperationContract.success.body>;
type Wanted = Partial<Looked['next']> & Partial<Pick<Looked['hash'], 'reason'>>;

/** The lookup of an off-ramp, once its next step has this actor and contains this text. */
function looked(operationId: string, { who, what = '', reason }: Wanted): Promise<Looked> {
  return eventually(
    async () => (await operate(readOperationContract, { operation: operationId })).body,
    ({ next, hash }) =>
      next?.who === who && next.what.includes(what) && (reason === undefined || hash.reason === reason),
    180,
  );
}
type Row = Readonly<Record<string, unknown>>;

test('decisions 11, one look: the execution of a hash has died, and the next run of it follows', async () => {
  const { id } = await user.create();
  await user.submit(id, newHash());
  const { executionArn } = (await execution(id, 1)) ?? {};
  await stepFunctions.send(new StopExecutionCommand({ executionArn }));
  // A poll that was under way is over by then.
  const isOver = ({ verification }: HashRead) => Date.parse(verification?.nextCheckAt ?? '') < Date.now() - 5000;
  await user.readUntil(id, isOver);
  const verification = { TableName: tables.operations, Key: { operationId: id, record: 'VERIFICATION' } };
  // The state four minutes later, before the sweep has run.
  const { Attributes } = await dynamo.send(
    new UpdateCommand({
      ...verification,
      UpdateExpression: 'SET nextCheckAt = :at REMOVE dueShard',
      ExpressionAttributeValues: { ':at': new Date(Date.now() - 240_000).toISOString() },
      ReturnValues: 'UPDATED_OLD',
    }),
  );
  await looked(id, { who: 'SERVICE', what: 'it broke off' });
  await dynamo.send(
    new UpdateCommand({
      ...verification,
      UpdateExpression: 'SET dueShard = :shard',
      ExpressionAttributeValues: { ':shard': Attributes?.['dueShard'] },
    }),
  );
  const look = async () => (await operate(readOperationContract, { operation: id })).body;
  await eventually(look, ({ hash }: Looked) => hash.execution === `${id}-1-2`, 120);
});

test('decisions 11, lists: a message is with the dead letters', async () => {
  const sqs = new SQSClient(awsOf(inject('outputs')));
  const { QueueUrls = [] } = await sqs.send(new ListQueuesCommand({}));
  const operationId = crypto.randomUUID();
  const QueueUrl = QueueUrls.find((url) => url.includes('DeadLetters') && url.includes('Deliveries'));
  await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: JSON.stringify({ detail: { operationId } }) }));
  const read = async (): Promise<Row | undefined> =>
    (await operate(listDeadLettersContract, {})).body.items.find((item: Row) => item['operationId'] === operationId);
  const item = await eventually(read, (found) => found !== undefined);
  const about = {
    messages: 1,
    age: '0 min',
    who: 'FINANCE',
    what: expect.stringContaining('moves the messages back'),
  };
  expect(item).toMatchObject(about);
  await sqs.send(new PurgeQueueCommand({ QueueUrl }));
});
