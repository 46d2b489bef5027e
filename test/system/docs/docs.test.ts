import type { Page } from 'playwright-core';
import { describe, expect, inject, test } from 'vitest';
import type { DemoClient } from '#infra/cli/local-outputs.ts';
import { docsAssets, getDocsContract } from '#shared/docs/docs-contract.ts';
import { hasBrowser, withBrowser } from '#test/support/browser.ts';
import { accessToken, demoClient, send } from '#test/support/http-client.ts';
import { publishedContract } from '#test/support/openapi.ts';

const operations = Object.entries(publishedContract.paths).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
);

/** Opens the page, and tells what it loaded and what went wrong while it was used. */
function withDocs<T>(use: (page: Page) => Promise<T>) {
  return withBrowser(async (page) => {
    await page.goto(`${inject('outputs').baseUrl}${getDocsContract.path}`);
    await page
      .locator('.opblock')
      .nth(operations.length - 1)
      .waitFor({ timeout: 60_000 });
    return await use(page);
  });
}

/** `POST /api/token`, without the places at which a long path may break and the summary behind it. */
function readable(text: string): string {
  const [method = '', path = ''] = text.replaceAll('\u200b', '').split(/\s+/);
  return `${method} ${path}`;
}

/** Tries an operation by its name, as a developer does with the buttons of the page. */
async function tryOut(page: Page, operationId: string) {
  const operation = page.locator(`.opblock[id$='-${operationId}']`);
  await operation.locator('.opblock-summary-control').click();
  await operation.locator('.try-out__btn').click();
  await operation.locator('.execute').click();
  const answer = operation.locator('.live-responses-table');
  const [status, body] = [answer.locator('.response-col_status').last(), answer.locator('.highlight-code').first()];
  return { status: (await status.textContent())?.trim(), body: await body.textContent() };
}

async function authorize(page: Page, token: string): Promise<void> {
  await page.locator('.btn.authorize').click();
  const scheme = page.locator('.auth-container', { hasText: 'bearerAuth' });
  await scheme.locator('input').fill(token);
  await scheme.locator('.authorize').click();
  await scheme.locator('.btn-done').click();
}

/** The page obtains the token itself, as stock OAuth clients do. */
async function logIn(page: Page, { clientId, clientSecret }: DemoClient): Promise<void> {
  await page.locator('.btn.authorize').click();
  const scheme = page.locator('.auth-container', { hasText: 'oauth2' });
  await scheme.locator('[id^=client_id]').fill(clientId);
  await scheme.locator('[id^=client_secret]').fill(clientSecret);
  await scheme.locator('.authorize').click();
  await scheme.locator('button', { hasText: 'Logout' }).waitFor();
  await scheme.locator('.btn-done').click();
}

// One after another, because a browser takes the whole machine.
describe('the documentation', { concurrent: false }, () => {
  test('is a page for anyone that loads nothing from another host', async () => {
    const { status, headers, text } = await send('GET', getDocsContract.path);
    expect(status).toBe(200);
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'; script-src 'self';/);
    expect([...text.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address]) => address)).toEqual([
      'data:,',
      ...docsAssets.map((asset) => `docs/${asset}`),
    ]);
  });

  test.each(docsAssets)('has what the page loads, kept for a day: %s', async (asset) => {
    const { status, headers, text } = await send('GET', `${getDocsContract.path}/${asset}`);
    expect(status).toBe(200);
    expect(text).not.toBe('');
    expect(headers.get('cache-control')).toBe('public, max-age=86400');
  });

  test.each(['handler.mjs', '..%2Fhandler.mjs', 'x'])('has no other file: %s', async (asset) => {
    expect((await send('GET', `${getDocsContract.path}/${asset}`)).status).toBe(404);
  });

  test.skipIf(!hasBrowser)('shows every operation in a browser, and nothing fails', async () => {
    const { result, loaded, complaints } = await withDocs((page) => page.locator('.opblock-summary').allInnerTexts());
    expect(result.map(readable)).toEqual(expect.arrayContaining(operations));
    expect(complaints).toEqual([]);
    const hosts = loaded.filter((url) => !url.startsWith('data:')).map((url) => new URL(url).origin);
    expect(new Set(hosts)).toEqual(new Set([inject('outputs').baseUrl]));
  });

  test.skipIf(!hasBrowser)('lets a request be tried in a browser, as anyone and as a client', async () => {
    const client = demoClient('demo');
    const token = await accessToken(client);
    const { result, complaints } = await withDocs(async (page) => {
      const listed = await tryOut(page, 'listTokens');
      await authorize(page, token);
      return { listed, own: await tryOut(page, 'getClientInfo') };
    });
    expect(result.listed).toEqual({ status: '200', body: expect.stringContaining('"token": "USDC"') });
    expect(result.own).toEqual({ status: '200', body: expect.stringContaining(client.clientId) });
    expect(complaints).toEqual([]);
  });

  test.skipIf(!hasBrowser)('obtains a token by a secret, and keeps the one and not the other', async () => {
    const client = demoClient('demo');
    const { result, complaints } = await withDocs(async (page) => {
      await logIn(page, client);
      const kept = await page.evaluate(() => JSON.stringify(localStorage));
      await page.reload();
      return { kept, own: await tryOut(page, 'getClientInfo') };
    });
    expect(result.own).toEqual({ status: '200', body: expect.stringContaining(client.clientId) });
    expect(result.kept).toContain('access_token');
    expect(result.kept).not.toContain(client.clientSecret);
    expect(complaints).toEqual([]);
  });
});
