import { expect, test } from 'vitest';
import { START } from '#test/simulation/world/script/moments.ts';
import type { Names } from './names.ts';
import { readable, readableHistory, sinceStart } from './readable.ts';

const OFF_RAMP = '00000000-0000-4000-8000-00005f6c30b7';

const names: Names = { learn: () => {}, named: (text) => text.replaceAll(OFF_RAMP, 'off-ramp 2') };

test.each([
  [START, '+0:00'],
  [START + 61_000, '+1:01'],
  [START + 3_723_004, '+1:02:03.004'],
  [START - 1500, '-0:01.500'],
])('%i is %s since the start of a round', (instant, written) => {
  expect(sinceStart(instant)).toBe(written);
});

test('ids that have a name are written by it, and others by their last digits', () => {
  const line = `Put slots {"of":"${OFF_RAMP}","token":"00000000-0000-4000-8000-00008d07a4a6"}`;
  expect(readable(line, names)).toBe('Put slots {of:off-ramp 2,token:…a4a6}');
});

test('times in lines are written since the start of the round', () => {
  const line = `{"at":"${new Date(START + 1500).toISOString()}","from":${START + 60_000},"expires":${START / 1000 + 1}}`;
  expect(readable(line, names)).toBe('{at:+0:01.500,from:+1:00,expires:+0:01}');
});

test('who does what, and when, is written once for all that follows', () => {
  const line = (at: number, who: string, text: string) => ({ at: START + at, who, text });
  const lines = [
    line(0, 'off-ramps/match-deposit (1)', 'one'),
    line(0, 'off-ramps/match-deposit (1)', 'two'),
    line(0, 'client 1', 'three'),
    line(90_000, 'client 1', 'four'),
  ];
  expect(readableHistory(lines, names, []).map((text) => text.split(/ {2,}/).slice(-3))).toEqual([
    ['+0:00', 'match-deposit (1)', 'one'],
    ['', 'two'],
    ['', 'client 1', 'three'],
    [''],
    ['+1:30', 'client 1', 'four'],
  ]);
});

test('of a long transaction the beginning of each leg is shown', () => {
  const text = `Put operations {${'x'.repeat(500)}} · Put hashes {}`;
  const [line] = readableHistory([{ at: START, who: 'client 1', text }], names, []);
  expect(line).toMatch(/Put operations \{x+ … · Put hashes \{\}$/);
});

test('queries of sweeps that found nothing are left out, those of others are not', () => {
  const query = (who: string) => ({ at: START, who, text: 'query payins due {} → 0' });
  const lines = [query('pay-ins/settle-open-payins (1)'), query('pay-ins/list-payins (2)')];
  expect(readableHistory(lines, names, ['pay-ins/settle-open-payins'])).toEqual([
    expect.stringContaining('list-payins (2)'),
  ]);
});
