import { existsSync } from 'node:fs';
import { chromium, type Page } from 'playwright-core';

const CHROMIUM = '/usr/bin/chromium';

/** Tests in a browser are skipped, and reported so, where there is none. */
export const hasBrowser = existsSync(CHROMIUM);

/** Nothing that a browser does of itself: its own calls would look like calls of the page. */
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

/** Uses a page of a browser, and tells what it loaded and what went wrong while it was used. */
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
