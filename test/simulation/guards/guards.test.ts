import { beforeAll, expect, inject, test } from 'vitest';
import type { Deployed } from '#test/simulation/aws/aws-in-memory.ts';
import { deployed } from '#test/simulation/service/deployed.ts';
import { playWithout } from './play-without.ts';

let service: Deployed;
beforeAll(async () => {
  service = await deployed(inject('topology'));
});

/** Sets that few rounds find, with what breaks without them: the books can fail, and the search can find it. */
const sets: readonly [rule: string, ...without: readonly string[]][] = [
  ['a delivery stays of one event to one webhook', 'fan out | put DELIVERY | attribute_not_exists(deliveryId)'],
  ['the rail is not asked for what is paid', 'settle pay-in | update PAYIN | #sequence = :seen'],
  ['no attempt waits without a poll', 'sweep | off-ramps/restart-lost-verifications | every minute'],
];

test.each(sets)('it is found in 30 rounds that “%s” does not hold without %s', async (rule, ...without) => {
  let broken: string | undefined;
  for (let round = 0; broken === undefined && round < 30; round += 1) {
    broken = (await playWithout(service, { seed: 1, round }, without)).rule;
  }
  expect(broken).toBe(rule);
});
