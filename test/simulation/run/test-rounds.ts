import { beforeAll, expect, inject, test } from 'vitest';
import type { Deployed } from '#test/simulation/aws/aws-in-memory.ts';
import { deployed } from '#test/simulation/service/deployed.ts';
import { reasonOf, tryRound } from './rounds.ts';
import { total } from './summary.ts';

const AT_A_TIME = 25;

/** A test for every few rounds of the day's seed, in which at least so many off-ramps are created. */
export function testRounds({ from, rounds, offRamps }: Readonly<Record<'from' | 'rounds' | 'offRamps', number>>): void {
  const seed = inject('seed');
  let service: Deployed;
  let created = 0;
  beforeAll(async () => {
    service = await deployed(inject('topology'));
  });

  const starts = Array.from({ length: rounds / AT_A_TIME }, (_, slice) => from + slice * AT_A_TIME);
  test.each(starts)(`every rule holds in ${AT_A_TIME} rounds of seed ${seed} from %i on`, async (start) => {
    for (let round = start; round < start + AT_A_TIME; round += 1) {
      const result = await tryRound(service, { seed, round });
      if ('failure' in result)
        expect.fail(`${reasonOf(result.failure)}\nnpm run simulate -- --seed ${seed} --round ${round}`);
      created += total(result.played.offRamps);
    }
  });

  test(`at least ${offRamps} off-ramps were created in them`, () => {
    expect(created).toBeGreaterThan(offRamps);
  });
}
