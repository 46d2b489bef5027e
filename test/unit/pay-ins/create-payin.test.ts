import { describe, expect, test } from 'vitest';
import { describePayinWithHistory } from '#shared/pay-ins/pay-in-contract.ts';
import { PaymentUnreadable, RailRejected, RailUnavailable } from '#shared/pay-ins/rails/payment-rail.ts';
import { methodsByRail } from '#shared/pay-ins/rails/payment-rails.ts';
import { WriteConflict } from '#shared/platform/dynamodb/transaction.ts';
import { problemFor } from '#shared/platform/http/answer.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { expectApiError } from '#test/support/expect-api-error.ts';
import { CLIENT, OTHER_USER, STRANGER, USER } from '#test/support/ids.ts';
import { CREATED_AT } from '#test/support/off-ramp.ts';
import { FIRST_PAYIN, NEQUI_ORDER, PSE_ORDER, payinWorld } from '#test/support/pay-in-world.ts';

describe('interface 2.4: what is created', () => {
  test.each([
    ['PSE', PSE_ORDER, 'CASHININIT'],
    ['NEQUI', NEQUI_ORDER, 'PENDING'],
    ['DAVIPLATA', { ...NEQUI_ORDER, paymentMethod: 'DAVIPLATA' }, 'PENDING'],
  ])(
    'decisions 5: by %s begins with its rail’s first status, and is stored as it is answered',
    async (rail, order, status) => {
      const { post, stored } = payinWorld();
      const { body } = await post({ ...order, externalReference: 'invoice-7' });
      const { amount, currency } = order;
      const both = { status, currency, paymentMethod: rail, externalReference: 'invoice-7' };
      expect(body).toMatchObject({ ...both, id: FIRST_PAYIN, amount });
      expect(stored()).toMatchObject({
        ...both,
        amount: String(amount),
        clientId: CLIENT,
        userId: USER,
        createdAt: CREATED_AT,
        statusHistory: [{ status, at: CREATED_AT }],
      });
    },
  );

  test('has a link with PSE alone, and the reference only if one was given', async () => {
    const { post } = payinWorld();
    expect((await post()).body).toHaveProperty('pseLink');
    const { body } = await post(NEQUI_ORDER);
    expect(body).not.toHaveProperty('pseLink');
    expect(body).not.toHaveProperty('externalReference');
  });
});

describe('interface 4.2: the order to the rail', () => {
  const payer = { fullName: 'Ana Gómez', email: 'ana@example.com', documentType: 'CC', documentNumber: '1020304050' };

  test('by PSE has the bank, where the user returns and until when it may be paid, and who pays', async () => {
    const { post, rail, users } = payinWorld();
    users.set(USER, { userId: USER, clientId: CLIENT, phone: '3001234567', payer });
    const further = { redirectUrl: 'https://client.example/', expirationDate: '2026-08-02T07:00:00-05:00' };
    await post({ ...PSE_ORDER, ...further });
    const amounts = { amount: '150000.5', currency: 'COP' };
    const payin = { payinId: FIRST_PAYIN, paymentMethod: 'PSE', ...amounts, bank: '1007', ...further };
    expect(rail.orders).toMatchObject([{ payin, payer: { ...payer, phone: '3001234567' } }]);
    expect(rail.orders[0]?.payin.phone).toBeUndefined();
  });

  test('by a wallet has the phone, which is the registered one when none is given', async () => {
    const { post, rail, users } = payinWorld();
    users.set(USER, { userId: USER, clientId: CLIENT, phone: '+573001234567' });
    await post({ ...NEQUI_ORDER, phone: undefined });
    await post(NEQUI_ORDER);
    const order = (phone: string) => ({
      payin: { paymentMethod: 'NEQUI', rail: 'simulated', phone },
      payer: { phone },
    });
    expect(rail.orders).toMatchObject([order('3001234567'), order('3107654321')]);
    expect(rail.orders[0]?.payin.bank).toBeUndefined();
  });
});

