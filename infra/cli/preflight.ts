import { parseArgs } from 'node:util';
import { copyName, dataStackName } from '#infra/stacks/stack-names.ts';
import { readSettings } from '#infra/stage/read-settings.ts';
import { accountOf } from './account.ts';
import { bypassProxy } from './bypass-proxy.ts';
import { checkOperatorRoles, trustReader } from './check-operator-roles.ts';
import { inWords, preflightLines } from './preflight-checks.ts';

const USAGE = `npm run preflight -- --stage staging|prod [--profile <profile>]
  Checks what has to be there before a deployment, a line each: the account of the settings, its bootstrapping and quotas,
  certificates, trust store, topics of alarms, subnets of the canary, restored tables; and whether somebody who may assume a role of operators chooses the name
  that the audit has of them. npm run deploy does so first. Exit status 1: something is missing, or not known.`;

/** `-c stage=prod` too: `npm run deploy` hands on what it gives to the CDK. */
const { values } = parseArgs({
  options: {
    stage: { type: 'string' },
    context: { type: 'string', short: 'c', multiple: true },
    profile: { type: 'string' },
    help: { type: 'boolean' },
  },
  strict: false,
});
const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
const contexts = [values.context ?? []].flat().map((one) => text(one)?.replace(/^=/, ''));
const named = contexts.find((one) => one?.startsWith('stage='))?.slice('stage='.length);

bypassProxy();
process.exitCode = await main(text(values.stage) ?? named ?? 'staging', text(values.profile));

async function main(stage: string, profile: string | undefined): Promise<number> {
  if (values.help === true || (stage !== 'staging' && stage !== 'prod')) {
    (values.help === true ? process.stdout : process.stderr).write(`${USAGE}\n`);
    return values.help === true ? 0 : 2;
  }
  const settings = readSettings(stage);
  const region = settings.environment?.region ?? process.env['AWS_REGION'] ?? 'us-east-1';
  const [lines, faults] = await Promise.all([
    preflightLines(settings, accountOf(dataStackName(copyName(stage)), region, profile)),
    checkOperatorRoles(settings, trustReader(settings, profile)),
  ]);
  for (const line of lines) process.stdout.write(`${inWords(line)}\n`);
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  if (faults.length > 0)
    process.stderr.write('\nOne person could act under two names: docs/operations.md, "The name in the audit".\n');
  return faults.length > 0 || lines.some(({ fault }) => fault !== undefined) ? 1 : 0;
}
