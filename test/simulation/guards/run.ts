import { parseArgs } from 'node:util';
import { typed, wholeNumber } from '#infra/local/typed.ts';
import { readTopology } from '#test/simulation/topology/read-topology.ts';
import { synthesiseStaging } from '#test/simulation/topology/synthesise.ts';
import { playBase } from './base.ts';
import { createLanes } from './lanes.ts';
import { MOST_ROUNDS, searchBreakingSets } from './search.ts';
import { tableOf } from './table.ts';

const USAGE = `npm run guards [-- options]
  Says what each guard is worth, in rounds of the simulation.
  --off-ramps <number>  in rounds with so many off-ramps (10000)
  --seed <number>       what the rounds are made from (1)
  --help                print this`;

const { seed, offRamps } = typed(USAGE, () => {
  const { values } = parseArgs({
    options: { 'off-ramps': { type: 'string', default: '10000' }, seed: { type: 'string', default: '1' } },
  });
  return {
    seed: wholeNumber('--seed', values.seed, { least: 0 }),
    offRamps: wholeNumber('--off-ramps', values['off-ramps']),
  };
});

await using lanes = createLanes(readTopology(synthesiseStaging()), seed);
const base = await playBase(lanes.play, offRamps);
tell(`${base.guards.length} guards in ${base.rounds} rounds of seed ${seed} with ${base.offRamps} off-ramps.`);
tell(`Without a set, at most ${MOST_ROUNDS} of the rounds are played in which a guard of it is needed.`);
const sets = await searchBreakingSets(lanes.play, base, tell);
tell(tableOf(base, sets));

function tell(line: string): void {
  process.stdout.write(`${line}\n`);
}
