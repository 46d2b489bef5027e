import { describe, expect, test } from 'vitest';
import type { UserFilter } from '#shared/clients/user-index.ts';
import { createUserOffRamps } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { createOperation } from '#shared/off-ramps/transitions/create-operation.ts';
import { createPayinRepository } from '#shared/pay-ins/pay-in-repository.ts';
import { systemClock } from '#shared/platform/clock.ts';
import { dynamoThat } from '#test/support/dynamo-that.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { CLIENT, OPERATION, USER } from '#test/support/ids.ts';
import { CREATED_AT, offRamp } from '#test/support/off-ramp.ts';

/** The queries with which a user's operations are listed. */
async function queriesFor(of: UserFilter, after?: Parameters<typeof offRamp>[0]) {
  const { client, sent } = dynamoThat(async () => ({
    Items: [{ operationId: OPERATION, createdAt: CREATED_AT }],
  }));
  const ids = createUserOffRamps(client, 'operations', fakeClock(CREATED_AT)).listIds(of, after && offRamp(after));
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

  test('are found by user and reference together: another user’s reference is another one', async () => {
    expect(await queriesFor({ userId: USER, externalReference: 'invoice-7' })).toMatchObject([
      {
        IndexName: 'byReference',
        KeyConditionExpression: 'userReference = :of',
        ExpressionAttributeValues: { ':of': `${USER}#invoice-7` },
      },
    ]);
  });

  test('go on after the place of a record, which may have another reference or none', async () => {
    const place = { operationId: OPERATION, record: 'OPERATION', createdAt: CREATED_AT };
    for (const after of [{}, { externalReference: 'invoice-8' }]) {
      expect(await queriesFor({ userId: USER }, after)).toMatchObject([
        { ExclusiveStartKey: { ...place, userId: USER } },
      ]);
      expect(await queriesFor({ userId: USER, externalReference: 'invoice-7' }, after)).toMatchObject([
        { ExclusiveStartKey: { ...place, userReference: `${USER}#invoice-7` } },
      ]);
    }
  });

  const operation = (externalReference?: string) => {
    const { client, sent } = dynamoThat(async () => ({}));
    const tables = { operations: 'operations', hashes: 'hashes', events: 'events' };
    return createOperation(client, tables, offRamp({ externalReference })).then(() => sent);
  };
  const payin = (externalReference?: string) => {
    const { client, sent } = dynamoThat(async () => ({}));
    const created = createPayinRepository(client, { payins: 'payins', events: 'events' }, systemClock).create({
      payinId: OPERATION,
      clientId: CLIENT,
      userId: USER,
      status: 'PENDING',
      sequence: 1,
      currency: 'COP',
      amount: '1500',
      paymentMethod: 'NEQUI',
      rail: 'simulated',
      externalReference,
      createdAt: CREATED_AT,
      statusHistory: [],
    });
    return created.then(() => sent);
  };

  test.each([
    ['operation', operation],
    ['pay-in', payin],
  ])('an %s is put into the index by its reference, and only with one', async (_, create) => {
    expect(JSON.stringify(await create('invoice-7'))).toContain(`"userReference":"${USER}#invoice-7"`);
    expect(JSON.stringify(await create())).not.toContain('userReference');
  });
});
