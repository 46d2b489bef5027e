import {
  BatchGetItemCommand,
  DynamoDBServiceException,
  GetItemCommand,
  PutItemCommand,
  TransactionCanceledException,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { seeded } from '#test/simulation/kernel/random.ts';
import { schedule } from '#test/simulation/kernel/schedule.ts';
import type { Item } from './attribute-values.ts';
import { engine } from './engine.ts';
import type { Faults } from './faults.ts';
import { overTheNetwork } from './network.ts';
import { requestOf } from './request.ts';

const NONE: Faults = { conflict: 0, throttling: 0, hotKey: 0, unprocessed: 0, torn: 0, repeat: 0, loss: 0 };
const TableName = 'things';
const item = (id: string): Item => ({ id: { S: id } });
const put = (id: string) => new PutItemCommand({ TableName, Item: item(id) });
const both = new TransactWriteItemsCommand({
  TransactItems: ['a', 'b'].map((id) => ({ Put: { TableName, Item: item(id) } })),
});

/** Tables behind a network with these faults, and whoever works with them, one request at a time. */
function world(seed: number, faults: Partial<Faults>) {
  const random = seeded(seed);
  const plan = schedule(random, { death: 0, delay: 0, stall: 0 }, 0);
  const now = () => plan.clock.now().getTime();
  const lag = { now, ofIndexes: () => 0, isStale: () => false };
  const tables = engine({ [TableName]: { key: ['id'] }, others: { key: ['id'] } }, lag);
  const send = overTheNetwork(tables, plan, random, { ...NONE, ...faults });
  const done = (command: object) => send(requestOf(command));
  const refusal = (command: object) =>
    done(command).then(
      () => 'done',
      (error: unknown) => (error instanceof TransactionCanceledException ? codesOf(error) : nameOf(error)),
    );
  const find = async (id: string) => (await done(new GetItemCommand({ TableName, Key: item(id) }))).Item !== undefined;
  return { plan, done, refusal, find };
}

function codesOf({ CancellationReasons = [] }: TransactionCanceledException): string {
  return CancellationReasons.map(({ Code }) => Code).join();
}

function nameOf(error: unknown): string {
  return error instanceof DynamoDBServiceException ? error.name : String(error);
}

/** What happens in each of so many worlds, each once. */
async function outcomes(act: (seed: number) => Promise<string>): Promise<readonly string[]> {
  const seen = new Set<string>();
  for (let seed = 0; seed < 1000; seed += 1) seen.add(await act(seed));
  return [...seen].toSorted();
}

/** What somebody sees who looks for both items while they are written. */
function seenDuring(faults: Partial<Faults>) {
  return outcomes(async (seed) => {
    const { plan, done, find } = world(seed, faults);
    let seen = '';
    plan.start('writer', async () => void (await done(both)));
    plan.start('reader', async () => {
      seen = `${await find('a')} ${await find('b')}`;
    });
    await plan.run();
    return seen;
  });
}

test('who looks at one item and then at another may find a transaction half done, the second half first only if torn', async () => {
  expect(await seenDuring({})).toEqual(['false false', 'false true', 'true true']);
  expect(await seenDuring({ torn: 1 })).toEqual(['false false', 'false true', 'true false', 'true true']);
});

test('whoever writes an item that a torn transaction has is refused', async () => {
  const write = (command: object) =>
    outcomes(async (seed) => {
      const { plan, done, refusal } = world(seed, { torn: 1 });
      let outcome = '';
      plan.start('writer', async () => void (await done(both).catch(() => undefined)));
      plan.start('other', async () => {
        outcome = await refusal(command);
      });
      await plan.run();
      return outcome;
    });
  expect(await write(put('b'))).toEqual(['TransactionConflictException', 'done']);
  expect(await write(both)).toEqual([
    'None,TransactionConflict',
    'TransactionConflict,None',
    'TransactionConflict,TransactionConflict',
    'done',
  ]);
});

test('a torn transaction is done to its end, also when its invocation is gone', async () => {
  const { plan, done, find } = world(1, { torn: 1 });
  let found = '';
  plan.start('caller', async () => {
    const outcome = await plan.invoke('writer', 1, async () => {
      void done(both);
      return new Promise(() => {});
    });
    found = `${outcome.state} ${await find('a')} ${await find('b')}`;
  });
  await plan.run();
  expect(found).toBe('DIED true true');
});

test('a transaction that is sent again may be told that it is in progress, and is done', async () => {
  const { plan, refusal, find } = world(1, { torn: 1, repeat: 1 });
  let outcome = '';
  plan.start('writer', async () => {
    outcome = `${await refusal(both)} ${await find('a')}`;
  });
  await plan.run();
  expect(outcome).toBe('TransactionInProgressException true');
});

test('what no transaction writes is in no conflict', async () => {
  const { plan, done, refusal } = world(1, { conflict: 1 });
  const seen: string[] = [];
  plan.start('writer', async () => {
    seen.push(await refusal(put('a')), await refusal(both), await refusal(put('a')));
    seen.push(await refusal(new PutItemCommand({ TableName: 'others', Item: item('a') })));
    await done(new GetItemCommand({ TableName, Key: item('a') }));
  });
  await plan.run();
  expect(seen.map((one) => one.replace('None,TransactionConflict', 'TransactionConflict,None'))).toEqual([
    'done',
    'TransactionConflict,None',
    'TransactionConflictException',
    'done',
  ]);
});

test('a hot key is refused for a while, and nothing else is', async () => {
  const seen = await outcomes(async (seed) => {
    const { plan, refusal } = world(seed, { hotKey: 0.1 });
    const tries: string[] = [];
    plan.start('writer', async () => {
      for (let second = 0; second < 12; second += 1) {
        tries.push((await refusal(put('a'))) === 'done' ? '.' : 'x');
        await plan.clock.sleep(1000);
      }
    });
    await plan.run();
    return tries.join('');
  });
  expect(seen.some((tries) => /xxxx.*\./.test(tries))).toBe(true);
  expect(seen.some((tries) => !tries.includes('x'))).toBe(true);
});

test('a transaction that is throttled has the reason at the leg', async () => {
  const seen = await outcomes(async (seed) => {
    const { plan, refusal } = world(seed, { throttling: 1 });
    let outcome = '';
    plan.start('writer', async () => {
      outcome = `${await refusal(put('a'))} ${await refusal(both)}`;
    });
    await plan.run();
    return outcome;
  });
  expect(seen).toEqual([
    'ProvisionedThroughputExceededException ProvisionedThroughputExceeded,None',
    'ProvisionedThroughputExceededException ThrottlingError,None',
    'ThrottlingException ProvisionedThroughputExceeded,None',
    'ThrottlingException ThrottlingError,None',
  ]);
});

test('a batch may leave keys, and never all of them', async () => {
  const seen = await outcomes(async (seed) => {
    const { plan, done } = world(seed, { unprocessed: 1 });
    let outcome = '';
    plan.start('reader', async () => {
      await done(both);
      const Keys = [item('a'), item('b')];
      const { Responses, UnprocessedKeys } = await done(
        new BatchGetItemCommand({ RequestItems: { [TableName]: { Keys } } }),
      );
      outcome = `${Responses?.[TableName]?.length} ${UnprocessedKeys?.[TableName]?.Keys?.length ?? 0}`;
    });
    await plan.run();
    return outcome;
  });
  expect(seen).toEqual(['1 1', '2 0']);
});
