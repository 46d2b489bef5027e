import { describe, expect, test } from 'vitest';
import { fillAddressPool } from '#functions/off-ramps/fill-address-pool/fill-address-pool.ts';
import { createAddressPool } from '#shared/off-ramps/custodians/address-pool.ts';
import { type CallFireblocks, createAskFireblocks } from '#shared/off-ramps/custodians/fireblocks/fireblocks-client.ts';
import { fireblocksCustodian } from '#shared/off-ramps/custodians/fireblocks/fireblocks-deployment.ts';
import {
  entriesAtOnce,
  fillTagPools,
  fillVaultPools,
} from '#shared/off-ramps/custodians/fireblocks/fireblocks-filling.ts';
import type { FireblocksSetting } from '#shared/off-ramps/custodians/fireblocks/fireblocks-settings.ts';
import { createProviderLimits } from '#shared/platform/dynamodb/provider-limits.ts';
import type { Role } from '#test/doubles/fireblocks/answer.ts';
import { createFireblocksDouble } from '#test/doubles/fireblocks/double.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { CREATED_AT } from '#test/support/off-ramp.ts';
import { slotsInMemory } from '#test/support/slots-in-memory.ts';
import { tablesInMemory } from '#test/support/tables-in-memory.ts';

const served = (...networks: readonly (readonly [network: string, baseAsset: string])[]) =>
  Object.fromEntries(networks.map(([network, baseAsset]) => [network, { baseAsset, assets: ['USDC'] }]));

const EVM = served(['ETHEREUM', 'ETH'], ['POLYGON', 'MATIC_POLYGON']);
const ALL = { ...EVM, ...served(['TRON', 'TRX'], ['SOLANA', 'SOL'], ['STELLAR', 'XLM']) };

const nothing = () => {};

interface Options {
  readonly networks?: FireblocksSetting['networks'];
  readonly poolSize?: number;
  readonly callsPerMinute?: number;
  readonly secondsPerCall?: number;
}

/** A workspace, and runs that fill pools from it with only their granted rights. `wait` is called before each step. */
function world({ networks = EVM, poolSize = 3, callsPerMinute = 300, secondsPerCall = 0 }: Options = {}) {
  const clock = fakeClock(CREATED_AT);
  const lines = captureLogs();
  const double = createFireblocksDouble({ clock });
  const fireblocks = {
    ...{ server: { url: '', jwksUrl: '' }, networks, stellarVault: '0' },
    ...{ callsPerMinute, unknownHashesPercent: 50, poolSize },
  };
  const { fillAddressPool, fillTagPool } = fireblocksCustodian(fireblocks).members;
  const { clientFor, table } = tablesInMemory();
  let ids = 0;
  const newId = () => {
    ids += 1;
    return `00000000-0000-4000-8000-${String(ids).padStart(12, '0')}`;
  };
  const as = (role: Role, needs = fillAddressPool, wait: () => void = nothing) => {
    const client = clientFor(needs.tables);
    const send = client.send.bind(client);
    const dynamo = Object.assign(client, {
      send: async (...call: Parameters<typeof send>) => {
        wait();
        const answer = await send(...call);
        wait();
        return answer;
      },
    });
    const call: CallFireblocks = async ({ method, path, body = '', idempotencyKey = '' }) => {
      wait();
      const headers = idempotencyKey === '' ? {} : { 'idempotency-key': idempotencyKey };
      clock.advance(secondsPerCall);
      const answer = double.answer({ apiKey: role, role }, { method, path, body, headers });
      wait();
      return { status: answer.status, headers: answer.headers, text: answer.body };
    };
    const limits = createProviderLimits({ dynamo, table: 'providerLimits', clock }, role);
    const ask = createAskFireblocks({ call, limits, clock });
    return { ask, fireblocks, store: createAddressPool(dynamo, 'addressPool', clock), clock };
  };
  const aRun = () => ({ stopsAt: clock.now().getTime() + 35_000, newId });
  const fillVaults = async (wait?: () => void) => fillVaultPools(as('Editor', fillAddressPool, wait))(aRun());
  const fillTags = async (wait?: () => void) => fillTagPools(as('Non-Signing Admin', fillTagPool, wait))(aRun());
  /** The vaults, except the one that every workspace has. */
  const vaults = () => double.vaults.slice(1);
  const entries = (kind: string) =>
    table('addressPool')
      .items()
      .filter(({ entry }) => String(entry).startsWith(kind));
  const post = (path: string, body: object) =>
    double.answer({ apiKey: 'owner', role: 'Editor' }, { method: 'POST', path, body: JSON.stringify(body) });
  /** Makes the Stellar wallet, for which its owner has paid; returns its addresses. */
  const makeStellarVault = () => {
    post('/v1/vault/accounts/0/XLM', {});
    return double.vaults[0]?.wallets.get('XLM')?.addresses ?? [];
  };
  return { clock, double, lines, entries, vaults, fillVaults, fillTags, post, makeStellarVault, fireblocks, newId };
}

