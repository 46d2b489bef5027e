import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
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

/**
 * npm run simulate -- --off-ramps 100000 --seed 7   plays rounds until so many off-ramps were created, or one fails
 * npm run simulate -- --seed 7 --round 1234         plays one round, line by line
 * npm run simulate -- --seed 7 --round 1234 --shrink --save <name>   looks for the least of it that still breaks its rule
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    'off-ramps': { type: 'string', default: '5000' },
    from: { type: 'string', default: '0' },
    round: { type: 'string' },
    /** Goes on until so many rounds have failed. */
    failures: { type: 'string', default: '1' },
    shrink: { type: 'boolean', default: false },
    /** How long it may take to shrink a round. */
    seconds: { type: 'string', default: '120' },
    /** The name, in words with hyphens, of the regression that the shrunk round becomes. */
    save: { type: 'string' },
  },
});
const seed = values.seed === undefined ? seedOfTheDay() : Number(values.seed);
const topology = readTopology(synthesiseStaging());

if (values.round === undefined) await simulate();
else await show({ seed, round: Number(values.round) });

async function show(number: RoundNumber): Promise<void> {
  const service = await deployed(topology);
  if (!values.shrink) {
    process.stdout.write(`${await reportRound(service, number)}\n`);
    return;
  }
  const broken = await shrink(service, number, Number(values.seconds));
  if (broken === undefined) {
    process.stdout.write('Every rule held.\n');
    return;
  }
  const sizes = [scriptOf(number), broken.script].map(sizeOf);
  process.stdout.write(`${await reportScript(service, broken.script, broken.history)}\n`);
  process.stdout.write(`\nOf ${sizes[0]} acts and faults of the round ${sizes[1]} are left.\n`);
  if (values.save !== undefined) process.stdout.write(`${saveRegression(values.save, broken)}\n`);
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
    from: Number(values.from),
    offRamps: Number(values['off-ramps']),
    mostFailures: Number(values.failures),
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
