import { globSync, readFileSync } from 'node:fs';
import { transformSync } from 'esbuild';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { isLinear } from '#test/support/regular-expressions.ts';

/** Where one may stand in what esbuild prints, which has no comments and no types. */
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

/** Those that schemas bring along. */
const brought = [z.regexes.guid, z.regexes.datetime({ precision: 3 }), z.regexes.datetime({ offset: true })].map(
  (expression) => ({ where: 'zod', expression }),
);

describe('no input costs a regular expression more than a multiple of its length', () => {
  test('and none is hidden from this test', () => {
    expect(files.filter(({ code }) => /\bRegExp\(/.test(code))).toEqual([]);
    expect(written.map(({ where }) => where)).toContain('shared/platform/http/json.ts');
    expect(described).not.toEqual([]);
  });

  test.each([...written, ...described, ...brought])('$where: $expression', ({ expression }) => {
    expect(isLinear(expression)).toBe(true);
  });
});

describe('the judgement', () => {
  test.each([
    /^0+|0+$/,
    /0+$/,
    /\s+$/,
    /^a+a+$/,
    /^[a-z]+[a-z0-9]*$/,
    /^(a+)+$/,
    /^(a|a)*$/,
    /^(a|ab|b)*c$/,
    /^(.*),(.*)$/,
    /^https?:\/\/[^\s/]+[^\s]*$/,
    /"(?:[^"\\]|\\.)*"/,
    /^(?:a{2,}b?)+a*$/,
  ])('%s can be made to cost more', (expression) => {
    expect(isLinear(expression)).toBe(false);
  });

  test.each([
    /^0+/,
    /^(\d+\.)*\d+$/,
    /^[^,]*,(.*)$/,
    /[^.]\.[^.]+$/,
    /"[^"]*"/,
    /^[a-z]{1,255}$/,
    /^(?:a|b|c)+d$/,
    /^https?:\/\/[^\s/]+(?:\/[^\s]*)?$/,
    /^(a{3})*b$/,
  ])('%s cannot', (expression) => {
    expect(isLinear(expression)).toBe(true);
  });

  test.each([/^(?=a)a/, /^(a)\1$/, /^(a*)*$/])('%s is not given', (expression) => {
    expect(() => isLinear(expression)).toThrow('Not judged');
  });
});