const addressesOf = (entries: readonly Readonly<Record<string, unknown>>[]) => entries.map(({ address }) => address);

describe('decisions 12, addresses: a run', () => {
  test('fills each pool up to its size: a vault is an address on all EVM networks, with the wallet of each', async () => {
    const { fillVaults, double, entries, vaults } = world({ networks: ALL });
    expect(await fillVaults()).toEqual(
      ['EVM', 'TRON', 'SOLANA'].map((of) => ({ pool: `fireblocks#${of}`, free: 3, size: 3 })),
    );
    expect(vaults().map(({ hiddenOnUI }) => hiddenOnUI)).toEqual(Array(9).fill(true));
    const free = entries('FREE#');
    expect(new Set(addressesOf(free)).size).toBe(9);
    for (const { pool, entry, address, vaultId } of free.filter((one) => one['pool'] === 'fireblocks#EVM')) {
      const { name, wallets } = double.vaults[Number(vaultId)] ?? {};
      expect([pool, entry]).toEqual(['fireblocks#EVM', `FREE#${name}`]);
      expect([...(wallets?.keys() ?? [])]).toEqual(['ETH', 'MATIC_POLYGON']);
      expect(wallets?.get('ETH')?.addresses[0]?.address.toLowerCase()).toBe(address);
    }
    const calls = double.calls();
    await fillVaults();
    expect(double.calls()).toEqual(calls);
  });

  test('makes tags of one account as another user, who may', async () => {
    const { fillTags, makeStellarVault, entries } = world({ networks: ALL });
    const made = makeStellarVault();
    expect(await fillTags()).toEqual([{ pool: 'fireblocks#STELLAR', free: 3, size: 3 }]);
    const tags = made.slice(1).map(({ address, tag, description }) => [`FREE#${description}`, address, tag]);
    expect(entries('FREE#').map(({ entry, address, tag }) => [entry, address, tag])).toEqual(tags);
  });

  test('ends at a pause that the vendor asks for, and the next ones finish what it left', async () => {
    const { fillVaults, double, clock, entries, vaults } = world({ networks: ALL });
    double.fail({ what: '429', retryAfter: 50, kind: 'POST /v1/vault/accounts' });
    await fillVaults();
    expect(entries('FREE#')).toHaveLength(0);
    expect(vaults().length).toBeLessThan(5);
    clock.advance(60);
    await fillVaults();
    expect([entries('FREE#').length, vaults().length]).toEqual([9, 9]);
  });

  test('begins nothing once it has made the calls of a minute', async () => {
    const { fillVaults, double, entries } = world({ poolSize: 50, callsPerMinute: 30 });
    await fillVaults();
    const calls = Object.values(double.calls()).reduce((sum, count) => sum + count, 0);
    expect(calls).toBeGreaterThanOrEqual(30);
    expect(calls).toBeLessThan(30 + 5 * 3);
    expect(entries('FREE#').length).toBeGreaterThan(5);
  });

  test.each([
    [300, 5],
    [4800, 50],
  ])(
    'of a vendor that allows %i calls a minute makes %i at the same time, and leaves 15 more',
    async (...[calls, atOnce]) => {
      const networks = served(['SOLANA', 'SOL_USDC_PTHX']);
      const { fillVaults, entries, fireblocks } = world({ networks, poolSize: 100, callsPerMinute: calls });
      expect(entriesAtOnce(fireblocks)).toBe(atOnce);
      for (let run = 0; run < 3; run += 1) await fillVaults();
      expect(entries('MAKING#')).toHaveLength(15 + atOnce);
    },
  );

  test('ends before the function is stopped, however slow the vendor is, and the next ones finish what it left', async () => {
    const more = served(['BASE', 'BASECHAIN_ETH'], ['BSC', 'BNB_BSC'], ['AVALANCHE', 'AVAX']);
    const { clock, fillVaults, entries } = world({ networks: { ...EVM, ...more }, poolSize: 1, secondsPerCall: 9 });
    await fillVaults();
    expect(clock.now().getTime() - Date.parse(CREATED_AT)).toBeLessThan(55_000);
    expect([entries('FREE#'), entries('MAKING#')]).toMatchObject([[], [{ vaultId: '1' }]]);
    await fillVaults();
    expect([entries('FREE#').length, entries('MAKING#')]).toEqual([1, []]);
  });

  test('leaves an entry on which another one has worked meanwhile as it is', async () => {
    const store = createAddressPool(tablesInMemory().dynamo, 'addressPool', fakeClock('2026-08-01T12:00:00.000Z'));
    const begun = await store.begin('pool', 'id');
    const after = { ...begun, tries: 1 };
    expect(await store.update('pool', begun, { tries: 1 })).toEqual(after);
    expect(await store.update('pool', begun, { tries: 1, vaultId: '7' })).toBeUndefined();
    expect(await store.listUnfinished('pool')).toEqual([after]);
  });

  test('is the only one, and says how much is missing', async () => {
    const { fillVaults, double, clock, newId } = world();
    const written: string[] = [];
    const run = fillAddressPool({
      custodians: new Map([['ETHEREUM', { name: 'fireblocks', fillAddressPool: () => fillVaults() }]]),
      slots: slotsInMemory(clock),
      writeLine: (line) => void written.push(line),
      metricsNamespace: 'service',
      ...{ newId, clock },
    });
    double.fail({ what: 'MALFORMED', times: 2, kind: 'POST /v1/vault/accounts/:id/:id' });
    const both = await Promise.all([run(), run()]);
    expect(both.map(({ length }) => length).toSorted()).toEqual([0, 1]);
    expect(written.map((line) => JSON.parse(line))).toMatchObject([
      { 'missing deposit addresses': 67, 'free addresses of fireblocks#EVM': 1 },
    ]);
    clock.advance(60);
    expect(await run()).toMatchObject([{ free: 3 }]);
  });
});

