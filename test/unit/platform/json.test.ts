import Big from 'big.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseJson, WrittenNumber } from '#shared/platform/http/json.ts';
import { expectApiError } from '#test/support/expect-api-error.ts';

const codeFor = async (text: string) => (await expectApiError(() => parseJson(text))).code;

describe('decisions 3: MALFORMED_JSON', () => {
  test.each(['', '{"a":1,}', '{"a":NaN}', '{} {}', '{"a":"\n"}', '\ufeff{}'])(
    '%j is not one JSON value',
    async (text) => {
      expect(await codeFor(text)).toBe('MALFORMED_JSON');
    },
  );

  test.each([
    '{"a":1,"a":1}',
    '{"a":1,"\\u0061":2}',
    '{"\\u0061":1,"\\u0061":2}',
    '[{"x":[{"b":1,"c":{},"b":2}]}]',
    '{"\\"":1,"\\u0022":2}',
    '{"/":1,"\\/":2}',
    '{"a":"\\"","a":1}',
    '{"a":"\\\\","a":1}',
    '{ "a" : 1 , "a" : 2 }',
  ])('a repeated key is refused: %s', async (text) => {
    expect(await codeFor(text)).toBe('MALFORMED_JSON');
  });

  test('a repeated key is refused; text that only looks like one is not', async () => {
    interface Written {
      readonly json: string;
      readonly isRepeated: boolean;
    }
    // No key has a backslash: after one V8 13.6 misreads keys that are escaped (nodejs/node#63785).
    const key = fc.constantFrom('', 'a', 'b', ':', '"', '":', '{"a":1,"a":2}', '__proto__');
    const text = fc.oneof(key, fc.constantFrom('\\', '\\":', '\\"'));
    const { value } = fc.letrec<{ value: Written }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc
          .oneof(text, fc.integer(), fc.constant(null))
          .map((one) => ({ json: JSON.stringify(one), isRepeated: false })),
        fc.array(tie('value'), { maxLength: 4 }).map((values) => ({
          json: `[${values.map(({ json }) => json).join()}]`,
          isRepeated: values.some(({ isRepeated }) => isRepeated),
        })),
        fc.array(fc.tuple(key, tie('value')), { maxLength: 4 }).map((members) => ({
          json: `{${members.map(([name, { json }]) => `${JSON.stringify(name)}:${json}`).join()}}`,
          isRepeated:
            new Set(members.map(([name]) => name)).size < members.length ||
            members.some(([, { isRepeated }]) => isRepeated),
        })),
      ),
    }));
    await fc.assert(
      fc.asyncProperty(value, async ({ json, isRepeated }) => {
        if (isRepeated) expect(await codeFor(json)).toBe('MALFORMED_JSON');
        else expect(JSON.stringify(parseJson(json))).toBe(json);
      }),
      { numRuns: 2000 },
    );
  });

  test.each([
    ['escaped, in a value', '{"a":"\\ud800"}'],
    ['escaped, at the end of a text', '{"a":"x\\ud83d"}'],
    ['escaped, in the wrong order', '{"a":"\\udc00\\ud800"}'],
    ['bare', '{"a":"\ud800"}'],
    ['escaped, in a key', '{"\\ud800":1}'],
  ])('a lone surrogate is refused: %s', async (_, text) => {
    expect(await codeFor(text)).toBe('MALFORMED_JSON');
  });

  test('deep nesting ends as an error, not as a stack overflow', async () => {
    for (const depth of [10_000, 1_000_000]) {
      expect(await codeFor('['.repeat(depth))).toBe('MALFORMED_JSON');
      expect(await codeFor('{"a":'.repeat(depth))).toBe('MALFORMED_JSON');
    }
  });

  test('nesting that is closed is read or refused, nothing else', async () => {
    for (const depth of [100, 3000, 30_000, 500_000]) {
      const text = '['.repeat(depth) + ']'.repeat(depth);
      const outcome = await Promise.resolve()
        .then(() => parseJson(text))
        .then(Array.isArray, (error: unknown) => (error instanceof Error ? error.name : 'unknown'));
      expect([true, 'ApiError']).toContain(outcome);
    }
  });

  test.each([
    ['\ufeff{}', 'begins with a byte order mark'],
    ['{"a":"\\ud83d"}', 'has half a character'],
    ['['.repeat(100_000) + ']'.repeat(100_000), 'is nested too deeply'],
  ])('what other parsers take is refused for a reason: case %$', async (text, reason) => {
    expect((await expectApiError(() => parseJson(text))).message).toContain(reason);
  });

  test('an error carries nothing of the body to the client', async () => {
    const error = await expectApiError(() => parseJson('{"client_secret":"s3cr3t",}'));
    expect(error.message).not.toContain('s3cr3t');
    expect(error.status).toBe(400);
  });

  test('whatever text is given, it is read or refused with MALFORMED_JSON', async () => {
    const jsonLike = fc.string({ unit: fc.constantFrom(...'{}[]":,\\ue1.-0 tn', '\ud800', 'a'), maxLength: 40 });
    const broken = fc
      .tuple(fc.json(), fc.nat(), fc.string({ maxLength: 2 }))
      .map(([json, at, put]) => json.slice(0, at % (json.length + 1)) + put + json.slice((at % (json.length + 1)) + 1));
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string({ unit: 'binary' }), jsonLike, broken), async (text) => {
        const isReadable = readsAsJson(text);
        const code = await expectApiError(() => parseJson(text)).then(
          (error) => error.code,
          (error: unknown) => (error instanceof Error ? error.message : 'unknown'),
        );
        expect(isReadable ? ['MALFORMED_JSON', 'It was not refused.'] : ['MALFORMED_JSON']).toContain(code);
      }),
      { numRuns: 2000 },
    );
  });
});

function readsAsJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('decisions 3: what is one JSON value arrives as it is', () => {
  test('whatever value it is', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'grapheme' }), (value) => {
        const text = JSON.stringify(value);
        expect(JSON.stringify(parseJson(text))).toBe(text);
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    '{"a":"\\"a\\":1","b":"{\\"a\\":1,\\"a\\":2}"}',
    '{"a":[":","a",{"a":1}],"A":1}',
    '{"\\\\u0061":1,"a":2}',
    '{"a":"\\ud83d\\ude00"}',
  ])('no key is repeated in %s', (text) => {
    expect(parseJson(text)).toEqual(JSON.parse(text));
  });

  test('a key that is a name of every object is a key like another', () => {
    expect(Object.keys(Object(parseJson('{"constructor":1,"toString":2,"hasOwnProperty":3}')))).toHaveLength(3);
  });
});

describe('decisions 4, what counts as confirmed, amount equal as exact decimals: a number loses no digit', () => {
  test.each([
    ['1', 1],
    ['1.0', 1],
    ['0.1', 0.1],
    ['0.000', 0],
    ['1e2', 100],
    ['1.5e-3', 0.0015],
    ['9007199254740991', 9007199254740991],
  ])('%s, which a double holds exactly, stays a number', (source, expected) => {
    expect(parseJson(`{"amount":${source}}`)).toEqual({ amount: expected });
  });

  test.each(['0.10000000000000000001', '9007199254740993', '1.000000000000000001', '1e999', '1e-999'])(
    '%s, which a double does not hold, stays as it was written',
    (source) => {
      expect(parseJson(source)).toEqual(new WrittenNumber(source));
      expect(parseJson(`{"a":[${source}]}`)).toEqual({ a: [new WrittenNumber(source)] });
    },
  );

  test('any decimal keeps its digits', () => {
    const digits = (longest: number) =>
      fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: longest });
    const decimal = fc
      .tuple(fc.boolean(), digits(25), digits(20))
      .map(([negative, before, after]) => `${negative ? '-' : ''}${before.replace(/^0+(?=\d)/, '')}.${after}`);
    fc.assert(
      fc.property(decimal, (source) => {
        const parsed = parseJson(source);
        const text = parsed instanceof WrittenNumber ? parsed.text : String(parsed);
        expect(new Big(text).eq(source)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});
