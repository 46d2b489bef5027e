import { describe, expect, test } from 'vitest';
import { createCloudWatch } from './cloud-watch.ts';
import { evaluate } from './expression.ts';
import type { AlarmShape } from './read-alarms.ts';

const MINUTE = 60_000;

describe('the pattern of a filter', () => {
  const fits = (pattern: string, line: Readonly<Record<string, string>>) =>
    evaluate(pattern, (name) => line[name.slice(2)]);
  const reported = '($.level = "ERROR") && (($.message.code NOT EXISTS) || ($.message.code != "REQUEST_FAILED"))';

  test.each([
    [1, { level: 'ERROR', 'message.code': 'EVENT_NOT_READ' }],
    [1, { level: 'ERROR' }],
    [0, { level: 'ERROR', 'message.code': 'REQUEST_FAILED' }],
    [0, { level: 'WARN', 'message.code': 'EVENT_NOT_READ' }],
  ])('is %d for %j', (expected, line) => {
    expect(fits(reported, line)).toBe(expected);
  });

  test('takes an asterisk for anything, and fits no field that is not there', () => {
    expect(fits('$.status = "5*"', { status: '503' })).toBe(1);
    expect(fits('$.status = "5*"', { status: '150' })).toBe(0);
    expect(fits('$.status != "5*"', {})).toBe(0);
  });
});

describe('an expression over metrics', () => {
  const values: Readonly<Record<string, number>> = { failed: 3, calls: 7, refused: 1 };
  const value = (expression: string) => evaluate(expression, (name) => values[name]);

  test.each([
    ['2 * failed >= (calls - refused)', 1],
    ['2 * failed >= calls', 0],
    ['(failed >= 3 AND 2 * failed >= (calls - refused)) OR (failed >= 10)', 1],
    ['FILL(none, 0) + failed', 3],
    ['none + failed', undefined],
    ['(FILL(none, 0) > 0) AND (failed > 0)', 0],
  ])('%s is %s', (expression, expected) => {
    expect(value(expression)).toBe(expected);
  });

  test('that is not understood is no number', () => {
    for (const expression of ['RATE(failed)', 'failed >= ', 'failed % 2', '(failed']) {
      expect(() => value(expression)).toThrow('Not understood');
    }
  });
});

describe('an alarm', () => {
  const metric = { namespace: 'n', name: 'm', dimensions: 'FunctionName=f' };
  const shape: AlarmShape = {
    name: 'Failing',
    calls: true,
    periodMinutes: 1,
    metrics: { watched: { ...metric, statistic: 'Sum' } },
    expression: 'watched',
    threshold: 2,
    isBelow: false,
    failing: 2,
    of: 3,
    missingIsBreaching: false,
  };
  /** Minutes after which it goes off, when so much is counted in each. */
  const callAfter = (counts: readonly number[], change: Partial<AlarmShape> = {}, counted = metric) => {
    const { add, look, calls } = createCloudWatch({ alarms: [{ ...shape, ...change }], filters: [] });
    for (const [minute, count] of counts.entries()) {
      for (let place = 0; place < count; place += 1) add(counted, minute * MINUTE, 1);
      look((minute + 1) * MINUTE);
    }
    return calls.map(({ at }) => at / MINUTE);
  };

  test('goes off once so many periods of those that it looks at breach it, a minute after they are over', () => {
    expect(callAfter([2, 0, 2, 0, 0])).toEqual([4]);
    expect(callAfter([2, 0, 0, 2, 0, 0])).toEqual([]);
    expect(callAfter([1, 1, 1, 1])).toEqual([]);
  });

  test('adds up a longer period, which slides', () => {
    const longer = { periodMinutes: 3, failing: 1, of: 1, threshold: 3 };
    expect(callAfter([0, 1, 1, 1, 0], longer)).toEqual([5]);
    expect(callAfter([1, 0, 0, 1, 1, 0], longer)).toEqual([]);
  });

  test('on what nobody counts never goes off, unless it is about that', () => {
    expect(callAfter([5, 5, 5, 5], {}, { ...metric, dimensions: 'FunctionName=g' })).toEqual([]);
    const heartbeat = { isBelow: true, threshold: 1, missingIsBreaching: true };
    expect(callAfter([0, 0, 0], heartbeat)).toEqual([1]);
  });

  test('that calls nobody is not looked at', () => {
    expect(callAfter([5, 5, 5, 5], { calls: false })).toEqual([]);
  });
});
