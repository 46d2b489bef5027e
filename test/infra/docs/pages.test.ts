import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { anchorsOf, blocksIn, pages, textOf, withoutCode } from '#test/support/markdown.ts';
import { sampleCommands, webhookCommands } from '#test/support/pasted-commands.ts';

const root = new URL('../../../', import.meta.url);

interface Link {
  readonly link: string;
  /** The file, from the root of the project. */
  readonly target: string;
  /** Empty if the link leads to the whole page. */
  readonly anchor: string;
}

/** The links and pictures of a page that lead to something in this repository. */
function linksOf(file: string): readonly Link[] {
  const found = withoutCode(textOf(file)).matchAll(/\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]+))?\)/g);
  return [...found].map(([link, path = '', anchor = '']) => {
    const { pathname } = path === '' ? new URL(file, root) : new URL(path, new URL(file, root));
    return { link, target: pathname.replace(root.pathname, ''), anchor };
  });
}

function leadsSomewhere({ target, anchor }: Link): boolean {
  if (!existsSync(new URL(target, root))) return false;
  return anchor === '' || (target.endsWith('.md') && anchorsOf(textOf(target)).includes(anchor));
}

describe.each(pages)('%s', (file) => {
  test('has no link to a file or heading that does not exist', () => {
    const broken = linksOf(file).filter((link) => !leadsSomewhere(link));
    expect(broken.map(({ link }) => link)).toEqual([]);
  });

  test('has no table cell that would need more than three lines', () => {
    const rows = withoutCode(textOf(file))
      .split('\n')
      .filter((line) => line.startsWith('|'));
    expect(rows.flatMap((row) => row.split(/(?<!\\)\|/)).filter((cell) => cell.trim().length > 300)).toEqual([]);
  });
});

describe('the README', () => {
  test('has at most 150 lines', () => {
    expect(textOf('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(150);
  });

  test('links to every other page', () => {
    const targets = linksOf('README.md').map(({ target }) => target);
    expect(pages.filter((file) => file !== 'README.md' && !targets.includes(file))).toEqual([]);
  });
});

describe.each([
  ['README.md', sampleCommands],
  ['docs/webhooks.md', webhookCommands],
])('the commands of %s', (file, run) => {
  const blocks = blocksIn(textOf(file), 'bash');

  test('are all run by the system tests', () => {
    expect(blocks).toEqual(run);
  });

  // An interactive zsh has no comments: it runs the text behind a #, and an apostrophe there opens a quotation.
  test('can be pasted: they have no comments and make one call at a time, whose answer ends its line', () => {
    expect(blocks.filter((block) => /(^|\s)#/m.test(block))).toEqual([]);
    const calls = blocks.map((block) => block.match(/\bcurl .*/g) ?? []);
    expect(calls.filter(({ length }) => length > 1)).toEqual([]);
    const shown = calls.flat().filter((call) => !textOf(file).includes(`$(${call}`));
    expect(shown.length).toBeGreaterThan(3);
    expect(shown.filter((call) => !call.startsWith("curl -sS -w '\\n' "))).toEqual([]);
  });
});
