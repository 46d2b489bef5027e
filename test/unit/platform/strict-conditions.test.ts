import { ConditionalCheckFailedException, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { strictConditions } from '#infra/platform/strict-conditions.ts';
import { WriteConflict } from '#shared/platform/dynamodb/transaction.ts';
import { strictPolicy } from '#test/aws/strict-policy.ts';
import { type Trial, trialsOn, wasAllowed } from '#test/aws/trials.ts';

const tables = {
  operations: 'operations',
  hashes: 'hashes',
  deposits: 'deposits',
  events: 'events',
  clients: 'clients',
};

const record = z.record(z.string(), z.unknown());
const write = z.object({
  TableName: z.string(),
  Item: z.optional(record),
  Key: z.optional(record),
  UpdateExpression: z.optional(z.string()),
});
const legs = z.object({ TransactItems: z.array(z.record(z.string(), write)) });

/** The writes of a trial, by table and action; none is carried out. */
async function writesOf({ run }: Trial) {
  const found: { table: string; action: string; key: string; text: string }[] = [];
  const add = (action: string, { TableName, Item = {}, Key, UpdateExpression = '' }: z.infer<typeof write>) => {
    const [key] = Object.values(Key ?? Item);
    const text = `${Object.keys(Item).join(' ')} ${UpdateExpression}`;
    found.push({ table: TableName, action: `${action}Item`, key: String(key), text });
  };
  const dynamo = DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'none' }));
  dynamo.middlewareStack.add(
    (_next, { commandName }) =>
      async ({ input }) => {
        const verb = /^(Put|Update|Delete)(?:Item)?Command$/.exec(commandName ?? '')?.[1];
        if (verb !== undefined) add(verb, write.parse(input));
        const { TransactItems = [] } = legs.safeParse(input).data ?? {};
        for (const leg of TransactItems) for (const [name, one] of Object.entries(leg)) add(name, one);
        return { output: { $metadata: {} }, response: {} };
      },
    { step: 'initialize', priority: 'low' },
  );
  await run(dynamo);
  return found;
}

describe('the trial on AWS before a condition is switched on', () => {
  const ids = () => '00000000-0000-4000-8000-000000000001';

  test.each(
    trialsOn(tables, ids).flatMap(({ folder, conditions, trials }) =>
      trials.map((trial) => ({ ...trial, folder, conditions })),
    ),
  )('$folder $what: allowed $isAllowed', async ({ conditions, ...trial }) => {
    const writes = await writesOf(trial);
    const refused = conditions
      .map((name) => strictConditions[name])
      .flatMap((one) =>
        writes
          .filter(({ table, action }) => table === one.table && action === one.action)
          .filter(({ key, text }) =>
            one.keysLike === undefined
              ? one.without?.some((attribute) => text.includes(attribute))
              : !one.keysLike.some((pattern) => key.startsWith(pattern.replace('*', ''))),
          ),
      );
    expect(writes.length).toBeGreaterThan(0);
    expect(refused.length > 0).toBe(!trial.isAllowed);
  });

  test('has every condition, in what the functions write and in what they never do', () => {
    const all = trialsOn(tables, ids);
    const tried = new Set<string>(all.flatMap(({ conditions }) => conditions));
    expect([...tried].sort()).toEqual(Object.keys(strictConditions).sort());
    for (const { conditions, trials } of all)
      expect(trials.filter(({ isAllowed }) => !isAllowed)).toHaveLength(conditions.length);
  });

  test('is judged by who was refused, not by what became of the write', async () => {
    const failing = (error: Error) => wasAllowed(Promise.reject(error));
    const denied = Object.assign(new Error('No'), { name: 'AccessDeniedException' });
    expect(await wasAllowed(Promise.resolve())).toBe(true);
    expect(await failing(new ConditionalCheckFailedException({ message: '', $metadata: {} }))).toBe(true);
    expect(await failing(new WriteConflict('sequence'))).toBe(true);
    expect(await failing(denied)).toBe(false);
    await expect(failing(new Error('The network'))).rejects.toThrow('The network');
  });

  test('is the policy that the function has, with the conditions in the place of what they limit', () => {
    const [hashes, events] = ['arn:hashes', 'arn:events'];
    const deployed = JSON.stringify({
      Version: '2012-10-17',
      Statement: [
        { Effect: 'Allow', Action: ['dynamodb:GetItem', 'dynamodb:DeleteItem'], Resource: hashes },
        { Effect: 'Allow', Action: 'dynamodb:PutItem', Resource: events },
      ],
    });
    const asked = [strictConditions['declared-hashes'], strictConditions.outbox];
    const policy = JSON.parse(strictPolicy(deployed, asked, ({ table }) => `arn:${table}`));
    expect(policy.Statement).toMatchObject([
      { Effect: 'Allow', Action: ['dynamodb:GetItem'], Resource: hashes },
      { Effect: 'Allow', Action: ['dynamodb:PutItem'], Resource: events },
      {
        Effect: 'Allow',
        Action: 'dynamodb:DeleteItem',
        Resource: hashes,
        Condition: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['DECLARED#*'] } },
      },
      { Effect: 'Deny', Action: 'dynamodb:PutItem', Resource: events },
    ]);
  });
});
