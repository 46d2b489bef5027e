import { describe, expect, test } from 'vitest';
import { listPayins } from '#functions/pay-ins/list-payins/list-payins.ts';
import type { Payin } from '#shared/pay-ins/pay-in.ts';
import { listPayinsContract } from '#shared/pay-ins/pay-in-contract.ts';
import { expectApiError } from '#test/support/expect-api-error.ts';
import { OTHER_USER, STRANGER, USER } from '#test/support/ids.ts';
import { CREATED_AT } from '#test/support/off-ramp.ts';
import { payinOf, payinsInMemory } from '#test/support/pay-ins-in-memory.ts';
import { routeCall } from '#test/support/route-call.ts';
import { usersInMemory } from '#test/support/users-in-memory.ts';

const idOf = (place: number) => `55555555-5555-4555-8555-${String(place).padStart(12, '0')}`;
const ids = (from: number, to: number) => Array.from({ length: to - from }, (_, place) => idOf(from + place));

/** A user with `count` pay-ins, of which number 0 is the newest, and the lists of them that its client gets. */
async function world(count: number, differences: (place: number) => Partial<Payin> = () => ({})) {
  const payins = payinsInMemory();
  for (let place = count - 1; place >= 0; place -= 1) {
    const createdAt = new Date(Date.parse(CREATED_AT) - place * 1000).toISOString();
    await payins.create(payinOf({ payinId: idOf(place), createdAt, ...differences(place) }));
  }
  const useCase = listPayins({ findUser: usersInMemory(USER, OTHER_USER), payins: payins.ofUsers });

  async function page(query: Readonly<Record<string, string>> = {}, path = { user_id: USER }) {
    const { body } = await useCase(routeCall(listPayinsContract, path, {}, { query }));
    return listPayinsContract.success.body.parse(body);
  }
  async function listed(query: Readonly<Record<string, string>> = {}) {
    const { payins: found, nextCursor } = await page(query);
    return { ids: found.map(({ id }) => id), nextCursor };
  }
  return { payins, page, listed };
}

describe('interface 2.4: a list of pay-ins', () => {
  test('has each pay-in as a single read shows it, with every status it has had', async () => {
    const { page } = await world(1, () => ({ externalReference: 'invoice-7' }));
    expect(await page()).toEqual({
      payins: [
        {
          id: idOf(0),
          userId: USER,
          status: 'CASHININIT',
          currency: 'COP',
          amount: 150_000.5,
          paymentMethod: 'PSE',
          externalReference: 'invoice-7',
          createdAt: CREATED_AT,
          sequence: 1,
          statusHistory: [{ status: 'CASHININIT', at: CREATED_AT }],
        },
      ],
    });
  });

  test('has the newest first, twenty or as many as limit says, and nextCursor leads on until the end', async () => {
    const { listed } = await world(25);
    expect(await listed()).toEqual({ ids: ids(0, 20), nextCursor: idOf(19) });
    expect(await listed({ cursor: idOf(19) })).toEqual({ ids: ids(20, 25), nextCursor: undefined });
    expect(await listed({ limit: '3', cursor: idOf(1) })).toEqual({ ids: ids(2, 5), nextCursor: idOf(4) });
    expect(await listed({ limit: '25' })).toEqual({ ids: ids(0, 25), nextCursor: undefined });
  });

  test('of a user that has none is empty', async () => {
    expect(await (await world(0)).page()).toEqual({ payins: [] });
  });

  test('by the reference that the client gave has these alone', async () => {
    const { listed } = await world(30, (place) => (place % 10 === 4 ? { externalReference: 'invoice-7' } : {}));
    const externalReference = 'invoice-7';
    expect(await listed({ externalReference })).toEqual({ ids: [4, 14, 24].map(idOf), nextCursor: undefined });
    expect((await listed({ externalReference, limit: '1', cursor: idOf(4) })).ids).toEqual([idOf(14)]);
    expect((await listed({ externalReference: 'invoice-8' })).ids).toEqual([]);
  });
});

describe('decisions 1: pay-ins of another user or client', () => {
  test('are in no list, whatever reference they have', async () => {
    const { listed } = await world(6, (place) => ({
      externalReference: 'invoice-7',
      ...(place % 3 === 1 && { userId: OTHER_USER }),
      ...(place % 3 === 2 && { clientId: STRANGER, userId: STRANGER }),
    }));
    expect((await listed()).ids).toEqual([idOf(0), idOf(3)]);
    expect((await listed({ externalReference: 'invoice-7' })).ids).toEqual([idOf(0), idOf(3)]);
  });

  test('cannot be the cursor of a list', async () => {
    const { page } = await world(2, (place) => (place === 1 ? { userId: OTHER_USER } : {}));
    for (const cursor of [idOf(1), idOf(7), '', 'x']) {
      expect((await expectApiError(() => page({ cursor }))).errors).toMatchObject([
        { path: 'query.cursor', code: 'INVALID_CURSOR' },
      ]);
    }
  });

  test('a user that is not the client’s is 404 USER_NOT_FOUND, whatever else is wrong', async () => {
    const { page } = await world(0);
    const error = await expectApiError(() => page({ limit: 'x' }, { user_id: STRANGER }));
    expect(error).toMatchObject({ status: 404, code: 'USER_NOT_FOUND' });
  });
});

describe('interface 2.4: a list of pay-ins is 422', () => {
  test.each(['', 'x'.repeat(256)])('for a reference that no pay-in can have', async (externalReference) => {
    const { page } = await world(0);
    expect((await expectApiError(() => page({ externalReference }))).errors).toMatchObject([
      { path: 'query.externalReference', code: 'OUT_OF_RANGE' },
    ]);
  });
});
