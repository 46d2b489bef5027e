import { createServer } from 'node:http';
import type { Page } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createOperationsPage } from '#infra/local/operations-page/operations-page.ts';
import { directoryEntry } from '#shared/clients/client-directory.ts';
import { payinItem } from '#shared/pay-ins/pay-in-records.ts';
import { createWebhookHealthRepository } from '#shared/webhooks/store/webhook-health-repository.ts';
import { hasBrowser, withBrowser } from '#test/support/browser.ts';
import { CLIENT, OPERATION, STRANGER } from '#test/support/ids.ts';
import { lookedUp } from '#test/support/looked-up.ts';
import { newClient } from '#test/support/new-client.ts';
import { CREATED_AT, offRamp } from '#test/support/off-ramp.ts';
import { payinOf } from '#test/support/pay-ins-in-memory.ts';
import { serviceNowhere } from '#test/support/service-nowhere.ts';
import { listeningOn } from '#test/support/webhook-receiver.ts';
import { webhookOf } from '#test/support/webhooks-in-memory.ts';

const definition = JSON.stringify({ StartAt: 'One', States: { One: { Type: 'Succeed' } } });
const PAYIN = '77777777-7777-4777-8777-777777777777';
const OTHER = '88888888-8888-4888-8888-888888888888';

/** The page over an API in which something is in every list, with names and amounts as long as they get. */
async function shown() {
  const world = lookedUp('2026-08-04T15:30:00.000Z');
  const { table, dynamo, clock } = world;
  const tradeName = 'Comercializadora Internacional de Pagos del Caribe';
  const profile = { ...newClient(), tradeName };
  table('clients').put({
    clientId: CLIENT,
    complianceStatus: '',
    status: '',
    secretDigests: [],
    profile,
    ...directoryEntry(profile),
  });
  await world.create(offRamp({ amount: '123456789012.123456', externalReference: 'order 17' }));
  world.putDeposit(
    { custodianTransferId: 'simulated:sim:POLYGON:0x6a1f4b0de1a64a0e9b6c6d4f8d2b1c3e5f7a9b0c1d2e3f405162738495a6b7c8' },
    {
      ...{ unmatched: 'UNMATCHED', unmatchedSince: CREATED_AT, clientId: CLIENT },
      reasons: ['WRONG_AMOUNT', 'WRONG_SENDER'],
    },
  );
  const mismatch = { amount: '49000000', currency: 'COP', at: CREATED_AT };
  const payin = payinOf({ payinId: PAYIN, settlementMismatch: mismatch, externalReference: 'shared 1' });
  const indexed = { mismatched: 'MISMATCHED', mismatchedAt: CREATED_AT };
  table('payins').put({ ...payinItem(payin, CREATED_AT), ...indexed });
  table('payins').put(payinItem(payinOf({ payinId: OTHER, externalReference: 'pay \u202e2' }), CREATED_AT));
  world.put(offRamp({ operationId: STRANGER, externalReference: 'shared 1' }));
  const webhook = webhookOf({ url: 'https://notifications.payments.client-of-ours.example:8443/hooks' });
  table('webhooks').put({ ...webhook });
  const health = createWebhookHealthRepository(dynamo, 'webhookHealth', clock);
  for (const token of ['1', '2', '3', '4', '5']) {
    await health.recordResult(webhook, token, { error: 'CONNECT', durationMs: 20 });
  }
  world.putDeadLetters([
    {
      name: 'Deliveries/FirstAttempts',
      impact: 'A webhook gets a delivery late: the sweep sends its message again.',
      messages: 12_345,
      oldest: { since: CREATED_AT, ids: { operationId: OPERATION } },
    },
  ]);
  const server = createServer();
  const port = await listeningOn(server);
  onTestFinished(() => void server.close());
  const service = { ...serviceNowhere, fetch: world.fetch };
  server.on('request', await createOperationsPage({ service, definition, port }));
  return `http://localhost:${port}/operations`;
}

const LISTS = ['waiting', 'unmatched', 'mismatched', 'failing-webhooks', 'dead-letters'];

/** What is cut off of each table, in pixels. */
async function cutOff(page: Page): Promise<unknown> {
  return await page.evaluate(
    "[...document.querySelectorAll('.scrolled')].map((one) => one.scrollWidth - one.clientWidth)",
  );
}

describe.skipIf(!hasBrowser)('the page of operations, in a browser,', { timeout: 60_000 }, () => {
  test('has room for every column of every list at 1440 pixels, with names of clients', async () => {
    const url = await shown();
    const { result, complaints } = await withBrowser(
      async (page) => {
        const found: unknown[] = [];
        for (const list of LISTS) {
          await page.goto(`${url}?list=${list}`);
          await page.locator('main table').waitFor();
          const folder = process.env['SHOTS'];
          if (folder !== undefined) await page.screenshot({ path: `${folder}/${list}.png`, fullPage: true });
          const isNamed = (await page.locator('main').innerText()).includes('Comercializadora');
          found.push([list, await cutOff(page), isNamed]);
        }
        return found;
      },
      { viewport: { width: 1440, height: 900 } },
    );
    expect(result).toEqual(LISTS.map((list) => [list, [0], list !== 'dead-letters']));
    expect(complaints).toEqual([]);
  });

  test('finds an off-ramp and a pay-in by what people have of them, and says when there is neither, or both', async () => {
    const url = await shown();
    const { complaints } = await withBrowser(async (page) => {
      const find = async (text: string, said: string) => {
        await page.goto(url);
        await page.getByLabel('Find an off-ramp').fill(text);
        await page.keyboard.press('Enter');
        await page.locator('main', { hasText: said }).waitFor();
        return await page.locator('main').innerText();
      };
      await find('order 17', OPERATION);
      await find(PAYIN, '49000000');
      // A mark that turns the order of letters is not obeyed, and seen.
      expect(await find('pay \u202e2', OTHER)).toContain('pay \\u{202e}2');
      expect(await find('shared 1', 'Two are found')).toContain('The pay-in');
      await page.getByRole('link', { name: 'The off-ramp' }).click();
      await page.locator('main', { hasText: STRANGER }).waitFor();
      const nothing = await find('no such thing', 'Nothing is found');
      expect(nothing).toContain('No off-ramp and no pay-in has this id, hash, deposit address or reference.');
      expect(nothing).not.toContain('--');
      await find('<img src=x onerror="document.title=1">', 'Nothing is found');
    });
    expect(complaints).toEqual([]);
  });
});
