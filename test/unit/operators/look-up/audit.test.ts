import { describe, expect, test } from 'vitest';
import { approveClientContract, createClientContract, rotateSecretContract } from '#shared/clients/client-commands.ts';
import { readClientContract, readUserContract } from '#shared/clients/client-lookups.ts';
import { addUserContract, declareWalletContract, updateUserContract } from '#shared/clients/user-commands.ts';
import {
  activateBankContract,
  deactivateBankContract,
  deactivateTokenContract,
} from '#shared/parameters/parameter-commands.ts';
import { readBankContract, readTokenContract } from '#shared/parameters/parameter-lookups.ts';
import { listAuditContract } from '#shared/platform/operators/audit-records.ts';
import { deactivateWebhookContract } from '#shared/webhooks/contract/webhook-commands.ts';
import { listWebhooksContract, readWebhookContract } from '#shared/webhooks/contract/webhook-lookups.ts';
import { createWebhookHealthRepository } from '#shared/webhooks/store/webhook-health-repository.ts';
import { openCircuitIn } from '#test/support/health-in-memory.ts';
import { CLIENT, STRANGER, WEBHOOK } from '#test/support/ids.ts';
import { newClient } from '#test/support/new-client.ts';
import { OPERATOR, operatorsWorld, REASON } from '#test/support/operators-world.ts';
import { opsWorld } from '#test/support/ops-world.ts';
import { webhookOf } from '#test/support/webhooks-in-memory.ts';

const address = '0x52908400098527886e0f7030069857d2e4169ee7';
const ALICE = 'arn:aws:sts::111122223333:assumed-role/finance/Alice@example.com';
const OTHER_ALICE = 'arn:aws:sts::111122223333:assumed-role/support/alice@example.com';

const commandsOf = (changes: readonly { readonly command: string }[]) => changes.map(({ command }) => command);

async function onboarded() {
  const world = operatorsWorld();
  const { change, clock } = world;
  const { clientId } = (await change(createClientContract, newClient(), REASON, ALICE)).body;
  clock.advance(1);
  await change(approveClientContract, { clientId });
  clock.advance(1);
  const { userId } = (await change(addUserContract, { clientId, payer: { fullName: 'Example Payer' } })).body;
  clock.advance(1);
  await change(updateUserContract, { userId, payer: { phone: '3001234567' } }, REASON, OTHER_ALICE);
  clock.advance(1);
  await change(declareWalletContract, { userId, network: 'BASE', address });
  return { ...world, clientId, userId };
}

