import { parseArgs } from 'node:util';
import { copyName, dataStackName } from '#infra/stacks/stack-names.ts';
import { readSettings } from '#infra/stage/read-settings.ts';
import { accountQuestions } from './account.ts';
import { bypassProxy } from './bypass-proxy.ts';
import { checkOperatorRoles, trustReader } from './check-operator-roles.ts';
import { describeLine, preflightLines, stageFromOptions } from './preflight-checks.ts';
import { readOptionsOrExit } from './read-options.ts';

const USAGE = `npm run preflight -- --stage staging|prod [--profile <profile>]
  Checks what a deployment needs, a line each: the account of the settings, its bootstrapping and quotas, certificates,
  trust store, topics of alarms, subnets and security group of the canary, publishers, a trail, restored tables; and
  whether a person who may assume a role of operators can choose the name under which the audit has them. npm run deploy
  runs these checks first. Exit status 1: something is missing, or not known.`;

const DEPLOY = 'npm run deploy takes the stage as -c stage=staging or -c stage=prod. Nothing was deployed.';

const { values } = readOptionsOrExit(USAGE, () =>
  parseArgs({
    options: {
      // Set by npm run deploy, whose other options are those of the CDK.
      deploy: { type: 'boolean' },
      stage: { type: 'string' },
      context: { type: 'string', short: 'c', multiple: true },
      profile: { type: 'string' },
    },
    strict: !process.argv.includes('--deploy'),
  }),
);

bypassProxy();
process.exitCode = await main(typeof values.profile === 'string' ? values.profile : undefined);

async function main(profile: string | undefined): Promise<number> {
  const stage = stageFromOptions(values);
  if (stage === undefined) {
    process.stderr.write(`${values.deploy === true ? DEPLOY : `--stage takes staging or prod.\n\n${USAGE}`}\n`);
    return 2;
  }
  const settings = readSettings(stage);
  const region = settings.environment?.region ?? process.env['AWS_REGION'] ?? 'us-east-1';
  const [lines, faults] = await Promise.all([
    preflightLines(settings, accountQuestions(dataStackName(copyName(stage)), region, profile)),
    checkOperatorRoles(settings, trustReader(settings, profile)),
  ]);
  for (const line of lines) process.stdout.write(`${describeLine(line)}\n`);
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  if (faults.length > 0)
    process.stderr.write(
      '\nOne person could act under two names, or it is not known: docs/operations.md, "The name in the audit".\n',
    );
  return faults.length > 0 || lines.some(({ fault }) => fault !== undefined) ? 1 : 0;
}
