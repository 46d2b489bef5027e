import { problemIn } from '#sdk/api-problem.ts';
import type { Fetch } from '#sdk/send.ts';
import type { Clock } from '#shared/platform/clock.ts';

/** Collects what is measured while a stage is under load. */
export function createMeasurements({ now }: Pick<Clock, 'now'>) {
  const latencies = new Map<string, number[]>();
  const errors = new Map<string, number>();
  const credited: number[] = [];
  const ends = new Map<string, number>();
  const count = (counts: Map<string, number>, what: string) => void counts.set(what, (counts.get(what) ?? 0) + 1);

  return {
    /** Seconds from the end of a deposit's confirmations to the credit in the client's feed. */
    credited,
    /** Counts off-ramps and pay-ins by their outcome. */
    ended: (what: string, outcome: string) => count(ends, `${what}: ${outcome}`),
    endsOf: () => ends,

    /** Measures every attempt, also one that is repeated because of its answer. */
    measuring(baseUrl: string, fetch: Fetch): Fetch {
      return async (url, init) => {
        const route = `${init.method} ${url.replace(baseUrl, '').replace(/\?.*/, '').replaceAll(ID, '{id}')}`;
        const begun = now().getTime();
        try {
          const answer = await fetch(url, init);
          const text = await answer.clone().text();
          const ofRoute = latencies.get(route) ?? [];
          ofRoute.push(now().getTime() - begun);
          latencies.set(route, ofRoute);
          if (answer.status >= 400) {
            const { status, headers } = answer;
            count(errors, `${status} ${problemIn({ status, headers, text })?.code ?? ''} ${route}`);
          }
          return answer;
        } catch (error) {
          count(errors, `no answer ${route}`);
          throw error;
        }
      };
    },

    /** The report for people. */
    report(): string {
      const rows = [...latencies]
        .toSorted(([one], [other]) => one.localeCompare(other))
        .map(
          ([route, all]) =>
            `  ${[quantile(all, 0.5), quantile(all, 0.99)].map(padded).join(' ')} ${padded(all.length)}  ${route}`,
        );
      return [
        '   p50 ms   p99 ms    calls  route',
        ...rows,
        ...listed('Errors answered, also to calls that were repeated', errors),
        '',
        `Seconds from final to credited: p50 ${quantile(credited, 0.5).toFixed(1)}, p99 ${quantile(credited, 0.99).toFixed(1)}, of ${credited.length}`,
        ...listed('How they ended', ends),
      ].join('\n');
    },
  };
}

export type Measurements = ReturnType<typeof createMeasurements>;

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

function listed(title: string, counts: ReadonlyMap<string, number>): readonly string[] {
  const rows = [...counts].toSorted(([, one], [, other]) => other - one);
  return [
    '',
    `${title}:`,
    ...(rows.length === 0 ? ['  none'] : rows.map(([what, number]) => `  ${padded(number)}  ${what}`)),
  ];
}

/** The value that this share of all values does not exceed. */
export function quantile(all: readonly number[], share: number): number {
  const sorted = all.toSorted((one, other) => one - other);
  return sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
}

function padded(number: number): string {
  return String(number).padStart(8);
}
