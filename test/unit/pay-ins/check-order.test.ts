import { describe, expect, test } from 'vitest';
import { checkOrder, type OrderRules } from '#functions/pay-ins/create-payin/check-order.ts';
import type { User } from '#shared/clients/user.ts';
import { createPayinContract } from '#shared/pay-ins/pay-in-contract.ts';
import { paymentMethods } from '#shared/pay-ins/payment-methods.ts';
import { methodsByRail } from '#shared/pay-ins/rails/payment-rails.ts';
import { mapValues } from '#shared/platform/collections.ts';
import { validate } from '#shared/platform/http/validation.ts';
import { expectApiError } from '#test/support/expect-api-error.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { CLIENT, USER } from '#test/support/ids.ts';
import { CREATED_AT } from '#test/support/off-ramp.ts';
import { NEQUI_ORDER, PSE_ORDER } from '#test/support/pay-in-world.ts';

const bounds = { minimum: 1500, maximum: 50_000_000 };
const rules: OrderRules = {
  bounds: { ...mapValues(paymentMethods, () => bounds), NEQUI: { minimum: 2000, maximum: 3000 } },
  railByMethod: mapValues(paymentMethods, () => 'simulated'),
  methodsByRail,
  isActiveBank: async (code) => code === '1007',
  allowsHttpRedirect: false,
  clock: fakeClock(CREATED_AT),
};

/** The order that the service makes from a client's body for one of its users. */
function ordered(body: Readonly<Record<string, unknown>>, user: Partial<User> = {}, changed: Partial<OrderRules> = {}) {
  const order = validate(createPayinContract.body, body, 'body');
  return checkOrder({ ...rules, ...changed }, order, { userId: USER, clientId: CLIENT, ...user });
}

const pse = (differences: Readonly<Record<string, unknown>>) => ({ ...PSE_ORDER, ...differences });
const davi = (differences: Readonly<Record<string, unknown>>) => ({
  ...NEQUI_ORDER,
  paymentMethod: 'DAVIPLATA',
  ...differences,
});

async function errorsOf(body: Readonly<Record<string, unknown>>, user: Partial<User> = {}) {
  const { status, code, errors = [] } = await expectApiError(() => ordered(body, user));
  expect([status, code]).toEqual([422, 'VALIDATION_FAILED']);
  return errors.map((error) => `${error.path} ${error.code}`);
}

describe('decisions 5, amount: pesos, whole or with two decimals, within the bounds of the payment method', () => {
  test.each([
    [1500, '1500'],
    [1500.01, '1500.01'],
    [150_000.5, '150000.5'],
    [50_000_000, '50000000'],
  ])('%d is kept as the exact decimal %s', async (amount, kept) => {
    expect((await ordered(pse({ amount }))).amount).toBe(kept);
  });

  test.each([1499.99, 50_000_000.01, 1500.001, 0, -1500, 1e-7, 1e21])('%d is refused with 422', async (amount) => {
    expect(await errorsOf(pse({ amount }))).toEqual(['body.amount INVALID_AMOUNT']);
  });

  test('the bounds are those of the payment method, and the error names them', async () => {
    expect((await ordered(pse({ amount: 1999.99 }))).amount).toBe('1999.99');
    const { errors } = await expectApiError(() => ordered({ ...NEQUI_ORDER, amount: 1999.99 }));
    expect(errors).toMatchObject([{ path: 'body.amount', message: expect.stringContaining('from 2000 to 3000') }]);
  });

  test.each([
    ['15000', 'INVALID_TYPE'],
    [undefined, 'REQUIRED'],
    [null, 'INVALID_TYPE'],
  ])('%j is no number: %s', async (amount, code) => {
    expect(await errorsOf(pse({ amount }))).toEqual([`body.amount ${code}`]);
  });
});

describe('decisions 5, currency: COP and nothing else', () => {
  test.each([
    ['USD', 'NOT_ALLOWED'],
    ['cop', 'NOT_ALLOWED'],
    [undefined, 'REQUIRED'],
  ])('%j is %s', async (currency, code) => {
    expect(await errorsOf(pse({ currency }))).toEqual([`body.currency ${code}`]);
  });
});

describe('decisions 5, paymentMethod', () => {
  test('is PSE when it is missing', async () => {
    expect(await ordered(PSE_ORDER)).toMatchObject({ paymentMethod: 'PSE', bank: '1007' });
  });

  test.each(['CASH', 'nequi', ''])('%j is no payment method', async (paymentMethod) => {
    expect(await errorsOf(pse({ paymentMethod }))).toEqual(['body.paymentMethod NOT_ALLOWED']);
  });
});

test('decisions 12, Registry: a method without a rail is not served, as a token that is not on a network', async () => {
  const { errors } = await expectApiError(() => ordered(PSE_ORDER, {}, { railByMethod: { NEQUI: 'another' } }));
  const message = 'must be a method that is served here: NEQUI';
  expect(errors).toEqual([{ path: 'body.paymentMethod', code: 'METHOD_NOT_SUPPORTED', message }]);
});

describe('decisions 5, bank', () => {
  test('is required for PSE, and is the code of an active bank', async () => {
    expect(await errorsOf(pse({ bank: undefined }))).toEqual(['body.bank REQUIRED']);
    for (const bank of ['9999', '', '1007 '])
      expect(await errorsOf(pse({ bank }))).toEqual(['body.bank BANK_NOT_ACTIVE']);
  });

  test('is ignored for the other methods, and not kept', async () => {
    const isActiveBank = () => Promise.reject(new Error('Nobody asks for a bank.'));
    expect((await ordered(davi({ bank: '9999' }), {}, { isActiveBank })).bank).toBeUndefined();
  });
});

