import { describe, expect, test } from 'vitest';
import { createWithdrawal } from '#functions/off-ramps/create-withdrawal/create-withdrawal.ts';
import type { Network } from '#shared/networks/network.ts';
import { createWithdrawalContract } from '#shared/off-ramps/contract/withdrawal-contract.ts';
import { createAddressPool } from '#shared/off-ramps/custodians/address-pool.ts';
import {
  type AssignDepositAddress,
  type Custodian,
  CustodianUnavailable,
} from '#shared/off-ramps/custodians/custodian.ts';
import { fireblocksAddresses } from '#shared/off-ramps/custodians/fireblocks/fireblocks-addresses.ts';
import { createTakeAddress } from '#shared/off-ramps/custodians/take-address.ts';
import type { SupportedToken } from '#shared/parameters/parameter-lists.ts';
import { WriteConflict } from '#shared/platform/dynamodb/transaction.ts';
import { createRunIdempotently } from '#shared/platform/http/idempotency.ts';
import { parseJson } from '#shared/platform/http/json.ts';
import { validate } from '#shared/platform/http/validation.ts';
import { allowancesInMemory } from '#test/support/allowances-in-memory.ts';
import { expectApiError } from '#test/support/expect-api-error.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { idempotencyRecordsInMemory } from '#test/support/idempotency-records-in-memory.ts';
import { CLIENT, STRANGER, USER, WALLET } from '#test/support/ids.ts';
import { CREATED_AT, DEPOSIT_ADDRESS, ENDS_AT, EXPIRES_AT, SENDER_ADDRESS } from '#test/support/off-ramp.ts';
import { offRampsInMemory } from '#test/support/off-ramps-in-memory.ts';
import { routeCall } from '#test/support/route-call.ts';
import { tablesInMemory } from '#test/support/tables-in-memory.ts';
import { usersInMemory } from '#test/support/users-in-memory.ts';

const FIRST_ID = '00000000-0000-4000-8000-000000000001';
/** The same account as DEPOSIT_ADDRESS, with the checksum of EIP-55 that the custodian left out. */
const CHECKSUMMED = '0xA1A1a1a1A1A1A1A1A1a1a1a1a1a1A1A1a1A1a1a1';

/** An asset, by default with bounds that affect no test; only the token BOUNDED has others. */
const asset = (
  custodianAssetId: string,
  decimals: number,
  bounds = { minimum: '0.000000000000000001', maximum: '9'.repeat(30) },
) => ({
  custodianAssetId,
  decimals,
  ...bounds,
});

const BOUNDED = 5;

const tokens: readonly SupportedToken[] = [
  {
    tokenId: 1,
    token: 'USDC',
    active: true,
    networks: {
      ETHEREUM: asset('ETHEREUM:USDC', 6),
      BASE: asset('BASE:USDC', 6),
    },
  },
  {
    tokenId: 2,
    token: 'OLD',
    active: false,
    networks: { ETHEREUM: asset('ETHEREUM:OLD', 6) },
  },
  { tokenId: 3, token: 'TRX', active: true, networks: { TRON: asset('TRON:TRX', 6) } },
  {
    tokenId: 4,
    token: 'ETH',
    active: true,
    networks: { ETHEREUM: asset('ETHEREUM:ETH', 18) },
  },
  {
    tokenId: BOUNDED,
    token: 'WETH',
    active: true,
    networks: { ETHEREUM: asset('ETHEREUM:WETH', 18, { minimum: '0.5', maximum: '1000' }) },
  },
];

interface World {
  readonly addressTag?: string;
  readonly acceptedNetworks?: readonly Network[];
  /** Networks that have a custodian. */
  readonly served?: readonly Network[];
  readonly mostPerDay?: number;
  readonly addresses?: Pick<Custodian, 'assignDepositAddress'>;
}

