import type { Played } from './played.ts';

type Counts = Readonly<Record<string, number>>;

/** The results of many rounds. */
export type Summary = Played & { readonly rounds: number };

export const NOTHING: Summary = {
  rounds: 0,
  offRamps: {},
  payins: {},
  deliveries: {},
  deposits: {},
  sendings: {},
  faults: {},
  restores: {},
  requests: 0,
  hours: 0,
};

export function added(one: Summary, other: Summary): Summary {
  return {
    rounds: one.rounds + other.rounds,
    offRamps: addedCounts(one.offRamps, other.offRamps),
    payins: addedCounts(one.payins, other.payins),
    deliveries: addedCounts(one.deliveries, other.deliveries),
    deposits: addedCounts(one.deposits, other.deposits),
    sendings: addedCounts(one.sendings, other.sendings),
    faults: addedCounts(one.faults, other.faults),
    restores: addedCounts(one.restores, other.restores),
    requests: one.requests + other.requests,
    hours: one.hours + other.hours,
  };
}

export function total(counts: Counts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

function addedCounts(one: Counts, other: Counts): Counts {
  const sum: Record<string, number> = { ...one };
  for (const [name, count] of Object.entries(other)) sum[name] = (sum[name] ?? 0) + count;
  return sum;
}

/** Formats the results of a run for a terminal. */
export function tableOf(seed: number, summary: Summary, failed: number, seconds: number): string {
  const offRamps = total(summary.offRamps);
  const each = (amount: number) => (offRamps === 0 ? '-' : (amount / offRamps).toFixed(1));
  const rows: readonly (readonly [string, string])[] = [
    ['seed', String(seed)],
    ['rounds', `${summary.rounds}, ${failed} failed`],
    ['off-ramps', listOf(summary.offRamps)],
    ['pay-ins', listOf(summary.payins)],
    ['deliveries', listOf(summary.deliveries)],
    ['deposits', listOf(summary.deposits)],
    ['sendings', listOf(summary.sendings)],
    ...restoresOf(summary.restores, failed),
    ['virtual time', `${(summary.hours / 24 / 365).toFixed(1)} years in ${seconds.toFixed(0)} s`],
    ['requests to tables', `${summary.requests}, ${each(summary.requests)} an off-ramp`],
    ['faults', `${total(summary.faults)}, ${each(total(summary.faults))} an off-ramp`],
  ];
  return rows.map(([name, value]) => `${name.padEnd(26)} ${value}\n`).join('');
}

/** What a restore breaks shows as a failed round. */
function restoresOf({ played, ...done }: Counts, failed: number): readonly (readonly [string, string])[] {
  if (played === undefined) return [];
  const steps = Object.entries(done).map(([name, count]) => `${count} ${name}`);
  const found =
    failed === 0 ? 'no deposit lost, no address given twice, none sent back or paid out twice' : 'see below';
  return [
    ['restores', `${played}: ${steps.join(', ')}`],
    ['found', found],
  ];
}

function listOf(counts: Counts): string {
  const most = Object.entries(counts).toSorted(([, one], [, other]) => other - one);
  return `${total(counts)}: ${most.map(([name, count]) => `${count} ${name}`).join(', ')}`;
}
