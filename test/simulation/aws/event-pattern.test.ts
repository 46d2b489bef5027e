import { describe, expect, test } from 'vitest';
import { topology } from '#test/simulation/topology/topology-of-this-run.ts';
import { compilePattern } from './event-pattern.ts';

const matches = (pattern: unknown, event: unknown) => compilePattern(pattern)(event);

describe('an event pattern', () => {
  test('fits when every field that it names holds one of its values', () => {
    const pattern = { source: ['a', 'b'], 'detail-type': ['t'] };
    expect(matches(pattern, { source: 'b', 'detail-type': 't', detail: {} })).toBe(true);
    expect(matches(pattern, { source: 'c', 'detail-type': 't' })).toBe(false);
    expect(matches(pattern, { source: 'a' })).toBe(false);
  });

  test('compares texts with their case, and no text with another kind of value', () => {
    expect(matches({ a: ['x'] }, { a: 'X' })).toBe(false);
    expect(matches({ a: ['true'] }, { a: true })).toBe(false);
    expect(matches({ a: [true, null] }, { a: true })).toBe(true);
    expect(matches({ a: [true, null] }, { a: null })).toBe(true);
    expect(matches({ a: [null] }, {})).toBe(false);
  });

  test('fits fields within fields, and lists that hold one of its values', () => {
    expect(matches({ detail: { status: ['PENDING'] } }, { detail: { status: 'PENDING' } })).toBe(true);
    expect(matches({ detail: { status: ['PENDING'] } }, { detail: 'PENDING' })).toBe(false);
    expect(matches({ detail: { tags: ['x'] } }, { detail: { tags: ['y', 'x'] } })).toBe(true);
    expect(matches({ detail: { tags: ['x'] } }, { detail: { tags: ['y', ['x']] } })).toBe(true);
    expect(matches({ detail: { of: ['x'] } }, { detail: [{ of: 'y' }, { of: 'x' }] })).toBe(true);
    expect(matches({ a: { b: ['x'], c: ['x'] } }, { a: [{ b: 'x', c: 'x' }] })).toBe(true);
    expect(matches({ a: { b: ['x'], c: ['x'] } }, { a: [{ b: 'x' }, { c: 'x' }] })).toBe(false);
  });

  test('fits the beginning of a text', () => {
    expect(matches({ type: [{ prefix: 'ramp.' }] }, { type: 'ramp.operation' })).toBe(true);
    expect(matches({ type: [{ prefix: 'ramp.' }] }, { type: 'framp.operation' })).toBe(false);
    expect(matches({ type: [{ prefix: '1' }] }, { type: 1 })).toBe(false);
  });

  test('fits any text but those', () => {
    const pattern = { source: [{ 'anything-but': ['a', 'b'] }] };
    expect(['a', 'b', 'c'].map((source) => matches(pattern, { source }))).toEqual([false, false, true]);
    expect(matches(pattern, {})).toBe(false);
  });

  test('knows whether a value is there; what has fields of its own is none', () => {
    expect(matches({ a: { b: [{ exists: true }] } }, { a: { b: null } })).toBe(true);
    expect(matches({ a: { b: [{ exists: true }] } }, { a: { b: { c: 1 } } })).toBe(false);
    expect(matches({ a: { b: [{ exists: true }] } }, { a: {} })).toBe(false);
    expect(matches({ a: { b: [{ exists: false }] } }, {})).toBe(true);
    expect(matches({ a: { b: [{ exists: false }] } }, { a: 'text' })).toBe(true);
    expect(matches({ a: [{ exists: false }] }, { a: [] })).toBe(true);
    expect(matches({ a: { b: [{ exists: false }] } }, { a: { b: 1 } })).toBe(false);
  });

  test.each([
    { a: [{ 'anything-but': { prefix: 'x' } }] },
    { a: [{ suffix: 'x' }] },
    { a: [{ prefix: { 'equals-ignore-case': 'x' } }] },
    { a: [{ prefix: 'x', exists: true }] },
    { a: [1] },
    { a: [] },
    { a: 'x' },
    { $or: [{ a: ['x'] }] },
    ['x'],
  ])('is not understood when it holds more: %j', (pattern) => {
    expect(() => compilePattern(pattern)).toThrow('the event pattern');
  });

  test('of the templates are all understood', () => {
    const patterns = [
      ...topology.rules.map(({ pattern }) => pattern),
      ...topology.streamConsumers.flatMap(({ filters }) => filters),
    ];
    expect(patterns).toHaveLength(7);
    expect(() => patterns.map(compilePattern)).not.toThrow();
  });
});
