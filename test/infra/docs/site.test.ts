import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, posix } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { errorCodes } from '#infra/api/openapi/declared-errors.ts';
import { buildSite } from '#infra/site/build-site.ts';
import { guides } from '#infra/site/guides.ts';
import { contentSecurityPolicy } from '#shared/docs/content-security-policy.ts';
import { SITE_BASE } from '#shared/docs/docs-contract.ts';
import { publishedContract } from '#test/support/openapi.ts';

const { directory } = buildSite();
const names = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((name) => extname(name) !== '');
const textOf = (name: string) => readFileSync(join(directory, name), 'utf8');
const htmlNames = names.filter((name) => name.endsWith('.html'));
/** The pages that the builder has made; the reference is made by a script in the browser. */
const pages = htmlNames.filter((name) => name !== 'reference.html').map((name) => ({ name, text: textOf(name) }));

const decoded = (text: string) => decodeURIComponent(text.replaceAll('&amp;', '&'));
const attributes = (text: string, name: string) =>
  [...text.matchAll(new RegExp(`<[a-z][^>]*?\\s${name}="([^"]*)"`, 'g'))].map(([, value = '']) => decoded(value));
const anchors = new Map(pages.map(({ name, text }) => [name, new Set(attributes(text, 'id'))]));
const operationIds = Object.values(publishedContract.paths).flatMap((methods) =>
  Object.values(methods).map(({ operationId }) => operationId),
);

/** The file of the site and the anchor in it to which a link leads; `undefined` for a link to another host. */
function targetOf(from: string, link: string): { readonly file: string; readonly anchor: string } | undefined {
  if (/^[a-z]+:/.test(link)) return undefined;
  const [path = '', anchor = ''] = link.split('#');
  const relative = path.startsWith(SITE_BASE) ? path.slice(SITE_BASE.length) : posix.join(posix.dirname(from), path);
  return { file: path === '' ? from : relative === '' || relative === './' ? 'index.html' : relative, anchor };
}

function leadsNowhere(from: string, link: string): boolean {
  const target = targetOf(from, link);
  if (target === undefined) return !/^(?:https:|data:,$)/.test(link);
  const { file, anchor } = target;
  if (!names.includes(file)) return true;
  if (file === 'reference.html') return anchor !== '' && !operationIds.includes(anchor.split('/').at(-1) ?? '');
  return anchor !== '' && anchors.get(file)?.has(anchor) !== true;
}

