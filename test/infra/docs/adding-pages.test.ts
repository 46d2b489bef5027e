import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { blocksIn, textOf } from '#test/support/markdown.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** The files that are compiled. Tests are left out, because one of them needs the permissions of each new provider. */
const source = ['functions', 'infra', 'sdk', 'shared', 'openapi.json', 'package.json', 'tsconfig.json'];

/** A copy of the code, to which a page adds files and changes. */
function copyOfSource(): string {
  const tree = mkdtempSync(join(tmpdir(), 'payin-offramp-page-'));
  onTestFinished(() => rmSync(tree, { recursive: true }));
  for (const one of source) cpSync(join(root, one), join(tree, one), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
  return tree;
}

function write(tree: string, file: string, text: string): void {
  mkdirSync(dirname(join(tree, file)), { recursive: true });
  writeFileSync(join(tree, file), text);
}

/** Applies hunks without line numbers: the lines that a hunk replaces must be in the file exactly once. */
function change(tree: string, diff: string): void {
  const [head = '', ...hunks] = diff.split('@@\n');
  const file = head.replace('--- ', '').trim();
  const after = hunks.reduce(
    (text, hunk) => {
      const without = (mark: string) =>
        hunk.replaceAll(/^.*\n/gm, (line) => (line.startsWith(mark) ? '' : line.slice(1)));
      expect(text.split(without('+')), hunk).toHaveLength(2);
      return text.replace(without('+'), () => without('-'));
    },
    readFileSync(join(tree, file), 'utf8'),
  );
  write(tree, file, after);
}

// One after the other in one copy, so that the compiler reads the code once.
test('the changes of docs/adding-a-custodian.md and docs/adding-a-rail.md compile with the current code', {
  timeout: 180_000,
}, async () => {
  const tree = copyOfSource();
  for (const page of ['docs/adding-a-custodian.md', 'docs/adding-a-rail.md']) {
    const files = blocksIn(textOf(page), 'ts').map(
      (block) => [/^\/\/ (\S+)\n/.exec(block)?.[1] ?? expect.fail(block), block] as const,
    );
    expect(files, page).not.toEqual([]);
    for (const [file, block] of files) write(tree, file, block);
    for (const diff of blocksIn(textOf(page), 'diff')) change(tree, diff);
  }
  const { stdout } = await promisify(execFile)(join(root, 'node_modules/.bin/tsc'), ['-p', tree]).catch(
    (error) => error,
  );
  expect(stdout).toBe('');
});
