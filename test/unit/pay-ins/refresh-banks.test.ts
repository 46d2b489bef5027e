import { describe, expect, test } from 'vitest';
import { loadParameters } from '#functions/parameters/load-parameters/load-parameters.ts';
import { refreshBanks } from '#functions/pay-ins/refresh-banks/refresh-banks.ts';
import { createDeactivations } from '#shared/parameters/deactivations.ts';
import { createListBanks, createParameterStore } from '#shared/parameters/parameter-store.ts';
import { createRuledBanks } from '#shared/parameters/ruled-banks.ts';
import { type RailBank, RailUnavailable } from '#shared/pay-ins/rails/payment-rail.ts';
import { createListRailBanks } from '#shared/pay-ins/rails/rail-boundary.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { CREATED_AT } from '#test/support/off-ramp.ts';
import { tablesInMemory } from '#test/support/tables-in-memory.ts';

const DAY = 86_400;

const bankOf = (code: number): RailBank => ({ code: String(code), name: `Bank ${code}` });
/** Ten banks. */
const ten = Array.from({ length: 10 }, (_, place) => bankOf(1001 + place));
const without = (...places: number[]) => ten.filter((_, place) => !places.includes(place));

/** The bank list of a stage whose file has two banks, and whose rail decides which banks are active. */
async function world() {
  const { dynamo } = tablesInMemory();
  const clock = fakeClock(CREATED_AT);
  const load = loadParameters(createParameterStore(dynamo, 'parameters'));
  const file = [
    { id: 'bogota', code: '1001', name: 'Bogotá', active: true },
    { id: 'former', code: '1999', name: 'Former', active: true },
  ];
  const seed = (banks = file) => load({ banks, tokens: [], seedsBanks: true });
  await seed();
  const list = createListBanks(dynamo, 'parameters');
  return {
    clock,
    seed,
    deactivations: createDeactivations(dynamo, 'parameters'),
    /** Refreshes from these banks of the rail, a day later unless told otherwise. */
    refresh: async (listed: readonly RailBank[] | RailUnavailable, rail = 'wompi', seconds = DAY) => {
      clock.advance(seconds);
      const ask = async () => {
        if (listed instanceof RailUnavailable) throw listed;
        return listed;
      };
      const banks = createRuledBanks(dynamo, 'parameters');
      return await refreshBanks({ rail, listBanks: createListRailBanks(ask, clock), banks, clock })();
    },
    /** Code and name of the active banks, by id. */
    active: async () => {
      const active = (await list()).filter((bank) => bank.active);
      return Object.fromEntries(active.map(({ id, code, name }) => [id, `${code} ${name}`]));
    },
    codes: async () => (await list()).flatMap((bank) => (bank.active ? [bank.code] : [])).toSorted(),
  };
}

const codesOf = (banks: readonly RailBank[]) => banks.map(({ code }) => code);

describe('decisions 6, banks of a rail: the banks of the list', () => {
  test('are replaced by the rail’s in one step; a bank that was there keeps its id, a new one has one for ever', async () => {
    const { refresh, active, codes } = await world();
    expect(await refresh(ten)).toBe(11);
    const all = await active();
    expect([all['bogota'], await codes()]).toEqual(['1001 Bank 1001', codesOf(ten)]);
    expect(Object.keys(all).filter((id) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(id))).toHaveLength(9);
    const renamed = ten.map((bank) => ({ ...bank, name: `${bank.name} S.A.` }));
    await refresh(renamed);
    expect(Object.entries(await active())).toEqual(Object.entries(all).map(([id, said]) => [id, `${said} S.A.`]));
  });

  test('are read once a day, and nothing is written while nothing changes', async () => {
    const { refresh, codes } = await world();
    await refresh(ten);
    expect(await refresh([...ten, bankOf(1100)], 'wompi', DAY - 1)).toBe(0);
    expect(await codes()).toEqual(codesOf(ten));
    expect([await refresh([...ten, bankOf(1100)], 'wompi', 1), await refresh([...ten, bankOf(1100)])]).toEqual([1, 0]);
  });

  test('end when they are missing for the second time, and come back with their id', async () => {
    const { refresh, active, codes } = await world();
    await refresh(ten);
    const before = await active();
    await refresh(without(3));
    expect(await codes()).toEqual(codesOf(ten));
    await refresh(ten);
    await refresh(without(3));
    expect(await codes()).toEqual(codesOf(ten));
    await refresh(without(3));
    expect(await codes()).toEqual(codesOf(without(3)));
    await refresh(ten);
    expect(await active()).toEqual(before);
  });

  test('stay as they are when a fifth of them is missing at once, which calls somebody', async () => {
    const { refresh, codes, deactivations, active } = await world();
    const lines = captureLogs();
    await refresh(ten);
    const shorter = [...without(2, 3), bankOf(1100)];
    for (const _ of [1, 2]) expect(await refresh(shorter)).toBe(0);
    expect(await codes()).toEqual(codesOf(ten));
    const lost = Object.entries(await active()).filter(([, said]) => /^100[34]/.test(said));
    const missing = lost.map(([id, said]) => `${said.slice(0, 4)} ${id}`).join(', ');
    const fields = { rail: 'wompi', listed: 9, missing, known: 10 };
    expect(lines).toMatchObject([1, 2].map(() => ({ level: 'error', code: 'BANKS_NOT_APPLIED', fields })));
    // An operator confirms one of the losses by deactivating the bank.
    await deactivations.deactivate('BANK', lost[0]?.[0] ?? '', CREATED_AT);
    await refresh(shorter);
    await refresh(shorter);
    expect(await codes()).toEqual(codesOf(shorter));
  });

  test('that an operator has deactivated stay inactive, whatever the rail says', async () => {
    const { refresh, codes, deactivations } = await world();
    await deactivations.deactivate('BANK', 'bogota', CREATED_AT);
    for (const listed of [ten, without(0), without(0), ten]) await refresh(listed);
    expect(await codes()).toEqual(codesOf(without(0)));
    expect([await deactivations.activate('BANK', 'bogota'), await codes()]).toEqual(['ACTIVE', codesOf(ten)]);
  });

  test('of another rail replace them in one step', async () => {
    const { refresh, codes } = await world();
    await refresh(ten);
    const others = [bankOf(1), bankOf(2)];
    await refresh(others, 'another', 1);
    expect(await codes()).toEqual(['1', '2']);
  });

  test('are seeded by a deployment into an empty list, and never overwritten by one', async () => {
    const { refresh, seed, active, codes } = await world();
    expect(await active()).toEqual({ bogota: '1001 Bogotá', former: '1999 Former' });
    await refresh(ten);
    await seed([{ id: 'other', code: '1998', name: 'Other', active: true }]);
    expect(await codes()).toEqual(codesOf(ten));
  });

  test('stay as they are while the rail has no list, and it is asked again within the hour; after two days somebody is told', async () => {
    const { refresh, codes } = await world();
    const lines = captureLogs();
    await refresh(ten);
    const down = new RailUnavailable('down');
    await refresh(down);
    await refresh(down, 'wompi', 3599);
    for (const twice of [[], [bankOf(1), bankOf(1)]]) await refresh(twice);
    expect(await codes()).toEqual(codesOf(ten));
    const codesOfLines = lines.map(({ level, code }) => `${level} ${code}`);
    expect(codesOfLines).toEqual(['warn BANKS_NOT_LISTED', 'error BANKS_NOT_REFRESHED', 'error BANKS_NOT_REFRESHED']);
    await refresh(without(3), 'wompi', 3600);
    expect(lines).toHaveLength(3);
  });
});
