import { beforeAll, describe, expect, inject, test } from 'vitest';
import { deployed } from '#test/simulation/service/deployed.ts';
import { textOf } from '#test/support/markdown.ts';
import { boundsOf } from './bounds.ts';
import { type Load, measureLoad } from './load.ts';
import { sweepsOf } from './sweeps.ts';
import { tablesOf } from './table.ts';

const topology = inject('topology');
let load: Load;

beforeAll(async () => {
  load = await measureLoad(await deployed(topology));
}, 240_000);

test('docs/scale.md has the tables that npm run scale prints', () => {
  const page = textOf('docs/scale.md');
  for (const table of tablesOf(load).trim().split('\n\n')) expect(page).toContain(`\n${table}\n`);
});

test('every function that is called each minute is a sweep of the table, but for the one that measures ages', () => {
  const named = [...sweepsOf(load).map(({ folder }) => folder), 'operators/measure-ages'];
  expect(named.sort()).toEqual([...topology.everyMinute].sort());
});

describe('ten a second hold without a change', () => {
  const low = <Held extends { readonly holds: number }>(all: readonly Held[]) => all.filter(({ holds }) => holds < 10);

  test('but for what the custodian and the nodes have to allow, the pool of addresses, and the shares of a single client', () => {
    const all = low(boundsOf(load)).map(({ what }) => what);
    expect(
      all.filter((what) => !/of one (client|webhook)|custodian's API user|of one EVM network|a pool of 500/.test(what)),
    ).toEqual([]);
  });

  test('of every sweep, and of pay-ins of which half are never paid', () => {
    expect(low(sweepsOf(load))).toEqual([]);
  });

  test('no sweep needs more than three quarters of its memory for a thousand clients', () => {
    for (const { folder, needs, megabytes } of sweepsOf(load)) {
      expect([folder, needs <= 0.75 * megabytes]).toEqual([folder, true]);
    }
  });
});
