import { describe, expect, test } from 'vitest';
import { readUserContract } from '#shared/clients/client-lookups.ts';
import {
  addUserContract,
  declareWalletContract,
  updateUserContract,
  withdrawWalletContract,
} from '#shared/clients/user-commands.ts';
import { CLIENT, STRANGER, USER, WALLET } from '#test/support/ids.ts';
import { operatorsWorld } from '#test/support/operators-world.ts';

const payer = {
  fullName: 'Example Payer',
  email: 'payer@example.com',
  phone: '3001234567',
  documentType: 'CC',
  documentNumber: '1020304050',
  personType: 'NATURAL',
  acceptedTermsAt: '2026-07-01T00:00:00Z',
};

function world() {
  const made = operatorsWorld();
  made.table('clients').put({ clientId: CLIENT, complianceStatus: 'approved', status: 'approved', secretDigests: [] });
  made.table('users').put({ userId: USER, clientId: CLIENT, phone: '3110000000', payer: { fullName: 'Before' } });
  return made;
}

describe('decisions 11, users and wallets', () => {
  test('a user is added to a client, with the data that rails ask for', async () => {
    const { change, look } = world();
    const { status, body } = await change(addUserContract, { clientId: CLIENT, payer });
    expect([status, body]).toEqual([200, { userId: expect.any(String), clientId: CLIENT }]);
    const read = await look(readUserContract, { userId: String(body.userId) });
    expect(read.body).toEqual({
      userId: body.userId,
      clientId: CLIENT,
      payer,
      wallets: [],
      changes: [expect.anything()],
    });
  });

  test('pay-ins read the phone beside the rest', async () => {
    const { change, table } = world();
    const { body } = await change(addUserContract, { clientId: CLIENT, payer });
    expect(table('users').find({ userId: body.userId })).toMatchObject({
      phone: payer.phone,
      payer: { documentNumber: payer.documentNumber },
    });
  });

  test('a change keeps the fields that it does not name, and the client', async () => {
    const { change, look } = world();
    await change(updateUserContract, { userId: USER, payer: { documentType: 'CE' } });
    expect((await look(readUserContract, { userId: USER })).body).toEqual({
      userId: USER,
      clientId: CLIENT,
      payer: { fullName: 'Before', documentType: 'CE', phone: '3110000000' },
      wallets: [],
      changes: [expect.objectContaining({ command: 'update-user', result: 'DONE' })],
    });
  });

  test('two changes of different fields at once are both made', async () => {
    const { change, table, beforeNextWrite } = world();
    const put = (fullName: string, rest = {}) =>
      table('users').put({ userId: USER, clientId: CLIENT, phone: '3110000000', payer: { fullName, ...rest } });
    beforeNextWrite('users', () => put('Meanwhile'));
    const { status, body } = await change(updateUserContract, { userId: USER, payer: { email: 'after@example.com' } });
    expect([status, body]).toEqual([200, { userId: USER, before: {}, after: { email: 'after@example.com' } }]);
    expect(table('users').find({ userId: USER })).toMatchObject({
      payer: { fullName: 'Meanwhile', email: 'after@example.com' },
    });
  });

  test('a change shows the earlier values, so that it can be undone', async () => {
    const { change, table } = world();
    const payer = { phone: '3001234567', fullName: 'After' };
    const { body } = await change(updateUserContract, { userId: USER, payer });
    expect(body).toEqual({ userId: USER, before: { fullName: 'Before', phone: '3110000000' }, after: payer });
    expect(table('users').find({ userId: USER })).toMatchObject({ phone: '3001234567', payer: { fullName: 'After' } });
    expect((await change(updateUserContract, { userId: USER, payer: body.before })).status).toBe(200);
    expect(table('users').find({ userId: USER })).toMatchObject({ phone: '3110000000', payer: { fullName: 'Before' } });
  });

  test('a change of nothing is refused: it would read as done', async () => {
    const error = { path: 'body.arguments.payer', code: 'REQUIRED' };
    expect(await world().change(updateUserContract, { userId: USER })).toMatchObject({
      status: 422,
      body: { errors: [error] },
    });
  });

  test('a field that has changed since somebody saw it is not overwritten, unless it has the asked value already', async () => {
    const { change } = world();
    const changing = (fullName: string, before: string) =>
      change(updateUserContract, { userId: USER, payer: { fullName }, before: { fullName: before } });
    expect(await changing('After', 'Long before')).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'body.arguments.before.fullName', code: 'CHANGED_MEANWHILE' }] },
    });
    expect((await changing('After', 'Before')).status).toBe(200);
    expect((await changing('After', 'Before')).status).toBe(200);
    expect((await changing('Again', 'Before')).status).toBe(422);
  });

  test('a wallet is kept in normal form, which is shown; the same one again is the same wallet', async () => {
    const { change, look } = world();
    const address = '0x52908400098527886E0F7030069857D2E4169EE7';
    const declared = await change(declareWalletContract, { userId: USER, network: 'POLYGON', address });
    const again = await change(declareWalletContract, {
      userId: USER,
      network: 'POLYGON',
      address: ` ${address.toLowerCase()}`,
    });
    expect(declared.body).toMatchObject({ network: 'POLYGON', address: address.toLowerCase() });
    expect(again.body).toEqual(declared.body);
    const { userId: _, ...wallet } = declared.body;
    expect((await look(readUserContract, { userId: USER })).body.wallets).toEqual([wallet]);
  });

  test('one account on two networks is two wallets, and so is one account of two users', async () => {
    const { change, table } = world();
    table('users').put({ userId: STRANGER, clientId: CLIENT });
    const address = '0x52908400098527886e0f7030069857d2e4169ee7';
    const ids = [
      await change(declareWalletContract, { userId: USER, network: 'POLYGON', address }),
      await change(declareWalletContract, { userId: USER, network: 'BASE', address }),
      await change(declareWalletContract, { userId: STRANGER, network: 'BASE', address }),
    ].map(({ body }) => body.walletId);
    expect(new Set(ids).size).toBe(3);
  });

  test('an address that the network does not have is refused, and nothing is written', async () => {
    const { change, table } = world();
    const { status, body } = await change(declareWalletContract, { userId: USER, network: 'TRON', address: '0x12' });
    expect([status, body.errors]).toMatchObject([422, [{ path: 'body.arguments.address' }]]);
    expect(table('wallets').items()).toEqual([]);
  });

  test('decisions 4, wallet addresses: an EVM address with a wrong checksum is refused, and nothing is written', async () => {
    const { change, table } = world();
    const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe1';
    const { status, body } = await change(declareWalletContract, { userId: USER, network: 'POLYGON', address });
    const refused = {
      path: 'body.arguments.address',
      code: 'INVALID_FORMAT',
      message: expect.stringContaining('EIP-55'),
    };
    expect([status, body.errors]).toEqual([422, [refused]]);
    expect(table('wallets').items()).toEqual([]);
  });

  test('a wallet is withdrawn once', async () => {
    const { change, look } = world();
    const address = '0x52908400098527886e0f7030069857d2e4169ee7';
    const { walletId } = (await change(declareWalletContract, { userId: USER, network: 'BASE', address })).body;
    expect((await change(withdrawWalletContract, { userId: USER, walletId })).status).toBe(200);
    expect((await change(withdrawWalletContract, { userId: USER, walletId })).status).toBe(404);
    expect((await look(readUserContract, { userId: USER })).body.wallets).toEqual([]);
  });
});

test.each([
  [addUserContract, { clientId: STRANGER }],
  [updateUserContract, { userId: STRANGER }],
  [declareWalletContract, { userId: STRANGER, network: 'BASE', address: '0x52908400098527886e0f7030069857d2e4169ee7' }],
  [withdrawWalletContract, { userId: USER, walletId: WALLET }],
])('a missing user or wallet is not found, and nothing is written: $name', async (contract, input) => {
  const { change, table } = world();
  expect((await change(contract, input)).status).toBe(404);
  expect([table('users').items().length, table('wallets').items()]).toEqual([1, []]);
});

test.each([
  ['phone', '300'],
  ['email', 'payer'],
  ['documentType', 'XX'],
  ['documentNumber', ''],
  ['acceptedTermsAt', 'yesterday'],
])('a value that no rail would take is refused by the name of its field: %s', async (name, value) => {
  const { status, body } = await world().change(addUserContract, {
    clientId: CLIENT,
    payer: { ...payer, [name]: value },
  });
  expect([status, body.errors]).toMatchObject([422, [{ path: `body.arguments.payer.${name}` }]]);
});
