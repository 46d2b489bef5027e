import { networkSpecs } from '#shared/networks/network.ts';
import { mapValues } from '#shared/platform/collections.ts';
import type { Random } from '#test/simulation/kernel/random.ts';
import { returnAccount, treasuryAccount } from '#test/simulation/world/providers/sendings.ts';
import { assetsOn } from './assets.ts';
import type { FinanceScript, ReturnScript } from './finance-script.ts';
import { HOUR, MINUTE } from './moments.ts';
import type { OffRampContext } from './off-ramps.ts';
import type { OffRampScript } from './script.ts';

/** Session names of finance's people. Each acts in any role. */
export const persons = ['ana', 'bea', 'carl', 'dora'] as const;

/** Milliseconds from an off-ramp to finance's visits: within hours, and once owed money may be returned. */
const VISITS = [HOUR / 2, HOUR, 2 * HOUR, 3 * HOUR, 5 * HOUR] as const;
const LATE_VISITS = [26 * HOUR, 30 * HOUR, 52 * HOUR] as const;

/** Writes visits, often so close together that two persons handle the same row. */
export function writeFinance(
  { random, swarm, moment }: OffRampContext,
  offRamps: readonly OffRampScript[],
): readonly FinanceScript[] {
  const habits = swarm.operators;
  const last = Math.max(...offRamps.map(({ at }) => at)) + moment();
  const visits = random.chance(0.2) ? [...VISITS, ...LATE_VISITS] : VISITS;
  return visits
    .filter(() => random.chance(habits.visit))
    .flatMap((after) => {
      const at = last + after + random.below(20 * MINUTE);
      const apart = random.pick([5000, 5000, 10 * MINUTE]);
      return [0, 1, 2].map((number) => ({
        at: at + number * random.below(apart),
        person: random.pick(persons),
        isWrong: random.chance(habits.err),
        isImpatient: random.chance(habits.hurry),
      }));
    });
}

/** Writes requests of a client for deposits that were not credited, some time after the last payment. */
export function writeReturns(
  { random, swarm, moment }: OffRampContext,
  payments: OffRampScript['payments'],
): readonly ReturnScript[] {
  const last = Math.max(0, ...payments.map(({ after, phases }) => after + Math.max(...phases.map((one) => one.after))));
  if (payments.length === 0 || !random.chance(swarm.clients.askBack)) return [];
  return Array.from({ length: 1 + random.below(2) }, () => ({
    after: last + MINUTE + moment(),
    isWrong: random.chance(0.3),
    isTwice: random.chance(0.3),
  }));
}

/** Writes the stage's return settings: routes (custodian, by hand or none), fees, and who approves. */
export function writeReturnSettings(random: Random): Readonly<Record<string, string>> {
  const routes = mapValues(networkSpecs, (_, network) => {
    const [from, treasury] = [returnAccount(network), [treasuryAccount(network)]];
    return { from, treasury, isByHand: random.chance(0.3) };
  });
  const without = random.chance(0.3) ? [random.pick(['POLYGON', 'STELLAR', 'TRON'])] : [];
  const kept = Object.fromEntries(Object.entries(routes).filter(([network]) => !without.includes(network)));
  const assets = Object.values(mapValues(networkSpecs, (_, network) => assetsOn(network))).flat();
  const perAsset = (amount: string) =>
    JSON.stringify(Object.fromEntries(assets.map(({ custodianAssetId }) => [custodianAssetId, amount])));
  return {
    RETURNS: JSON.stringify(kept),
    RETURN_FEES: perAsset(random.pick(['0', '0', '1.5'])),
    ONE_PERSON_UP_TO: random.pick(['{}', perAsset('2500')]),
  };
}
