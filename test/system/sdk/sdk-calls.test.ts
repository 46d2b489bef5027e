import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { connectedAs } from '#test/support/connected.ts';
import { expectProblem } from '#test/support/expect-problem.ts';
import { demoClient } from '#test/support/http-client.ts';
import { linkToPay } from '#test/support/typed-client-example.ts';

const client = demoClient('demo');
const call = connectedAs(client);

describe('the typed client', () => {
  test('does what docs/sdk.md shows', async () => {
    expect(await linkToPay(call, client.users[0]?.userId ?? '', randomUUID())).toMatch(/^https?:/);
    expect(await linkToPay(call, randomUUID(), randomUUID())).toBeUndefined();
  });

  test('raises what the service refuses, with the request id of the answer', async () => {
    const path = { user_id: client.users[0]?.userId ?? '' };
    const body = { amount: 1, currency: 'COP', paymentMethod: 'NEQUI' } as const;
    expect(await expectProblem(call('POST /api/v1/admin/fiats/{user_id}/payin', { path, body }))).toMatchObject({
      status: 422,
      code: 'VALIDATION_FAILED',
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      errors: [{ path: 'body.amount', code: 'INVALID_AMOUNT' }],
    });
  });

  test('makes a key for every call, so that two calls are two pay-ins', async () => {
    const request = {
      path: { user_id: client.users[0]?.userId ?? '' },
      body: { amount: 15_000, currency: 'COP', paymentMethod: 'NEQUI' },
    } as const;
    const route = 'POST /api/v1/admin/fiats/{user_id}/payin';
    const [one, other] = [await call(route, request), await call(route, request)];
    expect(one.body.id).not.toBe(other.body.id);
    const keyed = { ...request, header: { 'Idempotency-Key': randomUUID() } };
    const [first, again] = [await call(route, keyed), await call(route, keyed)];
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });
});
