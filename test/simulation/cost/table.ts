import { type Line, lines, total } from './estimate.ts';
import type { Usage } from './meter.ts';
import type { Course } from './scripts.ts';

/** What one of a course takes and costs, and how many there are in a month. */
export interface CourseCosts {
  readonly course: Course;
  readonly month: number;
  readonly units: Usage;
  readonly costs: ReadonlyMap<Line, number>;
}

const MILLION = 1e6;

/** How readers call the courses. */
const titles: Readonly<Record<Course, string>> = {
  offRamp: 'Off-ramp',
  payIn: 'Pay-in',
  neverFound: 'Never found',
  neverPaid: 'Never paid',
};

const rowOf = (name: string, numbers: readonly number[]) => `| ${[name, ...numbers.map(written)].join(' | ')} |`;

/** Returns the rows of docs/cost.md: dollars for a million of each. */
export function rowsPerMillion(courses: readonly Pick<CourseCosts, 'costs'>[]): readonly string[] {
  return [
    ...lines.map((line) =>
      rowOf(
        line,
        courses.map(({ costs }) => MILLION * (costs.get(line) ?? 0)),
      ),
    ),
    rowOf(
      '**Total**',
      courses.map(({ costs }) => MILLION * total(costs)),
    ),
  ];
}

/** Returns those rows, and the costs of a month, as Markdown. */
export function tableOf(courses: readonly CourseCosts[], fixed: ReadonlyMap<string, number>): string {
  const variable = courses.reduce((sum, { month, costs }) => sum + month * total(costs), 0);
  return [
    'Dollars for a million',
    '',
    `| ${['Line', ...courses.map(({ course }) => titles[course])].join(' | ')} |`,
    `| ---${' | --:'.repeat(courses.length)} |`,
    ...rowsPerMillion(courses),
    '',
    'Dollars a month',
    '',
    '| What | $ |',
    '| --- | --: |',
    ...courses.map(({ course, month, costs }) =>
      rowOf(`${month.toLocaleString('en-US')} × ${titles[course]}`, [month * total(costs)]),
    ),
    ...[...fixed].map(([what, dollars]) => rowOf(what, [dollars])),
    rowOf('**Total**', [variable + total(fixed)]),
    '',
  ].join('\n');
}

function written(dollars: number): string {
  return dollars.toLocaleString('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 });
}
