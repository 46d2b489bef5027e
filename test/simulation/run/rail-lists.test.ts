import { expect, inject, test } from 'vitest';
import { scriptOf } from '#test/simulation/cost/scripts.ts';
import { seeded } from '#test/simulation/kernel/random.ts';
import { deployed } from '#test/simulation/service/deployed.ts';
import { HOUR, OPENING, START } from '#test/simulation/world/script/moments.ts';
import { writeTwice } from '#test/simulation/world/script/pay-ins.ts';
import type { PaymentFate, Script } from '#test/simulation/world/script/script.ts';
import { playScript } from './round.ts';

const DAY = 24 * HOUR;
const PAYINS = 30;

/** Statuses that alternate, hours or days apart. */
function fatesOf(seed: number, number: number): readonly PaymentFate[] {
  const random = seeded(seed, number);
  const statuses = random.pick([
    ['FAILED', 'COMPLETED', 'FAILED'],
    ['COMPLETED', 'FAILED', 'COMPLETED'],
  ] as const);
  let after = 0;
  return statuses.map((status) => {
    after += HOUR + random.below(random.chance(0.5) ? 10 * HOUR : 3 * DAY);
    return { after, status };
  });
}

/** Pay-ins over ten days, and a rail that loses half of its notifications. Wompi may have two payments of each. */
function writeScript(seed: number, isWompi = false): Script {
  const { swarm, ...script } = scriptOf('payIn', PAYINS, 1);
  const payins = script.payins.map((payin, number) => ({
    ...payin,
    at: START + 2 * OPENING + number * 8 * HOUR,
    fates: isWompi ? writeTwice(HOUR / 2, seeded(seed, number)) : fatesOf(seed, number),
  }));
  const quietFrom = Math.max(...payins.flatMap(({ at, fates }) => fates.map(({ after }) => at + after))) + HOUR;
  const railNotifications = { ...swarm.railNotifications, lost: 0.5 };
  const railManners = { ...swarm.railManners, isWompi: Number(isWompi) };
  const drawn = { ...swarm, railNotifications, railManners };
  const after = (isWompi ? 52 : 26) * HOUR;
  return { ...script, payins, swarm: drawn, quietFrom, endsAt: quietFrom + after };
}

test.each([2, 3])(
  'every rule holds for payments that change back and forth, half of the changes without a notification: seed %i',
  async (seed) => {
    const service = await deployed(inject('topology'));
    // Each page of the rail's list has one payment, with its current status.
    const { faults } = await playScript(service, writeScript(seed), [seed], { railPage: 1 });
    expect(faults['railNotifications: lost']).toBeGreaterThan(PAYINS);
  },
  60_000,
);

test('the money of a completed pay-in is that of all payments of its reference', async () => {
  await playScript(await deployed(inject('topology')), writeScript(1, true), [1], { railPage: 10 });
}, 60_000);
