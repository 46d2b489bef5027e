import { existsSync } from 'node:fs';
import { chromium, type Page } from 'playwright-core';

const CHROMIUM = '/usr/bin/chromium';

/** False without a browser: the tests in a browser are then skipped, and reported as skipped. */
export const hasBrowser = existsSync(CHROMIUM);

/** Turns off what a browser does by itself: its own calls would look like calls of the page. */
const quietly = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

interface Options {
  readonly viewport?: { readonly width: number; readonly height: number };
}

/** Uses a page of a browser; returns the result, the URLs that the page loaded, and its errors. */
export async function withBrowser<T>(use: (page: Page) => Promise<T>, options: Options = {}) {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: quietly });
  try {
    const page = await browser.newPage(options);
    const loaded: string[] = [];
    const complaints: string[] = [];
    page.on('request', (request) => loaded.push(request.url()));
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    return { result: await use(page), loaded, complaints };
  } finally {
    await browser.close();
  }
}
