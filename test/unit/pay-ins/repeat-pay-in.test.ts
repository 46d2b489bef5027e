import { describe, expect, test } from 'vitest';
import { RailRejected } from '#shared/pay-ins/rails/payment-rail.ts';
import { expectApiError } from '#test/support/expect-api-error.ts';
import { CREATED_AT } from '#test/support/off-ramp.ts';
import { FIRST_PAYIN, PSE_ORDER, payinWorld } from '#test/support/pay-in-world.ts';

const MINUTE = 60;

describe('decisions 5, a repeat under a key: what the first try made is found by its id', () => {
  test('before any rule is checked: its bank is gone, its date has passed', async () => {
    const { post, rail, clock, banks } = payinWorld();
    const order = { ...PSE_ORDER, expirationDate: new Date(Date.parse(CREATED_AT) + 1000).toISOString() };
    rail.state.answersOrders = false;
    await expectApiError(() => post(order, 'key'));
    banks.clear();
    clock.advance(MINUTE);
    const { body } = await post(order, 'key');
    expect(body).toMatchObject({ id: FIRST_PAYIN, pseLink: `https://pse.example/${FIRST_PAYIN}` });
    expect(rail.orders).toHaveLength(1);
  });

  test('one without a link is ordered again, by the same reference', async () => {
    const { post, rail, stored, clock } = payinWorld();
    rail.state.isDown = true;
    await expectApiError(() => post(PSE_ORDER, 'key'));
    rail.state.isDown = false;
    clock.advance(MINUTE);
    expect((await post(PSE_ORDER, 'key')).body.pseLink).toBe(`https://pse.example/${FIRST_PAYIN}`);
    expect(rail.orders.map(({ payin }) => payin.payinId)).toEqual([FIRST_PAYIN]);
    expect(stored()?.orderingSince).toBe(new Date(Date.parse(CREATED_AT) + MINUTE * 1000).toISOString());
  });

  test('one whose first try died before it asked the rail is ordered, without a look-up', async () => {
    let dies = true;
    const { post, rail } = payinWorld((table) => ({
      beginOrdering: (seen, at) => (dies ? Promise.reject(new Error('killed')) : table.beginOrdering(seen, at)),
    }));
    await expectApiError(() => post(PSE_ORDER, 'key'));
    dies = false;
    rail.find = () => Promise.reject(new Error('There is nothing to look up.'));
    expect((await post(PSE_ORDER, 'key')).body.id).toBe(FIRST_PAYIN);
    expect(rail.orders).toHaveLength(1);
  });

  test('one whose first try died between that and the order is looked up, then ordered', async () => {
    const { post, rail } = payinWorld();
    const { order } = rail;
    rail.order = () => Promise.reject(new Error('killed'));
    await expectApiError(() => post(PSE_ORDER, 'key'));
    rail.order = order;
    expect((await post(PSE_ORDER, 'key')).body.id).toBe(FIRST_PAYIN);
    expect(rail.orders).toHaveLength(1);
  });

  test('one that has its link is answered without the rail', async () => {
    let dies = true;
    const { post, rail } = payinWorld((table) => ({
      async keepPayment(payinId, kept) {
        await table.keepPayment(payinId, kept);
        if (dies) throw new Error('killed');
      },
    }));
    await expectApiError(() => post(PSE_ORDER, 'key'));
    [dies, rail.state.isDown] = [false, true];
    expect((await post(PSE_ORDER, 'key')).body.pseLink).toBe(`https://pse.example/${FIRST_PAYIN}`);
  });

  test('one that the rail refuses now may have been taken before: it stays open, and what is paid completes it', async () => {
    const { post, rail, stored, sweep, clock } = payinWorld();
    const { find } = rail;
    rail.state.answersOrders = false;
    await expectApiError(() => post(PSE_ORDER, 'key'));
    // The rail does not find the payment yet, and rejects the repeat, as the payer's data has changed meanwhile.
    rail.find = async () => undefined;
    rail.order = () => Promise.reject(new RailRejected('user_legal_id_type: Formato inválido'));
    expect((await expectApiError(() => post(PSE_ORDER, 'key'))).code).toBe('RAIL_UNAVAILABLE');
    expect(stored()?.status).toBe('CASHININIT');
    rail.find = find;
    rail.become(FIRST_PAYIN, { status: 'COMPLETED' });
    clock.advance(2 * MINUTE);
    await sweep();
    expect(stored()?.statusHistory.map(({ status }) => status)).toEqual(['CASHININIT', 'COMPLETED']);
  });

  test('one that has failed is 502', async () => {
    const { post, rail, sweep, clock, stored } = payinWorld();
    rail.state.answersOrders = false;
    await expectApiError(() => post(PSE_ORDER, 'key'));
    rail.become(FIRST_PAYIN, { status: 'FAILED' });
    clock.advance(2 * MINUTE);
    await sweep();
    expect(stored()?.status).toBe('FAILED');
    expect((await expectApiError(() => post(PSE_ORDER, 'key'))).code).toBe('RAIL_REJECTED');
    expect(rail.orders).toHaveLength(1);
  });

  test.each(['COMPLETED', 'EXPIRED'] as const)(
    'one that is %s at the rail by now is answered as that',
    async (status) => {
      const { post, rail, stored } = payinWorld();
      rail.state.answersOrders = false;
      await expectApiError(() => post(PSE_ORDER, 'key'));
      rail.become(FIRST_PAYIN, { status });
      expect((await post(PSE_ORDER, 'key')).body).toMatchObject({ id: FIRST_PAYIN, status });
      expect(stored()?.status).toBe(status);
    },
  );

  test('one whose date has passed is not ordered any more: it has expired', async () => {
    const { post, rail, clock, stored } = payinWorld();
    const order = { ...PSE_ORDER, expirationDate: new Date(Date.parse(CREATED_AT) + 1000).toISOString() };
    rail.state.isDown = true;
    await expectApiError(() => post(order, 'key'));
    rail.state.isDown = false;
    clock.advance(MINUTE);
    expect((await post(order, 'key')).body).toMatchObject({ id: FIRST_PAYIN, status: 'EXPIRED' });
    expect([stored()?.status, rail.orders]).toEqual(['EXPIRED', []]);
  });

  test('when nothing was made the rules are checked', async () => {
    let dies = true;
    const { post, banks } = payinWorld((table) => ({
      create: (payin) => (dies ? Promise.reject(new Error('killed')) : table.create(payin)),
    }));
    await expect(post(PSE_ORDER, 'key')).rejects.toThrow('killed');
    dies = false;
    banks.clear();
    expect((await expectApiError(() => post(PSE_ORDER, 'key'))).code).toBe('VALIDATION_FAILED');
    banks.add('1007');
    expect((await post(PSE_ORDER, 'key')).body.id).toBe(FIRST_PAYIN);
  });
});

describe('the sweep and a repeat that orders at the same moment', () => {
  test('the sweep that asked before does not fail what is ordered now', async () => {
    const { post, rail, clock, sweep, stored } = payinWorld();
    rail.state.isDown = true;
    await expectApiError(() => post(PSE_ORDER, 'key'));
    clock.advance(16 * MINUTE);
    rail.state.isDown = false;
    const { order } = rail;
    rail.order = async (ordered) => {
      await sweep();
      return order(ordered);
    };
    expect((await post(PSE_ORDER, 'key')).body).toMatchObject({ status: 'CASHININIT' });
    expect(stored()?.status).toBe('CASHININIT');
  });

  test('what the sweep has failed is not ordered', async () => {
    let dies = true;
    const { post, rail, clock, sweep } = payinWorld((table) => ({
      beginOrdering: async (seen, at) => {
        if (dies) throw new Error('killed');
        await sweep();
        return table.beginOrdering(seen, at);
      },
    }));
    await expectApiError(() => post(PSE_ORDER, 'key'));
    dies = false;
    clock.advance(16 * MINUTE);
    expect((await expectApiError(() => post(PSE_ORDER, 'key'))).code).toBe('RAIL_REJECTED');
    expect(rail.orders).toEqual([]);
  });
});
