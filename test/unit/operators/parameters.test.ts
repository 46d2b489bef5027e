import { describe, expect, test } from 'vitest';
import { listBanks } from '#functions/parameters/list-banks/list-banks.ts';
import { listTokens } from '#functions/parameters/list-tokens/list-tokens.ts';
import * as parameterCommands from '#shared/parameters/parameter-commands.ts';
import { listBanksContract, listTokensContract } from '#shared/parameters/parameter-contract.ts';
import {
  createFindSupportedToken,
  createIsActiveBank,
  createListBanks,
  createListSupportedTokens,
} from '#shared/parameters/parameter-store.ts';
import { operatorsWorld } from '#test/support/operators-world.ts';
import { routeCall } from '#test/support/route-call.ts';

const { activateBankContract, activateTokenContract, deactivateBankContract, deactivateTokenContract } =
  parameterCommands;

const bank = { kind: 'BANK', id: 'bancolombia', code: '1007', name: 'Bancolombia', active: true };
const token = { kind: 'TOKEN', id: '1', tokenId: 1, token: 'USDC', active: true, networks: {} };

/** A bank and a token, in the table, in the lists, and as new pay-ins and off-ramps take them. */
function world(differences = {}) {
  const { change, table, dynamo, beforeNextWrite } = operatorsWorld();
  for (const entry of [bank, token]) table('parameters').put({ ...entry, ...differences });
  const banks = listBanks(createListBanks(dynamo, 'parameters'));
  const tokens = listTokens(createListSupportedTokens(dynamo, 'parameters'));
  return {
    change,
    table,
    beforeNextWrite,
    taken: async () => ({
      banks: (await banks(routeCall(listBanksContract, {}))).body.map(({ id }) => id),
      bank: await createIsActiveBank(dynamo, 'parameters')('1007'),
      tokens: (await tokens(routeCall(listTokensContract, {}))).body.map(({ id }) => id),
      token: (await createFindSupportedToken(dynamo, 'parameters')(1))?.active,
    }),
  };
}

const all = { banks: ['bancolombia'], bank: true, tokens: [1], token: true };

describe.each([
  ['bank', deactivateBankContract, activateBankContract, { bankId: 'bancolombia' }, { ...all, banks: [], bank: false }],
  ['token', deactivateTokenContract, activateTokenContract, { tokenId: '1' }, { ...all, tokens: [], token: false }],
] as const)('decisions 11, putting right: a %s', (_, deactivate, activate, named, without) => {
  test('that is deactivated is in no list and in no new operation, until it is activated', async () => {
    const { change, taken } = world();
    expect(await taken()).toEqual(all);
    expect(await change(deactivate, named)).toMatchObject({ status: 200, body: named });
    expect(await taken()).toEqual(without);
    expect(await change(activate, named)).toMatchObject({ status: 200, body: named });
    expect(await taken()).toEqual(all);
  });

  test('that is deactivated twice keeps its first time; activating an active one changes nothing', async () => {
    const { change, table } = world();
    const before = table('parameters').items();
    await change(activate, named);
    expect(table('parameters').items()).toEqual(before);
    await change(deactivate, named);
    const once = table('parameters').items();
    await change(deactivate, named);
    expect(table('parameters').items()).toEqual(once);
  });

  test('that its file has inactive is not activated, whatever an operator has decided of it', async () => {
    const { change, table } = world({ active: false });
    await change(deactivate, named);
    const before = table('parameters').items();
    const { status, body } = await change(activate, named);
    expect([status, body.errors]).toMatchObject([422, [{ code: 'INACTIVE_IN_FILES' }]]);
    expect(table('parameters').items()).toEqual(before);
  });

  test('that a deployment changes at the same moment keeps both changes', async () => {
    const { change, table, beforeNextWrite } = world();
    const [field] = Object.keys(named);
    const renamed = field === 'bankId' ? { ...bank, name: 'Renamed' } : { ...token, token: 'Renamed' };
    beforeNextWrite('parameters', () => table('parameters').put(renamed));
    await change(deactivate, named);
    const { kind, id } = renamed;
    expect(table('parameters').find({ kind, id })).toEqual({ ...renamed, deactivatedAt: '2026-08-01T12:00:00.000Z' });
  });

  test('that is not there is 404, and is not made', async () => {
    const { change, table } = world();
    const unknown = Object.fromEntries(Object.keys(named).map((name) => [name, '4711']));
    for (const contract of [deactivate, activate]) {
      expect(await change(contract, unknown)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    }
    expect(table('parameters').items()).toHaveLength(2);
  });
});
