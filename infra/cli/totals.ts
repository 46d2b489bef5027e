import Big from 'big.js';
import type { Report } from '#infra/platform/operator-route.ts';

/** A line of a report. */
export type Line = Readonly<Record<string, unknown>>;

type Total = Readonly<Record<string, string | number>>;

/** Adds up lines one by one, exactly. */
export class Totals {
  readonly #report: Report;
  readonly #groups = new Map<
    string,
    { readonly of: Readonly<Record<string, string>>; count: number; sums: readonly Big[] }
  >();

  constructor(report: Report) {
    this.#report = report;
  }

  add(line: Line): void {
    const by = ['day', ...this.#report.by];
    const of = Object.fromEntries(by.map((name) => [name, String(line[name] ?? '')]));
    const key = JSON.stringify(of);
    const { adds } = this.#report;
    const group = this.#groups.get(key) ?? { of, count: 0, sums: adds.map(() => new Big(0)) };
    group.count += 1;
    group.sums = group.sums.map((sum, position) => sum.plus(String(line[adds[position] ?? ''])));
    this.#groups.set(key, group);
  }

  /** One total for each day and each combination of the other fields, in that order. */
  all(): readonly Total[] {
    return [...this.#groups]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([, { of, count, sums }]) => {
        const added = this.#report.adds.map((name, position) => [name, sums[position]?.toFixed() ?? '0'] as const);
        return { ...of, count, ...Object.fromEntries(added) };
      });
  }
}
