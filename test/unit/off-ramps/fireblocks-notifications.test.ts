import { describe, expect, test } from 'vitest';
import { CustodianUnavailable } from '#shared/off-ramps/custodians/custodian.ts';
import { fireblocksNotifications } from '#shared/off-ramps/custodians/fireblocks/fireblocks-notifications.ts';
import { BadSignature } from '#shared/platform/aws/kms.ts';
import { createFireblocksDouble } from '#test/doubles/fireblocks/double.ts';
import type { Deposit } from '#test/doubles/fireblocks/transaction-record.ts';
import { createWebhookKeys } from '#test/doubles/fireblocks/webhook-keys.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { CREATED_AT } from '#test/support/off-ramp.ts';

const MINUTE = 60;
const USDC = 'USDC_POLYGON_NXTB';
const movement = { assetId: USDC, amount: '1', to: `0x${'a1'.repeat(20)}`, from: `0x${'b2'.repeat(20)}` };
const fireblocks = { networks: { POLYGON: { baseAsset: 'MATIC_POLYGON', assets: [USDC] } } };

/** Fireblocks' keys, and a function that verifies with them and has just started. */
function world({ workspaceId }: { readonly workspaceId?: string } = {}) {
  captureLogs();
  const clock = fakeClock(CREATED_AT);
  const keys = createWebhookKeys();
  const sent: string[] = [];
  const double = createFireblocksDouble({ clock, notify: ({ text }) => sent.push(text) });
  const server = { isDown: false, reads: 0 };
  const readKeys = async (): Promise<unknown> => {
    server.reads += 1;
    if (server.isDown) throw new Error('down');
    return JSON.parse(keys.jwks());
  };
  const { readNotification } = fireblocksNotifications({ fireblocks: { ...fireblocks, workspaceId }, readKeys, clock });
  const receive = (text: string, signature: string | undefined = keys.signatureOf(text)) => {
    const headers = new Map(signature === '' ? [] : [['fireblocks-webhook-signature', signature]]);
    return readNotification({ rawBody: Buffer.from(text), headers, query: {} });
  };
  /** Makes a deposit; returns it with what its notification names. */
  const named = async (differences: Partial<Deposit>) => {
    const [record] = double.deposit({ network: 'POLYGON', movements: [movement], ...differences });
    return { ...record, named: await receive(sent.at(-1) ?? '') };
  };
  const outcome = (text: string, signature?: string) =>
    receive(text, signature).then(
      () => 200,
      (error: unknown) => (error instanceof BadSignature ? 401 : error instanceof CustodianUnavailable ? 503 : 500),
    );
  return { clock, keys, server, receive, outcome, named };
}

const OTHER_EVENT = '{"eventType":"vault_account.created","data":{}}';

/** A signature with any key id, by a key that anybody can make. */
function forged(text: string, kid: string): string {
  const [, , signature] = createWebhookKeys().signatureOf(text).split('.');
  return `${Buffer.from(JSON.stringify({ alg: 'RS512', kid })).toString('base64url')}..${signature}`;
}

