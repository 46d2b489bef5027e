import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const here = fileURLToPath(new URL('.', import.meta.url));

const files = globSync('*/*.ts', { cwd: here });

function namesIn(files: readonly string[], quoted: RegExp): ReadonlySet<string> {
  const texts = files.map((file) => readFileSync(`${here}${file}`, 'utf8'));
  return new Set(texts.flatMap((text) => [...text.matchAll(quoted)].map(([, name = '']) => name)));
}

const isTest = (file: string) => file.endsWith('.test.ts');

test('each rule has a history that breaks it', () => {
  const rules = namesIn(
    files.filter((file) => !isTest(file)),
    /must\(\s*'([^']+)'/g,
  );
  const broken = namesIn(files.filter(isTest), /^\s*\[?\s*'([^']+)',/gm);
  expect(rules.size).toBeGreaterThan(100);
  expect([...rules].filter((rule) => !broken.has(rule))).toEqual([]);
});
