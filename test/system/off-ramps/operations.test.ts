import { randomUUID } from 'node:crypto';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import type { RequestOf } from '#sdk/routes.ts';
import { operationKey } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { deployedParts } from '#test/support/deployed.ts';
import { depositScenarios } from '#test/support/deposit-scenarios.ts';
import { eventually } from '#test/support/eventually.ts';
import { expectProblem } from '#test/support/expect-problem.ts';
import { callAs, demoClient, newHash, OffRampUser, problemOf, withdrawalPath } from '#test/support/http-client.ts';

const user = new OffRampUser();
const other = new OffRampUser('POLYGON', 'second');
const scenarios = depositScenarios();
const list = withdrawalPath(user.userId);
const one = (operationId: string, userId = user.userId) => `${withdrawalPath(userId)}/${operationId}`;

const WITHDRAWALS = '/api/v1/admin/operation/{user_id}/withdrawal';
const ofUser = { user_id: user.userId };

async function read(operationId: string) {
  const path = { ...ofUser, operation_id: operationId };
  return (await user.call(`GET ${WITHDRAWALS}/{operation_id}`, { path })).body.operation;
}

const cancel = (operationId: string) =>
  user.call(`POST ${WITHDRAWALS}/{operation_id}/cancel`, { path: { ...ofUser, operation_id: operationId } });

async function page(query: NonNullable<RequestOf<`GET ${typeof WITHDRAWALS}`>['query']>) {
  return (await user.call(`GET ${WITHDRAWALS}`, { path: ofUser, query })).body;
}

describe('decisions 4: reading an operation', () => {
  test('it is that of the creation, with its current status and its status history', async () => {
    const created = await user.create();
    expect(await read(created.id)).toEqual({
      ...created,
      statusHistory: [{ status: 'AWAITING_DEPOSIT', at: created.createdAt }],
    });
    const txHash = newHash();
    await user.deposit(created, txHash, { notify: true });
    await user.readUntil(created.id, ({ status }) => status === 'VERIFIED');
    const verified = await read(created.id);
    const { sequence: first, ...rest } = created;
    expect(verified).toMatchObject({ ...rest, status: verified.statusHistory.at(-1)?.status });
    expect(verified.sequence).toBeGreaterThan(first);
    // The simulated payout may have completed it by now.
    expect(verified.statusHistory.map(({ status }) => status).join()).toMatch(
      /^AWAITING_DEPOSIT,PENDING(,COMPLETED)?$/,
    );
  });

  test('what is another’s is 404 OFF_RAMP_NOT_FOUND, read and cancelled', async () => {
    const { id } = await user.create();
    const paths = [one(randomUUID()), one('x'), one(id, randomUUID())];
    const answers = [
      ...(await Promise.all(paths.map((path) => callAs(user.client, 'GET', path)))),
      ...(await Promise.all(paths.map((path) => callAs(user.client, 'POST', `${path}/cancel`)))),
      await callAs(other.client, 'GET', one(id)),
      await callAs(other.client, 'GET', one(id, other.userId)),
      await callAs(other.client, 'POST', `${one(id)}/cancel`),
    ];
    for (const answer of answers) expect(problemOf(answer)).toMatchObject({ status: 404, code: 'OFF_RAMP_NOT_FOUND' });
    expect((await read(id)).status).toBe('AWAITING_DEPOSIT');
  });
});

describe('decisions 4: listing operations', () => {
  test('newest first, page by page, by external reference', async () => {
    const externalReference = randomUUID();
    const created: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      const request = { path: ofUser, body: { ...user.order(), externalReference } };
      created.unshift((await user.call(`POST ${WITHDRAWALS}`, request)).body.operation.id);
    }
    const query = { externalReference, limit: 2 };
    const first = await page(query);
    const second = await page({ ...query, cursor: first.nextCursor });
    const third = await page({ ...query, cursor: second.nextCursor });
    expect([first, second, third].flatMap(({ operations }) => operations.map(({ id }) => id))).toEqual(created);
    expect([first, second, third].map(({ operations }) => operations.length)).toEqual([2, 2, 1]);
    expect(third).not.toHaveProperty('nextCursor');
  });

  test('a cursor of one list goes on in another of the user, which it may not be in', async () => {
    const externalReference = `${randomUUID()} #😀`;
    const create = (reference: object) =>
      user.call(`POST ${WITHDRAWALS}`, { path: ofUser, body: { ...user.order(), ...reference } });
    const [older, cursor, newer] = [
      (await create({ externalReference })).body.operation.id,
      (await create({})).body.operation.id,
      (await create({ externalReference })).body.operation.id,
    ];
    const ids = async (query: Parameters<typeof page>[0]) => (await page(query)).operations.map(({ id }) => id);
    await eventually(
      () => ids({ externalReference }),
      (found) => found.includes(newer),
    );
    expect(await ids({ externalReference, cursor })).toEqual([older]);
    expect(await ids({ externalReference, status: 'AWAITING_DEPOSIT', cursor })).toEqual([older]);
    expect(await ids({ externalReference, status: 'FAILED' })).toEqual([]);
    expect((await ids({ cursor: newer, limit: 100 })).includes(cursor)).toBe(true);
  });

  test('by status, newest first', async () => {
    const { id } = await user.create();
    await cancel(id);
    const found = await eventually(
      () => page({ status: 'CANCELLED', limit: 100 }),
      ({ operations }) => operations.some((operation) => operation.id === id),
    );
    expect(new Set(found.operations.map(({ status }) => status))).toEqual(new Set(['CANCELLED']));
  });

  test.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=x', 'limit'],
    ['limit=5&limit=7', 'limit'],
    ['status[]=PENDING', 'status[]'],
    ['status=UNKNOWN', 'status'],
    ['cursor=', 'cursor'],
    ['cursor=forged', 'cursor'],
    [`cursor=${randomUUID()}`, 'cursor'],
  ])('%s is refused with 422', async (query, parameter) => {
    const problem = problemOf(await callAs(user.client, 'GET', `${list}?${query}`));
    expect(problem).toMatchObject({ status: 422, errors: [{ path: `query.${parameter}` }] });
  });

  test('a cursor of another user is refused, another client’s user does not exist', async () => {
    const foreign = await other.create();
    expect((await callAs(user.client, 'GET', `${list}?cursor=${foreign.id}`)).status).toBe(422);
    expect(problemOf(await callAs(other.client, 'GET', list))).toMatchObject({ status: 404, code: 'USER_NOT_FOUND' });
  });

  test('nobody sees another’s operations', async () => {
    const foreign = await other.create();
    const { operations } = await page({ limit: 100 });
    expect(operations.map(({ id }) => id)).not.toContain(foreign.id);
  });
});

