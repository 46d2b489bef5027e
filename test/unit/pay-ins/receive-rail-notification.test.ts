import { describe, expect, test } from 'vitest';
import { receiveRailNotification } from '#functions/pay-ins/receive-rail-notification/receive-rail-notification.ts';
import { type FindPayment, RailUnavailable, type ReadRailNotification } from '#shared/pay-ins/rails/payment-rail.ts';
import { createSettlePayin } from '#shared/pay-ins/settle-pay-in.ts';
import { BadSignature } from '#shared/platform/aws/kms.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { expectApiError } from '#test/support/expect-api-error.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { httpRequest } from '#test/support/http-request.ts';
import { OPERATION, USER } from '#test/support/ids.ts';
import { CREATED_AT } from '#test/support/off-ramp.ts';
import { PAYIN, payinOf, payinsInMemory } from '#test/support/pay-ins-in-memory.ts';

const OTHER = OPERATION;

/** A notification about the pay-in, of which the rail says this when it is asked. */
function notified(
  payin: Parameters<typeof payinOf>[0],
  findPayment: FindPayment,
  readNotification: ReadRailNotification = async () => [PAYIN],
) {
  const asked: string[] = [];
  const payins = payinsInMemory(payinOf(payin), payinOf({ payinId: OTHER }));
  const find: FindPayment = (payin) => {
    asked.push(payin.payinId);
    return findPayment(payin);
  };
  const useCase = receiveRailNotification({
    rails: new Map([['simulated', { readNotification }]]),
    findPayin: payins.find,
    findPayment: find,
    settlePayin: createSettlePayin(payins, find, fakeClock(CREATED_AT)),
    pollAgainAt: payins.pollAgainAt,
    clock: fakeClock(CREATED_AT),
  });
  const call = { clientId: '', query: () => undefined, bytes: () => Buffer.from('{}'), http: httpRequest('{}') };
  return {
    answer: (path: { rail?: string } = {}) => useCase({ ...call, path }),
    asked,
    payins,
    stored: () => payins.kept.get(PAYIN),
    lines: captureLogs(),
  };
}

const payment = { reference: PAYIN, status: 'COMPLETED', amount: '150000.5', currency: 'COP' } as const;

test('decisions 5, later statuses: a notification has the payment looked up, and the pay-in ends as it did', async () => {
  const { answer, stored } = notified({}, async () => payment);
  expect(await answer()).toEqual({ body: { received: true }, ids: { payinId: PAYIN } });
  expect(stored()?.status).toBe('COMPLETED');
});

test.each([
  ['an open one that the rail still has as PENDING', 'PENDING', 'PENDING', true],
  ['one that failed, of which the rail has no news', 'FAILED', 'FAILED', true],
  ['one that fails by it', 'PENDING', 'FAILED', true],
  ['a completed one without news', 'COMPLETED', 'COMPLETED', true],
  ['one that the rail does not find', 'EXPIRED', undefined, true],
  ['one that is completed by it', 'PENDING', 'COMPLETED', false],
] as const)(
  'decisions 5: a notification whose look may have been stale has the rail asked again: %s',
  async (...given) => {
    const [, status, said, isAskedAgain] = given;
    const { answer, payins } = notified({ status }, async () => said && { ...payment, status: said });
    await answer();
    const twoMinutesLater = new Date(Date.parse(CREATED_AT) + 120_000).toISOString();
    expect(payins.dueAt.get(PAYIN) === twoMinutesLater).toBe(isAskedAgain);
  },
);

test('a notification is read from its bytes as they came, and its headers', async () => {
  const read: unknown[] = [];
  const { answer } = notified(
    {},
    async () => payment,
    async (notification) => {
      read.push(notification);
      return [];
    },
  );
  await answer();
  expect(read).toEqual([{ rawBody: Buffer.from('{}'), headers: httpRequest('{}').headers, query: {} }]);
});

test.each([
  ['money that was taken back', { status: 'FAILED' }, 'COMPLETED_PAYIN_REVERSED'],
  ['less money', { amount: '1' }, 'COMPLETED_PAYIN_REVERSED'],
  ['more money', { amount: '200000' }, 'PAYIN_SETTLEMENT_MISMATCH'],
] as const)('decisions 5: %s raises an alarm, and the rail need not send it again', async (_, said, code) => {
  const { answer, stored, lines } = notified({ status: 'COMPLETED' }, async () => ({ ...payment, ...said }));
  expect((await answer()).body).toEqual({ received: true });
  expect(stored()?.status).toBe('COMPLETED');
  expect(lines).toMatchObject([{ level: 'error', code }]);
});

test('decisions 5: a notification of a pay-in that is completed during the look-up is looked up once more', async () => {
  const { answer, stored, asked, payins } = notified({}, async () => {
    if (asked.length === 1) await payins.changeStatus(payinOf(), 'COMPLETED', CREATED_AT);
    return asked.length === 1 ? { ...payment, status: 'FAILED' } : payment;
  });
  await answer();
  expect([stored()?.status, stored()?.reversedAt, asked.length]).toEqual(['COMPLETED', undefined, 2]);
});

