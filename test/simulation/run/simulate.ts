import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { typed, wholeNumber } from '#infra/local/typed.ts';
import { tellCalls } from '#test/simulation/alarms/tell-calls.ts';
import { deployed } from '#test/simulation/service/deployed.ts';
import { readTopology } from '#test/simulation/topology/read-topology.ts';
import { synthesiseStaging } from '#test/simulation/topology/synthesise.ts';
import { pageOf } from './page.ts';
import { sizeOf } from './parts.ts';
import { type Course, playMany } from './play-many.ts';
import { saveRegression } from './regression.ts';
import { reportRound, reportScript } from './report.ts';
import { type RoundNumber, scriptOf } from './round.ts';
import { seedOfTheDay } from './seed-of-the-day.ts';
import { shrink } from './shrink.ts';
import { total } from './summary.ts';
import { tableOf } from './table.ts';

const USAGE = `npm run simulate [-- options]
  --off-ramps <number>  plays rounds until so many off-ramps were created, or one has failed (5000)
  --seed <number>       what the rounds are made from (that of the day)
  --from <number>       the first round (0)
  --failures <number>   goes on until so many rounds have failed (1)
  --round <number>      plays this round alone, line by line
  --shrink              with --round: looks for the least of it that still breaks its rule
  --seconds <number>    with --shrink: how long that may take (120)
  --save <name>         with --shrink: the name, in words with hyphens, of the regression that it becomes
  --calls               says of each failure which of production's alarms call somebody, and when
  --help                print this`;

const options = typed(USAGE, () => {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string' },
      'off-ramps': { type: 'string', default: '5000' },
      from: { type: 'string', default: '0' },
      round: { type: 'string' },
      failures: { type: 'string', default: '1' },
      shrink: { type: 'boolean', default: false },
      seconds: { type: 'string', default: '120' },
      save: { type: 'string' },
      calls: { type: 'boolean', default: false },
    },
  });
  const number = (name: 'off-ramps' | 'from' | 'failures' | 'seconds', least: number) =>
    wholeNumber(`--${name}`, values[name], { least });
  const given = (name: 'seed' | 'round') =>
    values[name] === undefined ? undefined : wholeNumber(`--${name}`, values[name], { least: 0 });
  return {
    seed: given('seed') ?? seedOfTheDay(),
    round: given('round'),
    from: number('from', 0),
    offRamps: number('off-ramps', 1),
    failures: number('failures', 1),
    seconds: number('seconds', 1),
    shrink: values.shrink,
    save: values.save,
    calls: values.calls,
  };
});
const { seed, round } = options;
const topology = readTopology(synthesiseStaging());

if (options.calls) await tellCalls(topology);
else if (round === undefined) await simulate();
else await show({ seed, round });

async function show(number: RoundNumber): Promise<void> {
  const service = await deployed(topology);
  if (!options.shrink) {
    process.stdout.write(`${await reportRound(service, number)}\n`);
    return;
  }
  const broken = await shrink(service, number, options.seconds);
  if (broken === undefined) {
    process.stdout.write('Every rule held.\n');
    return;
  }
  const sizes = [scriptOf(number), broken.script].map(sizeOf);
  process.stdout.write(`${await reportScript(service, broken.script, broken.history)}\n`);
  process.stdout.write(`\nOf ${sizes[0]} acts and faults of the round ${sizes[1]} are left.\n`);
  if (options.save !== undefined) process.stdout.write(`${saveRegression(options.save, broken)}\n`);
}

async function simulate(): Promise<void> {
  const startedAt = performance.now();
  const seconds = () => (performance.now() - startedAt) / 1000;
  const told = new Set<string>();
  const tell = (failures: readonly string[]) => {
    for (const failure of failures) if (!told.has(failure)) process.stdout.write(`\n${failure}\n`);
    for (const failure of failures) told.add(failure);
  };
  const progress = ({ summary, failures }: Course) => {
    say(
      `${total(summary.offRamps)} off-ramps in ${summary.rounds} rounds, ${seconds().toFixed(0)} s, ${failures.length} failed`,
    );
    tell(failures);
  };
  const course = await playMany({
    topology,
    seed,
    from: options.from,
    offRamps: options.offRamps,
    mostFailures: options.failures,
    progress: process.stdout.isTTY ? progress : everyMinute(progress),
  });
  say('');
  process.stdout.write(tableOf(seed, course, seconds()));
  const directory = fileURLToPath(new URL('../../../.local/simulation/', import.meta.url));
  mkdirSync(directory, { recursive: true });
  const page = `${directory}${seed}.html`;
  writeFileSync(page, pageOf(seed, course, seconds()));
  process.stdout.write(`\nPlots: ${page}\n`);
  tell(course.failures);
  process.exitCode = course.failures.length === 0 ? 0 : 1;
}

/** In a terminal the line is written anew each time. */
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
