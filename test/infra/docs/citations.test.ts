import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const read = (file: string) => readFileSync(`${root}${file}`, 'utf8');
const files = globSync('{shared,functions,infra,sdk,test}/**/*.ts', { cwd: root });

interface Citation {
  readonly file: string;
  readonly section: string;
  /** The text after a comma: the row, perhaps with more text. */
  readonly row: string;
}

function citationsOf(document: 'interface' | 'decisions'): readonly Citation[] {
  const citation = new RegExp(String.raw`\b${document}(?:\.md)? (\d+(?:\.\d+)?)(?:, ([A-Za-z][^:;\n]*))?`, 'g');
  return files.flatMap((file) =>
    [...read(file).matchAll(citation)].map(([, section = '', row = '']) => ({ file, section, row })),
  );
}

test('every cited section of docs/interface.md exists', () => {
  const page = read('docs/interface.md');
  const headings = [...page.matchAll(/^#+ (\d+(?:\.\d+)?)\.? /gm)].map(([, section]) => section);
  // Section 5 is a list: 5.4 is its fourth entry.
  const entries = [...(page.split('\n## 5.')[1]?.split('\n## ')[0] ?? '').matchAll(/^(\d+)\. /gm)];
  const known = new Set([...headings, ...entries.map(([, entry]) => `5.${entry}`)]);

  const citations = citationsOf('interface');

  expect(citations.length).toBeGreaterThan(50);
  expect(citations.filter(({ section }) => !known.has(section))).toEqual([]);
});

test('every cited row or heading of docs/decisions.md exists', () => {
  const sections = new Map(
    read('docs/decisions.md')
      .split(/^## /m)
      .map((section) => [section.split('.')[0], section] as const),
  );
  const rowsOf = (section: string) =>
    [...(sections.get(section) ?? '').matchAll(/^(?:\||###) (?:\*\*\+\*\* )?([^|\n]+?)(?: \||$)/gm)].map(
      ([, title = '']) => title.replaceAll('`', '').toLowerCase(),
    );

  const citations = citationsOf('decisions');

  expect(citations.length).toBeGreaterThan(50);
  const unknown = citations.filter(({ section, row }) => {
    const cited = row.replaceAll('`', '').toLowerCase();
    return !sections.has(section) || (row !== '' && !rowsOf(section).some((title) => cited.startsWith(title)));
  });
  expect(unknown).toEqual([]);
});
