import { describe, expect, test } from 'vitest';
import { problemFor } from '#shared/contracts/problem.ts';
import { WriteConflict } from '#shared/dynamodb/transaction.ts';
import { RailRejected } from '#shared/payment-rail/payment-rail.ts';
import { CREATED_AT } from '#test/support/off-ramp.ts';
import { NEQUI_ORDER, PSE_ORDER, payinWorld } from '#test/support/payin-world.ts';
import { refused } from '#test/support/refused.ts';

const MINUTE = 60;
const DAY = 24 * 3600;

describe('decisions 5: the pay-in is on record, and that the rail is asked, before the rail is asked', () => {
  test('a first try asks for nothing but the order', async () => {
    const { post, rail, stored } = payinWorld();
    const { order } = rail;
    rail.find = () => Promise.reject(new Error('There is nothing to look up.'));
    rail.order = (ordered) => {
      expect(stored()).toMatchObject({ status: 'CASHININIT', orderingSince: CREATED_AT, sequence: 2 });
      return order(ordered);
    };
    const { body } = await post();
    expect(body).toMatchObject({ id: 'payin-1', status: 'CASHININIT', pseLink: 'https://pse.example/payin-1' });
    expect(rail.orders).toMatchObject([{ reference: 'payin-1', amount: '150000.5', currency: 'COP', rail: 'PSE' }]);
    expect(stored()?.pseLink).toBe(body.pseLink);
  });

  test('a refused order has failed: 502, which names it', async () => {
    const { post, rail, stored } = payinWorld();
    rail.order = async () => {
      throw new RailRejected('no');
    };
    const { status, code, payinId } = await refused(() => post());
    expect([status, code, payinId]).toEqual([502, 'RAIL_REJECTED', 'payin-1']);
    expect(stored()?.status).toBe('FAILED');
  });

  test('an order that the rail takes and ends at once ends the pay-in', async () => {
    const { post, rail, stored } = payinWorld();
    const { order } = rail;
    rail.order = async (ordered) => ({ ...(await order(ordered)), status: 'FAILED' });
    expect((await refused(() => post(NEQUI_ORDER))).code).toBe('RAIL_REJECTED');
    expect(stored()?.status).toBe('FAILED');
  });
});

describe('decisions 5: 503 RAIL_UNAVAILABLE names the pay-in, and never has the same request sent again', () => {
  test.each([
    ['is down', { isDown: true }],
    ['takes the order without an answer', { answersOrders: false }],
    ['makes no link', { makesLinks: false }],
  ])('when the rail %s', async (_, state) => {
    const { post, rail, stored } = payinWorld();
    Object.assign(rail.state, state);
    const refusal = await refused(() => post());
    expect([refusal.status, refusal.code, refusal.retryAfterSeconds]).toEqual([503, 'RAIL_UNAVAILABLE', 10]);
    const problem = problemFor(refusal.code, 'request-1', refusal);
    expect(problem.payinId).toBe('payin-1');
    expect(problem.detail).toMatch(/Read it, or repeat the request with the same Idempotency-Key\./);
    expect(problem.detail).toContain('payin-1');
    expect(stored()?.status).toBe('CASHININIT');
  });

  test('nor is it sent again when something of ours fails once the pay-in is on record', async () => {
    const keepLink = async () => {
      throw new Error('the table is away');
    };
    const { post } = payinWorld(() => ({ keepLink }));
    const { status, code, payinId, message } = await refused(() => post());
    expect([status, code, payinId]).toEqual([500, 'INTERNAL_ERROR', 'payin-1']);
    expect(message).toContain('with the same Idempotency-Key');
  });

  test('but 502 when the payment fails while its link is waited for', async () => {
    const { post, rail, stored } = payinWorld();
    rail.state.makesLinks = false;
    const { find } = rail;
    rail.find = (reference) => {
      rail.become(reference, { status: 'FAILED' });
      return find(reference);
    };
    expect((await refused(() => post())).code).toBe('RAIL_REJECTED');
    expect(stored()?.status).toBe('FAILED');
  });

  test('the link is asked for during four seconds', async () => {
    const { post, rail, clock } = payinWorld();
    rail.state.makesLinks = false;
    await refused(() => post());
    expect(clock.now().getTime() - Date.parse(CREATED_AT)).toBe(4000);
  });
});

