import { describe, expect, test } from 'vitest';
import { listUsers } from '#functions/clients/list-users/list-users.ts';
import { listWallets } from '#functions/clients/list-wallets/list-wallets.ts';
import { listClientOperations } from '#functions/off-ramps/list-client-operations/list-client-operations.ts';
import { listClientPayins } from '#functions/pay-ins/list-client-payins/list-client-payins.ts';
import { listUsersContract, listWalletsContract } from '#shared/clients/user-contract.ts';
import {
  createFindUser,
  createHasUser,
  createHasWallet,
  createListUsersOf,
  createListWallets,
} from '#shared/clients/user-repository.ts';
import { listClientOperationsContract } from '#shared/off-ramps/contract/off-ramp-contract.ts';
import { createListedOffRamps } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { insertOperation } from '#shared/off-ramps/transitions/insert-operation.ts';
import { listClientPayinsContract } from '#shared/pay-ins/pay-in-contract.ts';
import { createListedPayins, createPayinRepository } from '#shared/pay-ins/pay-in-repository.ts';
import { expectApiError } from '#test/support/expect-api-error.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { CLIENT, OTHER_USER, STRANGER, USER } from '#test/support/ids.ts';
import { CREATED_AT, offRamp } from '#test/support/off-ramp.ts';
import { TABLES } from '#test/support/off-ramps-in-memory.ts';
import { payinOf } from '#test/support/pay-ins-in-memory.ts';
import { routeCall } from '#test/support/route-call.ts';
import { tablesInMemory } from '#test/support/tables-in-memory.ts';

const idOf = (place: number) => `33333333-3333-4333-8333-${String(place).padStart(12, '0')}`;
const ids = (from: number, to: number) => Array.from({ length: to - from }, (_, place) => idOf(from + place));

interface Made {
  readonly userId?: string;
  readonly clientId?: string;
  readonly externalReference?: string;
}

type Query = Readonly<Record<string, string>>;

interface Page {
  readonly ids: readonly string[];
  readonly users: readonly string[];
  readonly nextCursor?: string | undefined;
}

const clock = fakeClock(CREATED_AT);

/** Both lists, with how a record is made and how one of them ends. */
const lists = {
  'the off-ramps': () => {
    const { dynamo, table } = tablesInMemory();
    const listed = createListedOffRamps(dynamo, TABLES.operations, clock);
    return {
      ended: 'CANCELLED',
      create: (operationId: string, createdAt: string, made: Made) =>
        insertOperation(dynamo, TABLES, offRamp({ operationId, createdAt, address: `0x${operationId}`, ...made })),
      end: (operationId: string) => {
        const item = table('operations').find({ operationId, record: 'OPERATION' });
        table('operations').put({ ...item, status: 'CANCELLED' });
      },
      page: async (query: Query, clientId: string): Promise<Page> => {
        const useCase = listClientOperations(listed);
        const { body } = await useCase(routeCall(listClientOperationsContract, {}, {}, { query, clientId }));
        const { operations, nextCursor } = listClientOperationsContract.success.body.parse(body);
        return { ids: operations.map(({ id }) => id), users: operations.map(({ userId }) => userId), nextCursor };
      },
      ...{ dynamo, listed },
    };
  },
  'the pay-ins': () => {
    const { dynamo, table } = tablesInMemory();
    const listed = createListedPayins(dynamo, 'payins', clock);
    const store = createPayinRepository(dynamo, { payins: 'payins', events: 'events' }, clock);
    return {
      ended: 'EXPIRED',
      create: (payinId: string, createdAt: string, made: Made) =>
        store.create(payinOf({ payinId, createdAt, ...made })),
      end: (payinId: string) => {
        const item = table('payins').find({ payinId, record: 'PAYIN' });
        table('payins').put({ ...item, status: 'EXPIRED' });
      },
      page: async (query: Query, clientId: string): Promise<Page> => {
        const useCase = listClientPayins(listed);
        const { body } = await useCase(routeCall(listClientPayinsContract, {}, {}, { query, clientId }));
        const { payins, nextCursor } = listClientPayinsContract.success.body.parse(body);
        return { ids: payins.map(({ id }) => id), users: payins.map(({ userId }) => userId), nextCursor };
      },
      ...{ dynamo, listed },
    };
  },
};

/** A list of `count` records, of which number 0 is the newest. */
async function world(name: keyof typeof lists, count: number, made: (place: number) => Made = () => ({})) {
  const { create, page, ...rest } = lists[name]();
  for (let place = count - 1; place >= 0; place -= 1) {
    const createdAt = new Date(Date.parse(CREATED_AT) - place * 1000).toISOString();
    expect(await create(idOf(place), createdAt, made(place))).toBe(true);
  }
  return { ...rest, page: (query: Query = {}, clientId = CLIENT) => page(query, clientId) };
}

