import { describe, expect, test } from 'vitest';
import type { UserFilter } from '#shared/clients/record-index.ts';
import type { OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import { createListedOffRamps } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { systemClock } from '#shared/platform/clock.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { fakeDynamo } from '#test/support/fake-dynamo.ts';
import { OPERATION, STRANGER, USER } from '#test/support/ids.ts';
import { CREATED_AT, offRamp } from '#test/support/off-ramp.ts';
import { tablesInMemory } from '#test/support/tables-in-memory.ts';

/** The queries with which a user's operations are listed. */
async function queriesFor(of: UserFilter, after?: Parameters<typeof offRamp>[0]) {
  const { client, sent } = fakeDynamo(async () => ({
    Items: [{ operationId: OPERATION, createdAt: CREATED_AT }],
  }));
  const ids = createListedOffRamps(client, 'operations', fakeClock(CREATED_AT)).idsOfUser(of, after && offRamp(after));
  for await (const id of ids) expect(id).toBe(OPERATION);
  return sent;
}

describe('a user’s records', () => {
  test('are found by the user, the newest first', async () => {
    expect(await queriesFor({ userId: USER })).toMatchObject([
      {
        IndexName: 'byUser',
        KeyConditionExpression: 'userId = :of',
        ExpressionAttributeValues: { ':of': USER },
        ScanIndexForward: false,
      },
    ]);
  });

  test('go on after the place of a record, which may have a reference or none', async () => {
    const place = { operationId: OPERATION, record: 'OPERATION', createdAt: CREATED_AT };
    for (const after of [{}, { externalReference: 'invoice-8' }]) {
      expect(await queriesFor({ userId: USER }, after)).toMatchObject([
        { ExclusiveStartKey: { ...place, userId: USER } },
      ]);
    }
  });

  test('are found by user and reference together, the newest first, after any place', async () => {
    const { dynamo, table } = tablesInMemory();
    const put = (name: string, minute: number, differences: Partial<OffRamp>) => {
      const made = offRamp({ operationId: name, createdAt: `2026-08-01T12:0${minute}:00.000Z`, ...differences });
      table('operations').put({ ...made, record: 'OPERATION' });
      return made;
    };
    const own = { externalReference: 'invoice-7' };
    const [first, other] = [put('b', 1, own), put('other', 2, { externalReference: 'invoice-8' })];
    for (const name of ['d', 'a', 'c']) put(name, 3, own);
    put('none', 2, {});
    put('stranger', 1, { ...own, userId: STRANGER });
    const operations = createListedOffRamps(dynamo, 'operations', systemClock);
    const idsAfter = async (after?: OffRamp) => {
      const ids: string[] = [];
      for await (const id of operations.idsOfUser({ userId: USER, ...own }, after)) ids.push(id);
      return ids;
    };
    expect(await idsAfter()).toEqual(['d', 'c', 'a', 'b']);
    expect(await idsAfter(other)).toEqual(['b']);
    expect(await idsAfter({ ...other, operationId: 'c', createdAt: '2026-08-01T12:03:00.000Z' })).toEqual(['a', 'b']);
    expect(await idsAfter(first)).toEqual([]);
  });

  test('that all have one reference are listed as all of the user’s: they cost no more, however many there are', async () => {
    const sent: unknown[] = [];
    const { client } = fakeDynamo(async (input) => {
      sent.push(input);
      if (sent.length > 3) throw new Error('Much more is read than is listed.');
      const Items = Array.from({ length: 1001 }, (_, place) => ({ operationId: `${place}`, createdAt: CREATED_AT }));
      return { Items, LastEvaluatedKey: { operationId: '1000' } };
    });
    const operations = createListedOffRamps(client, 'operations', fakeClock(CREATED_AT));
    const after = offRamp({ operationId: OPERATION });
    for await (const id of operations.idsOfUser({ userId: USER, externalReference: 'same' }, after)) {
      expect(id).toBe('0');
      break;
    }
    expect(sent).toMatchObject([
      { IndexName: 'byReference', Limit: 1001 },
      { IndexName: 'byUser', ExclusiveStartKey: { operationId: OPERATION, userId: USER } },
    ]);
  });
});
