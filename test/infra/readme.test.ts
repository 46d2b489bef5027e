import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { endpoints, sandboxEndpoints } from '#infra/endpoints.ts';
import { clientStatusChanged } from '#shared/contracts/client-events.ts';
import { depositHashStatusChanged, operationStatusChanged } from '#shared/contracts/off-ramp-events.ts';
import { payinStatusChanged } from '#shared/contracts/pay-in-events.ts';
import { webhookTest } from '#shared/contracts/webhook-events.ts';
import { MOST_ATTEMPTS, retryAt } from '#shared/domain/retry-schedule.ts';

const textOf = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const readme = textOf('README.md');

test.each(['README.md', ...readdirSync(new URL('../../docs', import.meta.url)).map((page) => `docs/${page}`)])(
  'every link of %s leads to a file or a heading that is there',
  (file) => {
    const text = textOf(file);
    const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading));
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)];
    const broken = links.filter(([, path = '', anchor]) =>
      path === ''
        ? !headings.includes(anchor ?? '')
        : !existsSync(new URL(path, new URL(`../../${file}`, import.meta.url))),
    );
    expect(broken.map(([link]) => link)).toEqual([]);
  },
);

/** `The sample, call by call` is `#the-sample-call-by-call`. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-');
}

describe('the README', () => {
  test.each([...endpoints, ...sandboxEndpoints])('links every route to its folder: $folder', ({ contract, folder }) => {
    const row = readme.split('\n').find((line) => line.startsWith('| ') && line.includes(`](functions/${folder})`));
    expect(row).toContain(`\`${contract.method} `);
  });

  test('shows an example of the typed client that is type-checked and run', () => {
    expect(readme).toContain(`\`\`\`ts\n${textOf('test/support/readme-example.ts')}\`\`\`\n`);
  });

  // An interactive zsh has no comments: it runs what stands behind a #, and an apostrophe in it opens a quotation.
  test('has commands that can be pasted: without comments, one call at a time, whose answer ends its line', () => {
    const blocks = [...readme.matchAll(/^```bash\n(.*?)^```$/gms)].map(([, block = '']) => block);
    expect(blocks.length).toBeGreaterThan(10);
    expect(blocks.filter((block) => /(^|\s)#/m.test(block))).toEqual([]);
    const calls = blocks.map((block) => block.match(/\bcurl .*/g) ?? []);
    expect(calls.filter(({ length }) => length > 1)).toEqual([]);
    const shown = calls.flat().filter((call) => !readme.includes(`$(${call}`));
    expect(shown.length).toBeGreaterThan(8);
    expect(shown.filter((call) => !call.startsWith("curl -s -w '\\n' "))).toEqual([]);
  });

  test('shows the verification that the receiver of npm start has', () => {
    expect(readme).toContain(`\`\`\`ts\n${textOf('infra/local/verify-webhook.ts')}\`\`\`\n`);
  });

  test.each([operationStatusChanged, depositHashStatusChanged, payinStatusChanged, clientStatusChanged, webhookTest])(
    'says what is in the data of each event: %#',
    ({ shape: { type, data } }) => {
      const row = readme.split('\n').find((line) => line.startsWith(`| \`${[...type.def.values]}\` |`));
      expect([...(row ?? '').matchAll(/`(\w+)`/g)].map(([, field]) => field)).toEqual(
        expect.arrayContaining(Object.keys(data.shape)),
      );
    },
  );

  test('says when each attempt of a delivery is made', () => {
    const start = new Date(0);
    const gaps = Array.from({ length: MOST_ATTEMPTS - 1 }, (_, made) => retryAt(made + 1, start, () => 0));
    const spoken = gaps.map((gap) => spokenSeconds((gap?.getTime() ?? 0) / 1000));
    expect(readme).toContain(`| after the end of the one before | at once | ${spoken.join(' | ')} |\n`);
  });
});

function spokenSeconds(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  return seconds < 3600 ? `${seconds / 60} min` : `${seconds / 3600} h`;
}