describe('decisions 11, who changed it: every look shows its last changes:', () => {
  test('a client, from its creation on', async () => {
    const { look, clientId } = await onboarded();
    const { changes } = (await look(readClientContract, { clientId })).body;
    expect(commandsOf(changes)).toEqual(['create-client', 'approve-client', 'add-user']);
    expect(changes[0]).toMatchObject({ who: ALICE, result: 'DONE', reason: REASON });
  });

  test('a user, and its wallets', async () => {
    const { look, userId } = await onboarded();
    const { changes } = (await look(readUserContract, { userId })).body;
    expect(commandsOf(changes)).toEqual(['add-user', 'update-user', 'declare-wallet']);
  });

  test('a bank, and whether it is in its list', async () => {
    const { change, look, table, clock } = operatorsWorld();
    table('parameters').put({ kind: 'BANK', id: 'bancolombia', code: '1007', name: 'Bancolombia', active: true });
    const before = { bankId: 'bancolombia', code: '1007', name: 'Bancolombia', isListed: true, changes: [] };
    for (const bankId of ['bancolombia', '1007'])
      expect((await look(readBankContract, { bankId })).body).toEqual(before);
    await change(deactivateBankContract, { bankId: 'bancolombia' });
    const { body } = await look(readBankContract, { bankId: 'bancolombia' });
    expect(body).toMatchObject({ isListed: false, deactivatedAt: clock.now().toISOString() });
    clock.advance(1);
    await change(activateBankContract, { bankId: 'bancolombia' });
    const { changes } = (await look(readBankContract, { bankId: 'bancolombia' })).body;
    expect(commandsOf(changes)).toEqual(['deactivate-bank', 'activate-bank']);
    expect((await look(readBankContract, { bankId: 'none' })).status).toBe(404);
  });

  test('a token', async () => {
    const { change, look, table } = operatorsWorld();
    table('parameters').put({ kind: 'TOKEN', id: '1', tokenId: 1, token: 'USDC', active: true, networks: {} });
    await change(deactivateTokenContract, { tokenId: '1' });
    const { body } = await look(readTokenContract, { tokenId: '1' });
    expect(body).toMatchObject({ token: 'USDC', isListed: false, changes: [{ command: 'deactivate-token' }] });
    expect((await look(readTokenContract, { tokenId: '2' })).status).toBe(404);
  });

  test('a webhook, with how its calls go, of its address the host, and no secret', async () => {
    const { change, look, table, dynamo, clock } = operatorsWorld();
    const webhook = webhookOf({
      url: 'https://user.example/secret-path',
      secrets: [{ ciphertext: 'ciphertext-secret' }],
    });
    table('webhooks').put({ ...webhook });
    table('webhooks').put({ clientId: CLIENT, webhookId: '#count', count: 1 });
    table('clients').put({ clientId: CLIENT, complianceStatus: '', status: '', secretDigests: [] });
    const health = createWebhookHealthRepository(dynamo, 'webhookHealth', clock);
    for (const token of ['1', '2', '3', '4', '5']) {
      await health.recordResult(webhook, token, { error: 'CONNECT', durationMs: 20 });
    }
    const failing = {
      webhookId: WEBHOOK,
      isActive: true,
      host: 'user.example',
      failures: 5,
      lastError: 'CONNECT',
      failingSince: clock.now().toISOString(),
      parkedUntil: '2026-08-01T12:01:00.000Z',
    };
    const listed = await look(listWebhooksContract, { clientId: CLIENT });
    expect(listed.body.items).toMatchObject([failing]);
    expect(listed.body.items[0]).not.toHaveProperty('deliveriesPausedAt');
    await change(deactivateWebhookContract, { clientId: CLIENT, webhookId: WEBHOOK });
    const { body } = await look(readWebhookContract, { clientId: CLIENT, webhookId: WEBHOOK });
    const { parkedUntil: _, ...itsCalls } = failing;
    expect(body).toMatchObject({ ...itsCalls, isActive: false, statusReason: 'BY_OPERATOR' });
    expect(body).not.toHaveProperty('parkedUntil');
    expect(commandsOf(body.changes)).toEqual(['deactivate-webhook']);
    expect(JSON.stringify([listed.body, body])).not.toMatch(/secret/);
    expect((await look(listWebhooksContract, { clientId: STRANGER })).status).toBe(404);
    expect((await look(readWebhookContract, { clientId: STRANGER, webhookId: WEBHOOK })).status).toBe(404);
  });

  test('a webhook that is paused, and since when: what has happened since then has no delivery', async () => {
    const { look, table, dynamo, clock } = operatorsWorld();
    table('webhooks').put({ ...webhookOf() });
    await openCircuitIn(createWebhookHealthRepository(dynamo, 'webhookHealth', clock), webhookOf());
    const pausedAt = new Date(clock.now().getTime() + 24 * 3600_000).toISOString();
    clock.advance(25 * 3600);
    const { body } = await look(readWebhookContract, { clientId: CLIENT, webhookId: WEBHOOK });
    expect(body).toMatchObject({ isActive: true, deliveriesPausedAt: pausedAt });
    table('webhooks').put({ ...webhookOf({ status: false }) });
    const inactive = (await look(readWebhookContract, { clientId: CLIENT, webhookId: WEBHOOK })).body;
    expect(inactive).not.toHaveProperty('deliveriesPausedAt');
  });
});

