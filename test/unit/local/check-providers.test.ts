import { createPublicKey } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { checkProviders, credentialOptions } from '#infra/cli/providers/check-providers.ts';
import { ErrorAnswer } from '#infra/cli/providers/finding.ts';
import { readCatalogue, resolveNetworks } from '#infra/cli/providers/fireblocks-catalogue.ts';
import { readSettings } from '#infra/stage/read-settings.ts';
import { systemClock } from '#shared/platform/clock.ts';
import type { Role } from '#test/doubles/fireblocks/answer.ts';
import type { DoubleOptions } from '#test/doubles/fireblocks/double.ts';
import { startFireblocksDouble } from '#test/doubles/fireblocks/server.ts';
import { startWompiDouble } from '#test/doubles/wompi/start-wompi-double.ts';
import type { WompiDoubleOptions } from '#test/doubles/wompi/wompi-double.ts';
import { testUser } from '#test/support/custodians/fireblocks-user.ts';

const folder = mkdtempSync(join(tmpdir(), 'check-providers-'));
afterAll(() => rmSync(folder, { recursive: true }));

function fileOf(name: string, content: object): string {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(content));
  return path;
}

const key = createPublicKey(testUser.privateKeyPem).export({ type: 'spki', format: 'pem' }).toString();

/** The result of the command, and its answers by their subject. */
async function check(...args: string[]) {
  const lines: string[] = [];
  const isSame = await checkProviders(args, (line) => lines.push(line));
  const answers = lines.flatMap((line) => {
    const [, mark, about, said] = /^ {2}([✓✗?]) (.+?): (.*)$/s.exec(line) ?? [];
    return about === undefined ? [] : [[about, `${mark} ${said}`] as const];
  });
  return { isSame, lines, said: Object.fromEntries(answers) };
}

const NOTIFIED = 'https://127.0.0.1:1/api/custodian/notifications/fireblocks';
const USDC = 'USDC_AMOY_POLYGON_TEST_7WWV';
const none = '? there is no deposit yet that shows it';

interface Differences extends Partial<Pick<DoubleOptions, 'notifyUrl' | 'isTest' | 'events'>> {
  readonly role?: string;
  readonly user?: object;
  readonly returns?: object;
}

/** Runs the check against the double of Fireblocks, with these differences in the settings. */
async function custodian(
  networks: object,
  { role = 'Viewer', notifyUrl = NOTIFIED, user = testUser, returns = {}, isTest = true, ...others }: Differences = {},
) {
  const server = await startFireblocksDouble({
    isTest,
    users: [{ apiKey: testUser.apiKey, publicKeyPem: key, role: role as Role }],
    notifyUrl,
    ...others,
  });
  onTestFinished(server.stop);
  const settings = fileOf('custody.json', {
    fireblocks: { server: 'sandbox', networks },
    returns,
    secrets: { FIREBLOCKS_READER: 'reader', FIREBLOCKS_ADDRESSES: 'addresses' },
  });
  const asked = ['--settings', settings, '--custodian-credentials', fileOf('user.json', user)];
  return { server, run: (...more: string[]) => check(...asked, ...more, '--custodian-url', `${server.url}/`) };
}

const polygon = { baseAsset: 'AMOY_POLYGON_TEST', assets: { USDC } };

