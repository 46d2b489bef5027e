import { ConditionalCheckFailedException, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { fromItem, type Item, toItem } from '#shared/dynamodb/client.ts';
import { idempotencyRecordsIn } from '#shared/dynamodb/idempotency-records.ts';

const command = z.object({
  input: z.object({
    UpdateExpression: z.string(),
    ConditionExpression: z.string(),
    ExpressionAttributeValues: z.custom<Item>(),
  }),
});
const values = z.record(z.string(), z.union([z.string(), z.number()]));

/** A table of one record, which applies the two conditions of a claim. The first answers may be lost, once written. */
function tableOfOne(lostAnswers: number) {
  let record: z.infer<typeof values> | undefined;
  const apply = (sent: unknown): object => {
    const { UpdateExpression, ConditionExpression, ExpressionAttributeValues } = command.parse(sent).input;
    const given = fromItem(values, ExpressionAttributeValues);
    const isFree = record === undefined || (record['expiresAt'] ?? 0) <= (given[':now'] ?? 0);
    const mayTake =
      record?.['requestDigest'] === given[':request'] &&
      record?.['answer'] === undefined &&
      (record?.['lockedUntil'] ?? 0) <= (given[':now'] ?? 0);
    if (!(ConditionExpression.startsWith('attribute_not_exists(scopeDigest)') ? isFree : mayTake)) {
      const old = record && { Item: toItem(record) };
      throw new ConditionalCheckFailedException({ message: 'no', $metadata: {}, ...old });
    }
    const changes = [...UpdateExpression.matchAll(/(\w+) = (:\w+)/g)].map(([, name, value]) => [
      name,
      given[value ?? ''],
    ]);
    record = { ...record, ...values.parse(Object.fromEntries(changes)) };
    return { Attributes: toItem(record) };
  };
  const client = Object.assign(new DynamoDBClient({ region: 'us-east-1' }), {
    send: async (sent: unknown) => {
      const answer = apply(sent);
      lostAnswers -= 1;
      // The SDK sends the same command again.
      return lostAnswers >= 0 ? apply(sent) : answer;
    },
  });
  return client;
}

function records(lostAnswers: number) {
  let ids = 0;
  const newId = () => {
    ids += 1;
    return `id-${ids}`;
  };
  const table = idempotencyRecordsIn(tableOfOne(lostAnswers), 'records', newId);
  const claimAt = (now: number) =>
    table.claim({
      scopeDigest: 'scope',
      requestDigest: 'request',
      resourceId: newId(),
      now,
      lockedUntil: now + 30,
      expiresAt: now + 86_400,
    });
  return { table, claimAt };
}

test('decisions 5, same request twice: a first claim whose answer was lost is known again when the SDK repeats it', async () => {
  const { claimAt } = records(1);
  const first = await claimAt(1000);
  expect(first).toEqual({ state: 'CLAIMED', resourceId: 'id-1', isFirstTry: true });
  expect(await claimAt(1001)).toEqual({ state: 'LOCKED' });
  expect(await claimAt(1030)).toEqual({ state: 'CLAIMED', resourceId: 'id-1', isFirstTry: false });
});

test('and so is a later one, which is no first try', async () => {
  const { claimAt } = records(0);
  await claimAt(1000);
  expect(await claimAt(1029)).toEqual({ state: 'LOCKED' });
  const { claimAt: claimAgain } = records(2);
  await claimAgain(1000);
  expect(await claimAgain(1030)).toEqual({ state: 'CLAIMED', resourceId: 'id-1', isFirstTry: false });
  expect(await claimAgain(1031)).toEqual({ state: 'LOCKED' });
});
