import { expect, test } from 'vitest';
import { costsOfClient, lineOf } from '#test/support/client-cost.ts';
import { textOf } from '#test/support/markdown.ts';

const page = textOf('docs/scale.md');
const { always, ofPlan, atOnce } = costsOfClient();

test('docs/scale.md says what each kind of call can cost at most, by the settings of production', () => {
  const lines = [...always, ...ofPlan].map(lineOf);
  const written = page.split('\n').filter((line) => /^\| .* \| [\d,]+ \| .* \| [\d.]+ \|$/.test(line));
  expect(written).toEqual(lines);
});

test('decisions 10, costly calls: what one client can cost at once is bounded, as docs/scale.md says', () => {
  expect(page).toContain(`**$${Math.round(atOnce)} a day**`);
  expect(atOnce).toBeLessThanOrEqual(250);
});
