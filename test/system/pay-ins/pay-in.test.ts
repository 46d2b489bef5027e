import { randomUUID } from 'node:crypto';
import { describe, expect, inject, test } from 'vitest';
import * as z from 'zod/mini';
import { awsOf } from '#infra/cli/local-outputs.ts';
import type { RequestOf } from '#sdk/routes.ts';
import type { Payin } from '#shared/pay-ins/pay-in.ts';
import { createPayinContract } from '#shared/pay-ins/pay-in-contract.ts';
import { createFindPayin, createPollPayinNow } from '#shared/pay-ins/pay-in-repository.ts';
import { simulatePayinContract } from '#shared/pay-ins/pay-in-sandbox-contract.ts';
import { systemClock } from '#shared/platform/clock.ts';
import { changePayment } from '#test/support/change-payment.ts';
import { connectedAs } from '#test/support/connected.ts';
import { deployedParts } from '#test/support/deployed.ts';
import { deployedFunctions } from '#test/support/deployed-functions.ts';
import { eventually } from '#test/support/eventually.ts';
import { expectProblem } from '#test/support/expect-problem.ts';
import { functionLogs } from '#test/support/function-logs.ts';
import { callAs, demoClient, problemOf } from '#test/support/http-client.ts';

const PAYINS = '/api/v1/admin/fiats/{user_id}/payin';
const SIMULATE = 'POST /api/sandbox/payins/{payin_id}';
type Order = RequestOf<`POST ${typeof PAYINS}`>['body'];
type End = NonNullable<RequestOf<typeof SIMULATE>['body']>;

const client = demoClient('demo');
const second = demoClient('second');
const userId = client.users[0]?.userId ?? '';
const path = createPayinContract.path.replace('{user_id}', userId);
const call = connectedAs(client);
const ofUser = { user_id: userId };
const nequi: Order = { amount: 15_000, currency: 'COP', paymentMethod: 'NEQUI', phone: '3107654321' };
const pse: Order = {
  amount: 150_000.5,
  currency: 'COP',
  paymentMethod: 'PSE',
  bank: '1007',
  redirectUrl: 'https://client.example/return',
};

const post = (body: unknown, headers: Record<string, string> = {}) => callAs(client, 'POST', path, body, headers);

const create = async (order = nequi) => (await call(`POST ${PAYINS}`, { path: ofUser, body: order })).body;
const read = async (payinId: string) =>
  (await call(`GET ${PAYINS}/{payin_id}`, { path: { ...ofUser, payin_id: payinId } })).body;
const list = async (query: RequestOf<`GET ${typeof PAYINS}`>['query']) =>
  (await call(`GET ${PAYINS}`, { path: ofUser, ...(query && { query }) })).body;

/** Repeated while the notification is not accepted, as the sandbox advises: on a busy machine the rail is slow. */
const end = (payinId: string, status: End['status'], more: End = {}) =>
  call(SIMULATE, { path: { payin_id: payinId }, body: { status, ...more } });

const table = inject('stack')['payinsTable'] ?? '';

async function payinItem(payinId: string): Promise<Payin | undefined> {
  return createFindPayin(deployedParts().dynamo, table)(payinId);
}

const settleOpenPayins = deployedFunctions(awsOf(inject('outputs'))).sweep('settle-open-payins');

/** The sweep of each minute, as if the next poll of this pay-in were due. */
async function sweepNow(payinId: string): Promise<void> {
  await createPollPayinNow(deployedParts().dynamo, table, systemClock)(payinId, new Date().toISOString());
  await settleOpenPayins();
}

describe('interface 2.4: the pay-in has', () => {
  test('id, status, currency, amount and paymentMethod, for NEQUI as PENDING', async () => {
    expect(await create()).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      status: 'PENDING',
      currency: 'COP',
      amount: 15_000,
      paymentMethod: 'NEQUI',
    });
  });

  test('pseLink for PSE, which begins as CASHININIT', async () => {
    const payin = await create(pse);
    expect(payin).toMatchObject({ status: 'CASHININIT', amount: 150_000.5, paymentMethod: 'PSE' });
    expect(z.url().parse(payin.pseLink)).toContain(payin.id);
  });
});