function world(options: World = {}) {
  const { addressTag, acceptedNetworks = ['ETHEREUM'], served = ['ETHEREUM'], mostPerDay = 1000, addresses } = options;
  const gone = { wallet: false, token: false, custodian: false, pause: {} };
  const clock = fakeClock(CREATED_AT);
  const { create, operations, count, table } = offRampsInMemory(clock);
  const allowances = allowancesInMemory(clock, 'offRamps', mostPerDay);
  const faults: Error[] = [];
  const assigned: unknown[] = [];
  const assignDepositAddress: AssignDepositAddress = async (operation) => {
    assigned.push(operation);
    if (gone.custodian) throw new CustodianUnavailable('No answer.', gone.pause);
    const { operationId } = operation;
    const address =
      operationId === FIRST_ID ? DEPOSIT_ADDRESS : `0x${operationId.replaceAll('-', '').padStart(40, '0')}`;
    return { address, ...(addressTag !== undefined && { tag: addressTag }) };
  };
  let ids = 0;
  const useCase = createWithdrawal({
    acceptedNetworks,
    findUser: usersInMemory(USER),
    findWallet: async (userId, walletId) =>
      userId === USER && walletId === WALLET && !gone.wallet
        ? { walletId, userId, network: 'ETHEREUM', address: SENDER_ADDRESS }
        : undefined,
    findToken: async (tokenId) => tokens.find((token) => token.tokenId === tokenId && !gone.token),
    countCall: allowances.countCall,
    custodians: new Map(served.map((network) => [network, { name: 'one', assignDepositAddress, ...addresses }])),
    insertOperation: async (operation) => {
      const isNew = await create(operation);
      const fault = faults.shift();
      if (fault !== undefined) throw fault;
      return isNew;
    },
    findOperation: (operationId) => operations.find(operationId),
    runIdempotently: createRunIdempotently(idempotencyRecordsInMemory(), clock, () => {
      ids += 1;
      return `00000000-0000-4000-8000-${String(ids).padStart(12, '0')}`;
    }),
    clock,
    windowSeconds: 24 * 3600,
    endsAfterHours: 720,
  });
  /** The body is JSON text, so that numbers are read as they come over the wire. */
  const post = (body: string, key?: string, caller: { clientId?: string; userId?: string } = {}) => {
    const { clientId = CLIENT, userId = USER } = caller;
    const headers: Readonly<Record<string, string>> = key === undefined ? {} : { 'idempotency-key': key };
    const call = routeCall(createWithdrawalContract, { user_id: userId }, {}, { clientId, headers });
    return useCase({ ...call, body: () => validate(createWithdrawalContract.body, parseJson(body), 'body') });
  };
  return { post, useCase, clock, allowances, operations, table, count, faults, assigned, gone };
}

const withdrawal = (differences: Record<string, unknown> = {}) =>
  JSON.stringify({ originExternalWalletId: WALLET, supportedTokenId: 1, amount: '100.50', ...differences });
const withAmount = (source: string, supportedTokenId = 4) =>
  `{"originExternalWalletId":"${WALLET}","supportedTokenId":${supportedTokenId},"amount":${source}}`;

describe('decisions 4, withdrawal creation: the operation', () => {
  test('awaits the deposit for 24 hours, ends 30 days later, and has an address of its own, given out with its checksum', async () => {
    const { post, assigned } = world();
    const { body, ids } = await post(withdrawal({ externalReference: 'invoice 7' }));
    expect(ids).toEqual({ operationId: FIRST_ID });
    expect(body).toEqual({
      operation: {
        id: FIRST_ID,
        userId: USER,
        status: 'AWAITING_DEPOSIT',
        network: 'ETHEREUM',
        token: 'USDC',
        address: CHECKSUMMED,
        amount: '100.5',
        expiresAt: EXPIRES_AT,
        endsAt: ENDS_AT,
        originExternalWalletId: WALLET,
        externalReference: 'invoice 7',
        createdAt: CREATED_AT,
        sequence: 1,
      },
    });
    const owner = { operationId: FIRST_ID, clientId: CLIENT, userId: USER };
    expect(assigned).toMatchObject([{ ...owner, network: 'ETHEREUM', custodianAssetId: 'ETHEREUM:USDC' }]);
    expect(createWithdrawalContract.success.body.parse(body)).toEqual(body);
    expect(createWithdrawalContract.success.status).toBe(201);
  });

  test('has the tag that must go with the deposit', async () => {
    const { post } = world({ addressTag: '42' });
    expect((await post(withdrawal())).body.operation.addressTag).toBe('42');
  });
});

