import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { SITE_BASE } from '#shared/docs/docs-contract.ts';
import { chapters, filesBeside, guides } from './guides.ts';

const project = new URL('../../', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, project), 'utf8');

const media = z.object({ examples: z.optional(z.record(z.string(), z.object({ value: z.unknown() }))) });
const problems = z.object({ content: z._default(z.record(z.string(), media), {}) });
const operation = z.object({
  operationId: z.string(),
  summary: z.string(),
  tags: z.array(z.string()),
  responses: z.record(z.string(), z.object({ $ref: z.optional(z.string()) })),
});
const description = z.object({
  info: z.object({ title: z.string() }),
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.object({ responses: z.record(z.string(), problems) }),
});

/** The pages of the site as Markdown, by path; links lead only to other pages, the reference and other hosts. */
export function sitePages(): ReadonlyMap<string, string> {
  const text = read('openapi.json');
  const { info, paths, components } = description.parse(JSON.parse(text));
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]) => ({
      route: `${method.toUpperCase()} ${path}`,
      summary: one.summary,
      link: `../reference.html#/${encodeURIComponent(one.tags[0] ?? '')}/${one.operationId}`,
      examples: Object.values(one.responses).flatMap(({ $ref = '' }) => {
        const shared = components.responses[$ref.replace('#/components/responses/', '')];
        return Object.values(shared?.content ?? {}).flatMap(({ examples = {} }) => Object.entries(examples));
      }),
    })),
  );
  const pages = [
    ['index.md', homePage(info.title)] as const,
    ...guides.map(({ name }) => [`${name}.md`, read(`docs/${name}.md`)] as const),
    ...errorRows(read('docs/errors.md')).map((row) => {
      const answering = routes.flatMap(({ examples, ...route }) =>
        examples.filter(([code]) => code === row.code).map(([, { value }]) => ({ ...route, problem: value })),
      );
      return [`errors/${row.code}.md`, errorPage(row, answering)] as const;
    }),
  ];
  const known = new Set(pages.map(([path]) => path));
  return new Map(
    pages.map(([path, page]) => [
      path,
      outsideCode(forClients(page), (part) => withKnownLinks(withErrorLinks(path, part), known)),
    ]),
  );
}

/** The list of pages that assistants read first (llmstxt.org). */
export function llmsText(pages: ReadonlyMap<string, string>): string {
  const lines = chapters.flatMap(({ title, guides: of }) => [
    `## ${title}`,
    of.map((guide) => `- [${guide.title}](${SITE_BASE}${guide.name}.md): ${guide.about}`).join('\n'),
  ]);
  const codes = [...pages.keys()].filter((path) => path.startsWith('errors/'));
  return `${[
    '# Fiat pay-in and crypto off-ramp API',
    '> Companies collect Colombian pesos from their users, and pay users out in fiat for crypto that they send.',
    'Every page is there as Markdown, by the same address with `.md`. Every route and field, as OpenAPI 3.1: `/api/openapi.json` of the service.',
    ...lines,
    '## Each error code',
    codes.map((path) => `- [${path.slice('errors/'.length, -'.md'.length)}](${SITE_BASE}${path})`).join('\n'),
  ].join('\n\n')}\n`;
}

function homePage(title: string): string {
  const lists = chapters.map(
    (chapter) =>
      `## ${chapter.title}\n\n${chapter.guides.map((guide) => `- [${guide.title}](${guide.name}.md): ${guide.about}`).join('\n')}\n`,
  );
  return `# ${title}

Companies move their users' money in both directions with it:

- **Pay-in**: collect Colombian pesos from a user, by PSE, NEQUI or DAVIPLATA.
- **Off-ramp**: a user sends a token from a declared wallet to a deposit address, and is paid out in fiat.

New here? [Start](start.md) takes you from your credentials to the first calls. The [reference](reference.html) has every route and
field, and tries calls.

${lists.join('\n')}
For programs: [llms.txt](llms.txt) lists these pages, and each is there as Markdown, too: \`start.md\` beside \`start.html\`.
`;
}

interface ErrorRow {
  readonly code: string;
  readonly status: string;
  readonly when: string;
  readonly remedy: string;
}

