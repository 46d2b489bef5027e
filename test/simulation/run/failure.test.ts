import { expect, test } from 'vitest';
import { Violation } from '#test/simulation/books/violation.ts';
import { kindOf } from './failure.ts';

test('a violation is of the kind of its rule, whatever its facts', () => {
  expect(kindOf(new Violation('a hash funds one operation', { hash: '0x1' }))).toBe('a hash funds one operation');
});

test.each([
  [new Error('CANCEL was not refused: 200 {"id":"1"}'), new Error('CANCEL was not refused: 201 {"id":"2"}')],
  [new Error('Two were made under the key off-ramp 3: {}'), new Error('Two were made under the key off-ramp 4: {}')],
])('errors that differ in ids, numbers and bodies are of one kind: %s', (one, other) => {
  expect(kindOf(one)).toBe(kindOf(other));
});

test('errors of other words are of other kinds', () => {
  expect(kindOf(new Error('CANCEL was not refused: 200'))).not.toBe(kindOf(new Error('SUBMIT was not refused: 200')));
  expect(kindOf(new TypeError('gone'))).not.toBe(kindOf(new Error('gone')));
});
