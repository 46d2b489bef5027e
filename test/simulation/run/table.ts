import type { Course } from './play-many.ts';
import { DELAYS, total } from './summary.ts';

/** What came of a run, for a terminal. */
export function tableOf(seed: number, { summary, failures }: Course, seconds: number): string {
  const offRamps = total(summary.offRamps);
  const each = (amount: number) => (offRamps === 0 ? '-' : (amount / offRamps).toFixed(1));
  const rows: readonly (readonly [string, string])[] = [
    ['seed', String(seed)],
    ['rounds', `${summary.rounds}, ${failures.length} failed`],
    ['off-ramps', `${offRamps}: ${listOf(summary.offRamps)}`],
    ['pay-ins', `${total(summary.payins)}: ${listOf(summary.payins)}`],
    ['deliveries', `${total(summary.deliveries)}: ${listOf(summary.deliveries)}`],
    ['final, nobody told of it', `${summary.unseen} transfers to our addresses are on no record`],
    ['virtual time', `${(summary.hours / 24 / 365).toFixed(1)} years`],
    ['time', `${seconds.toFixed(0)} s, ${(offRamps / seconds).toFixed(0)} off-ramps a second`],
    ['requests to tables', `${summary.requests}, ${each(summary.requests)} an off-ramp`],
    ['transitions of executions', `${summary.transitions}, ${each(summary.transitions)} an off-ramp`],
    ['faults', `${total(summary.faults)}, ${each(total(summary.faults))} an off-ramp`],
    ['deposit final to credit', delaysOf(summary.creditDelays)],
    ['change to first delivery', delaysOf(summary.deliveryDelays)],
  ];
  return rows.map(([name, value]) => `${name.padEnd(26)} ${value}\n`).join('');
}

function listOf(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .toSorted(([, one], [, other]) => other - one)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');
}

/** The class that half of them, and that 99 of 100, are in at most. */
function delaysOf(classes: readonly number[]): string {
  const all = classes.reduce((sum, count) => sum + count, 0);
  const within = (share: number) => {
    let sum = 0;
    const index = classes.findIndex((count) => {
      sum += count;
      return sum >= all * share;
    });
    const end = DELAYS[index];
    return end === undefined ? `over ${DELAYS.at(-1)} s` : `${end} s`;
  };
  return all === 0 ? '-' : `half within ${within(0.5)}, 99 % within ${within(0.99)}`;
}
