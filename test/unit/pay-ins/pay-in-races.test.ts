import fc from 'fast-check';
import { expect, test } from 'vitest';
import { receiveRailNotification } from '#functions/pay-ins/receive-rail-notification/receive-rail-notification.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { httpRequest } from '#test/support/http-request.ts';
import { FIRST_PAYIN, PSE_ORDER, payinWorld } from '#test/support/pay-in-world.ts';

/** How far the first try under the key came before it was given up. */
const firstTries = ['BEFORE_STORED', 'BEFORE_ORDERING', 'BEFORE_ORDER', 'UNANSWERED', 'NEVER_ARRIVED'] as const;

/** Minutes after the first try at which everybody is at work at once, while the key is kept. */
const moments = [2, 14, 16, 60, 24 * 60 - 1];

/**
 * A repeat under the key, the sweep, a notification and the payer, in every order of their steps: each read, write and
 * call of the rail is a step of its own.
 */
test('decisions 5: a pay-in is never FAILED while the payer can still pay at the rail, and a payment completes it', async () => {
  const lines = captureLogs();
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.constantFrom(...firstTries),
      fc.constantFrom(...moments),
      fc.record({ isLate: fc.boolean(), isPaid: fc.boolean(), isExpiring: fc.boolean() }),
      async (scheduler, firstTry, minutes, { isLate, isPaid, isExpiring }) => {
        const dying = (point: (typeof firstTries)[number]) => {
          if (firstTry === point && !isSecond) throw new Error('killed');
        };
        let isSecond = false;
        const step = <T>(name: string, work: () => Promise<T>): Promise<T> =>
          isSecond ? scheduler.schedule(Promise.resolve(), name).then(work) : work();
        const { post, payins, rail, sweep, stored, clock, findPayment, settlePayin, table } = payinWorld((kept) => ({
          find: (payinId) => step('find', () => kept.find(payinId)),
          findPolled: (payinId) => step('find', () => kept.findPolled(payinId)),
          create: (payin) => {
            dying('BEFORE_STORED');
            return step('create', () => kept.create(payin));
          },
          beginOrdering: (seen, at) => {
            dying('BEFORE_ORDERING');
            return step('begin', () => kept.beginOrdering(seen, at));
          },
          changeStatus: (seen, to, at) => step('change', () => kept.changeStatus(seen, to, at)),
          pollAgainAt: (seen, at) => step('plan', () => kept.pollAgainAt(seen, at)),
          putOff: (seen, at) => step('put off', () => kept.putOff(seen, at)),
        }));
        const { find, order } = rail;
        // The rail's search may lag behind its payments.
        rail.find = (reference) => step('look up', () => (isLate ? Promise.resolve(undefined) : find(reference)));
        rail.order = (ordered) => {
          dying('BEFORE_ORDER');
          return step('order', () => order(ordered));
        };
        rail.state.answersOrders = firstTry !== 'UNANSWERED';
        rail.state.isDown = firstTry === 'NEVER_ARRIVED';
        const date = new Date(clock.now().getTime() + 30 * 60_000).toISOString();
        const body = isExpiring ? { ...PSE_ORDER, expirationDate: date } : PSE_ORDER;
        await post(body, 'key').catch(() => {});

        [rail.state.answersOrders, rail.state.isDown, isSecond] = [true, false, true];
        clock.advance(minutes * 60);
        const pay = async () => {
          if (isPaid && rail.payments.has(FIRST_PAYIN)) rail.become(FIRST_PAYIN, { status: 'COMPLETED' });
        };
        const notify = receiveRailNotification({
          rails: new Map([['simulated', { readNotification: async () => [FIRST_PAYIN] }]]),
          findPayin: payins.find,
          findPayment,
          settlePayin,
          pollAgainAt: payins.pollAgainAt,
          clock,
        });
        const call = { clientId: '', path: {}, query: () => undefined, bytes: () => Buffer.from('{}') };
        const repeat = post(body, 'key').then(
          (answer) => answer.body.status,
          (error: unknown) => (error instanceof ApiError ? error.code : Promise.reject(error)),
        );
        const others = [sweep(), step('pay', pay), notify({ ...call, http: httpRequest('{}') }), sweep()];
        const [answered] = await scheduler.waitFor(Promise.all([repeat, ...others]));

        const payable = rail.payments.get(FIRST_PAYIN);
        if (payable !== undefined) expect(stored()?.status).not.toBe('FAILED');
        if (answered === 'RAIL_REJECTED') expect(payable).toBeUndefined();
        expect(rail.payments.size).toBeLessThanOrEqual(1);

        // The lag ends, the payer pays what can be paid, and the sweep comes again.
        isSecond = false;
        rail.find = find;
        if (payable !== undefined) rail.become(FIRST_PAYIN, { status: 'COMPLETED' });
        clock.advance(24 * 3600);
        await sweep();
        if (payable !== undefined) expect(stored()?.status).toBe('COMPLETED');
        else expect(stored()?.status).not.toBe('COMPLETED');
        const isCompleted = stored()?.status === 'COMPLETED';
        if (!isCompleted) expect(table.dueAt.has(FIRST_PAYIN)).toBe(stored() !== undefined);
      },
    ),
    { numRuns: 300 },
  );
  expect(lines.filter(({ level }) => level === 'error')).toEqual([]);
}, 60_000);
