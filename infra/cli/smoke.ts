import { parseArgs } from 'node:util';
import { systemClock } from '#shared/platform/clock.ts';
import { bypassProxy } from './bypass-proxy.ts';
import { readOptionsOrExit } from './read-options.ts';
import { findSmokeTarget } from './smoke-target.ts';
import { smokeTest } from './smoke-test.ts';

const USAGE = `npm run smoke -- --stage local|staging|prod [--profile <profile>] [--port <port>] [--client <file>]
  Proves a fresh deployment. It makes a client as docs/onboarding.md says, takes the sample off-ramp of npm start over
  HTTP until the client is told of the payout, and suspends the client. Where no EVM network is simulated that is left out,
  and a line says so. Needs what these commands of operators need, and cloudformation:DescribeStacks.
  Production is only read, as the client of --client <file>, from an address of the allowlist: token, client, banks. The
  file has {"clientId", "clientSecret", "certificatePem", "privateKeyPem"}.
  --port <port>  of the npm start, if there are several`;

bypassProxy();
const options = readOptionsOrExit(USAGE, () => {
  const { values } = parseArgs({
    options: {
      stage: { type: 'string' },
      profile: { type: 'string' },
      port: { type: 'string' },
      client: { type: 'string' },
    },
  });
  const { stage, profile, port, client } = values;
  if (stage !== 'local' && stage !== 'staging' && stage !== 'prod')
    throw new Error('--stage takes local, staging or prod.');
  if ((stage === 'prod') !== (client !== undefined))
    throw new Error('--client belongs to production, which gets no client for a test: name the one that is to read.');
  return { stage, profile, port, client } as const;
});

const say = (line: string) => void process.stdout.write(`${line}\n`);
try {
  await smokeTest(await findSmokeTarget(options), { say, clock: systemClock });
  say(`\nThe stage ${options.stage} works.`);
} catch (error) {
  process.stderr.write(`\nIt failed: ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
