import type { Course } from './play-many.ts';
import { DELAYS } from './summary.ts';
import { tableOf } from './table.ts';

interface Bar {
  readonly name: string;
  readonly value: number;
}

/** A page with what came of a run: it needs nothing but a browser. */
export function pageOf(seed: number, course: Course, seconds: number): string {
  const { summary, failures, bySecond } = course;
  const classes = [...DELAYS.map((end) => `up to ${durationOf(end)}`), 'longer'];
  const delays = (counts: readonly number[]) => counts.map((value, index) => ({ name: classes[index] ?? '', value }));
  const bars = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts)
      .map(([name, value]) => ({ name, value }))
      .toSorted((one, other) => other.value - one.value);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Simulation, seed ${seed}</title>
<style>
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; color: #1c2430; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
pre { background: #f3f5f8; padding: 1rem; overflow-x: auto; }
.bar { display: grid; grid-template-columns: 16rem 1fr 5rem; gap: .6rem; align-items: center; }
.bar i { display: block; height: .8rem; background: #2f6fde; border-radius: 2px; min-width: 1px; }
.bar b { font-weight: 400; text-align: right; font-variant-numeric: tabular-nums; }
</style>
<h1>Simulation, seed ${seed}</h1>
<pre>${escaped(tableOf(seed, course, seconds))}</pre>
<h2>What was caught</h2>
${failures.length === 0 ? '<p>Every rule held.</p>' : failures.map((failure) => `<pre>${escaped(failure)}</pre>`).join('\n')}
<h2>Off-ramps in each second of the run</h2>
${line(bySecond.map((count, index) => count - (bySecond[index - 1] ?? 0)))}
<h2>From a final deposit to the credit of its operation</h2>
${barsOf(delays(summary.creditDelays))}
<h2>From a change to the first call of a webhook about it</h2>
${barsOf(delays(summary.deliveryDelays))}
<h2>How off-ramps ended</h2>
${barsOf(bars(summary.offRamps))}
<h2>How pay-ins ended</h2>
${barsOf(bars(summary.payins))}
<h2>How deliveries ended</h2>
${barsOf(bars(summary.deliveries))}
<h2>Faults that happened</h2>
${barsOf(bars(summary.faults))}
</html>
`;
}

function barsOf(bars: readonly Bar[]): string {
  const most = Math.max(1, ...bars.map(({ value }) => value));
  return bars
    .map(
      ({ name, value }) =>
        `<div class="bar"><span>${escaped(name)}</span><i style="width:${((100 * value) / most).toFixed(1)}%"></i><b>${value}</b></div>`,
    )
    .join('\n');
}

/** Values from left to right, the largest at the top. */
function line(values: readonly number[]): string {
  const most = Math.max(1, ...values);
  const step = 800 / Math.max(1, values.length - 1);
  const points = values.map(
    (value, index) => `${(index * step).toFixed(1)},${(100 - (100 * value) / most).toFixed(1)}`,
  );
  return `<svg viewBox="0 -5 800 110" width="100%" role="img" aria-label="at most ${most} in a second"><polyline points="${points.join(' ')}" fill="none" stroke="#2f6fde" stroke-width="2"/></svg><p>At most ${most} in a second.</p>`;
}

function durationOf(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  return seconds < 3600 ? `${seconds / 60} min` : `${seconds / 3600} h`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
