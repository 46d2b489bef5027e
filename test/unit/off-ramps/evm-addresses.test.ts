import { pbkdf2Sync } from 'node:crypto';
import { HDKey } from '@scure/bip32';
import { expect, test } from 'vitest';
import { CustodianUnavailable } from '#shared/off-ramps/custodians/custodian.ts';
import { accountFault, createDeriveAddress } from '#shared/off-ramps/custodians/evm/derive-addresses.ts';
import { createDeriveFromKey, evmAddresses } from '#shared/off-ramps/custodians/evm/evm-addresses.ts';

/** The phrase that test chains share (BIP-39). */
const root = HDKey.fromMasterSeed(pbkdf2Sync(`${'test '.repeat(11)}junk`, 'mnemonic', 2048, 64, 'sha512'));
const account = root.derive("m/44'/60'/7'");
const accountKey = account.publicExtendedKey;

const OPERATION = '0b6c4f2e-6a0b-4c43-9d0f-2f4b5a0c9b11';

test('decisions 12: an address follows from the public key and the id, and its path leads to the private key', () => {
  const derived = createDeriveAddress(accountKey)(OPERATION);
  // The expected address and indices come from another implementation.
  expect(derived).toEqual({
    address: '0x07D9E9DfB226573bc826503B57dE71bcf0937fE0',
    path: '1541610567/1350673699',
    fingerprint: account.fingerprint.toString(16),
  });
  const watched = HDKey.fromExtendedKey(accountKey).derive(`m/${derived.path}`);
  const owned = account.derive(`m/${derived.path}`);
  expect([watched.privateKey, watched.publicKey]).toEqual([null, owned.publicKey]);
  expect(owned.privateKey).not.toBeNull();
});

/** The settings of the first account, as every wallet shows them. */
const first = {
  accountKey: root.derive("m/44'/60'/0'").publicExtendedKey,
  depth: 3,
  firstAddress: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
};

test('the account is identified by the first address, which its owner sees', () => {
  expect(accountFault(first)).toBeUndefined();
  expect(accountFault({ ...first, firstAddress: first.firstAddress.toLowerCase() })).toBeUndefined();
});

test.each<[string, Partial<typeof first>, string]>([
  ['a typing error', { accountKey: first.accountKey.replace('6C', '6D') }, 'typing error'],
  ['an empty text', { accountKey: '' }, 'no extended public key'],
  ['another account', { accountKey }, 'it is another account'],
  ['a wrong address', { firstAddress: `0x${'1'.repeat(40)}` }, 'has 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266 at 0/0'],
  ['a key that is not of the account', { depth: 4 }, 'is a key of depth 3, and not of depth 4'],
  ['a private key', { accountKey: root.derive("m/44'/60'/0'").privateExtendedKey }, 'is a private key'],
])('decisions 12: %s is refused in one sentence, which quotes no key', (_, differences, sentence) => {
  const settings = { ...first, ...differences };
  const fault = accountFault(settings) ?? '';
  expect(fault).toContain(sentence);
  expect(fault).not.toMatch(/xp(?:ub|rv)\w/);
});

test('decisions 12: an operation gets the address of its id with what its owner needs, or none: a wrong key is unavailable', async () => {
  const operation = {
    operationId: OPERATION,
    clientId: 'c',
    userId: 'u',
    network: 'POLYGON',
    custodianAssetId: 'a',
    hasEnded: async () => undefined,
  } as const;
  const given = (key: string) =>
    evmAddresses({ use: (ask) => ask(createDeriveFromKey(first)(key)) }).assignDepositAddress(operation);
  const { address, ...derivation } = createDeriveAddress(first.accountKey)(OPERATION);
  expect(await given(` ${first.accountKey}\n`)).toEqual({ address, derivation });
  const failure = given(accountKey);
  await expect(failure).rejects.toThrow('it is another account');
  await expect(failure).rejects.toThrow(CustodianUnavailable);
});

test('decisions 12: no address is derived from a private key', () => {
  expect(() => createDeriveAddress(account.privateExtendedKey)).toThrow('is a private key');
});
