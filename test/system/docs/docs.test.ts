import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { describe, expect, inject, test } from 'vitest';
import type { DemoClient } from '#infra/cli/local-outputs.ts';
import { getDocsContract } from '#shared/docs/docs-contract.ts';
import { hasBrowser, withBrowser } from '#test/support/browser.ts';
import { accessToken, demoClient, send } from '#test/support/http-client.ts';
import { publishedContract } from '#test/support/openapi.ts';

const operations = Object.entries(publishedContract.paths).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
);

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** Opens the reference page and uses it; returns what the page loaded, and its errors. */
function withDocs<T>(use: (page: Page) => Promise<T>) {
  return withBrowser(async (page) => {
    await page.goto(`${inject('outputs').baseUrl}${getDocsContract.path}/reference.html`);
    await page
      .locator('.opblock')
      .nth(operations.length - 1)
      .waitFor({ timeout: 60_000 });
    return await use(page);
  });
}

/** The method and path of an operation, without the break points in a long path, and without the summary. */
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
  test.each(['', '/webhooks.html', '/errors/USER_NOT_FOUND', '/reference.html'])(
    'is a page for anyone, which may run only its own scripts: /api/docs%s',
    async (path) => {
      const { status, headers, text } = await send('GET', `${getDocsContract.path}${path}`);
      expect(status).toBe(200);
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self'[^;]*;/);
      expect(headers.get('content-security-policy')).not.toMatch(/script-src[^;]*unsafe/);
      const scripts = [...text.matchAll(/<script[^>]* src="([^"]*)"/g)].map(([, address = '']) => address);
      for (const script of scripts) {
        const { pathname } = new URL(script, `${inject('outputs').baseUrl}${getDocsContract.path}/`);
        expect((await send('GET', pathname)).status).toBe(200);
      }
    },
  );

  test.each(['handler.mjs', '..%2Fhandler.mjs', '../handler.mjs', 'errors/..%2F..%2Fhandler.mjs', 'x'])(
    'has no other file: %s',
    async (file) => {
      expect((await send('GET', `${getDocsContract.path}/${file}`)).status).toBe(404);
    },
  );

  test('a problem leads to the page of its code', async () => {
    const { text } = await send('GET', '/api/nothing');
    const { type, code } = JSON.parse(text);
    expect(type).toBe(`${inject('outputs').baseUrl}/api/docs/errors/${code}.html`);
    expect((await send('GET', new URL(type).pathname)).text).toContain(code);
  });

  test.skipIf(!hasBrowser).each([
    ['light', 1440],
    ['dark', 390],
  ] as const)(
    'the guides fit, are accessible and load only what is here, in %s at %i px',
    async (colorScheme, width) => {
      const base = `${inject('outputs').baseUrl}${getDocsContract.path}`;
      const { result, loaded, complaints } = await withBrowser(
        async (page) => {
          await page.emulateMedia({ colorScheme });
          const found: unknown[] = [];
          const look = async (name: string) => {
            await page.evaluate(axe.source);
            const { violations } = await page.evaluate<{ violations: Violation[] }>('axe.run()');
            const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
            found.push(...grave.map(({ id, nodes }) => [name, id, nodes.map(({ html }) => html)]));
            const over = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
            if (over > 0) found.push([name, `is ${over} px too wide`]);
          };
          for (const name of ['index', 'webhooks', 'receivers', 'errors', 'errors/USER_NOT_FOUND', 'lives', 'api']) {
            await page.goto(`${base}/${name}.html`, { waitUntil: 'networkidle' });
            await look(name);
          }
          await page.keyboard.press('Control+k');
          await page.getByRole('combobox').fill('wrong amount');
          await page.getByRole('option').first().waitFor();
          await look('the search');
          return found;
        },
        { viewport: { width, height: 900 } },
      );
      expect(result).toEqual([]);
      expect(complaints).toEqual([]);
      expect(new Set(loaded.filter((url) => !url.startsWith('data:')).map((url) => new URL(url).origin))).toEqual(
        new Set([inject('outputs').baseUrl]),
      );
    },
  );

  test.skipIf(!hasBrowser)('a word is found in a browser, and leads to its page', async () => {
    const { result, complaints } = await withBrowser(async (page) => {
      await page.goto(`${inject('outputs').baseUrl}${getDocsContract.path}/`, { waitUntil: 'networkidle' });
      await page.locator('.DocSearch-Button').first().click();
      await page.locator('#localsearch-input').fill('WRONG_SENDER');
      await page.locator('#localsearch-list a').first().click();
      await page.waitForURL(/\.html/);
      // The address changes before its page is shown.
      await page.locator('main', { hasText: 'WRONG_SENDER' }).waitFor();
      return await page.locator('main').innerText();
    });
    expect(result).toContain('WRONG_SENDER');
    expect(complaints).toEqual([]);
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