test('decisions 4, an unpaid off-ramp ends: the sweep of each minute cancels it once its endsAt is over', async () => {
  const operation = await user.create();
  const txHash = newHash();
  await user.submit(operation.id, txHash);
  await user.call('POST /api/sandbox/operations/{operation_id}', {
    path: { operation_id: operation.id },
    body: { expire: true },
  });
  await user.readUntil(operation.id, ({ verification }) => verification?.state === 'WINDOW_ENDED');
  expect(Date.parse(operation.endsAt) - Date.parse(operation.expiresAt)).toBe(720 * 3_600_000);
  const { dynamo, tables } = deployedParts();
  const past = new Date(Date.now() - 720 * 3_600_000).toISOString();
  await dynamo.send(
    new UpdateCommand({
      TableName: tables.operations,
      Key: operationKey(operation.id),
      UpdateExpression: 'SET expiresAt = :past, endsAt = :past',
      ExpressionAttributeValues: { ':past': past },
    }),
  );
  const ended = await eventually(
    () => read(operation.id),
    ({ status }) => status !== 'AWAITING_DEPOSIT',
  );
  expect(ended.statusHistory.at(-1)).toMatchObject({ status: 'CANCELLED', reason: 'EXPIRED' });
  // Its hash is free for another off-ramp.
  expect((await user.submit((await user.create()).id, txHash)).status).toBe(202);
});

describe('decisions 4: cancelling', () => {
  test('while no deposit has been seen: CANCELLED, the hash is free, the execution ends as superseded', async () => {
    const [operation, next] = [await user.create(), await user.create()];
    const txHash = newHash();
    await user.submit(operation.id, txHash);
    const answer = await cancel(operation.id);
    expect(answer.status).toBe(200);
    expect(answer.body.operation).toMatchObject({
      status: 'CANCELLED',
      statusHistory: [{ status: 'AWAITING_DEPOSIT' }, { status: 'CANCELLED', reason: 'CANCELLED_BY_CLIENT' }],
    });
    expect((await user.submit(next.id, txHash)).status).toBe(202);
    const execution = await eventually(
      () => scenarios.execution(operation.id, 1),
      (found) => found?.status === 'SUCCEEDED',
    );
    expect(JSON.parse(execution?.output ?? '{}')).toMatchObject({ outcome: 'SUPERSEDED' });
  });

  test('twice, or after a deposit: 409 OPERATION_NOT_AWAITING_DEPOSIT', async () => {
    const [cancelled, paid] = [await user.create(), await user.create()];
    await cancel(cancelled.id);
    await user.deposit(paid, newHash(), { notify: true });
    await user.readUntil(paid.id, ({ status }) => status === 'VERIFIED');
    for (const { id } of [cancelled, paid]) {
      expect(await expectProblem(cancel(id))).toMatchObject({ status: 409, code: 'OPERATION_NOT_AWAITING_DEPOSIT' });
    }
  });

  test.each(['UNCONFIRMED', 'HELD'] as const)(
    'a reported deposit that is %s: 409 DEPOSIT_IN_PROGRESS',
    async (state) => {
      const operation = await user.create();
      const txHash = newHash();
      await user.deposit(operation, txHash, { state });
      await user.submit(operation.id, txHash);
      expect(await expectProblem(cancel(operation.id))).toMatchObject({ status: 409, code: 'DEPOSIT_IN_PROGRESS' });
      expect((await read(operation.id)).status).toBe('AWAITING_DEPOSIT');
    },
  );

  test.each(['UNCONFIRMED', 'HELD'] as const)(
    'a notified deposit that is %s: 409 DEPOSIT_IN_PROGRESS',
    async (state) => {
      const operation = await user.create();
      await user.deposit(operation, newHash(), { state, notify: true });
      const refused = await eventually(
        async () => {
          const seen = await scenarios.deposits.isArrivingFor((await scenarios.state(operation.id)).operation);
          return seen ? expectProblem(cancel(operation.id)) : undefined;
        },
        (problem) => problem !== undefined,
      );
      expect(refused).toMatchObject({ status: 409, code: 'DEPOSIT_IN_PROGRESS' });
    },
  );

  test('a deposit that failed on chain, or is another one, does not stand in the way', async () => {
    const operation = await user.create();
    const txHash = newHash();
    await user.deposit(operation, txHash, { state: 'FAILED' });
    await user.submit(operation.id, txHash);
    expect((await cancel(operation.id)).status).toBe(200);
  });

  test('a client that is not approved cannot cancel', async () => {
    const client = demoClient('not-approved');
    const answer = await callAs(client, 'POST', `${one(randomUUID())}/cancel`);
    expect(problemOf(answer)).toMatchObject({ status: 403, code: 'CLIENT_NOT_APPROVED' });
  });
});
