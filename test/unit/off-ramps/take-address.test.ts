import { describe, expect, test } from 'vitest';
import { createAddressPool } from '#shared/off-ramps/custodians/address-pool.ts';
import { fireblocksCustodian } from '#shared/off-ramps/custodians/fireblocks/fireblocks-deployment.ts';
import { createTakeAddress } from '#shared/off-ramps/custodians/take-address.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { CLIENT, OPERATION, OTHER_USER, STRANGER, USER } from '#test/support/ids.ts';
import { CREATED_AT, offRamp } from '#test/support/off-ramp.ts';
import { offRampsInMemory } from '#test/support/off-ramps-in-memory.ts';
import { tablesInMemory } from '#test/support/tables-in-memory.ts';

const POOL = 'fireblocks#EVM';
const WANTED = { pool: POOL, network: 'ETHEREUM' } as const;
const DAY = 24 * 3600;

const { tables } = fireblocksCustodian({
  server: { url: '', jwksUrl: '' },
  networks: {},
  callsPerMinute: 300,
  unknownHashesPercent: 50,
  poolSize: 500,
}).members.assignDepositAddress;

/** Random numbers, the same for each test. */
function chances() {
  let seed = 1;
  return () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
}

const numbered = (start: string, number: number) =>
  `${start}0000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** A full pool, and a function with only its granted rights to the tables. */
async function world(size: number, { dynamo, clientFor, table } = tablesInMemory()) {
  const clock = fakeClock(CREATED_AT, chances());
  const store = createAddressPool(dynamo, 'addressPool', clock);
  const take = createTakeAddress(clientFor(tables), 'addressPool', clock);
  let made = 0;
  const fill = async (count: number) => {
    for (let left = count; left > 0; left -= 1) {
      made += 1;
      const id = numbered((made % 16).toString(16), made);
      await store.finish(POOL, await store.begin(POOL, id), { address: `address ${made}` }, ['ETHEREUM']);
    }
    await store.count(POOL, size);
  };
  await fill(size);
  const ofClient = (clientId: string, number: number, userId = USER) =>
    take({ operationId: numbered('a', number), clientId, userId }, WANTED);
  const free = () =>
    table('addressPool')
      .items()
      .filter(({ pool, entry }) => pool === POOL && String(entry).startsWith('FREE#')).length;
  const countLater = () => {
    clock.advance(60);
    return store.count(POOL, size);
  };
  return { clock, take, fill, ofClient, free, countLater };
}

describe('decisions 12, addresses: an operation takes an address of the pool', () => {
  test('which is the same for each repeat, even for two at once, and belongs to no other operation', async () => {
    const { ofClient, free } = await world(10);
    const [first, again] = await Promise.all([ofClient(CLIENT, 1), ofClient(CLIENT, 1)]);
    expect(again).toEqual(first);
    expect(await ofClient(CLIENT, 1)).toEqual(first);
    expect(await ofClient(CLIENT, 2)).not.toEqual(first);
    expect(free()).toBe(8);
  });

  test('and many at once get one each, down to the last; then there is none for half a minute', async () => {
    const { ofClient, free } = await world(40);
    const clients = Array.from({ length: 40 }, (_, number) => number);
    const taken = await Promise.all(clients.map((number) => ofClient(numbered('c', number), number)));
    expect(new Set(taken.map(({ address }) => address)).size).toBe(40);
    expect(free()).toBe(0);
    await expect(ofClient(STRANGER, 41)).rejects.toMatchObject({ name: 'CustodianUnavailable', retryAfter: 30 });
  });

  test('that is ready on its network: an address from before the stage served that network is not', async () => {
    const { take } = await world(10);
    const owner = { operationId: OPERATION, clientId: CLIENT, userId: USER };
    await expect(take(owner, { pool: POOL, network: 'BASE' })).rejects.toThrow('No deposit address of');
  });

  test('only from a pool that was counted once', async () => {
    const { take } = await world(1);
    const owner = { operationId: OPERATION, clientId: CLIENT, userId: USER };
    await expect(take(owner, { pool: 'fireblocks#TRON', network: 'TRON' })).rejects.toThrow(
      'No deposit address of fireblocks#TRON is free',
    );
  });
});

describe('decisions 12, addresses: of what is left below a half, one client gets at most a tenth', () => {
  const refused = { name: 'CustodianUnavailable', declinedFor: 'ADDRESS_SHARE_USED', retryAfter: 30 };

  async function halfTaken() {
    const pool = await world(40);
    for (let number = 1; number <= 20; number += 1) await pool.ofClient(CLIENT, number);
    return pool;
  }

  test('whatever it took before, and between two counts it gets no more than what is above the half', async () => {
    const { ofClient, countLater } = await halfTaken();
    await expect(ofClient(CLIENT, 21)).rejects.toMatchObject(refused);
    await ofClient(STRANGER, 22);
    await countLater();
    for (const number of [31, 32]) await ofClient(CLIENT, number);
    await expect(ofClient(CLIENT, 33)).rejects.toMatchObject(refused);
    await ofClient(STRANGER, 23);
  });

  test('of which a call that gets none takes nothing', async () => {
    const { ofClient, countLater, fill } = await world(40);
    const clients = Array.from({ length: 40 }, (_, number) => number);
    for (const number of clients) await ofClient(numbered('c', number), number);
    await countLater();
    for (const number of [41, 42, 43]) await expect(ofClient(CLIENT, number)).rejects.toThrow('No deposit address of');
    await fill(5);
    for (const number of [41, 42]) await ofClient(CLIENT, number);
    await expect(ofClient(CLIENT, 43)).rejects.toMatchObject(refused);
  });

  test('and what is above the half is for all together, between two counts too', async () => {
    const { ofClient, free } = await halfTaken();
    for (const number of [22, 23]) await ofClient(STRANGER, number);
    await expect(ofClient(STRANGER, 24)).rejects.toMatchObject(refused);
    await ofClient(numbered('c', 1), 25);
    expect(free()).toBe(17);
  });

  test('until the pool is over the half again: another count does not renew it', async () => {
    const { ofClient, countLater, fill } = await halfTaken();
    await ofClient(STRANGER, 22);
    await countLater();
    for (const number of [31, 32]) await ofClient(CLIENT, number);
    await countLater();
    await expect(ofClient(CLIENT, 33)).rejects.toMatchObject(refused);
    await fill(20);
    await ofClient(CLIENT, 33);
  });
});

describe('decisions 4, deposit address: where making one costs money, a new operation', () => {
  const owner = { clientId: CLIENT, userId: USER };

  async function solana() {
    const offRamps = offRampsInMemory(fakeClock(CREATED_AT));
    const { dynamo, operations, create, change } = offRamps;
    const pool = await world(10, { ...tablesInMemory(), ...offRamps, clientFor: () => dynamo });
    const hasEnded = async (operationId: string) => {
      const operation = await operations.find(operationId);
      return operation && operation.endedAt !== undefined;
    };
    const take = (number: number, userId = USER) =>
      pool.take({ operationId: numbered('a', number), clientId: CLIENT, userId }, WANTED, hasEnded);
    const createFor = async (number: number) => {
      const { address } = await take(number);
      expect(await create(offRamp({ ...owner, operationId: numbered('a', number), address }))).toBe(true);
      return address;
    };
    const end = (number: number) => change({ status: 'COMPLETED', endedAt: CREATED_AT }, numbered('a', number));
    return { ...pool, take, createFor, end };
  }

  test('gets an address of the same user whose operations have all ended, and costs the pool nothing', async () => {
    const { take, createFor, end, free } = await solana();
    const first = await createFor(1);
    await end(1);
    expect((await take(2, OTHER_USER)).address).not.toBe(first);
    expect(await createFor(3)).toBe(first);
    expect(await take(3)).toEqual({ address: first });
    expect(free()).toBe(8);
  });

  test('gets another one while an operation there has not ended, or two new operations take the same at once', async () => {
    const { createFor, end, free } = await solana();
    const first = await createFor(1);
    expect(await createFor(2)).not.toBe(first);
    await end(1);
    const both = await Promise.all([createFor(3), createFor(4)]);
    expect(both.filter((address) => address === first)).toHaveLength(1);
    expect(free()).toBe(7);
  });

  test('gets that of an operation that was never created once nobody can create it any more', async () => {
    const { take, createFor, clock } = await solana();
    const lost = await take(1);
    expect(await createFor(2)).not.toBe(lost.address);
    clock.advance(2 * DAY + 1);
    expect(await createFor(3)).toBe(lost.address);
  });
});