describe('decisions 11, who changed it: audit', () => {
  test('lists what was changed of something, the newest first, with what was asked for and no person', async () => {
    const { look, userId } = await onboarded();
    const { items, nextUntil } = (await look(listAuditContract, { about: userId })).body;
    expect([commandsOf(items), nextUntil]).toEqual([['declare-wallet', 'update-user', 'add-user'], undefined]);
    expect(items[0].arguments).toEqual({ userId, network: 'BASE', address });
    expect(items[1].arguments).toEqual({ userId, payer: ['phone'] });
    expect(JSON.stringify(items)).not.toMatch(/Example Payer|3001234567/);
  });

  test('finds a change by the id that its command printed, also where it is about something else', async () => {
    const { look, userId } = await onboarded();
    const [first, second] = (await look(listAuditContract, { about: userId })).body.items;
    const about = first.auditId;
    expect((await look(listAuditContract, { about })).body).toEqual({ items: [first] });
    expect((await look(listAuditContract, { about, by: second.who })).body.items).toEqual(
      first.who === second.who ? [first] : [],
    );
    expect((await look(listAuditContract, { about, until: '2026-01-01T00:00:00Z' })).body.items).toEqual([]);
  });

  test('lists what a person changed, in whatever role, by the name of the session or by the whole ARN', async () => {
    const { look } = await onboarded();
    const by = async (name: string) => commandsOf((await look(listAuditContract, { by: name })).body.items);
    expect(await by('alice@example.com')).toEqual(['update-user', 'create-client']);
    expect(await by('ALICE@example.com ')).toEqual(['update-user', 'create-client']);
    expect(await by(ALICE)).toEqual(['create-client']);
    expect(await by('session-1')).toHaveLength(3);
    expect(await by('alice')).toEqual([]);
  });

  test('goes on page by page, and leaves nothing out', async () => {
    const { change, look, clock, clientId } = await onboarded();
    for (let made = 0; made < 70; made += 1) {
      await change(rotateSecretContract, { clientId });
      clock.advance(1);
    }
    const seen = new Set<string>();
    let until: string | undefined;
    do {
      const { body } = await look(listAuditContract, { about: clientId, ...(until !== undefined && { until }) });
      for (const { auditId } of body.items) seen.add(auditId);
      until = body.nextUntil;
    } while (until !== undefined);
    expect(seen.size).toBe(73);
    const early = await look(listAuditContract, { by: OPERATOR, until: '2026-08-01T07:00:02-05:00' });
    expect(commandsOf(early.body.items)).toEqual(['add-user', 'approve-client']);
  });

  test('goes on past more changes of one millisecond than a page has', async () => {
    const { change, look, clock, clientId } = await onboarded();
    for (let made = 0; made < 60; made += 1) await change(rotateSecretContract, { clientId });
    clock.advance(1);
    await change(rotateSecretContract, { clientId });
    const first = (await look(listAuditContract, { about: clientId })).body;
    expect([first.items.length, first.nextUntil]).toEqual([50, first.items[1].at]);
    const second = (await look(listAuditContract, { about: clientId, until: first.nextUntil })).body;
    expect(second.items.length).toBeGreaterThan(60);
    expect(second).not.toHaveProperty('nextUntil');
  });

  test.each([
    [[], 'about or by is required'],
    [['--by', '/'], 'by must be the name of a session'],
    [['--by', ' '], 'by must be'],
    [['--about', ''], 'about must be at least 1 character'],
    [['--about', 'x', '--until', 'yesterday'], 'until must be a time'],
  ])('says what is wrong with what was typed, and sends nothing: %s', async (typed, what) => {
    const { status, said, calls } = await opsWorld().ops(['audit', ...typed]);
    expect([status, calls]).toEqual([2, 0]);
    expect(said).toContain(what);
  });
});
