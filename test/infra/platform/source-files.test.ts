import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const files = ['functions', 'infra', 'sdk', 'shared'].flatMap((folder) =>
  globSync(`${folder}/**/*.{ts,js,mjs}`, { cwd: root }),
);
const written = files.filter((file) => file !== 'sdk/generated.ts');

/** File names that more than two files have, which makes a file hard to find by its name. */
function namesInUse(among: readonly string[]): readonly string[] {
  const byName = Object.groupBy(among, (file) => basename(file));
  return Object.entries(byName).flatMap(([name, having = []]) => (having.length > 2 ? [name] : []));
}

test('a file is found by its name: at most two files have the same name, except for names that every function or module has', () => {
  expect(namesInUse(written).toSorted()).toEqual(['handler.ts', 'operator-routes.ts', 'routes.ts']);
});

const configured = z.object({ default: z.object({ mutate: z.array(z.string()) }) });

/** Expands the braces of a pattern. */
function alternatives(pattern: string): readonly string[] {
  const [whole, choices] = /\{([^{}]+)\}/.exec(pattern) ?? [];
  if (whole === undefined || choices === undefined) return [pattern];
  return choices.split(',').flatMap((choice) => alternatives(pattern.replace(whole, choice)));
}

test('each file that the mutation tests name exists: a renamed file would no longer be tested', async () => {
  const { mutate } = configured.parse(await import(`${root}stryker.config.mjs`)).default;
  const named = mutate.flatMap((pattern) => alternatives(pattern.replace(/^!/, '')));
  expect(named.filter((pattern) => globSync(pattern, { cwd: root, exclude: ['node_modules'] }).length === 0)).toEqual(
    [],
  );
});

const plugins = z.object({ strykerPlugins: z.tuple([z.object({ value: z.object({ shouldIgnore: z.any() }) })]) });

test('mutants are made of a call that waits for what is unavailable, and none of the text of such an error', async () => {
  const [{ value }] = plugins.parse(await import(`${root}stryker.config.mjs`)).strykerPlugins;
  const isIgnored = (name: string) => value.shouldIgnore({ node: { callee: { name } } }) !== undefined;
  const names = ['CustodianUnavailable', 'Unavailable', 'retryWhileUnavailable', 'orServiceUnavailable'];
  expect(names.filter(isIgnored)).toEqual(['CustodianUnavailable', 'Unavailable']);
});

/** A statement of a module that declares nothing: a bare import, a call, an assignment, but no text of a contract. */
const STATEMENT = /^(?:import '|await |(?!document(?:Object|Values|Event)\()[A-Za-z][\w.]*(?:\(| = )).*/gm;

function statementsIn(among: readonly string[]): readonly string[] {
  return among.flatMap((file) =>
    [...readFileSync(`${root}${file}`, 'utf8').matchAll(STATEMENT)].map(([found]) => `${file}: ${found}`),
  );
}

test('no module except a handler has an effect when imported: bundles leave out unused modules', () => {
  const bundled = written.filter((file) => /^(functions|shared)\/.*\.ts$/.test(file));
  expect(statementsIn(bundled.filter((file) => basename(file) !== 'handler.ts'))).toEqual([]);
  expect(statementsIn(bundled).length).toBeGreaterThan(10);
});
