import { parseArgs } from 'node:util';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { copyName, dataStackName } from '#infra/stacks/stack-names.ts';
import { readSettings } from '#infra/stage/read-settings.ts';
import { restoredTables } from '#infra/stage/table-shapes.ts';
import { systemClock } from '#shared/platform/clock.ts';
import { bypassProxy } from './bypass-proxy.ts';
import { explainStackError } from './find-service.ts';
import { OpsError } from './ops-error.ts';
import { readOptionsOrExit } from './read-options.ts';
import { restoredName, restoreTables, windowFaults } from './restore-tables.ts';

const USAGE = `npm run restore -- --stage staging|prod --at <second> [--plan] [--profile <profile>]
  Restores the tables of a stage to one second, as 2026-11-27T10:00:00Z, into tables beside them, and prints the setting
  by which the service reads these. It leaves out audit, events, the pool of addresses and records of idempotency. Run it
  again to continue where it stopped. It changes none of the service's current tables: docs/disaster.md says what to do
  before and after.
  --plan  says which tables it would restore, and whether it can, and does nothing
  Needs cloudformation:DescribeStacks, and of dynamodb RestoreTableToPointInTime, DescribeTable, DescribeContinuousBackups,
  UpdateContinuousBackups, DescribeTimeToLive, UpdateTimeToLive, UpdateTable, ListTagsOfResource, TagResource, and what AWS
  asks for to write into the new table: BatchWriteItem, DeleteItem, GetItem, PutItem, Query, Scan, UpdateItem.`;

bypassProxy();
const options = readOptionsOrExit(USAGE, () => {
  const { values } = parseArgs({
    options: {
      stage: { type: 'string' },
      at: { type: 'string' },
      plan: { type: 'boolean', default: false },
      profile: { type: 'string' },
    },
  });
  const { stage, at = '' } = values;
  if (stage !== 'staging' && stage !== 'prod') throw new Error('--stage takes staging or prod.');
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(at) || Number.isNaN(Date.parse(at)))
    throw new Error('--at takes a second in UTC, as 2026-11-27T10:00:00Z.');
  return { stage, at, plan: values.plan, profile: values.profile } as const;
});

const say = (line: string) => void process.stdout.write(`${line}\n`);
try {
  process.exitCode = await main(options);
} catch (error) {
  const why = error instanceof Error ? error.message : String(error);
  // An OpsError comes before anything is restored, and to repeat the command does not help.
  const said = error instanceof OpsError ? why : `\nIt broke off: ${why}\nRun the same command again to continue.`;
  process.stderr.write(`${said}\n`);
  process.exitCode = 1;
}

async function main({ stage, at, plan, profile }: typeof options): Promise<number> {
  const { environment } = readSettings(stage);
  const config = { ...(environment && { region: environment.region }), ...(profile !== undefined && { profile }) };
  const dynamo = new DynamoDBClient(config);
  const StackName = dataStackName(copyName(stage));
  const sources = await sourcesOf(new CloudFormationClient(config), StackName, environment?.account);
  const tables = sources.map(({ name, source }) => ({ name, source, target: restoredName(source, at) }));
  const faults = await windowFaults(dynamo, tables, at);
  for (const { source, target } of tables) say(`${source}\n  → ${target}`);
  for (const fault of faults) say(`cannot be restored  ${fault}`);
  if (plan || faults.length > 0) return faults.length > 0 ? 1 : 0;
  await restoreTables({ dynamo, clock: systemClock, isProtected: true, say }, tables, at);
  const names = Object.fromEntries(tables.map(({ name, target }) => [name, target]));
  say(
    `\nPut this into infra/settings/${stage}.json:\n\n"restored": ${JSON.stringify({ at, tables: names }, null, 2)}\n`,
  );
  say(`Then, as docs/disaster.md says, "Restoring to a second":
  npm run deploy -- -c stage=${stage} -c release=at-once
  npm run ops -- since ${at} --stage ${stage}`);
  return 0;
}

/** Reads the names of the service's current tables from the outputs of the data stack. */
async function sourcesOf(stacks: CloudFormationClient, StackName: string, account: string | undefined) {
  const { Stacks: [stack] = [] } = await stacks.send(new DescribeStacksCommand({ StackName })).catch((error) => {
    throw explainStackError(error, StackName);
  });
  if (account !== undefined && !stack?.StackId?.includes(`:${account}:`))
    throw new OpsError('failed', `The credentials are not of account ${account}, which the settings name.`);
  const outputs = new Map(stack?.Outputs?.map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]));
  return restoredTables.map((name) => {
    const source = outputs.get(`${name}Table`);
    if (source === undefined)
      throw new OpsError('failed', `The stack ${StackName} has no output ${name}Table: deploy it.`);
    return { name, source };
  });
}