describe('decisions 4, withdrawal creation: 404', () => {
  test.each([
    ['of another client', { clientId: STRANGER }],
    ['that does not exist', { userId: STRANGER }],
  ])('a user %s is USER_NOT_FOUND, whatever the body', async (_, caller) => {
    const { post } = world();
    expect((await expectApiError(() => post('{', undefined, caller))).code).toBe('USER_NOT_FOUND');
  });

  test('an unknown or foreign wallet is EXTERNAL_WALLET_NOT_FOUND, before the token is looked at', async () => {
    const { post, count } = world();
    const body = withdrawal({ originExternalWalletId: STRANGER, supportedTokenId: 99, amount: 'x' });
    const error = await expectApiError(() => post(body));
    expect([error.status, error.code]).toEqual([404, 'EXTERNAL_WALLET_NOT_FOUND']);
    expect(count()).toBe(0);
  });
});

describe('decisions 4, withdrawal creation: 422', () => {
  test.each([
    ['is unknown', 99],
    ['is not active', 2],
    ["is not on the wallet's network", 3],
  ])('a token that %s is refused', async (_, supportedTokenId) => {
    const { post, count, assigned } = world();
    const { code, errors } = await expectApiError(() => post(withdrawal({ supportedTokenId })));
    expect(code).toBe('VALIDATION_FAILED');
    expect(errors).toMatchObject([{ path: 'body.supportedTokenId', message: expect.stringContaining('ETHEREUM') }]);
    expect([count(), assigned]).toEqual([0, []]);
  });

  test('a wrong token and a wrong amount have a line each', async () => {
    const { errors } = await expectApiError(() => world().post(withdrawal({ supportedTokenId: 99, amount: 'x' })));
    expect(errors).toMatchObject([
      { path: 'body.supportedTokenId', code: 'TOKEN_NOT_SUPPORTED' },
      { path: 'body.amount', code: 'INVALID_AMOUNT' },
    ]);
  });

  const unreadable = [
    '"0"',
    '0',
    '-0',
    '"0.000"',
    '-1',
    '"-1"',
    '""',
    '"1e3"',
    '" 1"',
    '"1,5"',
    '"+1"',
    '1e999',
    '1e30',
  ];

  const tooFine = ['"0.0000001"', '0.0000001', '1e-7'];

  test.each([
    ...unreadable.map((source) => ({ source, wrong: 'INVALID_AMOUNT' })),
    ...tooFine.map((source) => ({ source, wrong: 'TOO_MANY_DECIMALS' })),
  ])('the amount $source of a token with 6 decimals is refused: $wrong', async ({ source, wrong }) => {
    const { post, count, assigned } = world();
    const { code, errors } = await expectApiError(() => post(withAmount(source, 1)));
    expect(code).toBe('VALIDATION_FAILED');
    expect(errors).toMatchObject([{ path: 'body.amount', code: wrong }]);
    expect([count(), assigned]).toEqual([0, []]);
  });
});