describe('decisions 1: a pay-in is for a user of the client', () => {
  test.each([
    ['another client’s', { userId: OTHER_USER, clientId: STRANGER }],
    ['an unknown one', { userId: USER, clientId: CLIENT }],
  ])('%s is 404 USER_NOT_FOUND, whatever else is wrong, and nothing is made', async (_, user) => {
    const { post, table, rail, users } = payinWorld();
    users.set(user.userId, user);
    for (const body of [PSE_ORDER, {}]) {
      expect(await expectApiError(() => post(body, 'key', OTHER_USER))).toMatchObject({
        status: 404,
        code: 'USER_NOT_FOUND',
      });
    }
    expect([table.kept.size, rail.orders]).toEqual([0, []]);
  });
});

describe('decisions 5, same request twice', () => {
  test('under one key makes one pay-in, one order and one answer', async () => {
    const { post, table, rail } = payinWorld();
    const first = await post(PSE_ORDER, 'key');
    const again = await post({ ...PSE_ORDER }, 'key');
    expect(again).toMatchObject({ body: first.body, headers: { 'Idempotency-Replayed': 'true' } });
    expect([table.kept.size, rail.orders.length]).toEqual([1, 1]);
  });
});

describe('decisions 5: the pay-in and the coming order are on record before the rail is asked', () => {
  test('a first try asks for nothing but the order', async () => {
    const { post, rail, stored } = payinWorld();
    const { order } = rail;
    rail.find = () => Promise.reject(new Error('There is nothing to look up.'));
    rail.order = (ordered) => {
      expect(stored()).toMatchObject({ status: 'CASHININIT', orderingSince: CREATED_AT, sequence: 2 });
      return order(ordered);
    };
    const { body } = await post();
    expect(body).toMatchObject({
      id: FIRST_PAYIN,
      status: 'CASHININIT',
      pseLink: `https://pse.example/${FIRST_PAYIN}`,
    });
    const payin = { payinId: FIRST_PAYIN, amount: '150000.5', currency: 'COP', paymentMethod: 'PSE' };
    expect(rail.orders).toMatchObject([{ payin }]);
    expect(stored()?.paymentUrl).toBe(body.pseLink);
  });

  test('a refused order has failed: 502, which names it', async () => {
    const lines = captureLogs();
    const { post, rail, stored } = payinWorld();
    rail.order = async () => {
      throw new RailRejected('customer_email: ana@example.com is no address');
    };
    const { status, code, about } = await expectApiError(() => post());
    expect([status, code, about]).toEqual([502, 'RAIL_REJECTED', { payinId: FIRST_PAYIN }]);
    expect(stored()?.status).toBe('FAILED');
    expect(lines).toEqual([{ level: 'info', code: 'PAYIN_REJECTED', fields: { payinId: FIRST_PAYIN } }]);
  });

  test('a refusal that comes after another try was paid leaves it completed', async () => {
    const { post, rail, settlePayin, stored } = payinWorld();
    rail.order = async ({ payin }) => {
      const paid = { reference: payin.payinId, status: 'COMPLETED', amount: payin.amount, currency: 'COP' } as const;
      await settlePayin(payin.payinId, { asked: payin, payment: paid });
      throw new RailRejected('The reference is used already.');
    };
    expect((await post()).body.status).toBe('COMPLETED');
    expect(stored()?.status).toBe('COMPLETED');
  });

  test('the contracts that an order accepts are on record, too, even of a repeat; nothing is ordered while there are none', async () => {
    const { post, rail, stored } = payinWorld();
    const termsOf = (fileHash: string) => ({ permalink: 'https://rail.example/terms.pdf', fileHash });
    const versions = ['a', 'a', 'b'];
    rail.prepare = () => Promise.reject(new RailUnavailable('down'));
    expect((await expectApiError(() => post(PSE_ORDER, 'key'))).about).toEqual({ payinId: FIRST_PAYIN });
    expect(stored()).not.toHaveProperty('orderingSince');
    rail.prepare = async () => {
      const fileHash = versions.shift() ?? '';
      return { acceptedTerms: [termsOf(fileHash)], acceptanceTokens: [`token of ${fileHash}`] };
    };
    const accepted: unknown[] = [];
    rail.order = async ({ prepared }) => {
      accepted.push([prepared?.acceptanceTokens, stored()?.acceptedTerms]);
      throw new RailUnavailable('no answer');
    };
    for (const _ of [1, 2, 3]) await expectApiError(() => post(PSE_ORDER, 'key'));
    expect(accepted).toEqual([
      [['token of a'], [termsOf('a')]],
      [['token of a'], [termsOf('a')]],
      [['token of b'], [termsOf('a'), termsOf('b')]],
    ]);
  });

  test('the words of a refusal are kept for the read, on one line of at most 200 characters', async () => {
    const { post, rail, stored } = payinWorld();
    rail.order = async () => {
      throw new RailRejected(`customer_data:\r\n\u0000 Formato inválido\u2028${'x'.repeat(300)}`);
    };
    await expectApiError(() => post());
    const failureReason = `customer_data: Formato inválido ${'x'.repeat(168)}`;
    expect(describePayinWithHistory(stored() ?? expect.fail())).toMatchObject({ status: 'FAILED', failureReason });
  });

  test('an order that the rail takes and ends at once ends the pay-in', async () => {
    const { post, rail, stored } = payinWorld();
    const { order } = rail;
    rail.order = async (ordered) => ({ ...(await order(ordered)), status: 'FAILED' });
    expect((await expectApiError(() => post(NEQUI_ORDER))).code).toBe('RAIL_REJECTED');
    expect(stored()?.status).toBe('FAILED');
  });
});