describe('Fireblocks', () => {
  test('agrees with the settings, or cannot say yet', async () => {
    const { run } = await custodian({ POLYGON: polygon });
    const { isSame, said } = await run();
    expect(said).toEqual({
      'the key of the reader': '✓ its signature is accepted',
      'the role of the reader': '✓ a Viewer, as it should be',
      'headers of pages': '? no next-page: there may be one transaction only',
      'assets on POLYGON': `✓ native AMOY_POLYGON_TEST, USDC ${USDC}`,
      'confirmations on POLYGON': none,
      'upper and lower case of hashes': none,
      'addresses of one vault on EVM networks': '? no vault has two EVM networks yet',
      'names of vaults': '✓ each once',
      webhooks: `✓ ${NOTIFIED}: ENABLED`,
    });
    expect(isSame).toBe(true);
  });

  test('shows by its deposits what it does', async () => {
    const { run, server } = await custodian({ POLYGON: polygon });
    const movement = { assetId: USDC, from: `0x${'1'.repeat(40)}`, to: `0x${'2'.repeat(40)}`, amount: '1' };
    const txHash = `0x${'ab'.repeat(32)}`;
    server.double.deposit({ network: 'POLYGON', txHash, movements: [movement], status: 'COMPLETED', confirmations: 7 });
    expect((await run()).said).toMatchObject({
      'confirmations on POLYGON': '✓ completed with 7, of 1 deposits',
      'upper and lower case of hashes': expect.stringMatching(/^✓/),
    });
  });

  test('differs: role, assets, webhooks', async () => {
    const wrong = { baseAsset: 'AMOY_POLYGON_TEST', assets: { USDC: 'USDC_POLYGON' } };
    const { run } = await custodian({ POLYGON: wrong }, { role: 'Editor', notifyUrl: 'https://127.0.0.1:1/' });
    const { isSame, said } = await run();
    expect(said).toMatchObject({
      'the role of the reader': expect.stringMatching(/^✗ answered with 200/),
      'assets on POLYGON': `✗ the provider lacks USDC USDC_POLYGON; the stage lacks USDC ${USDC}`,
      webhooks: '✗ none ends with /api/custodian/notifications/fireblocks',
    });
    expect(isSame).toBe(false);
  });

  test('differs: a webhook that is told of some transaction events only', async () => {
    const { run } = await custodian(
      { POLYGON: polygon },
      { events: ['transaction.created', 'transaction.status.updated'] },
    );
    const { isSame, said } = await run();
    const lacking = 'transaction.approval_status.updated, transaction.network_records.processing_completed';
    expect([isSame, said['webhooks']]).toEqual([false, `✗ ${NOTIFIED}: ENABLED, not subscribed to ${lacking}`]);
  });

  test('leaves to a person the tokens whose issuer is not known here, and reads its catalogue once', async () => {
    const { run, server } = await custodian({
      POLYGON: polygon,
      TRON: { baseAsset: 'TRX_TEST', assets: { USDC: 'TRX_USDC_SKL5' } },
      BASE: { baseAsset: 'BASECHAIN_ETH_TEST5', assets: { USDT: 'USDT_NOWHERE' } },
    });
    const { said } = await run();
    expect(said).toMatchObject({
      'assets on POLYGON': expect.stringMatching(/^✓/),
      'assets on TRON': '? the issuers’ contracts are not known here',
      'USDC on TRON, whose issuer’s contract is not known here': expect.stringMatching(/^\? TRX_USDC_SKL5 .* tfgbsr/),
      'USDT on BASE, whose issuer’s contract is not known here': expect.stringMatching(/^✗ .* no USDT_NOWHERE/),
    });
    expect(server.double.calls()['GET /v1/assets']).toBe(1);
  });

  test('leaves to a person the tokens that are not their issuer’s: the pegs of Binance on BSC', async () => {
    const bsc = { baseAsset: 'BNB_BSC', assets: { USDC: 'USDC_BSC', USDT: 'USDT_BSC' } };
    const { run } = await custodian({ BSC: bsc }, { isTest: false });
    expect((await run()).said).toMatchObject({
      'assets on BSC': '? the issuers’ contracts are not known here',
      'USDC on BSC, whose issuer’s contract is not known here': expect.stringMatching(/^\? USDC_BSC .* 0x8ac76a/),
      'USDT on BSC, whose issuer’s contract is not known here': expect.stringMatching(/^\? USDT_BSC .* 0x55d398/),
    });
  });

  test('checks as the sender everything that can be checked without sending: its key, its role, and the vault that returns leave', async () => {
    const settings = { role: 'Signer', returns: { POLYGON: { from: '0' } } };
    const { run, server } = await custodian({ POLYGON: polygon }, settings);
    const asked = () => run('--sender-credentials', fileOf('sender.json', testUser));
    const vault = 'vault 0, from which POLYGON returns';
    expect((await asked()).said).toMatchObject({
      'the role of the sender': expect.stringMatching(/^✓ no Viewer/),
      [vault]: `✗ it has no wallet of AMOY_POLYGON_TEST, ${USDC}`,
    });
    for (const asset of ['AMOY_POLYGON_TEST', USDC]) {
      const path = `/v1/vault/accounts/0/${asset}`;
      server.double.answer({ apiKey: 'admin', role: 'Non-Signing Admin' }, { method: 'POST', path, body: '{}' });
    }
    expect((await asked()).said[vault]).toMatch(/^✓/);
    expect(server.double.calls()['POST /v1/transactions']).toBeUndefined();
    const { lines } = await run();
    expect(lines.join('\n')).toContain('Fireblocks, as the sender');
  });

  test('refuses a key: each line says so', async () => {
    const { run } = await custodian({ POLYGON: polygon }, { user: { ...testUser, apiKey: 'another' } });
    const { said } = await run();
    expect(said['assets on POLYGON']).toMatch(/^✗ .* 401/);
  });
});

const address = '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359';

test.each([
  [
    'without blockchains for money of banks',
    {
      '/v1/blockchains?pageSize=500': { data: [{ id: 'chain', nativeAssetId: 'native' }], next: '' },
      '/v1/assets?pageSize=500': {
        data: [
          { id: 'native', legacyId: 'MATIC_POLYGON', blockchainId: 'chain', onchain: {} },
          { id: 'token', legacyId: 'USDC_POLYGON_NXTB', blockchainId: 'chain', onchain: { address } },
          { id: 'euro', legacyId: 'EUR', blockchainId: null, onchain: null },
        ],
        next: null,
      },
    },
  ],
  [
    'of the older list alone',
    {
      '/v1/supported_assets': [
        { id: 'MATIC_POLYGON', name: 'Polygon', type: 'BASE_ASSET' },
        { id: 'USDC_POLYGON_NXTB', contractAddress: address, nativeAsset: 'MATIC_POLYGON' },
      ],
    },
  ],
])('a catalogue has what the documentation promises: %s', async (_, bodies) => {
  const answers = new Map<string, unknown>(Object.entries(bodies));
  const listed = await readCatalogue(async (path) => {
    if (!answers.has(path)) throw new ErrorAnswer(404, '');
    return { headers: {}, body: answers.get(path) };
  });
  const described = { baseAsset: 'MATIC_POLYGON', assets: { USDC: 'USDC_POLYGON_NXTB' } };
  expect(resolveNetworks(listed, ['USDC'], false)).toEqual({ POLYGON: described });
});

