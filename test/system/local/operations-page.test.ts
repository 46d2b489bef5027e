import type { Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { verificationStates } from '#shared/off-ramps/model/verification.ts';
import { hasBrowser, withBrowser } from '#test/support/browser.ts';
import { newHash, OffRampUser } from '#test/support/http-client.ts';
import { newTenant } from '#test/support/tenant.ts';

const base = () => `${inject('outputs').baseUrl}/operations`;
const HOSTILE = '<img src=x onerror="document.title=1">';

/** Waits until the page contains a text; returns the whole text of the page. */
async function textWith(page: Page, said: string): Promise<string> {
  await page.locator('main', { hasText: said }).waitFor({ timeout: 60_000 });
  return await page.locator('main').innerText();
}

/** Waits until a state is marked in the graph; during a poll, the poll is marked for a moment. */
const untilMarked = (page: Page, state: string) =>
  page.locator(`.graph .current[aria-current=step][data-state="${state}"]`).waitFor({ timeout: 60_000 });

test.skipIf(!hasBrowser)(
  'the page shows an off-ramp from a wrong deposit to its payout, live, and nothing fails',
  async () => {
    const user = new OffRampUser('POLYGON', await newTenant('shown'));
    const path = { user_id: user.userId };
    const created = await user.call('POST /api/v1/admin/operation/{user_id}/withdrawal', {
      path,
      body: { ...user.order('12.5'), externalReference: HOSTILE },
    });
    const { operation } = created.body;
    const wrong = newHash();

    const { complaints, loaded } = await withBrowser(async (page) => {
      await page.goto(base());
      // The hash is reported only after the browser has started, so that its window covers all checks below.
      await user.deposit(operation, wrong, { amount: '12.4', notify: true });
      await user.submit(operation.id, wrong);
      await page.getByLabel('Find an off-ramp').fill(wrong);
      await page.keyboard.press('Enter');
      // The deposit may appear before its hash is polled, or after.
      const waiting = await textWith(page, 'not exactly the awaited one');
      expect(waiting).toContain('WRONG_AMOUNT');
      await page.locator('.now', { hasText: verificationStates.wait }).waitFor({ timeout: 60_000 });
      await untilMarked(page, verificationStates.wait);
      expect(waiting).toContain(HOSTILE);
      expect(await page.locator('main img').count()).toBe(0);

      const link = page.locator('main a[href*="deposit="]');
      const href = await link.first().getAttribute('href');
      await link.first().focus();
      const right = newHash();
      await user.deposit(operation, right);
      await user.submit(operation.id, right);
      await page.locator('h1', { hasText: 'completed' }).waitFor({ timeout: 60_000 });
      const paid = await page.locator('main').innerText();
      await untilMarked(page, verificationStates.verified);
      expect(paid).toContain(right);
      expect(await page.evaluate('document.activeElement.getAttribute("href")')).toBe(href);
      await page.locator('[role=status]', { hasText: 'Decides what happens to 12.4' }).waitFor({ timeout: 60_000 });
      expect(await page.title()).toBe('12.5 USDC – Operations');

      const unknown = crypto.randomUUID();
      await page.goto(`${base()}?operation=${unknown}`);
      expect(await textWith(page, 'No off-ramp has this id, hash, deposit address or reference')).toContain(
        'No operation to show',
      );
    });
    expect(complaints).toEqual([]);
    expect(new Set(loaded.filter((url) => !url.startsWith('data:')).map((url) => new URL(url).origin))).toEqual(
      new Set([inject('outputs').baseUrl]),
    );
  },
);
