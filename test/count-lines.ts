import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { importsOfFolders } from './support/imports-of.ts';

/**
 * Lines of tests for a line of source, at most: a test that repeats what a stronger one holds makes room for another.
 */
const MOST = 1.4;

const root = fileURLToPath(new URL('../', import.meta.url));
const sources = ['functions', 'shared', 'infra', 'sdk'];

/** What runs by itself: the functions, the app that makes the templates, and the commands. */
const entries: readonly string[] = [
  ...globSync('functions/*/*/handler.ts', { cwd: root }),
  'infra/app.ts',
  // It is built by its path.
  'infra/cli/operations-page/browser/page.ts',
  // What a project that installs the package imports.
  'sdk/index.ts',
  ...(readFileSync(`${root}package.json`, 'utf8').match(/(?:infra|sdk)\/[\w/-]+\.ts/g) ?? []),
];

const imported = Map.groupBy(importsOfFolders(sources), ({ from }) => from);

/** The entries and all that they import. */
function needed(): ReadonlySet<string> {
  const found = new Set(entries);
  for (const file of found) for (const { to } of imported.get(file) ?? []) found.add(to);
  return found;
}

function linesOf(files: Iterable<string>): number {
  return [...files].reduce((sum, file) => sum + readFileSync(`${root}${file}`, 'utf8').split('\n').length - 1, 0);
}

const all = globSync(`{${[...sources, 'test'].join()}}/**/*.ts`, { cwd: root });
const served = needed();
const isSource = (file: string) => served.has(file) && !file.startsWith('test/');
const [source, tests] = [linesOf(all.filter(isSource)), linesOf(all.filter((file) => !isSource(file)))];
const share = tests / source;
process.stdout.write(`${source} lines of source, ${tests} of tests: ${share.toFixed(3)} for one, ${MOST} at most\n`);
if (share > MOST) process.exitCode = 1;
