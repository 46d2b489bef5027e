import { boundsOf } from './bounds.ts';
import type { Load } from './load.ts';
import { boundOf, boundsOfClients, sweepsOf } from './sweeps.ts';

/** Bounds that hold more than this per second are left out. */
const MOST = 1000;

const STEPS = [1, 10, 100];

const rowOf = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;

/** Bounds below a thousand per second, the tightest first. */
function boundRows(load: Load): readonly string[] {
  return [...boundsOf(load), ...sweepsOf(load).map(boundOf)]
    .filter(({ holds }) => holds < MOST)
    .toSorted((one, other) => one.holds - other.holds)
    .map(({ kind, what, holds, change }) =>
      rowOf([
        String(STEPS.find((step) => holds < step) ?? 'above'),
        `${written(holds)} ${kind}`,
        what,
        change,
        'calculated',
      ]),
    );
}

function sweepRows(load: Load): readonly string[] {
  return sweepsOf(load).map(({ folder, kind, atOnce, runs, megabytes, needs, readsClientsIn, holds }) =>
    rowOf([
      `\`${folder.split('/')[1]}\``,
      String(atOnce),
      `${runs} s`,
      `${needs} of ${megabytes} MB`,
      readsClientsIn === undefined ? '' : `${readsClientsIn.toFixed(1)} s`,
      `${written(holds)} ${kind}`,
    ]),
  );
}

function clientRows(load: Load): readonly string[] {
  return boundsOfClients(sweepsOf(load)).map(({ clients, what, change }) =>
    rowOf([Math.floor(clients).toLocaleString('en-US'), what, change, 'calculated']),
  );
}

/** Returns the tables, as Markdown. */
export function tablesOf(load: Load): string {
  return [
    '| Step | Holds up to, a second | Bound | Change | How known |',
    '| --: | --: | --- | --- | --- |',
    ...boundRows(load),
    '',
    '| Sweep | At once | Of a minute | Memory | Reads 1,000 clients in | Holds up to, a second |',
    '| --- | --: | --: | --: | --: | --: |',
    ...sweepRows(load),
    '',
    '| Clients | Bound | Change | How known |',
    '| --: | --- | --- | --- |',
    ...clientRows(load),
    '',
  ].join('\n');
}

function written(number: number): string {
  return number < 10 ? number.toFixed(1) : String(Math.round(number));
}