describe('decisions 4, bounds: an amount', () => {
  test.each(['"0.5"', '0.5', '"00.50"', '5e-1', '"1000"', '1000.000', '1e3', '"0999.999999999999999999"'])(
    '%s from 0.5 to 1000 is taken',
    async (source) => {
      expect((await world().post(withAmount(source, BOUNDED))).body.operation.status).toBe('AWAITING_DEPOSIT');
    },
  );

  test.each(['"0.499999999999999999"', '0.4', '1e-18', '"1000.000000000000000001"', '1001', `"${'9'.repeat(30)}"`])(
    '%s outside of 0.5 to 1000 is AMOUNT_OUT_OF_BOUNDS, and no address is assigned',
    async (source) => {
      const { post, count, assigned } = world();
      const { status, code, errors } = await expectApiError(() => post(withAmount(source, BOUNDED)));
      const message = 'must be from 0.5 to 1000';
      expect([status, code]).toEqual([422, 'VALIDATION_FAILED']);
      expect(errors).toEqual([{ path: 'body.amount', code: 'AMOUNT_OUT_OF_BOUNDS', message }]);
      expect([count(), assigned]).toEqual([0, []]);
    },
  );
});

describe('decisions 4, withdrawal creation: the amount is a decimal text or number, and always a decimal text on the way out', () => {
  test.each([
    ['"100.50"', '100.5'],
    ['100.50', '100.5'],
    ['100', '100'],
    ['1e2', '100'],
    ['0.1', '0.1'],
    ['0.000000000000000001', '0.000000000000000001'],
    ['"0.000000000000000001"', '0.000000000000000001'],
    ['0.0000001', '0.0000001'],
    ['1.000000000000000001', '1.000000000000000001'],
    ['123456789012345678901.5', '123456789012345678901.5'],
    ['1000000000000000000000', '1000000000000000000000'],
    ['"1000000000000000000000"', '1000000000000000000000'],
  ])('%s is %s', async (source, amount) => {
    const { post } = world();
    expect((await post(withAmount(source))).body.operation.amount).toBe(amount);
  });
});

describe('decisions 5, same request twice', () => {
  test.each(['wallet', 'token'] as const)(
    'after such a crash the first operation is answered though its %s is gone',
    async (what) => {
      const { post, count, faults, gone } = world();
      faults.push(new Error('timeout'));
      await expect(post(withdrawal(), 'key')).rejects.toThrow('timeout');
      gone[what] = true;
      expect((await post(withdrawal(), 'key')).body.operation.id).toBe(FIRST_ID);
      expect(count()).toBe(1);
    },
  );
});

describe('decisions 10, costly calls: creations of a day', () => {
  const good = `{"originExternalWalletId":"${WALLET}","supportedTokenId":1,"amount":"1"}`;
  const REACHED = { status: 429, code: 'DAILY_LIMIT_REACHED' };

  test('end before an address is given out or anything is written', async () => {
    const { post, assigned, count } = world({ mostPerDay: 1 });
    await post(good);
    expect(await expectApiError(() => post(good))).toMatchObject(REACHED);
    expect([assigned.length, count()]).toEqual([1, 1]);
  });

  test('count nothing that is refused', async () => {
    const { post, gone, allowances } = world({ mostPerDay: 1 });
    gone.wallet = true;
    await expectApiError(() => post(good));
    gone.wallet = false;
    await expectApiError(() => post(good.replace('"1"', '"-1"')));
    await expectApiError(() => post(good, undefined, { clientId: STRANGER }));
    expect(allowances.items()).toEqual([]);
  });

  test('count no repeat under a key, which is answered when none is left', async () => {
    const { post, faults } = world({ mostPerDay: 2 });
    const first = await post(good, 'one');
    faults.push(new Error('The answer was lost.'));
    await expect(post(good, 'two')).rejects.toThrow('lost');
    expect((await post(good, 'one')).body).toEqual(first.body);
    const { body } = await post(good, 'two');
    expect((await post(good, 'two')).body).toEqual(body);
    expect(await expectApiError(() => post(good, 'three'))).toMatchObject(REACHED);
  });

  test('a first try that dies after it was counted is finished by its repeat, and counted once', async () => {
    const { post, gone, allowances } = world({ mostPerDay: 1 });
    gone.custodian = true;
    expect(await expectApiError(() => post(good, 'one'))).toMatchObject({ status: 503 });
    gone.custodian = false;
    await post(good, 'one');
    expect(allowances.items()).toMatchObject([{ used: 1 }]);
  });

  test('a creation that was refused at the limit may come again under its key', async () => {
    const { post, clock } = world({ mostPerDay: 1 });
    await post(good);
    const { retryAfterSeconds = 0 } = await expectApiError(() => post(good, 'one'));
    clock.advance(retryAfterSeconds);
    await post(good, 'one');
    expect(await expectApiError(() => post(good, 'two'))).toMatchObject(REACHED);
  });
});

