import { expect, test } from 'vitest';
import { simulatePayin } from '#functions/pay-ins/simulate-payin/simulate-payin.ts';
import type { PayinStatus } from '#shared/pay-ins/pay-in.ts';
import { simulatePayinContract } from '#shared/pay-ins/pay-in-sandbox-contract.ts';
import { expectApiError } from '#test/support/expect-api-error.ts';
import { CLIENT, STRANGER } from '#test/support/ids.ts';
import { PAYIN, payinOf, payinsInMemory } from '#test/support/pay-ins-in-memory.ts';
import { routeCall } from '#test/support/route-call.ts';

/** Simulates an outcome of the client's pay-in, which has the status `from`; `ended` lists what the rail was told. */
function ending(from: PayinStatus, status: unknown, differences: Parameters<typeof saying>[2] = {}) {
  return saying(from, { status }, differences);
}

function saying(
  from: PayinStatus,
  body: unknown,
  { isTaken = true, isNotified = true, clientId = CLIENT, payinId = PAYIN, rail = 'simulated' } = {},
) {
  const ended: string[] = [];
  const useCase = simulatePayin({
    findPayin: payinsInMemory(payinOf({ status: from, clientId, rail })).find,
    changePayment: async (_, { status, amount }) => isTaken && ended.push(`${status} ${amount}`) > 0,
    notify: async (reference) => isNotified && ended.push(reference) > 0,
  });
  return { ended, answer: () => useCase(routeCall(simulatePayinContract, { payin_id: payinId }, body)) };
}

test.each([
  ['CASHININIT', 'FAILED'],
  ['PENDING', 'COMPLETED'],
  ['EXPIRED', 'COMPLETED'],
  ['FAILED', 'COMPLETED'],
  ['COMPLETED', 'COMPLETED'],
] as const)('decisions 8: from %s to %s the rail ends the payment and notifies', async (from, to) => {
  const { ended, answer } = ending(from, to);
  expect((await answer()).body).toEqual({ id: PAYIN, status: to });
  expect(ended).toEqual([`${to} 150000.5`, PAYIN]);
});

test.each([
  ['COMPLETED', 'FAILED'],
  ['COMPLETED', 'EXPIRED'],
  ['FAILED', 'EXPIRED'],
  ['EXPIRED', 'FAILED'],
] as const)('decisions 8: from %s to %s is 409 PAYIN_STATUS_CONFLICT', async (from, to) => {
  const { ended, answer } = ending(from, to);
  const { status, code } = await expectApiError(answer);
  expect([status, code, ended]).toEqual([409, 'PAYIN_STATUS_CONFLICT', []]);
});

test('decisions 8: a pay-in that the rail refused cannot be paid: 409, and says so', async () => {
  const { ended, answer } = ending('FAILED', 'COMPLETED', { isTaken: false });
  expect(await expectApiError(answer)).toMatchObject({
    status: 409,
    code: 'PAYIN_STATUS_CONFLICT',
    message: expect.stringMatching(/^The rail never accepted this pay-in/),
  });
  expect(ended).toEqual([]);
});

test('a pay-in at a real rail cannot be simulated: 409, and says at which one to pay it', async () => {
  const { ended, answer } = ending('FAILED', 'COMPLETED', { rail: 'wompi', isTaken: false });
  expect(await expectApiError(answer)).toMatchObject({
    status: 409,
    code: 'PAYIN_STATUS_CONFLICT',
    message: expect.stringMatching(/^The rail of this pay-in is wompi, which is not simulated here/),
  });
  expect(ended).toEqual([]);
});

test('decisions 8: a notification that is not taken is 503, and the same call sends it again', async () => {
  const { ended, answer } = ending('PENDING', 'COMPLETED', { isNotified: false });
  expect(await expectApiError(answer)).toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    retryAfterSeconds: 1,
    message: expect.stringMatching(/^The change was made, but its notification was not accepted/),
  });
  expect(ended).toEqual(['COMPLETED 150000.5']);
});

