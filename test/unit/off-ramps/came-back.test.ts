import { expect, test } from 'vitest';
import { transfer } from '#test/support/off-ramp.ts';
import { returnWorld } from '#test/support/return-world.ts';

test('decisions 9: an unmatched deposit that had failed and came back is listed again, however long it takes to be final', async () => {
  const w = await returnWorld();
  const said = (state: 'FAILED' | 'UNCONFIRMED' | 'CONFIRMED') => transfer({ amount: '99', state });
  for (const state of ['FAILED', 'UNCONFIRMED'] as const) {
    w.custodian.transfer = said(state);
    await w.poll();
  }
  const begunAt = w.clock.now().getTime();
  const hasPassed = (days: number) => w.clock.now().getTime() > begunAt + days * 24 * 3600_000;
  for (let { nextPollAt } = w.kept(); nextPollAt !== undefined; { nextPollAt } = w.kept()) {
    w.clock.advance((Date.parse(nextPollAt) - w.clock.now().getTime()) / 1000);
    w.custodian.transfer = hasPassed(20) ? said('CONFIRMED') : hasPassed(17) ? undefined : said('UNCONFIRMED');
    await w.pollPlanned();
  }
  expect(w.errors()).toEqual(['DEPOSIT_NEVER_CONFIRMED']);
  expect([w.status(), w.kept().unmatched, w.kept().transfer?.state]).toEqual(['UNMATCHED', 'UNMATCHED', 'CONFIRMED']);
});
