import { randomUUID } from 'node:crypto';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import type { RequestOf } from '#sdk/routes.ts';
import { operationKey } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { deployedParts } from '#test/support/deployed.ts';
import { depositScenarios } from '#test/support/deposit-scenarios.ts';
import { eventually } from '#test/support/eventually.ts';
import { expectProblem } from '#test/support/expect-problem.ts';
import { newHash, OffRampUser } from '#test/support/http-client.ts';

const user = new OffRampUser();
const scenarios = depositScenarios();

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
  test('returns the created operation, with its current status and its status history', async () => {
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
});
