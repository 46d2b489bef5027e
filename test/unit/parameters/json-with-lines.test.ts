import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NotJson, parseJsonWithLines } from '#infra/parameters/json-with-lines.ts';

function faultOf(text: string): unknown {
  try {
    return parseJsonWithLines(text).value;
  } catch (error) {
    if (error instanceof NotJson) return { line: error.line, message: error.message };
    throw error;
  }
}

describe('JSON with lines', () => {
  test('has the value that JSON.parse reads', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(undefined, 1, '\t'), (json, indent) => {
        const text = JSON.stringify(JSON.parse(json), null, indent);
        expect(parseJsonWithLines(text).value).toEqual(JSON.parse(text));
      }),
    );
  });

  test('refuses what JSON.parse refuses', () => {
    const pieces = ['[', ']', '{', '}', ',', ':', '"a"', '"', '1', '-', '.5', '01', 'true', 'nul', '\n', ' ', '\\u00'];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 9 }), (chosen) => {
        const text = chosen.join('');
        let isJson = true;
        try {
          JSON.parse(text);
        } catch {
          isJson = false;
        }
        const fault = expect.objectContaining({ line: expect.any(Number), message: expect.any(String) });
        if (!isJson) expect(faultOf(text)).toEqual(fault);
      }),
      { numRuns: 2000 },
    );
  });

  test('knows the line of each value', () => {
    const { lineOf } = parseJsonWithLines('\n[\n  { "a": 1,\n    "b": [true,\n      "x"] },\n  null\n]\n');
    expect([lineOf([]), lineOf([0]), lineOf([0, 'a']), lineOf([0, 'b', 0]), lineOf([0, 'b', 1]), lineOf([1])]).toEqual([
      2, 3, 3, 4, 5, 6,
    ]);
  });

  test('knows for what is not there the line of what it would be in', () => {
    const { lineOf } = parseJsonWithLines('[\n  {\n    "a": {}\n  }\n]');
    expect([lineOf([0, 'b']), lineOf([0, 'a', 'x', 'y']), lineOf([5, 'a'])]).toEqual([2, 3, 1]);
  });

  test.each([
    ['[\n  1,\n]', 3, '] is not expected here'],
    ['{\n  "a": 1\n  "b": 2\n}', 3, '"b" is not expected here'],
    ['[\n  01\n]', 2, '01 is not expected here'],
    ['[\n\n', 3, 'the file ends too early'],
    ['', 1, 'the file ends too early'],
    ['[1]\n[2]', 2, '[ is not expected here'],
    ['{\n  "a": 1,\n  "a": 2\n}', 3, 'a is repeated'],
    ['{\n  "a\\u0062": 1,\n  "ab": 2\n}', 3, 'ab is repeated'],
  ])('%j: line %i: %s', (text, line, message) => {
    expect(faultOf(text)).toEqual({ line, message });
  });
});