describe('decisions 5: the rail', () => {
  test('does not answer: 503 RAIL_UNAVAILABLE, and a retry under the same key makes no second payment', async () => {
    const externalReference = randomUUID();
    const header = { 'Idempotency-Key': randomUUID() };
    const order = { ...nequi, phone: '3990000503', externalReference };
    const first = await post(order, header);
    const problem = problemOf(first);
    expect(problem).toMatchObject({ status: 503, code: 'RAIL_UNAVAILABLE' });
    expect(problem.detail).toContain('with the same Idempotency-Key');
    expect(first.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await read(problem.payinId ?? '')).toMatchObject({ status: 'PENDING', externalReference });
    const again = await call(`POST ${PAYINS}`, { path: ofUser, header, body: order });
    expect(again.status).toBe(201);
    const { payins } = await list({ externalReference });
    expect(payins.map(({ id }) => id)).toEqual([again.body.id]);
    expect(payins.map(({ id }) => id)).toEqual([problem.payinId]);
  });

  test.each(['COMPLETED', 'FAILED', 'EXPIRED'] as const)('says %s by its signed notification', async (status) => {
    const payin = await create();
    expect((await end(payin.id, status)).status).toBe(202);
    const ended = await eventually(
      () => read(payin.id),
      (one) => one.status === status,
    );
    expect(ended.statusHistory.map((change) => change.status)).toEqual(['PENDING', status]);
  });

  test('was paid another amount: the status stays, and the alarm of the notification’s function goes off', async () => {
    const since = Date.now();
    const payin = await create();
    expect((await end(payin.id, 'COMPLETED', { paidAmount: 14_999.99 })).status).toBe(202);
    expect(await read(payin.id)).toEqual({
      ...payin,
      userId: expect.any(String),
      createdAt: expect.anything(),
      sequence: expect.any(Number),
      statusHistory: expect.any(Array),
    });
    expect(await payinItem(payin.id)).toMatchObject({
      status: 'PENDING',
      settlementMismatch: { amount: '14999.99', currency: 'COP', at: expect.any(String) },
    });
    const logs = () => functionLogs(since);
    await eventually(logs, (lines) => new RegExp(`PAYIN_SETTLEMENT_MISMATCH[^}]*${payin.id}`).test(lines));
  });

  test('completed it, and its notification was lost: the sweep learns it', async () => {
    const payin = await create();
    await changePayment(payin.id, { status: 'COMPLETED' });
    const look = async () => {
      await sweepNow(payin.id);
      return read(payin.id);
    };
    await eventually(look, ({ status }) => status === 'COMPLETED');
  });
});

describe('interface 2.4: reading pay-ins', () => {
  test('by external reference, newest first, page by page', async () => {
    const externalReference = randomUUID();
    const created: string[] = [];
    for (let index = 0; index < 3; index += 1) created.unshift((await create({ ...nequi, externalReference })).id);
    const first = await list({ externalReference, limit: 2 });
    const last = await list({ externalReference, limit: 2, cursor: first.nextCursor });
    expect([...first.payins, ...last.payins].map(({ id }) => id)).toEqual(created);
    expect(last).not.toHaveProperty('nextCursor');
    for (const cursor of ['', randomUUID()]) expect((await expectProblem(list({ cursor }))).status).toBe(422);
  });

  test('two clients never see each other’s pay-ins, nor end them', async () => {
    const payin = await create();
    const theirs = createPayinContract.path.replace('{user_id}', second.users[0]?.userId ?? '');
    const answers = [
      await callAs(second, 'GET', `${path}/${payin.id}`),
      await callAs(second, 'GET', `${theirs}/${payin.id}`),
      await callAs(client, 'GET', `${path}/${randomUUID()}`),
      await callAs(second, 'POST', simulatePayinContract.path.replace('{payin_id}', payin.id), { status: 'COMPLETED' }),
    ];
    for (const answer of answers) expect(problemOf(answer)).toMatchObject({ status: 404, code: 'PAYIN_NOT_FOUND' });
    expect((await callAs(second, 'GET', path)).status).toBe(404);
  });
});