describe('decisions 5, a repeat under a key: what the first try made is found by its id', () => {
  test('before any rule is checked: its bank is gone, its date has passed', async () => {
    const { post, rail, clock, banks } = payinWorld();
    const order = { ...PSE_ORDER, expirationDate: new Date(Date.parse(CREATED_AT) + 1000).toISOString() };
    rail.state.answersOrders = false;
    await refused(() => post(order, 'key'));
    banks.clear();
    clock.advance(MINUTE);
    const { body } = await post(order, 'key');
    expect(body).toMatchObject({ id: 'payin-1', pseLink: 'https://pse.example/payin-1' });
    expect(rail.orders).toHaveLength(1);
  });

  test('one without a link is ordered again, by the same reference', async () => {
    const { post, rail, stored, clock } = payinWorld();
    rail.state.isDown = true;
    await refused(() => post(PSE_ORDER, 'key'));
    rail.state.isDown = false;
    clock.advance(MINUTE);
    expect((await post(PSE_ORDER, 'key')).body.pseLink).toBe('https://pse.example/payin-1');
    expect(rail.orders.map(({ reference }) => reference)).toEqual(['payin-1']);
    expect(stored()?.orderingSince).toBe(new Date(Date.parse(CREATED_AT) + MINUTE * 1000).toISOString());
  });

  test('one whose first try died before it asked the rail is ordered, without a look-up', async () => {
    let dies = true;
    const { post, rail } = payinWorld((table) => ({
      beginOrdering: (seen, at) => (dies ? Promise.reject(new Error('killed')) : table.beginOrdering(seen, at)),
    }));
    await refused(() => post(PSE_ORDER, 'key'));
    dies = false;
    rail.find = () => Promise.reject(new Error('There is nothing to look up.'));
    expect((await post(PSE_ORDER, 'key')).body.id).toBe('payin-1');
    expect(rail.orders).toHaveLength(1);
  });

  test('one whose first try died between that and the order is looked up, then ordered', async () => {
    const { post, rail } = payinWorld();
    const { order } = rail;
    rail.order = () => Promise.reject(new Error('killed'));
    await refused(() => post(PSE_ORDER, 'key'));
    rail.order = order;
    expect((await post(PSE_ORDER, 'key')).body.id).toBe('payin-1');
    expect(rail.orders).toHaveLength(1);
  });

  test('one that has its link is answered without the rail', async () => {
    let dies = true;
    const { post, rail } = payinWorld((table) => ({
      async keepLink(payinId, link) {
        await table.keepLink(payinId, link);
        if (dies) throw new Error('killed');
      },
    }));
    await refused(() => post(PSE_ORDER, 'key'));
    [dies, rail.state.isDown] = [false, true];
    expect((await post(PSE_ORDER, 'key')).body.pseLink).toBe('https://pse.example/payin-1');
  });

  test('one that has failed is 502', async () => {
    const { post, rail, sweep, clock, stored } = payinWorld();
    rail.state.answersOrders = false;
    await refused(() => post(PSE_ORDER, 'key'));
    rail.become('payin-1', { status: 'FAILED' });
    clock.advance(2 * MINUTE);
    await sweep();
    expect(stored()?.status).toBe('FAILED');
    expect((await refused(() => post(PSE_ORDER, 'key'))).code).toBe('RAIL_REJECTED');
    expect(rail.orders).toHaveLength(1);
  });

  test.each(['COMPLETED', 'EXPIRED'] as const)(
    'one that is %s at the rail by now is answered as that',
    async (status) => {
      const { post, rail, stored } = payinWorld();
      rail.state.answersOrders = false;
      await refused(() => post(PSE_ORDER, 'key'));
      rail.become('payin-1', { status });
      expect((await post(PSE_ORDER, 'key')).body).toMatchObject({ id: 'payin-1', status });
      expect(stored()?.status).toBe(status);
    },
  );

  test('one whose date has passed is not ordered any more: it has expired', async () => {
    const { post, rail, clock, stored } = payinWorld();
    const order = { ...PSE_ORDER, expirationDate: new Date(Date.parse(CREATED_AT) + 1000).toISOString() };
    rail.state.isDown = true;
    await refused(() => post(order, 'key'));
    rail.state.isDown = false;
    clock.advance(MINUTE);
    expect((await post(order, 'key')).body).toMatchObject({ id: 'payin-1', status: 'EXPIRED' });
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
    expect((await refused(() => post(PSE_ORDER, 'key'))).code).toBe('VALIDATION_FAILED');
    banks.add('1007');
    expect((await post(PSE_ORDER, 'key')).body.id).toBe('payin-1');
  });
});

