import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const files = ['functions', 'infra', 'sdk', 'shared'].flatMap((folder) =>
  globSync(`${folder}/**/*.{ts,js,mjs}`, { cwd: root }),
);
const written = files.filter((file) => file !== 'sdk/generated.ts');

/** Names that more than two files have, as one who looks for a file by its name would find. */
function namesInUse(among: readonly string[]): readonly string[] {
  const byName = Object.groupBy(among, (file) => basename(file));
  return Object.entries(byName).flatMap(([name, having = []]) => (having.length > 2 ? [name] : []));
}

test('a file is found by its name: none is there more than twice, but for what every function and module has', () => {
  expect(namesInUse(written).toSorted()).toEqual(['handler.ts', 'operator-routes.ts', 'routes.ts']);
});

/** What a module does besides declaring: a bare import, a call, an assignment. The texts of the contracts are of no function. */
const STATEMENT = /^(?:import '|await |(?!document(?:Object|Values|Event)\()[A-Za-z][\w.]*(?:\(| = )).*/gm;

function statementsIn(among: readonly string[]): readonly string[] {
  return among.flatMap((file) =>
    [...readFileSync(`${root}${file}`, 'utf8').matchAll(STATEMENT)].map(([found]) => `${file}: ${found}`),
  );
}

test('no module but a handler does anything by being imported: bundles leave out what is not used', () => {
  const bundled = written.filter((file) => /^(functions|shared)\/.*\.ts$/.test(file));
  expect(statementsIn(bundled.filter((file) => basename(file) !== 'handler.ts'))).toEqual([]);
  expect(statementsIn(bundled).length).toBeGreaterThan(10);
});
