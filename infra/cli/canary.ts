import { parseArgs } from 'node:util';
import { systemClock } from '#shared/platform/clock.ts';
import { bypassProxy } from './bypass-proxy.ts';
import { readOptionsOrExit } from './read-options.ts';
import { setUpCanary } from './set-up-canary.ts';

const USAGE = `npm run canary -- --stage local|staging|prod [--profile <profile>] [--port <port>] [--certificate <file> --key <file>]
  Creates a client for the canary of a stage and puts it into the canary's secret: within a minute the canary calls as
  this client. A repeated call creates another client: suspend the previous one. Needs the permissions of create-client,
  cloudformation:DescribeStacks, and secretsmanager:PutSecretValue on the output CanarySecret; outside production also
  those of approve-client, client, add-user and declare-wallet.
  --certificate, --key  PEM, of an authority of the trust store: production needs them
  --port <port>         of the npm start, if there are several`;

bypassProxy();
const options = readOptionsOrExit(USAGE, () => {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    options: { stage: text, profile: text, port: text, certificate: text, key: text },
  });
  const { stage, certificate, key } = values;
  if (stage !== 'local' && stage !== 'staging' && stage !== 'prod')
    throw new Error('--stage takes local, staging or prod.');
  if ((certificate === undefined) !== (key === undefined)) throw new Error('--certificate and --key belong together.');
  if (stage === 'prod' && key === undefined) throw new Error('Production needs --certificate and --key.');
  return { ...values, stage } as const;
});

const say = (line: string) => void process.stdout.write(`${line}\n`);
try {
  const clientId = await setUpCanary(options, { say, clock: systemClock });
  say(`The canary of ${options.stage} calls as the client ${clientId}.`);
} catch (error) {
  process.stderr.write(`\nIt failed: ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