describe('the sweep and a repeat that orders at the same moment', () => {
  test('the sweep that asked before does not fail what is ordered now', async () => {
    const { post, rail, clock, sweep, stored } = payinWorld();
    rail.state.isDown = true;
    await refused(() => post(PSE_ORDER, 'key'));
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
    await refused(() => post(PSE_ORDER, 'key'));
    dies = false;
    clock.advance(16 * MINUTE);
    expect((await refused(() => post(PSE_ORDER, 'key'))).code).toBe('RAIL_REJECTED');
    expect(rail.orders).toEqual([]);
  });

  test('an order that was sent and is unknown to the rail for a day has expired; paid later, it is completed', async () => {
    const { post, rail, clock, sweep, stored } = payinWorld();
    rail.state.isDown = true;
    await refused(() => post(PSE_ORDER));
    rail.state.isDown = false;
    clock.advance(DAY + 1);
    await sweep();
    expect(stored()?.status).toBe('EXPIRED');
    rail.payments.set('payin-1', { reference: 'payin-1', status: 'COMPLETED', amount: '150000.50', currency: 'COP' });
    clock.advance(3600);
    await sweep();
    expect(stored()?.status).toBe('COMPLETED');
  });
});

describe('decisions 4, writing: a creation that meets a conflict or a throttled table', () => {
  test('is made again, and makes one pay-in', async () => {
    const faults = [new WriteConflict('TransactionConflict'), new WriteConflict('ThrottlingError')];
    const { post, table } = payinWorld((kept) => ({
      create: async (payin) => {
        const fault = faults.shift();
        if (fault !== undefined) throw fault;
        return kept.create(payin);
      },
    }));
    await post();
    expect([...table.kept.keys()]).toEqual(['payin-1']);
  });

  test('goes on with what it has made when the answer says that it is still under way', async () => {
    const faults = [new WriteConflict('TransactionInProgressException')];
    const { post, stored, rail } = payinWorld((kept) => ({
      create: async (payin) => {
        const isNew = await kept.create(payin);
        const fault = faults.shift();
        if (fault !== undefined) throw fault;
        return isNew;
      },
    }));
    await post();
    expect(stored()).toMatchObject({ sequence: 2, orderingSince: expect.any(String) });
    expect(rail.orders).toHaveLength(1);
  });

  test('is 503 with Retry-After after 3 seconds: nothing was made', async () => {
    const create = async () => {
      throw new WriteConflict('ThrottlingError');
    };
    const { post, rail } = payinWorld(() => ({ create }));
    const { status, code, retryAfterSeconds, payinId } = await refused(() => post());
    expect([status, code, retryAfterSeconds, payinId]).toEqual([503, 'SERVICE_UNAVAILABLE', 1, undefined]);
    expect(rail.orders).toEqual([]);
  });
});

describe('decisions 5: where there is no rail that collects', () => {
  test('creation is 503 without Retry-After, once the request is checked, and nothing is made', async () => {
    const { post, table, rail } = payinWorld(undefined, false);
    expect((await refused(() => post({ ...PSE_ORDER, bank: '9999' }))).code).toBe('VALIDATION_FAILED');
    for (const key of [undefined, 'key', 'key']) {
      const { status, code, retryAfterSeconds, message } = await refused(() => post(PSE_ORDER, key));
      expect([status, code, retryAfterSeconds]).toEqual([503, 'SERVICE_UNAVAILABLE', undefined]);
      expect(message).toContain('Nothing was made');
    }
    expect([table.kept.size, rail.orders]).toEqual([0, []]);
  });
});

describe('decisions 5: redirectUrl is judged as it is written', () => {
  test.each([
    'https://x/\r\nSet-Cookie: a=b',
    ' https://x',
    'https:evil.com',
    'https://a@b/',
    'https://a:b@c/',
    'http://x/',
    '/return',
    'javascript:alert(1)',
  ])('%j is refused', async (redirectUrl) => {
    const { post, rail } = payinWorld();
    const { errors } = await refused(() => post({ ...PSE_ORDER, redirectUrl }));
    expect(errors).toMatchObject([{ path: 'body.redirectUrl', code: 'INVALID_FORMAT' }]);
    expect(rail.orders).toEqual([]);
  });

  test('an https URL reaches the rail as it is', async () => {
    const { post, rail } = payinWorld();
    const redirectUrl = 'https://Client.example/return?a=b#c';
    await post({ ...PSE_ORDER, redirectUrl });
    expect(rail.orders).toMatchObject([{ redirectUrl }]);
  });
});
