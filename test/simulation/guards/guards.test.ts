import { readFileSync } from 'node:fs';
import { beforeAll, expect, inject, test } from 'vitest';
import type { Deployed } from '#test/simulation/aws/aws-in-memory.ts';
import { Violation } from '#test/simulation/books/violation.ts';
import { playRound } from '#test/simulation/run/round.ts';
import { deployed } from '#test/simulation/service/deployed.ts';
import { guardOf, guardOfSweep } from './guard.ts';

const page = readFileSync(new URL('../../../docs/testing.md', import.meta.url), 'utf8');

let service: Deployed;
beforeAll(async () => {
  service = await deployed(inject('topology'));
});

/** Plays a round of seed 1 in which the guard of this name, if any, refuses nothing, or is not called. */
async function played(round: number, without?: string): Promise<{ rule?: string; met: ReadonlySet<string> }> {
  const met = new Set<string>();
  const isWithout = (guard: string) => {
    met.add(guard);
    return guard === without;
  };
  try {
    await playRound(
      service,
      { seed: 1, round },
      {
        isWaived: (write, condition, transaction) => isWithout(guardOf(write, condition, transaction)),
        isLeftOut: (folder) => isWithout(guardOfSweep(folder)),
      },
    );
    return { met };
  } catch (error) {
    if (error instanceof Violation) return { rule: error.rule, met };
    throw error;
  }
}

test('docs/testing.md names each guard once, and all that ten rounds meet', async () => {
  const rows = page.matchAll(/^\| ([a-z -]+) \| ([\w /-]+) \| `([^`]+)` \|/gm);
  const named = [...rows].map(([, useCase, write, condition]) => `${useCase} | ${write} | ${condition}`);
  expect(new Set(named).size).toBe(named.length);
  for (let round = 0; round < 10; round += 1) {
    const { met } = await played(round);
    expect(named).toEqual(expect.arrayContaining([...met]));
  }
});

test.each([
  ['a delivery stays of one event to one webhook', 'fan out | put delivery | attribute_not_exists(deliveryId)'],
  ['no pay-in waits without a poll', 'sweep | pay-ins/settle-open-payins | every minute'],
  ['no attempt waits without a poll', 'sweep | off-ramps/restart-lost-verifications | every minute'],
])('the books notice within 30 rounds that “%s” does not hold without the guard %s', async (rule, without) => {
  let broken: string | undefined;
  for (let round = 0; broken === undefined && round < 30; round += 1) broken = (await played(round, without)).rule;
  expect(broken).toBe(rule);
});