test.each([
  ['COMPLETED', { status: 'COMPLETED', paidAmount: 14_000 }, 'COMPLETED 14000'],
  ['FAILED', { status: 'FAILED' }, 'FAILED 150000.5'],
  ['EXPIRED', { status: 'EXPIRED' }, 'EXPIRED 150000.5'],
  ['COMPLETED', { reversed: true }, 'FAILED 150000.5'],
] as const)('is repeatable: of a pay-in that is %s by then, %j has the rail say the same', async (by, body, said) => {
  expect(simulatePayinContract.repeatable).toBe(true);
  const { ended, answer } = saying(by, body);
  expect((await answer()).body).toMatchObject({ id: PAYIN });
  expect(ended).toEqual([said, PAYIN]);
});

test.each([
  ['another client’s', { clientId: STRANGER }],
  ['an unknown one', { payinId: STRANGER }],
])('decisions 8: %s is 404 PAYIN_NOT_FOUND, whatever the body says, and ends nothing', async (_, differences) => {
  for (const status of ['COMPLETED', 'x']) {
    const { ended, answer } = ending('PENDING', status, differences);
    expect(await expectApiError(answer)).toMatchObject({ status: 404, code: 'PAYIN_NOT_FOUND' });
    expect(ended).toEqual([]);
  }
});

test.each([
  ['PENDING', 'NOT_ALLOWED'],
  ['CASHININIT', 'NOT_ALLOWED'],
  ['completed', 'NOT_ALLOWED'],
])('decisions 8: %j is no end of a pay-in: 422', async (status, code) => {
  const { ended, answer } = ending('PENDING', status);
  expect(await expectApiError(answer)).toMatchObject({ status: 422, errors: [{ path: 'body.status', code }] });
  expect(ended).toEqual([]);
});

test.each([
  ['PENDING', 14_000, '14000'],
  ['CASHININIT', 200_000.55, '200000.55'],
  ['COMPLETED', 50_000, '50000'],
  ['FAILED', 14_000, '14000'],
] as const)('decisions 8: of one that is %s another amount can be paid: %d', async (from, paidAmount, said) => {
  const { ended, answer } = saying(from, { status: 'COMPLETED', paidAmount });
  expect((await answer()).body).toEqual({ id: PAYIN, status: 'COMPLETED' });
  expect(ended).toEqual([`COMPLETED ${said}`, PAYIN]);
});

test.each([
  [true, 'FAILED 150000.5'],
  [false, 'COMPLETED 150000.5'],
])('decisions 8: reversed %s of a completed one is what the rail says', async (reversed, said) => {
  const { ended, answer } = saying('COMPLETED', { reversed });
  expect((await answer()).body).toEqual({ id: PAYIN, status: 'COMPLETED', reversed });
  expect(ended).toEqual([said, PAYIN]);
});

test.each(['CASHININIT', 'PENDING', 'FAILED', 'EXPIRED'] as const)(
  'decisions 8: of one that is %s nothing can be taken back: 409',
  async (from) => {
    const { ended, answer } = saying(from, { reversed: true });
    expect(await expectApiError(answer)).toMatchObject({ status: 409, code: 'PAYIN_STATUS_CONFLICT' });
    expect(ended).toEqual([]);
  },
);

test.each([
  [{}, 'body', 'INVALID'],
  [{ status: 'COMPLETED', reversed: false }, 'body', 'INVALID'],
  [{ status: 'FAILED', paidAmount: 1 }, 'body.paidAmount', 'NOT_ALLOWED'],
  [{ reversed: true, paidAmount: 1 }, 'body.paidAmount', 'NOT_ALLOWED'],
  [{ status: 'COMPLETED', paidAmount: 0 }, 'body.paidAmount', 'INVALID_AMOUNT'],
  [{ status: 'COMPLETED', paidAmount: -1 }, 'body.paidAmount', 'INVALID_AMOUNT'],
  [{ status: 'COMPLETED', paidAmount: 1.001 }, 'body.paidAmount', 'INVALID_AMOUNT'],
  [{ status: 'COMPLETED', paidAmount: '1' }, 'body.paidAmount', 'INVALID_TYPE'],
])('decisions 8: %j is not one thing that a rail can say: 422', async (body, path, code) => {
  const { ended, answer } = saying('COMPLETED', body);
  expect(await expectApiError(answer)).toMatchObject({ status: 422, errors: [{ path, code }] });
  expect(ended).toEqual([]);
});
