import { beforeAll, describe, expect, inject, test } from 'vitest';
import { deployed } from '#test/simulation/service/deployed.ts';
import { textOf } from '#test/support/markdown.ts';
import { costOf, fixedCosts, type Line, total, usageOf } from './estimate.ts';
import type { Usage } from './meter.ts';
import { PRICED_ON } from './prices.ts';
import { type Course, courses } from './scripts.ts';
import { rowsPerMillion, tableOf } from './table.ts';

const played = new Map<Course, { readonly units: Usage; readonly costs: ReadonlyMap<Line, number> }>();

beforeAll(async () => {
  const service = await deployed(inject('topology'));
  for (const course of courses) {
    const units = await usageOf(service, course, 1);
    played.set(course, { units, costs: costOf(units) });
  }
}, 120_000);

const page = textOf('docs/cost.md');

test('docs/cost.md has what a million of each costs, line by line, and the day of the prices', () => {
  const [, table = ''] = page.split('## A million of each');
  const rows = table.split('\n').filter((line) => /^\| .*( [\d,.]+ \|){4}$/.test(line));
  expect(rows).toEqual(rowsPerMillion([...played.values()]));
  expect(page).toContain(PRICED_ON);
  const printed = tableOf(
    courses.map((course) => ({ course, month: 0, units: new Map(), costs: new Map() })),
    new Map(),
  );
  const [head = ''] = printed.match(/^\| Line .*$/m) ?? [];
  expect(page).toContain(head);
  const names = [...printed.matchAll(/^\| 0 × (.+) \| 0.0 \|$/gm)].map(([, name]) => name);
  expect(`| Line | ${names.join(' | ')} |`).toBe(head);
});

describe('what one takes is what its way through the service says', () => {
  const units = (course: Course, what: string) => played.get(course)?.units.get(what);

  test('an off-ramp with one webhook has seven events, each published and delivered once, with one slot and a secret that is kept', () => {
    const each = ['event', 'call webhooks/deliver-webhook', 'keyUse'].map((what) => units('offRamp', what));
    expect(each).toEqual([7, 7, 0]);
    // Each slot is taken and given back; a message that finds no free slot tries a few times.
    expect(units('offRamp', 'write slots')).toBeLessThan(2.5 * 7);
  });

  test('a request of the API is counted for each route that is called: creation, report, three notifications', () => {
    expect(units('offRamp', 'apiRequest')).toBe(5);
  });

  test('a pay-in that nobody pays is polled fifteen times by the sweep', () => {
    expect(units('neverPaid', 'asked rail.find pay-ins/settle-open-payins')).toBeCloseTo(15, 0);
  });

  test('a pay-in is read at most seven times for the list of 61 days: two days in which its page changes, and each fifteen days', () => {
    const [own, pages] = [6, 61 / 20];
    expect(units('payIn', 'read payins')).toBeLessThan(own + pages + 7);
  });

  test('a hash that no transaction has is polled for a day by at most 55 transitions', () => {
    expect(units('neverFound', 'transition')).toBeLessThanOrEqual(55);
  });
});

test('goals of costs that are met stay met', () => {
  const perMillion = (course: Course, line?: Line) => {
    const costs = played.get(course)?.costs ?? new Map<Line, number>();
    return 1e6 * (line === undefined ? total(costs) : (costs.get(line) ?? 0));
  };
  expect(perMillion('neverFound', 'Step Functions')).toBeLessThanOrEqual(1400);
  expect(perMillion('neverPaid')).toBeLessThanOrEqual(135);
  expect(perMillion('payIn')).toBeLessThanOrEqual(70);
});

test('an alarm costs as much as the metrics that it reads, whatever its expressions', () => {
  const read = (Id: string) => ({ Id, MetricStat: {} });
  const Resources = {
    Plain: { Type: 'AWS::CloudWatch::Alarm', Properties: { MetricName: 'Errors' } },
    Share: {
      Type: 'AWS::CloudWatch::Alarm',
      Properties: { Metrics: [{ Id: 'share', Expression: 'a / b' }, read('a'), read('b')] },
    },
  };
  expect(fixedCosts({ service: { Resources } }, inject('topology')).get('Alarms')).toBeCloseTo(0.3);
});
