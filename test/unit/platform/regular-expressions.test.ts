import { globSync, readFileSync } from 'node:fs';
import { transformSync } from 'esbuild';
import { check } from 'recheck';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';

/** Matches a literal in the output of esbuild, which has no comments and no types. */
const LITERAL =
  /(?<=[(,=:[!&|?{;>]\s*|\breturn )\/(?<source>(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])*)\/(?<flags>[a-z]*)/g;

const files = globSync('{shared,functions,sdk}/**/*.ts').map((file) => ({ file, code: readFileSync(file, 'utf8') }));

const written = files.flatMap(({ file, code }) =>
  [...transformSync(code, { loader: 'ts' }).code.matchAll(LITERAL)].map(({ groups }) => {
    const { source = '', flags = '' } = groups ?? {};
    return { where: file, expression: new RegExp(source, flags) };
  }),
);

const described = [...readFileSync('openapi.json', 'utf8').matchAll(/"pattern": (?<text>".*")/g)].map(({ groups }) => ({
  where: 'openapi.json',
  expression: new RegExp(z.string().parse(JSON.parse(groups?.['text'] ?? ''))),
}));

/** The expressions that zod's schemas use. */
const brought = [z.regexes.guid, z.regexes.datetime({ precision: 3 }), z.regexes.datetime({ offset: true })].map(
  (expression) => ({ where: 'zod', expression }),
);

describe('no input costs a regular expression more than a multiple of its length', () => {
  test('and none is hidden from this test', () => {
    expect(files.filter(({ code }) => /\bRegExp\(/.test(code))).toEqual([]);
    expect(written.map(({ where }) => where)).toContain('shared/platform/http/json.ts');
    expect(described).not.toEqual([]);
  });

  test.each([...written, ...described, ...brought])('$where: $expression', async ({ expression }) => {
    expect(await judged(expression)).toBe('safe');
  });
});

test.each([
  [/^0+|0+$/, 'vulnerable'],
  [/^(.*),(.*)$/, 'vulnerable'],
  [/^(a|ab|b)*c$/, 'vulnerable'],
  [/^(?:a{2,}b?)+a*$/, 'vulnerable'],
  [/"(?:[^"\\]|\\.)*"/, 'vulnerable'],
  [/(?<=,)a+b/, 'unknown'],
])('%s is %s', async (expression, status) => {
  expect(await judged(expression)).toBe(status);
});

/** Judges an expression by its structure, without trying texts; the result is `unknown` if that proves nothing. */
async function judged({ source, flags }: RegExp) {
  return (await check(source, flags, { checker: 'automaton' })).status;
}