describe('decisions 5: 503 RAIL_UNAVAILABLE names the pay-in, and never has the same request sent again', () => {
  test.each([
    ['is down', { isDown: true }],
    ['takes the order without an answer', { answersOrders: false }],
    ['makes no link', { makesLinks: false }],
  ])('and says so when the rail %s', async (_, state) => {
    const { post, rail, stored } = payinWorld();
    Object.assign(rail.state, state);
    const error = await expectApiError(() => post());
    expect([error.status, error.code, error.retryAfterSeconds]).toEqual([503, 'RAIL_UNAVAILABLE', 10]);
    const problem = problemFor(error.kind, 'request-1', 'https://docs.example.com', error);
    expect(problem).toHaveProperty('payinId', FIRST_PAYIN);
    expect(problem.detail).toMatch(/Read it, or repeat the request with the same Idempotency-Key\./);
    expect(problem.detail).toContain(FIRST_PAYIN);
    expect(stored()?.status).toBe('CASHININIT');
  });

  test('nor is it sent again when our own code fails once the pay-in is on record', async () => {
    const keepPayment = async () => {
      throw new Error('the table is away');
    };
    const { post } = payinWorld(() => ({ keepPayment }));
    const { status, code, about, message } = await expectApiError(() => post());
    expect([status, code, about]).toEqual([500, 'INTERNAL_ERROR', { payinId: FIRST_PAYIN }]);
    expect(message).toContain('with the same Idempotency-Key');
  });

  test('but it is 502 when the payment fails while its link is waited for', async () => {
    const { post, rail, stored } = payinWorld();
    rail.state.makesLinks = false;
    const { find } = rail;
    rail.find = (sought) => {
      rail.become(sought.reference, { status: 'FAILED' });
      return find(sought);
    };
    expect((await expectApiError(() => post())).code).toBe('RAIL_REJECTED');
    expect(stored()?.status).toBe('FAILED');
  });

  test('the link is waited for though the rail does not find the payment at first', async () => {
    const { post, rail, stored } = payinWorld();
    rail.state.makesLinks = false;
    const { find } = rail;
    const answers = [async () => undefined, find];
    const { order } = rail;
    rail.order = async (ordered) => ({ ...(await order(ordered)), railPaymentId: 'rail-1' });
    rail.find = async (sought) => {
      expect(sought.railPaymentId).toBe('rail-1');
      const answer = answers.shift() ?? find;
      if (answers.length === 0) rail.become(sought.reference, { link: 'https://pse.example/late' });
      return answer(sought);
    };
    expect((await post()).body.pseLink).toBe('https://pse.example/late');
    expect(stored()?.paymentUrl).toBe('https://pse.example/late');
  });

  test('one look-up without an answer does not end the wait for the link', async () => {
    const { post, rail } = payinWorld();
    rail.state.makesLinks = false;
    const { find } = rail;
    const failures = [new RailUnavailable('No answer in 3000 ms.')];
    rail.find = async (sought) => {
      const failure = failures.shift();
      if (failure !== undefined) throw failure;
      rail.become(sought.reference, { link: 'https://pse.example/late' });
      return find(sought);
    };
    expect((await post()).body.pseLink).toBe('https://pse.example/late');
  });

  test.each([
    ['a pause that the rail requests', new RailUnavailable('429', { retryAfter: 60 }), 60],
    ['an answer that cannot be read', new PaymentUnreadable('link: invalid_format'), 10],
  ])('%s ends it', async (_, failure, retryAfterSeconds) => {
    const { post, rail, clock } = payinWorld();
    rail.state.makesLinks = false;
    rail.find = () => Promise.reject(failure);
    const error = await expectApiError(() => post());
    expect([error.code, error.retryAfterSeconds]).toEqual(['RAIL_UNAVAILABLE', retryAfterSeconds]);
    expect(clock.now().getTime() - Date.parse(CREATED_AT)).toBe(400);
  });

  test('the link is asked for during four seconds', async () => {
    const { post, rail, clock } = payinWorld();
    rail.state.makesLinks = false;
    await expectApiError(() => post());
    expect(clock.now().getTime() - Date.parse(CREATED_AT)).toBe(4000);
  });
});