/** Runs the check against the double of Wompi, with these differences in the credentials. */
async function rail(differences: Record<string, string> = {}, options: Partial<WompiDoubleOptions> = {}) {
  const double = await startWompiDouble({ clock: systemClock, random: systemClock.random, ...options });
  onTestFinished(double.stop);
  const settings = fileOf('collection.json', {
    rails: { PSE: 'wompi', NEQUI: 'wompi' },
    wompi: { server: 'sandbox' },
    secrets: { WOMPI_KEYS: 'keys', WOMPI_EVENTS: 'events' },
  });
  const credentials = fileOf('merchant.json', { ...double.credentials, ...differences });
  return check('--settings', settings, '--rail-credentials', credentials, '--rail-url', double.url);
}

describe('Wompi', () => {
  test.each([
    ['the merchant’s later address', { hasMerchantPath: false }],
    ['the merchant’s earlier address', { hasMerchantInfo: false }],
  ])('is asked with %s', async (_, options) => {
    const { said } = await rail({}, options);
    expect(said).toMatchObject({
      'beginnings of the four secrets': '✓ of test',
      'payment methods of the merchant': '✓ PSE, NEQUI',
      'banks of PSE': '✓ 3, which the service takes over daily',
      'how long acceptance tokens are valid': expect.stringMatching(/^✓ \d+ s$/),
      'the key that reads transactions': '? there is no transaction yet that shows it',
      'the largest page of a list': '✓ 200: 200, 201: 422',
    });
  });

  test('differs: methods, the environment of a secret', async () => {
    const { isSame, said } = await rail({ eventsSecret: 'prod_events_1' }, { methods: ['PSE'] });
    expect(said).toMatchObject({
      'beginnings of the four secrets': '✗ not of test: eventsSecret',
      'payment methods of the merchant': '✗ it may not use NEQUI',
    });
    expect(isSame).toBe(false);
  });

  test('refuses a key: the line says so', async () => {
    const { said } = await rail({ privateKey: 'prv_test_another' });
    expect(said['payment_method.extra in lists']).toMatch(/^✗ it is answered with 40[13]: /);
  });
});

test('without credentials the command says what it would ask', async () => {
  const settings = fileOf('both.json', {
    wompi: { server: 'sandbox' },
    rails: { PSE: 'wompi' },
    secrets: { WOMPI_KEYS: 'keys', WOMPI_EVENTS: 'events' },
  });
  const { isSame, lines } = await check('--settings', settings);
  expect(lines).toContain('Wompi: no credentials. With them it would ask:');
  expect(isSame).toBe(true);
});

test.each([
  [['--rail-url', 'http://wompi.example'], '--rail-url must be an https URL, or an http URL of this machine.'],
  [['--rail-credentials', fileOf('broken.json', { publicKey: 'secret', more: 'secret' })], 'publicKey, privateKey'],
  [['--stage', 'production'], '--stage takes staging or prod.'],
])('%j is refused in a sentence', async (args, sentence) => {
  const settings = fileOf('wompi.json', {
    wompi: { server: 'sandbox' },
    rails: { PSE: 'wompi' },
    secrets: { WOMPI_KEYS: 'keys', WOMPI_EVENTS: 'events' },
  });
  const refused = check('--settings', settings, ...args);
  await expect(refused).rejects.toThrow(sentence);
  await expect(refused).rejects.not.toThrow('secret');
});

// npm run verify says of the row that all of them were asked.
test('a stage needs the credentials of each of its providers, and of the sender where it sends', () => {
  const options = (settings: object) => credentialOptions(readSettings('staging', fileOf('needs.json', settings)));
  const custody = {
    fireblocks: { server: 'sandbox', networks: { POLYGON: polygon } },
    secrets: { FIREBLOCKS_READER: 'reader', FIREBLOCKS_ADDRESSES: 'addresses', FIREBLOCKS_SENDER: 'sender' },
  };
  const secrets = { WOMPI_KEYS: 'keys', WOMPI_EVENTS: 'events' };
  expect(options({})).toEqual([]);
  expect(options({ wompi: { server: 'sandbox' }, rails: { PSE: 'wompi' }, secrets })).toEqual(['rail-credentials']);
  expect(options(custody)).toEqual(['custodian-credentials']);
  expect(options({ ...custody, returns: { POLYGON: { from: '7' } } })).toEqual([
    'custodian-credentials',
    'sender-credentials',
  ]);
});