describe('decisions 4, writing an operation: a write that meets a conflict or a throttled table', () => {
  test('is made again', async () => {
    const { post, count, faults } = world();
    faults.push(new WriteConflict('TransactionConflict'), new WriteConflict('ThrottlingError'));
    expect((await post(withdrawal())).body.operation.id).toBe(FIRST_ID);
    expect(count()).toBe(1);
  });
});

test('decisions 2: while the custodian does not answer creation is 503 with Retry-After, and the same key creates it later', async () => {
  const { post, count, gone } = world();
  gone.custodian = true;
  const { status, code, retryAfterSeconds } = await expectApiError(() => post(withdrawal(), 'key'));
  expect([status, code, retryAfterSeconds, count()]).toEqual([503, 'SERVICE_UNAVAILABLE', 1, 0]);
  gone.pause = { retryAfter: 29.5 };
  expect(await expectApiError(() => post(withdrawal(), 'key'))).toMatchObject({ status: 503, retryAfterSeconds: 30 });
  gone.custodian = false;
  expect((await post(withdrawal(), 'key')).body.operation.id).toBe(FIRST_ID);
  expect(count()).toBe(1);
});

test('decisions 12, addresses: from an empty pool creation is 503 with Retry-After, and the same key creates it once there is an address', async () => {
  const clock = fakeClock(CREATED_AT);
  const { dynamo } = tablesInMemory();
  const pool = createAddressPool(dynamo, 'addressPool', clock);
  await pool.count('fireblocks#EVM', 1);
  const { post, count } = world({ addresses: fireblocksAddresses(createTakeAddress(dynamo, 'addressPool', clock)) });
  const empty = { status: 503, code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 30 };
  expect(await expectApiError(() => post(withdrawal(), 'key'))).toMatchObject(empty);
  expect(count()).toBe(0);
  await pool.finish('fireblocks#EVM', await pool.begin('fireblocks#EVM', STRANGER), { address: DEPOSIT_ADDRESS }, [
    'ETHEREUM',
  ]);
  clock.advance(60);
  await pool.count('fireblocks#EVM', 1);
  expect((await post(withdrawal(), 'key')).body.operation).toMatchObject({ id: FIRST_ID, address: CHECKSUMMED });
});

test('decisions 5: without a custodian creation is 503 without Retry-After, once the request is checked, and nothing is made', async () => {
  const { post, count, assigned } = world({ acceptedNetworks: [] });
  const wrong = [withdrawal({ originExternalWalletId: STRANGER }), withdrawal({ amount: '0' })];
  const codes = await Promise.all(wrong.map(async (body) => (await expectApiError(() => post(body))).code));
  expect(codes).toEqual(['EXTERNAL_WALLET_NOT_FOUND', 'VALIDATION_FAILED']);
  for (const key of [undefined, 'key', 'key']) {
    const { status, code, retryAfterSeconds, message } = await expectApiError(() => post(withdrawal(), key));
    expect([status, code, retryAfterSeconds]).toEqual([503, 'SERVICE_UNAVAILABLE', undefined]);
    expect(message).toContain('Nothing was created');
  }
  expect([count(), assigned]).toEqual([0, []]);
});

test('decisions 12, registry: on a network without a custodian creation is 422, as for a token that is not there', async () => {
  const { post, count, assigned } = world({ served: ['BASE'] });
  const { status, errors } = await expectApiError(() => post(withdrawal()));
  expect([status, errors]).toMatchObject([422, [{ path: 'body.supportedTokenId', code: 'TOKEN_NOT_SUPPORTED' }]]);
  expect([count(), assigned]).toEqual([0, []]);
});
