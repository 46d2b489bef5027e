import { randomUUID } from 'node:crypto';
import { describe, expect, inject, test } from 'vitest';
import * as z from 'zod/mini';
import type { RequestOf } from '#sdk/routes.ts';
import type { Payin } from '#shared/pay-ins/pay-in.ts';
import { createPayinContract } from '#shared/pay-ins/pay-in-contract.ts';
import { simulatePayinContract } from '#shared/pay-ins/pay-in-sandbox-contract.ts';
import { createFindPayin } from '#shared/pay-ins/pay-in-store.ts';
import { receiveRailNotificationContract } from '#shared/pay-ins/rails/rail-notification-contract.ts';
import { changePayment } from '#test/support/change-payment.ts';
import { connectedAs } from '#test/support/connected.ts';
import { deployedParts } from '#test/support/deployed.ts';
import { eventually } from '#test/support/eventually.ts';
import { expectProblem } from '#test/support/expect-problem.ts';
import { functionLogs } from '#test/support/function-logs.ts';
import { callAs, demoClient, problemOf, send } from '#test/support/http-client.ts';

const PAYINS = '/api/v1/admin/fiats/{user_id}/payin';
type Order = RequestOf<`POST ${typeof PAYINS}`>['body'];

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

const end = (payinId: string, status: string, as = client, more = {}) =>
  callAs(as, 'POST', simulatePayinContract.path.replace('{payin_id}', payinId), { status, ...more });

async function payinItem(payinId: string): Promise<Payin | undefined> {
  return createFindPayin(deployedParts().dynamo, inject('stack')['payinsTable'] ?? '')(payinId);
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

  test('externalReference only if it was sent', async () => {
    expect(await create()).not.toHaveProperty('externalReference');
    expect(await create({ ...nequi, externalReference: 'invoice-7' })).toHaveProperty('externalReference', 'invoice-7');
  });

  test('the status PENDING and no link for DAVIPLATA', async () => {
    const payin = await create({ ...nequi, paymentMethod: 'DAVIPLATA' });
    expect(payin).toMatchObject({ status: 'PENDING', paymentMethod: 'DAVIPLATA' });
    expect(payin).not.toHaveProperty('pseLink');
  });

  test('the payment method PSE when none is named (decisions 5)', async () => {
    const { paymentMethod: _, ...order } = pse;
    expect(await create(order)).toMatchObject({ paymentMethod: 'PSE', status: 'CASHININIT' });
  });

  test('the registered phone of the user when none is named, which may have +57 (decisions 5)', async () => {
    const { phone: _, ...order } = nequi;
    await create(order);
    await create({ ...nequi, phone: '+573107654321' });
  });
});

describe('interface 4.2: an order is refused', () => {
  test.each<[string, Record<string, unknown>, string, string]>([
    ['no amount', { ...nequi, amount: undefined }, 'body.amount', 'REQUIRED'],
    ['an amount as text', { ...nequi, amount: '15000' }, 'body.amount', 'INVALID_TYPE'],
    ['too small an amount', { ...nequi, amount: 1499.99 }, 'body.amount', 'INVALID_AMOUNT'],
    ['too large an amount', { ...nequi, amount: 50_000_000.01 }, 'body.amount', 'INVALID_AMOUNT'],
    ['a third decimal', { ...nequi, amount: 15_000.001 }, 'body.amount', 'INVALID_AMOUNT'],
    ['no currency', { ...nequi, currency: undefined }, 'body.currency', 'REQUIRED'],
    ['another currency', { ...nequi, currency: 'USD' }, 'body.currency', 'NOT_ALLOWED'],
    ['another rail', { ...nequi, paymentMethod: 'CASH' }, 'body.paymentMethod', 'NOT_ALLOWED'],
    ['PSE without a bank', { ...pse, bank: undefined }, 'body.bank', 'REQUIRED'],
    ['an unknown bank', { ...pse, bank: '9999' }, 'body.bank', 'BANK_NOT_ACTIVE'],
    ['a landline', { ...nequi, phone: '6012345678' }, 'body.phone', 'INVALID_FORMAT'],
    ['a relative redirect', { ...pse, redirectUrl: '/return' }, 'body.redirectUrl', 'INVALID_FORMAT'],
    [
      'a header in the redirect',
      { ...pse, redirectUrl: 'https://x/\r\nSet-Cookie: a=b' },
      'body.redirectUrl',
      'INVALID_FORMAT',
    ],
    ['a script as redirect', { ...pse, redirectUrl: 'javascript:alert(1)' }, 'body.redirectUrl', 'INVALID_FORMAT'],
    [
      'an expiration in the past',
      { ...nequi, expirationDate: '2020-01-01T00:00:00Z' },
      'body.expirationDate',
      'NOT_IN_FUTURE',
    ],
    [
      'an expiration without offset',
      { ...nequi, expirationDate: '2099-01-01T00:00:00' },
      'body.expirationDate',
      'INVALID_FORMAT',
    ],
    ['an empty reference', { ...nequi, externalReference: '' }, 'body.externalReference', 'OUT_OF_RANGE'],
    ['a long reference', { ...nequi, externalReference: 'x'.repeat(256) }, 'body.externalReference', 'OUT_OF_RANGE'],
  ])('%s', async (_, order, field, code) => {
    expect(problemOf(await post(order))).toMatchObject({ status: 422, errors: [{ path: field, code }] });
  });

  test('a foreign user, an unknown one and an id that is none: 404 USER_NOT_FOUND', async () => {
    for (const id of [second.users[0]?.userId ?? '', randomUUID(), 'x']) {
      const answer = await callAs(client, 'POST', createPayinContract.path.replace('{user_id}', id), nequi);
      expect(problemOf(answer)).toMatchObject({ status: 404, code: 'USER_NOT_FOUND' });
    }
  });

  test('a client that is not approved: 403', async () => {
    const answer = await callAs(demoClient('not-approved'), 'POST', path, nequi);
    expect(problemOf(answer).code).toBe('CLIENT_NOT_APPROVED');
  });
});