describe('decisions 5, phone: ten digits starting with 3, with or without +57', () => {
  test.each(['3107654321', '+573107654321'])('%s is kept as 3107654321', async (phone) => {
    expect((await ordered(davi({ phone }))).phone).toBe('3107654321');
  });

  test.each(['6012345678', '310765432', '31076543210', '573107654321', '+57 3107654321', '+13107654321', ''])(
    '%j is 422',
    async (phone) => {
      expect(await errorsOf(davi({ phone }), { phone: '3001234567' })).toEqual(['body.phone INVALID_FORMAT']);
    },
  );

  test('is the registered one of the user when it is missing', async () => {
    expect((await ordered(davi({ phone: undefined }), { phone: '+573001234567' })).phone).toBe('3001234567');
    expect((await ordered(davi({}), { phone: '3001234567' })).phone).toBe('3107654321');
  });

  test.each([undefined, '6012345678'])('is 422 when it is missing and %j is registered', async (phone) => {
    expect(await errorsOf(davi({ phone: undefined }), { phone })).toEqual(['body.phone REQUIRED']);
  });

  test('is ignored for PSE, and not kept', async () => {
    expect((await ordered(pse({ phone: 'none' }), { phone: '3001234567' })).phone).toBeUndefined();
  });
});

describe('decisions 5: externalReference is 1 to 255 characters', () => {
  test.each(['a', 'x'.repeat(255), 'Factura n.º 7'])('is kept as it is', async (externalReference) => {
    expect((await ordered(pse({ externalReference }))).externalReference).toBe(externalReference);
  });

  test.each(['', 'x'.repeat(256)])('is 422 when it is shorter or longer', async (externalReference) => {
    expect(await errorsOf(pse({ externalReference }))).toEqual(['body.externalReference OUT_OF_RANGE']);
  });
});

describe('decisions 5: expirationDate is RFC 3339 with an offset, in the future, at most 30 days ahead', () => {
  test.each(['2026-08-01T12:00:00.001Z', '2026-08-01T07:30:00-05:00', '2026-08-31T07:00:00-05:00'])(
    '%s is kept as it is',
    async (expirationDate) => {
      expect((await ordered(pse({ expirationDate }))).expirationDate).toBe(expirationDate);
    },
  );

  test('with a lower-case t and z it is kept in upper case', async () => {
    const { expirationDate } = await ordered(pse({ expirationDate: '2026-08-02t12:00:00z' }));
    expect(expirationDate).toBe('2026-08-02T12:00:00Z');
  });

  test.each([
    ['now', CREATED_AT, 'NOT_IN_FUTURE'],
    ['in the past by its offset', '2026-08-01T12:30:00+01:00', 'NOT_IN_FUTURE'],
    ['more than 30 days ahead', '2026-08-31T12:00:00.001Z', 'TOO_FAR_AHEAD'],
    ['without an end', '9999-12-31T23:59:59Z', 'TOO_FAR_AHEAD'],
    ['without an offset', '2026-08-02T12:00:00', 'INVALID_FORMAT'],
    ['a day', '2026-08-02', 'INVALID_FORMAT'],
    ['a day that the month does not have', '2026-11-31T12:00:00Z', 'INVALID_FORMAT'],
  ])('%s is 422', async (_, expirationDate, code) => {
    expect(await errorsOf(pse({ expirationDate }))).toEqual([`body.expirationDate ${code}`]);
  });
});

describe('decisions 5: redirectUrl may be plain http only in stages where things are tried out', () => {
  const redirectUrl = 'http://localhost:3000/return';

  test('it is refused where it is not allowed, and kept as it is where it is', async () => {
    expect(await errorsOf(pse({ redirectUrl }))).toEqual(['body.redirectUrl INVALID_FORMAT']);
    expect((await ordered(pse({ redirectUrl }), {}, { allowsHttpRedirect: true })).redirectUrl).toBe(redirectUrl);
  });

  test.each(['http://user@localhost/', 'ftp://localhost/', '//localhost/return', 'http:localhost'])(
    '%s is refused there, too',
    async (url) => {
      const error = await expectApiError(() => ordered(pse({ redirectUrl: url }), {}, { allowsHttpRedirect: true }));
      expect(error.errors).toMatchObject([{ path: 'body.redirectUrl' }]);
    },
  );
});

test('interface 4.2: every value that breaks a rule has its line, so that one answer names all of them', async () => {
  const expirationDate = '2020-01-01T00:00:00Z';
  const wrong = { amount: 1, redirectUrl: '/return', expirationDate };
  expect(await errorsOf(pse({ ...wrong, bank: '9999' }))).toEqual([
    'body.amount INVALID_AMOUNT',
    'body.bank BANK_NOT_ACTIVE',
    'body.redirectUrl INVALID_FORMAT',
    'body.expirationDate NOT_IN_FUTURE',
  ]);
  expect(await errorsOf(davi({ ...wrong, phone: '1' }))).toEqual([
    'body.amount INVALID_AMOUNT',
    'body.phone INVALID_FORMAT',
    'body.redirectUrl INVALID_FORMAT',
    'body.expirationDate NOT_IN_FUTURE',
  ]);
});

test('decisions 3: unknown fields are ignored, not refused, and not kept', async () => {
  expect(await ordered(pse({ status: 'COMPLETED', payinId: 'mine' }))).toEqual({
    currency: 'COP',
    rail: 'simulated',
    amount: '150000.5',
    paymentMethod: 'PSE',
    bank: '1007',
  });
});
