import { expect, test } from 'vitest';
import { eventTypeOf, publishedEvents } from '#infra/webhooks/published-events.ts';
import { undeliveredReason } from '#shared/webhooks/model/delivery.ts';
import { MOST_ATTEMPTS, retryAt } from '#shared/webhooks/model/delivery-outcome.ts';
import { sectionOf, textOf } from '#test/support/markdown.ts';

const page = textOf('docs/webhooks.md');

test('the example in Node is the verification that the receiver of npm start has', () => {
  const section = sectionOf(page, 'Verifying in Node');
  expect(section).toContain(`\`\`\`ts\n${textOf('infra/local/verify-webhook.ts')}\`\`\`\n`);
});

test.each(publishedEvents.map((event) => ({ type: eventTypeOf(event), data: event.schema.shape.data })))(
  'the page says what is in the data of $type',
  ({ type, data }) => {
    const lines = sectionOf(page, 'Events').split('\n');
    const row = lines.find((line) => line.startsWith(`| \`${type}\` |`));
    expect([...(row ?? '').matchAll(/`(\w+)`/g)].map(([, field]) => field)).toEqual(
      expect.arrayContaining(Object.keys(data.shape)),
    );
  },
);

test('the page says when each attempt of a delivery is made', () => {
  const start = new Date(0);
  const gaps = Array.from({ length: MOST_ATTEMPTS - 1 }, (_, made) => retryAt(made + 1, start, () => 0));
  const spoken = gaps.map((gap) => spokenSeconds((gap?.getTime() ?? 0) / 1000));
  expect(sectionOf(page, 'When an endpoint fails')).toContain(
    `| after the end of the previous one | at once | ${spoken.join(' | ')} |\n`,
  );
});

test('the page has every reason for which a delivery fails, and no other', () => {
  const rows = [...sectionOf(page, 'Reading the deliveries').matchAll(/^\| `([A-Z_]+)` \|/gm)];
  expect(new Set(rows.map(([, reason]) => reason))).toEqual(new Set(undeliveredReason.options));
});

function spokenSeconds(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  return seconds < 3600 ? `${seconds / 60} min` : `${seconds / 3600} h`;
}
