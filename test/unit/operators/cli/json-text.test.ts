import { expect, test } from 'vitest';
import { jsonText } from '#infra/cli/json-text.ts';

test('text of a client cannot move the cursor in JSON either, and is read as it was written', () => {
  const written = { reference: 'a\u009b2Jb\u202e\u007f\u2028\u{e0001}', name: 'José 😀 \n' };
  const printed = jsonText(written);
  expect(printed).toBe('{"reference":"a\\u009b2Jb\\u202e\\u007f\\u2028\\udb40\\udc01","name":"José 😀 \\n"}');
  expect(JSON.parse(printed)).toEqual(written);
});