describe('decisions 5, paymentUrl: where a method other than PSE has a page at its rail', () => {
  const DAVIPLATA_ORDER = { ...NEQUI_ORDER, paymentMethod: 'DAVIPLATA' };
  const paged = () => {
    const { methods, ...world } = payinWorld();
    const page = { requires: [], hasPage: true };
    methods['simulated'] = { PSE: page, NEQUI: { ...page, hasPage: false }, DAVIPLATA: page };
    return world;
  };

  test('it is waited for, and is in the answer; with PSE it is the link', async () => {
    const { post, rail } = paged();
    const { find } = rail;
    rail.find = (sought) => {
      rail.become(sought.reference, { link: 'https://rail.example/otp' });
      return find(sought);
    };
    const { body } = await post(DAVIPLATA_ORDER);
    expect([body.paymentUrl, body.pseLink]).toEqual(['https://rail.example/otp', undefined]);
    const pse = (await post()).body;
    expect([pse.paymentUrl, pse.pseLink]).toEqual([pse.pseLink, `https://pse.example/${pse.id}`]);
  });

  test('one that comes late is no error: the read has it once it is there', async () => {
    const { post, rail, clock, sweep, stored } = paged();
    const { body } = await post(DAVIPLATA_ORDER);
    expect([body.status, body.paymentUrl]).toEqual(['PENDING', undefined]);
    rail.become(body.id, { link: 'https://rail.example/otp' });
    const { find } = rail;
    rail.find = () => Promise.reject(new RailUnavailable('down'));
    expect((await post(DAVIPLATA_ORDER)).body.status).toBe('PENDING');
    rail.find = find;
    clock.advance(120);
    await sweep();
    expect(stored()?.paymentUrl).toBe('https://rail.example/otp');
  });
});

