import { parseArgs } from 'node:util';
import { readOptionsOrExit, wholeNumber } from '#infra/cli/read-options.ts';
import { deployed } from '#test/simulation/service/deployed.ts';
import { readTopology } from '#test/simulation/topology/read-topology.ts';
import { synthesiseStaging } from '#test/simulation/topology/synthesise.ts';
import { type Course, playMany } from './play-many.ts';
import { reportRound } from './report.ts';
import { seedOfTheDay } from './seed-of-the-day.ts';
import { tableOf, total } from './summary.ts';

const USAGE = `npm run simulate [-- options]
  --off-ramps <number>  play rounds until this many off-ramps were created (5000)
  --seed <number>       the seed of all rounds (that of the day)
  --from <number>       the first round (0)
  --failures <number>   stop after this many failed rounds (1)
  --round <number>      play this round alone, and print it line by line
  --restores            in each round, restore the tables to an earlier second and follow the runbook
  --help                print this`;

const options = readOptionsOrExit(USAGE, () => {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string' },
      'off-ramps': { type: 'string', default: '5000' },
      from: { type: 'string', default: '0' },
      round: { type: 'string' },
      failures: { type: 'string', default: '1' },
      restores: { type: 'boolean', default: false },
    },
  });
  const number = (name: 'off-ramps' | 'from' | 'failures', least: number) =>
    wholeNumber(`--${name}`, values[name], { least });
  const given = (name: 'seed' | 'round') =>
    values[name] === undefined ? undefined : wholeNumber(`--${name}`, values[name], { least: 0 });
  return {
    seed: given('seed') ?? seedOfTheDay(),
    round: given('round'),
    from: number('from', 0),
    offRamps: number('off-ramps', 1),
    failures: number('failures', 1),
    restores: values.restores,
  };
});
const { seed, round, restores } = options;
const topology = readTopology(synthesiseStaging());

if (round === undefined) await simulate();
else process.stdout.write(`${await reportRound(await deployed(topology), { seed, round, restores })}\n`);

async function simulate(): Promise<void> {
  const startedAt = performance.now();
  const seconds = () => (performance.now() - startedAt) / 1000;
  const printed = new Set<string>();
  const printNew = (failures: readonly string[]) => {
    for (const failure of failures) if (!printed.has(failure)) process.stdout.write(`\n${failure}\n`);
    for (const failure of failures) printed.add(failure);
  };
  const progress = ({ summary, failures }: Course) => {
    say(
      `${total(summary.offRamps)} off-ramps in ${summary.rounds} rounds, ${seconds().toFixed(0)} s, ${failures.length} failed`,
    );
    printNew(failures);
  };
  const course = await playMany({
    topology,
    seed,
    from: options.from,
    offRamps: options.offRamps,
    mostFailures: options.failures,
    restores,
    progress: process.stdout.isTTY ? progress : everyMinute(progress),
  });
  say('');
  process.stdout.write(tableOf(seed, course.summary, course.failures.length, seconds()));
  printNew(course.failures);
  process.exitCode = course.failures.length === 0 ? 0 : 1;
}

/** In a terminal each progress line overwrites the previous one. */
function say(line: string): void {
  process.stdout.write(process.stdout.isTTY ? `\r\x1b[2K${line}` : `${line}\n`);
}

function everyMinute(progress: (course: Course) => void): (course: Course) => void {
  let next = 0;
  return (course) => {
    if (performance.now() < next) return;
    next = performance.now() + 60_000;
    progress(course);
  };
}
