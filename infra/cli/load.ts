import { parseArgs } from 'node:util';
import { systemClock } from '#shared/platform/clock.ts';
import { bypassProxy } from './bypass-proxy.ts';
import { playLoad } from './load/play-load.ts';
import { readOptionsOrExit, wholeNumber } from './read-options.ts';
import { findSmokeTarget } from './smoke-target.ts';

const USAGE = `npm run load -- --stage local|staging --rate <off-ramps a second> [--pay-ins <a second>] [--seconds <number>]
  [--profile <profile>] [--port <port>]
  Plays off-ramps, each with a deposit that is reported and notified, and pay-ins that are paid, against a stage whose
  custodian and rail are simulated, through its API as clients of its own (as many as their limits need). Prints the rate
  that was reached, latencies by route, errors by code, and the seconds from the last confirmation to the credit. Its exit
  status is 1 unless all ended right. Needs what npm run smoke needs. Production is never load-tested.
  --pay-ins <number>  pay-ins a second (0)
  --seconds <number>  seconds in which new ones begin (60)
  --port <port>       of the npm start, if there are several`;

bypassProxy();
const { target, load } = readOptionsOrExit(USAGE, () => {
  const { values } = parseArgs({
    options: {
      stage: { type: 'string' },
      rate: { type: 'string' },
      'pay-ins': { type: 'string', default: '0' },
      seconds: { type: 'string', default: '60' },
      profile: { type: 'string' },
      port: { type: 'string' },
    },
  });
  const { stage, rate = '', seconds, profile, port } = values;
  if (stage !== 'local' && stage !== 'staging')
    throw new Error('--stage takes local or staging: production is never load-tested.');
  return {
    target: { stage, profile, port } as const,
    load: {
      rate: wholeNumber('--rate', rate, { most: 1000 }),
      payIns: wholeNumber('--pay-ins', values['pay-ins'], { least: 0, most: 1000 }),
      seconds: wholeNumber('--seconds', seconds),
    },
  };
});

const say = (line: string) => void process.stdout.write(`${line}\n`);
try {
  const allRight = await playLoad(await findSmokeTarget(target), load, { say, clock: systemClock });
  say(allRight ? '\nAll ended right.' : '\nNot all ended right.');
  // Exit at once: waits for off-ramps and pay-ins that were lost would keep the process alive.
  process.exit(allRight ? 0 : 1);
} catch (error) {
  process.stderr.write(`\nIt failed: ${error instanceof Error ? error.message : error}\n`);
  process.exit(1);
}
