import { describe, expect, test } from 'vitest';
import { withChecksum } from '#shared/networks/address-checksum.ts';
import { formatAddress, type Network } from '#shared/networks/network.ts';
import { checksOf } from '#shared/off-ramps/contract/hash-answer.ts';
import { isReadable } from '#shared/off-ramps/custodians/custodian.ts';
import type { CallFireblocks } from '#shared/off-ramps/custodians/fireblocks/fireblocks-client.ts';
import { fireblocksNotifications } from '#shared/off-ramps/custodians/fireblocks/fireblocks-notifications.ts';
import { createFireblocksDouble } from '#test/doubles/fireblocks/double.ts';
import type { Movement } from '#test/doubles/fireblocks/transaction-record.ts';
import { createWebhookKeys } from '#test/doubles/fireblocks/webhook-keys.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { creditWorld } from '#test/support/credit-world.ts';
import { callOfDouble, fireblocksOver } from '#test/support/custodians/fireblocks-fixture.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { CREATED_AT } from '#test/support/off-ramp.ts';

const HOUR = 3600;

/** One network of each family, with its coin and a token. */
const families = [
  ['POLYGON', 'MATIC_POLYGON', 'USDC_POLYGON_NXTB'],
  ['TRON', 'TRX', 'TRX_USDT_S2UZ'],
  ['STELLAR', 'XLM', 'XLM_USDC_5F3T'],
  ['SOLANA', 'SOL', 'SOL_USDC_PTHX'],
  ['SUI', 'SUI', 'USDC_SUI_MADE_UP'],
] as const;

const changes = ['ADDRESS', 'TOKEN', 'AMOUNT', 'SENDER'] as const;

async function world(network: Network, baseAsset: string, assetId: string) {
  captureLogs();
  const clock = fakeClock(CREATED_AT);
  const sent: string[] = [];
  const double = createFireblocksDouble({ clock, notify: ({ text }) => sent.push(text) });
  const server = { isDown: false, calls: 0 };
  const answering = callOfDouble(double);
  const call: CallFireblocks = async (request) => {
    server.calls += 1;
    return server.isDown ? { status: 500, headers: {}, text: '' } : answering(request);
  };
  const keys = createWebhookKeys();
  const readKeys = async () => JSON.parse(keys.jwks());
  const [ours = '', sender = '', stranger = ''] = [1, 2, 3].map((one) =>
    withChecksum(network, formatAddress(network, Buffer.alloc(32, one))),
  );
  const isTagged = network === 'STELLAR';
  const networks = { [network]: { baseAsset, assets: [assetId] } };
  const credit = await creditWorld({
    ...{ clock, network, decimals: 6 },
    facts: {
      ...{ custodianAssetId: assetId, address: ours, senderAddress: sender, amount: '100.5' },
      ...(isTagged && { addressTag: '7' }),
    },
    custodian: () => fireblocksOver({ call, clock, networks }),
    ...fireblocksNotifications({ fireblocks: { networks }, readKeys, clock }),
  });
  const awaited: Movement = { assetId, amount: '100.500000', to: ours, from: sender, ...(isTagged && { tag: '7' }) };
  const differences: Readonly<Record<(typeof changes)[number], Partial<Movement>>> = {
    ADDRESS: isTagged ? { tag: '8' } : { to: stranger },
    TOKEN: { assetId: baseAsset },
    AMOUNT: { amount: '100.500001' },
    SENDER: { from: stranger },
  };
  /** A final deposit, which Fireblocks lists within the hour. */
  const arrive = async (difference: Partial<Movement>) => {
    const movements = [{ ...awaited, ...difference }] as const;
    const [{ txHash, id } = expect.fail()] = double.deposit({ network, movements, status: 'COMPLETED' });
    await credit.pass(HOUR + 1);
    const [found] = await credit.findTransfers({ network, txHash, since: CREATED_AT });
    const transfer = found !== undefined && isReadable(found) ? found : expect.fail('It is unreadable.');
    const failed = checksOf(credit.operation, transfer).filter(({ passed }) => !passed);
    return { txHash, failed: failed.map(({ check }) => check), deposit: await credit.deposit(`fireblocks:${id}`) };
  };
  /** The last notification, as it was sent. */
  const notification = () => {
    const body = sent.at(-1) ?? expect.fail('Nothing was sent.');
    return [body, { 'fireblocks-webhook-signature': keys.signatureOf(body) }] as const;
  };
  return { ...credit, clock, double, server, awaited, arrive, differences, notification };
}

