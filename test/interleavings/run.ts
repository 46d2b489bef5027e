import { parseArgs } from 'node:util';
import { searchBreakingSets } from './conditions/search.ts';
import { firstFailure, report } from './rounds.ts';

/**
 * npm run interleavings -- --rounds 200000 --seed 7     plays so many rounds, until one fails
 * npm run interleavings -- --seed 7 --round 1234        plays one, and tells everything that happens in it
 * npm run interleavings -- --conditions --rounds 20000  takes conditions away, and tells which sets of them a rule needs
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '20000' },
    round: { type: 'string' },
    conditions: { type: 'boolean', default: false },
  },
});
const seed = Number(values.seed);
const AT_A_TIME = 1000;

if (values.conditions) await searchBreakingSets({ seed, rounds: Number(values.rounds) }, tell);
else if (values.round !== undefined) await tellOne(Number(values.round));
else await playMany(Number(values.rounds));

async function tellOne(round: number): Promise<void> {
  process.stdout.write(`${await report({ seed, round })}\n`);
}

async function playMany(rounds: number): Promise<void> {
  const startedAt = performance.now();
  for (let from = 0; from < rounds; from += AT_A_TIME) {
    const many = Math.min(AT_A_TIME, rounds - from);
    const failure = await firstFailure({ seed, from, rounds: many });
    if (failure !== undefined) {
      process.stdout.write(`${await report(failure)}\n`);
      process.exitCode = 1;
      return;
    }
    const seconds = (performance.now() - startedAt) / 1000;
    process.stdout.write(`${from + many} rounds of seed ${seed} in ${seconds.toFixed(1)} s\n`);
  }
}

function tell(line: string): void {
  process.stdout.write(`${line}\n`);
}
