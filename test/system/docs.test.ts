import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { describe, expect, inject, test } from 'vitest';
import { docsAssets, getDocs } from '#shared/contracts/docs.ts';
import { send } from '../support/http-client.ts';
import { publishedContract } from '../support/openapi.ts';

const CHROMIUM = '/usr/bin/chromium';

/** Nothing that a browser does of itself: its own calls would look like calls of the page. */
const quietly = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const operations = Object.entries(publishedContract.paths).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
);

/** Opens the page and tells what is on it, what it loaded and what went wrong. */
async function openDocs() {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: quietly });
  try {
    const page = await browser.newPage();
    const loaded: string[] = [];
    const complaints: string[] = [];
    page.on('request', (request) => loaded.push(request.url()));
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(`${inject('outputs').baseUrl}${getDocs.path}`);
    await page
      .locator('.opblock')
      .nth(operations.length - 1)
      .waitFor({ timeout: 60_000 });
    const shown = await page.locator('.opblock-summary').allInnerTexts();
    return { shown: shown.map(readable), loaded, complaints };
  } finally {
    await browser.close();
  }
}

/** `POST /api/token`, without the places at which a long path may break and the summary behind it. */
function readable(text: string): string {
  const [method = '', path = ''] = text.replaceAll('\u200b', '').split(/\s+/);
  return `${method} ${path}`;
}

describe('the documentation', () => {
  test('is a page for anyone that loads nothing from another host', async () => {
    const { status, headers, text } = await send('GET', getDocs.path);
    expect(status).toBe(200);
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'; script-src 'self';/);
    expect([...text.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address]) => address)).toEqual([
      'data:,',
      ...docsAssets.map((asset) => `docs/${asset}`),
    ]);
  });

  test.each(docsAssets)('has what the page loads, kept for a day: %s', async (asset) => {
    const { status, headers, text } = await send('GET', `${getDocs.path}/${asset}`);
    expect(status).toBe(200);
    expect(text).not.toBe('');
    expect(headers.get('cache-control')).toBe('public, max-age=86400');
  });

  test.each(['handler.mjs', '..%2Fhandler.mjs', 'x'])('has no other file: %s', async (asset) => {
    expect((await send('GET', `${getDocs.path}/${asset}`)).status).toBe(404);
  });

  test.skipIf(!existsSync(CHROMIUM))('shows every operation in a browser, and nothing fails', async () => {
    const { shown, loaded, complaints } = await openDocs();
    expect(shown).toEqual(expect.arrayContaining(operations));
    expect(complaints).toEqual([]);
    const hosts = loaded.filter((url) => !url.startsWith('data:')).map((url) => new URL(url).origin);
    expect(new Set(hosts)).toEqual(new Set([inject('outputs').baseUrl]));
  });
});