describe.each(['the off-ramps', 'the pay-ins'] as const)('decisions 14, lists over all users: %s', (name) => {
  test('of a client are those of all its users, each with its user, newest first, page by page', async () => {
    const { page } = await world(name, 30, (place) => ({
      ...(place % 3 === 1 && { userId: OTHER_USER }),
      ...(place % 3 === 2 && { clientId: STRANGER, userId: STRANGER }),
    }));
    const mine = ids(0, 30).filter((_, place) => place % 3 !== 2);
    const first = await page({ limit: '7' });
    expect(first).toEqual({
      ids: mine.slice(0, 7),
      users: expect.arrayContaining([USER, OTHER_USER]),
      nextCursor: mine[6],
    });
    expect((await page({ limit: '100', cursor: mine[6] ?? '' })).ids).toEqual(mine.slice(7));
    expect((await page()).nextCursor).toBeUndefined();
    expect((await page({}, STRANGER)).ids).toEqual(ids(0, 30).filter((_, place) => place % 3 === 2));
  });

  test('with one reference are those of all users, newest first, and none of another client’s are looked at', async () => {
    const { page, listed } = await world(name, 40, (place) => ({
      externalReference: place % 4 === 0 ? 'monthly' : 'other',
      ...(place % 8 === 0 && { userId: OTHER_USER }),
      ...(place % 3 === 0 && { clientId: STRANGER, userId: STRANGER }),
    }));
    const mine = ids(0, 40).filter((_, place) => place % 4 === 0 && place % 3 !== 0);
    const externalReference = 'monthly';
    expect((await page({ externalReference })).ids).toEqual(mine);
    expect(await page({ externalReference, limit: '2' })).toMatchObject({ ids: mine.slice(0, 2), nextCursor: mine[1] });
    // The cursor may be a record without the reference.
    expect((await page({ externalReference, cursor: idOf(5) })).ids).toEqual(mine.filter((id) => id > idOf(5)));
    const found: string[] = [];
    for await (const id of listed.idsOfClient({ clientId: CLIENT, externalReference }, undefined)) found.push(id);
    expect(found).toEqual(mine);
  });

  test('with a status are searched in at most 300 records per call', async () => {
    const { page, end, ended } = await world(name, 310);
    end(idOf(305));
    expect(await page({ status: ended })).toEqual({ ids: [], users: [], nextCursor: idOf(299) });
    expect((await page({ status: ended, cursor: idOf(299) })).ids).toEqual([idOf(305)]);
  });

  test('refuse a cursor of another client or of nothing, and an unknown parameter or status', async () => {
    const { page } = await world(name, 2, (place) => (place === 1 ? { clientId: STRANGER, userId: STRANGER } : {}));
    for (const cursor of [idOf(1), idOf(7), '', 'x']) {
      expect((await expectApiError(() => page({ cursor }))).errors).toMatchObject([{ code: 'INVALID_CURSOR' }]);
    }
    for (const query of [{ statsu: 'PENDING' }, { status: 'pending' }, { userId: USER }]) {
      expect((await expectApiError(() => page(query))).errors).toMatchObject([{ code: 'NOT_ALLOWED' }]);
    }
  });
});

describe('decisions 14, lists over all users: what operators have registered', () => {
  function registered() {
    const { dynamo, table } = tablesInMemory();
    const users = listUsers({
      hasUser: createHasUser(dynamo, 'users'),
      listUsersOf: createListUsersOf(dynamo, 'users', clock),
    });
    const wallets = listWallets({
      ...{ findUser: createFindUser(dynamo, 'users'), hasWallet: createHasWallet(dynamo, 'wallets') },
      listWallets: createListWallets(dynamo, 'wallets'),
    });
    return {
      putUser: (user: object) => table('users').put({ clientId: CLIENT, ...user }),
      putWallet: (walletId: string, userId = USER) =>
        table('wallets').put({ userId, walletId, network: 'POLYGON', address: `0x${walletId}` }),
      users: async (query: Query = {}) =>
        listUsersContract.success.body.parse((await users(routeCall(listUsersContract, {}, {}, { query }))).body),
      wallets: async (query: Query = {}, user_id = USER) => {
        const { body } = await wallets(routeCall(listWalletsContract, { user_id }, {}, { query }));
        return listWalletsContract.success.body.parse(body);
      },
    };
  }

  test('users, each with what is known of the payer', async () => {
    const { putUser, users } = registered();
    putUser({ userId: idOf(1), phone: '3001234567', payer: { fullName: 'Ana', documentNumber: '123' } });
    putUser({ userId: idOf(2) });
    putUser({ userId: idOf(0), clientId: STRANGER });
    const [ana, nobody] = [
      { id: idOf(1), payer: { fullName: 'Ana', documentNumber: '123', phone: '3001234567' } },
      { id: idOf(2), payer: {} },
    ];
    expect(await users()).toEqual({ users: [ana, nobody] });
    expect(await users({ limit: '1' })).toEqual({ users: [ana], nextCursor: idOf(1) });
    expect(await users({ limit: '1', cursor: idOf(1) })).toEqual({ users: [nobody] });
  });

  test('a hundred users, and the wallets of one, page by page', async () => {
    const { putUser, users, putWallet, wallets } = registered();
    for (const userId of [...ids(0, 101), USER]) putUser({ userId });
    expect(await users({ limit: '100' })).toMatchObject({ users: { length: 100 }, nextCursor: idOf(98) });
    for (const walletId of ids(0, 3)) putWallet(walletId);
    putWallet(idOf(9), OTHER_USER);
    const wallet = (id: string) => ({ id, network: 'POLYGON', address: `0x${id}` });
    expect(await wallets()).toEqual({ wallets: ids(0, 3).map(wallet) });
    expect(await wallets({ limit: '2' })).toEqual({ wallets: ids(0, 2).map(wallet), nextCursor: idOf(1) });
    expect(await wallets({ limit: '2', cursor: idOf(1) })).toEqual({ wallets: [wallet(idOf(2))] });
  });

  test('nothing of another client, and no cursor of another list', async () => {
    const { putUser, users, putWallet, wallets } = registered();
    putUser({ userId: USER });
    putUser({ userId: STRANGER, clientId: STRANGER });
    putWallet(idOf(1), STRANGER);
    expect((await expectApiError(() => wallets({ limit: 'x' }, STRANGER))).code).toBe('USER_NOT_FOUND');
    for (const cursor of [STRANGER, idOf(1), 'x']) {
      for (const list of [users, wallets]) {
        expect((await expectApiError(() => list({ cursor }))).errors).toMatchObject([{ code: 'INVALID_CURSOR' }]);
      }
    }
  });
});