describe('decisions 12, notifications: one of Fireblocks', () => {
  test('names the transfer by its id, with hash and network where the settings have its asset', async () => {
    const { named } = world();
    const { id, txHash, named: known } = await named({});
    expect(known).toEqual([{ custodianTransferId: id, network: 'POLYGON', txHash }]);
    const unknown = await named({ movements: [{ ...movement, assetId: 'USDT_POLYGON' }] });
    expect(unknown.named).toEqual([{ custodianTransferId: unknown.id, txHash: unknown.txHash }]);
  });

  test('is of the workspace in the settings, as the same keys sign those of every customer in the region', async () => {
    const id = '5f0c1d7e-0000-4000-8000-00000000abcd';
    const { outcome } = world({ workspaceId: id });
    const from = (workspaceId: string) => outcome(OTHER_EVENT.replace('{', `{"workspaceId":"${workspaceId}",`));
    expect(await from(id)).toBe(200);
    expect(await from(id.toUpperCase())).toBe(200);
    expect(await from(id.replace('5', '6'))).toBe(401);
    expect(await outcome(OTHER_EVENT)).toBe(401);
  });

  test('names each movement of a contract call', async () => {
    const { named } = world();
    const { id, txHash, named: known } = await named({ shape: 'NETWORK_RECORDS', movements: [movement, movement] });
    const about = { custodianTransferId: expect.stringContaining(`${id}#`), txHash };
    expect(known).toMatchObject([about, about]);
    expect(known[0]?.custodianTransferId).not.toBe(known[1]?.custodianTransferId);
  });

  test('is about nothing of ours when it leaves a vault, or is another event; and of any age', async () => {
    const { named, receive, clock } = world();
    expect((await named({ fields: { destination: { type: 'EXTERNAL_WALLET' } } })).named).toEqual([]);
    clock.advance(40 * 24 * 3600);
    expect(await receive(OTHER_EVENT)).toEqual([]);
  });

  test('is forged when Fireblocks has not signed its bytes', async () => {
    const { outcome, keys, server } = world();
    const signature = keys.signatureOf(OTHER_EVENT);
    const [header = '', , value] = signature.split('.');
    const unsigned = Buffer.from('{"alg":"none","kid":"webhook-key-1"}').toString('base64url');
    expect([
      await outcome(OTHER_EVENT),
      await outcome(`${OTHER_EVENT} `, signature),
      await outcome(OTHER_EVENT, forged(OTHER_EVENT, 'webhook-key-1')),
      await outcome(OTHER_EVENT, `${header}.e30.${value}`),
      await outcome(OTHER_EVENT, `${unsigned}..`),
      await outcome(OTHER_EVENT, ''),
    ]).toEqual([200, 401, 401, 401, 401, 401]);
    expect(server.reads).toBe(1);
  });
});

describe('decisions 12, notifications: a key of Fireblocks that is not known', () => {
  test('is looked for at once; keys that are read then and lack it may be an hour old, and 401 is never sent again', async () => {
    const { outcome, keys, clock, server } = world();
    await outcome(OTHER_EVENT);
    clock.advance(MINUTE);
    keys.rotate();
    expect([await outcome(OTHER_EVENT), server.reads]).toEqual([200, 2]);
    clock.advance(MINUTE);
    expect([await outcome(OTHER_EVENT, forged(OTHER_EVENT, 'mine')), server.reads]).toEqual([503, 3]);
  });

  test('is asked for again while the keys cannot be read', async () => {
    const { outcome, keys, clock, server } = world();
    await outcome(OTHER_EVENT);
    server.isDown = true;
    clock.advance(MINUTE);
    const old = keys.signatureOf(OTHER_EVENT);
    keys.rotate();
    expect([await outcome(OTHER_EVENT), await outcome(OTHER_EVENT, old)]).toEqual([503, 200]);
    server.isDown = false;
    clock.advance(MINUTE);
    expect(await outcome(OTHER_EVENT)).toBe(200);
  });

  test('costs one read at a time, and one in ten seconds, however many are made up', async () => {
    const { outcome, clock, server } = world();
    await outcome(OTHER_EVENT);
    clock.advance(MINUTE);
    const flood = () => Promise.all(['a', 'b', 'c'].map((kid) => outcome(OTHER_EVENT, forged(OTHER_EVENT, kid))));
    expect([await flood(), server.reads]).toEqual([[503, 503, 503], 2]);
    clock.advance(9);
    expect([await flood(), await outcome(OTHER_EVENT), server.reads]).toEqual([[503, 503, 503], 200, 2]);
    clock.advance(1);
    expect([await flood(), server.reads]).toEqual([[503, 503, 503], 3]);
  });

  test('is any key after an hour: one that Fireblocks has dropped verifies nothing from then on', async () => {
    const { outcome, keys, clock, server } = world();
    const old = keys.signatureOf(OTHER_EVENT);
    expect(await outcome(OTHER_EVENT)).toBe(200);
    keys.rotate({ dropsOld: true });
    clock.advance(59 * MINUTE);
    expect(await outcome(OTHER_EVENT, old)).toBe(200);
    clock.advance(MINUTE);
    server.isDown = true;
    expect(await outcome(OTHER_EVENT, old)).toBe(503);
    server.isDown = false;
    clock.advance(MINUTE);
    expect([await outcome(OTHER_EVENT, old), await outcome(OTHER_EVENT)]).toEqual([503, 200]);
  });
});
