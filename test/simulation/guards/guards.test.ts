import { readFileSync } from 'node:fs';
import { beforeAll, expect, inject, test } from 'vitest';
import type { Deployed } from '#test/simulation/aws/aws-in-memory.ts';
import { deployed } from '#test/simulation/service/deployed.ts';
import { playWithout } from './play-without.ts';

const page = readFileSync(new URL('../../../docs/testing.md', import.meta.url), 'utf8');

let service: Deployed;
beforeAll(async () => {
  service = await deployed(inject('topology'));
});

test('docs/testing.md names each guard once, and all that ten rounds meet', async () => {
  const rows = page.matchAll(/^\| ([a-z -]+) \| ([\w /-]+) \| `([^`]+)` \|/gm);
  const named = [...rows].map(([, useCase, write, condition]) => `${useCase} | ${write} | ${condition}`);
  expect(new Set(named).size).toBe(named.length);
  for (let round = 0; round < 10; round += 1) {
    const { met } = await playWithout(service, { seed: 1, round }, []);
    expect(named).toEqual(expect.arrayContaining(met.map(({ name }) => name)));
  }
});

/** Sets of the page that few rounds find, with what breaks without them: the books can fail, and the search can find it. */
const sets: readonly [rule: string, ...without: readonly string[]][] = [
  ['a delivery stays of one event to one webhook', 'fan out | put DELIVERY | attribute_not_exists(deliveryId)'],
  ['no pay-in waits without a poll', 'sweep | pay-ins/settle-open-payins | every minute'],
  ['no attempt waits without a poll', 'sweep | off-ramps/restart-lost-verifications | every minute'],
];

test.each(sets)('it is found in 30 rounds that “%s” does not hold without %s', async (rule, ...without) => {
  let broken: string | undefined;
  for (let round = 0; broken === undefined && round < 30; round += 1) {
    broken = (await playWithout(service, { seed: 1, round }, without)).rule;
  }
  expect(broken).toBe(rule);
});