describe('decisions 12, addresses: an entry is free once, whatever happens to the run that makes it', () => {
  const pauses = [
    ['a minute later', 60],
    ['when the vendor has forgotten the keys', 25 * 3600],
  ] as const;

  /** Makes a world for each step before which, or after which, a run can be cut off. */
  async function cutOffAnywhere(
    tryOne: (run: (fill: (wait: () => void) => Promise<unknown>) => Promise<void>) => Promise<void>,
  ) {
    for (let last = 1, isCutOff = true; isCutOff; last += 1) {
      let steps = 0;
      const wait = () => {
        steps += 1;
        if (steps >= last) throw new Error('The run was cut off.');
      };
      await tryOne(async (fill) => {
        isCutOff = await fill(wait).then(
          () => false,
          () => true,
        );
      });
      if (!isCutOff) expect(steps).toBeGreaterThan(20);
    }
  }

  test.each(pauses)('a run that is cut off anywhere is finished %s, without a second vault', (_, seconds) =>
    cutOffAnywhere(async (run) => {
      const { fillVaults, vaults, clock, entries } = world({ poolSize: 2 });
      await run(fillVaults);
      clock.advance(seconds);
      await fillVaults();
      const [free, named] = [entries('FREE#'), vaults().map(({ name }) => `FREE#${name}`)];
      expect(named.toSorted()).toEqual(free.map(({ entry }) => String(entry)).toSorted());
      expect([free.length, new Set(addressesOf(free)).size, entries('MAKING#').length]).toEqual([2, 2, 0]);
    }),
  );

  test.each(pauses)('a run that is cut off anywhere is finished %s, without a second tag', (_, seconds) =>
    cutOffAnywhere(async (run) => {
      const { fillTags, clock, entries, makeStellarVault } = world({ networks: ALL, poolSize: 2 });
      const made = makeStellarVault();
      await run(fillTags);
      clock.advance(seconds);
      await fillTags();
      const free = entries('FREE#');
      expect([free.length, new Set(free.map(({ tag }) => tag)).size, entries('MAKING#').length]).toEqual([2, 2, 0]);
      expect(made).toHaveLength(1 + 2);
    }),
  );

  test.each([true, false])(
    'a vault of which the vendor failed to say that it was made (%s) is found by its name, or made under another key',
    async (isCarriedOut) => {
      const { fillVaults, double, clock, entries, vaults } = world({ poolSize: 1 });
      double.fail({ what: '500', isCarriedOut, kind: 'POST /v1/vault/accounts' });
      for (let run = 0; run < 5; run += 1) {
        await fillVaults();
        clock.advance(60);
      }
      expect([entries('FREE#').length, vaults().length]).toEqual([1, 1]);
    },
  );

  test('of two vaults with the same name the first one counts, and the other is in the log', async () => {
    const { fillVaults, double, lines, entries, post, clock } = world({ poolSize: 1 });
    double.fail({ what: '500', kind: 'POST /v1/vault/accounts' });
    await fillVaults();
    const name = '00000000-0000-4000-8000-000000000001';
    for (const made of [name, name, `${name}0`]) post('/v1/vault/accounts', { name: made });
    clock.advance(60);
    await fillVaults();
    expect(entries('FREE#')).toMatchObject([{ entry: `FREE#${name}`, vaultId: '1' }]);
    expect(lines).toContainEqual({
      level: 'warn',
      code: 'VAULT_MADE_TWICE',
      fields: { entryId: name, vaultIds: '1,2' },
    });
  });

  test('a wallet that needs a transaction of its chain is free only after that; a person is told of one that lasts', async () => {
    const networks = served(['SOLANA', 'SOL_USDC_PTHX']);
    const { fillVaults, double, clock, entries, lines, vaults } = world({ networks, poolSize: 1 });
    for (let run = 0; run < 60; run += 1) {
      await fillVaults();
      clock.advance(60);
    }
    expect([entries('FREE#').length, vaults().length]).toEqual([0, 1]);
    const told = lines.filter(({ level }) => level === 'error');
    expect(told).toMatchObject([{ code: 'ADDRESS_NOT_MADE', fields: { pool: 'fireblocks#SOLANA', vaultId: '1' } }]);
    double.activate('1', 'SOL_USDC_PTHX');
    await fillVaults();
    expect(entries('FREE#')).toHaveLength(1);
  });

  test('wallets without the same address are for a person, at once, and do not make vaults for ever', async () => {
    const networks = served(['ETHEREUM', 'ETH'], ['POLYGON', 'TRX']);
    const { fillVaults, vaults, clock, entries, lines } = world({ networks, poolSize: 100 });
    for (let run = 0; run < 10; run += 1) {
      await fillVaults();
      clock.advance(60);
    }
    expect(entries('FREE#')).toHaveLength(0);
    expect(vaults().length).toBeLessThanOrEqual(25);
    expect(lines[0]).toMatchObject({ level: 'error', code: 'ADDRESS_NOT_MADE', fields: { vaultId: '1' } });
  });

  test('an address that is free when the stage begins to serve another network gets its wallet, and stays the same', async () => {
    const { fillVaults, fireblocks, vaults, entries } = world({ networks: served(['ETHEREUM', 'ETH']) });
    await fillVaults();
    const before = addressesOf(entries('FREE#'));
    fireblocks.networks = EVM;
    await fillVaults();
    expect(addressesOf(entries('FREE#'))).toEqual(before);
    expect(vaults().map(({ wallets }) => [...wallets.keys()])).toEqual(Array(3).fill(['ETH', 'MATIC_POLYGON']));
  });

  test('an entry that never succeeds holds up neither the others nor the run', async () => {
    const { fillVaults, double, clock, entries, vaults } = world({ networks: ALL });
    double.fail({ what: 'MALFORMED', times: 3, kind: 'POST /v1/vault/accounts/:id/:id' });
    await fillVaults();
    clock.advance(60);
    double.fail({ what: 'MALFORMED', kind: 'POST /v1/vault/accounts/:id/:id' });
    await fillVaults();
    clock.advance(60);
    await fillVaults();
    expect([entries('FREE#').length, vaults().length]).toEqual([9, 9]);
  });
});