test('decisions 12, Boundary: a rail that has asked for a pause is asked no sooner because of its own notification', async () => {
  const { answer, asked, payins } = notified({}, async () => {
    throw new RailUnavailable('429', { retryAfter: 120 });
  });
  expect(await expectApiError(() => answer())).toMatchObject({ status: 503, retryAfterSeconds: 120 });
  expect(asked).toHaveLength(1);
  expect(payins.dueAt.get(PAYIN)).toBe(new Date(Date.parse(CREATED_AT) + 120_000).toISOString());
});

test('decisions 5: a rail that cannot be asked is to send its notification again, and is asked a minute later', async () => {
  const { answer, stored, payins } = notified({}, async () => {
    throw new RailUnavailable('timeout');
  });
  const { status, code, ids } = await expectApiError(() => answer());
  expect([status, code, ids]).toEqual([503, 'SERVICE_UNAVAILABLE', { payinId: PAYIN }]);
  expect(payins.dueAt.get(PAYIN)).toBe(new Date(Date.parse(CREATED_AT) + 60_000).toISOString());
  expect(stored()?.status).toBe('CASHININIT');
});

test('a notification that is not signed by the rail is 401, and nothing is looked up', async () => {
  const unsigned = () => Promise.reject(new BadSignature('another key'));
  const { answer, stored } = notified({}, () => Promise.reject(new Error('asked')), unsigned);
  expect(await expectApiError(() => answer())).toMatchObject({
    code: 'UNAUTHORIZED',
    message: expect.stringContaining('the rail'),
  });
  expect(stored()?.status).toBe('CASHININIT');
});

test('decisions 12, Notifications: while the secret of the rail cannot be read it is 503, and the rail sends it again', async () => {
  const unreadable = () => Promise.reject(new RailUnavailable('The secret cannot be read.'));
  const { answer } = notified({}, async () => payment, unreadable);
  expect(await expectApiError(() => answer())).toMatchObject({ status: 503, code: 'SERVICE_UNAVAILABLE' });
});

test.each([
  ['about something else', [], []],
  ['about a payment that the rail does not know', [PAYIN], [PAYIN]],
  ['about a pay-in that nobody has', [], [USER]],
])('decisions 5: a notification that is %s is accepted and changes nothing', async (_, lookedUp, read) => {
  const { answer, asked, stored } = notified(
    {},
    async () => undefined,
    async () => read,
  );
  expect((await answer()).body).toEqual({ received: false });
  expect([asked, stored()]).toEqual([lookedUp, payinOf()]);
});

test('decisions 5: a pay-in that a poll would end, because the rail does not find it, is not ended by its notification', async () => {
  const { answer, stored } = notified({ createdAt: '2026-01-01T00:00:00.000Z' }, async () => undefined);
  await answer();
  expect(stored()?.status).toBe('CASHININIT');
});

test('a notification that is not read, or not written, is no success, so that the rail sends it again', async () => {
  const broken = notified({}, () => Promise.reject(new Error('broken')));
  await expect(broken.answer()).rejects.toThrow('broken');
  expect(broken.stored()?.status).toBe('CASHININIT');
});

test('a notification that comes twice ends the pay-in once', async () => {
  const { answer, stored, lines } = notified({}, async () => payment);
  await answer();
  await answer();
  expect(stored()?.statusHistory.map(({ status }) => status)).toEqual(['CASHININIT', 'COMPLETED']);
  expect(lines).toEqual([]);
});

describe('decisions 12, Registry: one route per provider', () => {
  test.each([{}, { rail: 'simulated' }])('%j is read by the first rail, and looked up', async (path) => {
    const { answer } = notified({}, async () => payment);
    expect((await answer(path)).body).toEqual({ received: true });
  });

  test('a rail that the stage does not have is 404, and nothing is read', async () => {
    const { answer } = notified(
      {},
      async () => payment,
      () => Promise.reject(new Error('read')),
    );
    expect((await expectApiError(() => answer({ rail: 'another' }))).code).toBe('NOT_FOUND');
  });
});

test('decisions 12, Notifications: of several payments one that fails has all of them sent again', async () => {
  const { answer } = notified(
    {},
    async ({ payinId }) => (payinId === PAYIN ? payment : Promise.reject(new Error('broken'))),
    async () => [PAYIN, OTHER],
  );
  await expect(answer()).rejects.toThrow('broken');
});

test('decisions 12, Notifications: of several payments each is looked up once', async () => {
  const { answer, asked, stored } = notified(
    {},
    async () => payment,
    async () => [USER, PAYIN, PAYIN],
  );
  expect((await answer()).body).toEqual({ received: true });
  expect([asked, stored()?.status]).toEqual([[PAYIN], 'COMPLETED']);
});
