import { expect, test } from 'vitest';
import { simulatePayin } from '#functions/pay-ins/simulate-payin/simulate-payin.ts';
import type { PayinStatus } from '#shared/pay-ins/pay-in.ts';
import { simulatePayin as contract } from '#shared/pay-ins/pay-in-sandbox-contract.ts';
import { expectApiError } from '#test/support/expect-api-error.ts';
import { CLIENT, STRANGER } from '#test/support/ids.ts';
import { PAYIN, payinOf, payinsInMemory } from '#test/support/pay-ins-in-memory.ts';
import { routeCall } from '#test/support/route-call.ts';

/** Ends the client's pay-in that is `from` so far, and says what the rail did for it. */
function ending(
  from: PayinStatus,
  status: unknown,
  { isTaken = true, isNotified = true, clientId = CLIENT, payinId = PAYIN } = {},
) {
  const ended: string[] = [];
  const useCase = simulatePayin({
    findPayin: payinsInMemory(payinOf({ status: from, clientId })).find,
    endPayment: async (_, end) => isTaken && ended.push(end) > 0,
    notify: async (reference) => isNotified && ended.push(reference) > 0,
  });
  return { ended, answer: () => useCase(routeCall(contract, { payin_id: payinId }, { status })) };
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
  expect(ended).toEqual([to, PAYIN]);
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
    message: expect.stringMatching(/^The rail never took this pay-in/),
  });
  expect(ended).toEqual([]);
});

test('decisions 8: a notification that is not taken is 503, and the same call sends it again', async () => {
  const { ended, answer } = ending('PENDING', 'COMPLETED', { isNotified: false });
  expect(await expectApiError(answer)).toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    retryAfterSeconds: 1,
    message: expect.stringMatching(/^It was changed, but the notification was not accepted/),
  });
  expect(ended).toEqual(['COMPLETED']);
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
  [undefined, 'REQUIRED'],
])('decisions 8: %j is no end of a pay-in: 422', async (status, code) => {
  const { ended, answer } = ending('PENDING', status);
  expect(await expectApiError(answer)).toMatchObject({ status: 422, errors: [{ path: 'body.status', code }] });
  expect(ended).toEqual([]);
});