describe('decisions 5: the rail', () => {
  test('refuses: 502 RAIL_REJECTED, and the pay-in has failed', async () => {
    const externalReference = randomUUID();
    const answer = await post({ ...nequi, phone: '3990000502', externalReference });
    const problem = problemOf(answer);
    expect(problem).toMatchObject({ status: 502, code: 'RAIL_REJECTED' });
    expect((await list({ externalReference })).payins).toMatchObject([{ id: problem.payinId, status: 'FAILED' }]);
  });

  test('does not answer: 503 RAIL_UNAVAILABLE, and a retry under the same key makes no second payment', async () => {
    const externalReference = randomUUID();
    const key = { 'Idempotency-Key': randomUUID() };
    const order = { ...nequi, phone: '3990000503', externalReference };
    const first = await post(order, key);
    const problem = problemOf(first);
    expect(problem).toMatchObject({ status: 503, code: 'RAIL_UNAVAILABLE' });
    expect(problem.detail).toContain('with the same Idempotency-Key');
    expect(first.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await read(problem.payinId ?? '')).toMatchObject({ status: 'PENDING', externalReference });
    const again = await post(order, key);
    expect(again.status).toBe(201);
    const { payins } = await list({ externalReference });
    expect(payins.map(({ id }) => id)).toEqual([createPayinContract.success.body.parse(JSON.parse(again.text)).id]);
    expect(payins.map(({ id }) => id)).toEqual([problem.payinId]);
  });

  test.each(['COMPLETED', 'FAILED', 'EXPIRED'])('says %s by its signed notification', async (status) => {
    const payin = await create();
    expect((await end(payin.id, status)).status).toBe(202);
    const ended = await eventually(
      () => read(payin.id),
      (one) => one.status === status,
    );
    expect(ended.statusHistory.map((change) => change.status)).toEqual(['PENDING', status]);
  });

  test('says it twice: it counts once; what is completed stays completed, and no other end can be simulated', async () => {
    const payin = await create();
    await end(payin.id, 'COMPLETED');
    await end(payin.id, 'COMPLETED');
    const problem = problemOf(await end(payin.id, 'FAILED'));
    expect(problem).toMatchObject({ status: 409, code: 'PAYIN_STATUS_CONFLICT' });
    const ended = await read(payin.id);
    expect(ended.status).toBe('COMPLETED');
    expect(ended.statusHistory).toHaveLength(2);
  });

  test.each(['FAILED', 'EXPIRED'])('after %s it can still be paid', async (status) => {
    const payin = await create();
    for (const next of [status, 'COMPLETED']) expect((await end(payin.id, next)).status).toBe(202);
    const { statusHistory } = await read(payin.id);
    expect(statusHistory.map((change) => change.status)).toEqual(['PENDING', status, 'COMPLETED']);
  });

  test('was paid another amount: the status stays, and the alarm of the notification’s function goes off', async () => {
    const since = Date.now();
    const payin = await create();
    expect((await end(payin.id, 'COMPLETED', client, { paidAmount: 14_999.99 })).status).toBe(202);
    expect(await read(payin.id)).toEqual({
      ...payin,
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
    await eventually(
      () => read(payin.id),
      ({ status }) => status === 'COMPLETED',
      180,
    );
  });

  test('is not believed without its signature', async () => {
    const payin = await create();
    const body = JSON.stringify({ event: 'payment.updated', data: { reference: payin.id } });
    for (const signature of ['', 'x..y', `${Buffer.from('{"alg":"none"}').toString('base64url')}..`]) {
      const answer = await send('POST', receiveRailNotificationContract.path, {
        body,
        headers: { 'rail-signature': signature },
      });
      expect(problemOf(answer)).toMatchObject({ status: 401, code: 'UNAUTHORIZED' });
    }
  });
});

describe('decisions 5, same request twice: Idempotency-Key', () => {
  test('the user id in another case is the same request', async () => {
    const key = { 'Idempotency-Key': randomUUID() };
    const first = await post(nequi, key);
    const upper = createPayinContract.path.replace('{user_id}', userId.toUpperCase());
    const again = await callAs(client, 'POST', upper, nequi, key);
    expect([again.text, again.headers.get('idempotency-replayed')]).toEqual([first.text, 'true']);
  });

  test('the first answer is replayed, another body is refused', async () => {
    const key = { 'Idempotency-Key': randomUUID() };
    const [first, again] = [await post(pse, key), await post(pse, key)];
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(problemOf(await post(nequi, key)).code).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  test('without it every call makes a pay-in', async () => {
    expect((await create()).id).not.toBe((await create()).id);
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
      await end(payin.id, 'COMPLETED', second),
    ];
    for (const answer of answers) expect(problemOf(answer)).toMatchObject({ status: 404, code: 'PAYIN_NOT_FOUND' });
    expect((await callAs(second, 'GET', path)).status).toBe(404);
  });
});