/** The rows of the table of codes; a test keeps docs/errors.md the same as the table of errors. */
function errorRows(page: string): readonly ErrorRow[] {
  return [...page.matchAll(/^\| `([A-Z_]+)` \| (\d{3}) \| ([^|]+) \| ([^|]+) \|$/gm)].map(
    ([, code = '', status = '', when = '', remedy = '']) => ({ code, status, when, remedy }),
  );
}

/** The most routes that a page lists; a longer list would not help its reader. */
const MOST_LISTED = 12;

interface AnsweringRoute {
  readonly route: string;
  readonly summary: string;
  readonly link: string;
  readonly problem: unknown;
}

function errorPage({ code, status, when, remedy }: ErrorRow, routes: readonly AnsweringRoute[]): string {
  const up = (text: string) => text.replaceAll(/\]\((?!\w+:)([^)]+)\)/g, '](../$1)');
  const [first] = routes;
  return `# ${code}

**Cause.** ${up(when)}.

**What to do.** ${up(remedy)}.

[Which calls to repeat](../errors.md#which-calls-to-repeat) says what holds for the status ${status}.
${
  first === undefined
    ? '\nNo route of the reference lists it: a route that does not exist, a notification of a provider or API Gateway itself answers so.\n'
    : `\n## What the service answers\n\n\`\`\`json\n${JSON.stringify(first.problem, undefined, 2)}\n\`\`\`\n`
}${routes.length === 0 ? '' : `\n## Who answers so\n\n${answering(routes)}\n`}
All codes: [Errors](../errors.md).
`;
}

function answering(routes: readonly AnsweringRoute[]): string {
  if (routes.length > MOST_LISTED) return `${routes.length} routes: the [reference](../reference.html) says which.`;
  return routes.map(({ route, summary, link }) => `- [\`${route}\`](${link}): ${summary}`).join('\n');
}

/** Removes parts of a guide for readers of the repository alone, and names the package as clients install it. */
function forClients(page: string): string {
  const theirs = page.replaceAll(/^<!-- not on the site -->\n.*?^<!-- on the site again -->\n/gms, '');
  return theirs.replaceAll('#sdk/index.ts', 'payin-offramp-client');
}

/** Links a code to its page: in the table of codes, and wherever it is linked to the table. */
function withErrorLinks(path: string, text: string): string {
  const linked = text.replaceAll(/\[`([A-Z_]+)`\]\(errors\.md#the-codes\)/g, '[`$1`](errors/$1.md)');
  return path === 'errors.md' ? linked.replaceAll(/^\| `([A-Z_]+)` \|/gm, '| [`$1`](errors/$1.md) |') : linked;
}

/** Changes everything but blocks of code. */
function outsideCode(page: string, change: (text: string) => string): string {
  return page
    .split(/^(```.*?^```)$/ms)
    .map((part, index) => (index % 2 === 0 ? change(part) : part))
    .join('');
}

/** Leaves only the text of a link to what clients do not have, code or a page for operators. */
function withKnownLinks(text: string, known: ReadonlySet<string>): string {
  const described = text.replaceAll('](../openapi.json)', '](reference.html)');
  return described.replaceAll(
    /\[((?:[^[\]]|\[[^\]]*\])+)\]\((?!\w+:)([^)#\s]*)(#[^)\s]*)?\)/g,
    (link, shown, target) => {
      const path = target.replace(/^\.\.\//, '');
      if (target !== '' && !known.has(path) && !filesBeside.includes(path)) return shown;
      const named = guides.find(({ name }) => shown === `${name}.md`);
      return named === undefined ? link : link.replace(`[${shown}]`, `[${named.title}]`);
    },
  );
}

/** Replaces a diagram of states by a table, which can be searched and read aloud, and is small. */
export function withoutDiagrams(page: string): string {
  return page.replaceAll(/^```mermaid\n(.*?)^```$/gms, (_, diagram: string) => {
    const rows = [...diagram.matchAll(/^ +(\S+) --> ([^\s:]+)(?:: (.*))?$/gm)].map(
      ([, from = '', to = '', when = '']) => `| ${stateOf(from, '(start)')} | ${stateOf(to, '(end)')} | ${when} |\n`,
    );
    return `| From | To | When |\n| --- | --- | --- |\n${rows.join('')}`;
  });
}

const stateOf = (state: string, edge: string) => (state === '[*]' ? edge : `\`${state}\``);