describe('the site for clients', () => {
  test('has the guides, a page for each code and the reference, and no page for operators or contributors', () => {
    const expected = [
      ...['404', 'index', 'reference'].map((name) => `${name}.html`),
      ...guides.map(({ name }) => `${name}.html`),
      ...errorCodes.map((code) => `errors/${code}.html`),
    ];
    expect(htmlNames.toSorted()).toEqual(expected.toSorted());
  });

  test('shows nothing internal: no code, command, alarm or page of operators', () => {
    const inside = /npm run|functions\/|infra\/|shared\/|DynamoDB|EventBusName|operations\.md|decisions\.md|runbook/;
    const texts = names.filter((name) => name.endsWith('.md')).map((name) => [name, inside.exec(textOf(name))?.[0]]);
    expect(texts.filter(([, found]) => found !== undefined)).toEqual([]);
  });

  test.each(errorCodes)('says of %s its cause, what to do and which status it has', (code) => {
    const text = textOf(`errors/${code}.md`);
    expect(text).toMatch(/^\*\*Cause\.\*\* .{6,}$/m);
    expect(text).toMatch(/^\*\*What to do\.\*\* .{6,}$/m);
    expect(textOf('errors.md')).toContain(`[\`${code}\`](errors/${code}.md)`);
  });

  test('has no broken link, to a page or to a heading', () => {
    const links = pages.flatMap(({ name, text }) => attributes(text, 'href').map((link) => [name, link] as const));
    expect(links.length).toBeGreaterThan(1000);
    expect(links.filter(([name, link]) => leadsNowhere(name, link))).toEqual([]);
  });

  test('has a first page whose links work with and without a slash at the end of its address', () => {
    const links = attributes(textOf('index.html'), 'href').filter((link) => !link.startsWith('#'));
    expect(links.length).toBeGreaterThan(guides.length);
    expect(links.filter((link) => !link.startsWith(SITE_BASE) && link !== 'data:,')).toEqual([]);
  });

  test('loads nothing from another host, and no file that does not exist', () => {
    const loaded = pages.flatMap(({ name, text }) =>
      [...attributes(text, 'src'), ...attributes(text.replaceAll(/<a [^>]*>/g, ''), 'href')].map((url) => [name, url]),
    );
    const styles = names
      .filter((name) => name.endsWith('.css'))
      .flatMap((name) => textOf(name).match(/url\([^)]*\)|@import[^;]*/g) ?? []);
    expect(loaded.length).toBeGreaterThan(pages.length);
    expect(
      loaded.filter(
        ([name = '', url = '']) => url !== 'data:,' && (/^(?:\w+:|\/\/)/.test(url) || leadsNowhere(name, url)),
      ),
    ).toEqual([]);
    expect(styles.filter((one) => !/^url\("?data:/.test(one))).toEqual([]);
  });

  test('has one strict policy: of inline scripts it runs those that are the same on every page, and no handler', () => {
    const policies = new Set(pages.map(({ text }) => contentSecurityPolicy(text)));
    const scripts = [...policies].map((policy) => /script-src ([^;]*)/.exec(policy)?.[1]);
    expect(scripts).toHaveLength(1);
    expect(scripts[0]).toMatch(/^'self'(?: 'sha256-[\w+/=]{44}')+$/);
    expect(pages.filter(({ text }) => /<[a-z][^>]*\son[a-z]+=/.test(text)).map(({ name }) => name)).toEqual([]);
  });

  test.each(['index.html', 'webhooks.html', 'errors.html'])(
    '%s is sent in less than 500 kB, with all that it loads',
    (name) => {
      const files = new Set([name, ...loadedBy(name)]);
      const sent = [...files].reduce((sum, file) => sum + gzipSync(textOf(file)).length, 0);
      expect(files.size).toBeGreaterThan(3);
      expect(sent).toBeLessThan(500_000);
    },
  );

  test('searches the words of its pages in the browser, without a server', () => {
    const index = names.find((name) => name.includes('@localSearchIndex')) ?? '';
    expect(textOf(index)).toMatch(/addresstag/);
    expect(textOf(index)).toMatch(/circuit/);
  });

  test('serves programs, too: each page as Markdown, all of them listed in llms.txt', () => {
    const llms = textOf('llms.txt');
    const listed = [...llms.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link.replace(SITE_BASE, ''));
    expect(listed.toSorted()).toEqual(
      [...guides.map(({ name }) => `${name}.md`), ...errorCodes.map((code) => `errors/${code}.md`)].toSorted(),
    );
    for (const file of listed) expect(textOf(file)).toMatch(/^# /);
  });

  test('includes the licences of its packages', () => {
    const licences = textOf('licences.txt').split('\n---\n');
    expect(licences.length).toBeGreaterThan(8);
    expect(textOf('licences.txt')).toMatch(/^vue\n\nThe MIT License|@vue\/[\w-]+\n\nThe MIT License/m);
  });
});

/** Every file that a page and its scripts load before somebody uses the page. */
function loadedBy(name: string, from = textOf(name)): readonly string[] {
  const urls =
    extname(name) === '.html'
      ? [...attributes(from, 'src'), ...attributes(from.replaceAll(/<a [^>]*>/g, ''), 'href')]
      : [];
  const imports =
    extname(name) === '.js' ? [...from.matchAll(/(?:from|import)"(\.[^"]+)"/g)].map(([, path = '']) => path) : [];
  const files = [...urls, ...imports]
    .flatMap((url) => targetOf(name, url)?.file ?? [])
    .filter((file) => names.includes(file));
  return files.flatMap((file) => [file, ...loadedBy(file)]);
}