describe.each(families)('decisions 9, evidence: through Fireblocks, of a deposit on %s', (network, coin, token) => {
  test.each(changes)('%s alone can fail, and then it is not credited; the right one is', async (change) => {
    const { arrive, credited, differences } = await world(network, coin, token);
    const wrong = await arrive(differences[change]);
    expect([wrong.failed, await credited()]).toEqual([[change], undefined]);
    // A deposit to an address without an operation has no reasons.
    expect(wrong.deposit?.reasons ?? []).toEqual(change === 'ADDRESS' ? [] : [`WRONG_${change}`]);
    const right = await arrive({});
    expect([right.failed, await credited()]).toEqual([[], right.txHash]);
  });
});

describe('decisions 12: what Fireblocks says late, often or falsely', () => {
  const [network, coin, token] = families[0];

  test('of an outage of any length inside the window nothing is lost: it is credited once it answers', async () => {
    const { credited, double, server, pass, awaited } = await world(network, coin, token);
    server.isDown = true;
    const [{ txHash } = expect.fail()] = double.deposit({ network, movements: [awaited], status: 'COMPLETED' });
    for (let hours = 0; hours < 23; hours += 1) await pass(HOUR);
    expect(await credited()).toBeUndefined();
    server.isDown = false;
    await pass(HOUR);
    expect(await credited()).toBe(txHash);
  });

  test('one notification a thousand times credits once', async () => {
    const { credited, double, deposit, notify, poll, awaited, notification } = await world(network, coin, token);
    const [{ txHash, id } = expect.fail()] = double.deposit({ network, movements: [awaited], status: 'COMPLETED' });
    const said = notification();
    for (let times = 0; times < 1000; times += 1) {
      expect(await notify(...said)).toBe(200);
      await poll();
    }
    expect([await credited(), (await deposit(`fireblocks:${id}`))?.sequence]).toEqual([txHash, 1]);
  });

  test('one with many movements of a token that no setting names is looked up once, and each movement is a deposit', async () => {
    const { double, server, notify, notification, poll, findTransfers, deposit, awaited } = await world(
      network,
      coin,
      token,
    );
    const other = { ...awaited, assetId: 'USDT_POLYGON' };
    const more = Array.from({ length: 59 }, (_, at) => ({ ...other, amount: `${at}` }));
    const about = { network, shape: 'NETWORK_RECORDS', status: 'COMPLETED' } as const;
    const [{ txHash } = expect.fail()] = double.deposit({ ...about, movements: [other, ...more] });
    const before = server.calls;
    expect(await notify(...notification())).toBe(200);
    // Three calls: for the transaction, and for the blockchains of the token and of the network's coin.
    expect(server.calls - before).toBe(3);
    while ((await poll()) > 0);
    const found = await findTransfers({ network, txHash, since: CREATED_AT });
    const kept = await Promise.all(found.map(({ custodianTransferId }) => deposit(custodianTransferId)));
    // Deposits above the limit of an operation are only counted.
    expect(kept.filter((one) => one?.reasons?.includes('WRONG_TOKEN') || one?.ignoredReason)).toHaveLength(60);
  });

  test('a forged one is 401; a genuine one of a year ago is 200, and one look', async () => {
    const { clock, double, notify, poll, awaited, notification } = await world(network, coin, token);
    double.deposit({ network, movements: [awaited], status: 'COMPLETED' });
    const [body, headers] = notification();
    expect(await notify(`${body} `, headers)).toBe(401);
    clock.advance(365 * 24 * HOUR);
    expect([await notify(body, headers), await poll()]).toEqual([200, 1]);
  });
});