describe('decisions 5, what the payer is asked: what the record of the user lacks', () => {
  test('is 422 that names what the rail of the method needs, before anything is made', async () => {
    const { post, methods, rail, table, users } = payinWorld();
    const { wompi } = methodsByRail;
    methods['simulated'] = wompi;
    const missing = async (order: object) => {
      const { status, code, errors = [] } = await expectApiError(() => post(order));
      expect([status, code, errors.map((one) => `${one.path} ${one.code}`)]).toEqual([
        422,
        'VALIDATION_FAILED',
        ['path.user_id PAYER_DATA_MISSING'],
      ]);
      return errors[0]?.message.split('it lacks ')[1];
    };
    users.set(USER, { userId: USER, clientId: CLIENT, phone: '6012345678', payer: { fullName: '' } });
    expect([await missing(PSE_ORDER), await missing(NEQUI_ORDER)]).toEqual([
      'email, acceptedTermsAt, documentType, documentNumber, fullName, phone, personType',
      'email, acceptedTermsAt',
    ]);
    const payer = { email: 'ana@example.com', acceptedTermsAt: CREATED_AT };
    users.set(USER, { userId: USER, clientId: CLIENT, payer });
    expect(await missing({ ...NEQUI_ORDER, paymentMethod: 'DAVIPLATA' })).toBe('documentType, documentNumber');
    expect([table.kept.size, rail.orders]).toEqual([0, []]);
    expect((await post(NEQUI_ORDER)).body.status).toBe('PENDING');
  });
});

describe('decisions 10, costly calls: pay-ins of a day', () => {
  const limited = () => payinWorld(undefined, undefined, 1);
  const REACHED = { status: 429, code: 'DAILY_LIMIT_REACHED' };

  test('end before anything is written, and before the rail is asked', async () => {
    const { post, table, rail } = limited();
    await post();
    expect(await expectApiError(() => post())).toMatchObject(REACHED);
    expect([table.kept.size, rail.orders.length]).toEqual([1, 1]);
  });

  test('count nothing that is refused, and no repeat under a key, which is answered when none is left', async () => {
    const { post } = limited();
    await expectApiError(() => post({ ...PSE_ORDER, bank: '9' }));
    const first = await post(PSE_ORDER, 'one');
    expect((await post(PSE_ORDER, 'one')).body).toEqual(first.body);
    expect(await expectApiError(() => post(PSE_ORDER, 'two'))).toMatchObject(REACHED);
  });
});

describe('decisions 4, writing an operation: a creation that meets a conflict or a throttled table', () => {
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
    expect([...table.kept.keys()]).toEqual([FIRST_PAYIN]);
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
});

describe('decisions 5: where there is no rail that collects', () => {
  test('creation is 503 without Retry-After, once the request is checked, and nothing is made', async () => {
    const { post, table, rail } = payinWorld(undefined, ['NEQUI', 'DAVIPLATA']);
    expect((await expectApiError(() => post({ ...PSE_ORDER, bank: '9999' }))).code).toBe('VALIDATION_FAILED');
    for (const key of [undefined, 'key', 'key']) {
      const { status, code, retryAfterSeconds, message } = await expectApiError(() => post(PSE_ORDER, key));
      expect([status, code, retryAfterSeconds]).toEqual([503, 'SERVICE_UNAVAILABLE', undefined]);
      expect(message).toContain('Nothing was created');
    }
    expect([table.kept.size, rail.orders]).toEqual([0, []]);
    expect((await post(NEQUI_ORDER)).body.status).toBe('PENDING');
  });
});

describe('decisions 5: redirectUrl is judged as it is written', () => {
  test.each(['https:evil.com', 'https://a:b@c/', 'http://x/', 'https://x/{id}'])(
    '%j is refused',
    async (redirectUrl) => {
      const { post, rail } = payinWorld();
      const { errors } = await expectApiError(() => post({ ...PSE_ORDER, redirectUrl }));
      expect(errors).toMatchObject([{ path: 'body.redirectUrl', code: 'INVALID_FORMAT' }]);
      expect(rail.orders).toEqual([]);
    },
  );

  test('an https URL reaches the rail as it is', async () => {
    const { post, rail } = payinWorld();
    const redirectUrl = 'https://Client.example/return?a=b#c';
    await post({ ...PSE_ORDER, redirectUrl });
    expect(rail.orders).toMatchObject([{ payin: { redirectUrl } }]);
  });
});
