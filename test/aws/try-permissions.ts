import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import {
  CloudFormationClient,
  DescribeStacksCommand,
  paginateListStackResources,
  type StackResourceSummary,
} from '@aws-sdk/client-cloudformation';
import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { readOptionsOrExit } from '#infra/cli/read-options.ts';
import { strictConditions } from '#infra/platform/strict-conditions.ts';
import { copyName, serviceStackName } from '#infra/stacks/stack-names.ts';
import type { TableName } from '#infra/stage/table-shapes.ts';
import { strictPolicy } from './strict-policy.ts';
import { asRoleWith, policyOf } from './temporary-role.ts';
import { trialsOn, wasAllowed } from './trials.ts';

const NEEDS = `  It needs credentials of the account (AWS_PROFILE, or --profile) and a region (AWS_REGION), of an identity that may
  cloudformation:DescribeStacks and ListStackResources, dynamodb:DescribeTable, iam:GetRolePolicy, CreateRole,
  PutRolePolicy, DeleteRolePolicy and DeleteRole on role/try-permissions-*, and sts:AssumeRole on it.`;

const USAGE = `npm run try-permissions -- --stage staging [--profile <profile>]
  Makes each write that a strict condition is about, on a stage on AWS, as a role that has the policy of its function and
  the condition, and says which it may make. Exit status 1: one is not as it should be; 3: it could not be tried.
${NEEDS}`;

const say = (text: string) => void process.stdout.write(`${text}\n`);

/** Makes each write with its condition in an account, as a role that has the policy of the function and the condition. */
async function tryPermissions(stage: string, profile: string | undefined): Promise<boolean> {
  const account = new CloudFormationClient(profile === undefined ? {} : { profile });
  const data = new DynamoDBClient(profile === undefined ? {} : { profile });
  const { Stacks = [] } = await account.send(new DescribeStacksCommand({ StackName: `${copyName(stage)}-data` }));
  const outputs = Stacks.flatMap(({ Outputs = [] }) => Outputs);
  const table = (name: TableName): string => {
    const found = outputs.find(({ OutputKey }) => OutputKey === `${name}Table`)?.OutputValue;
    if (found === undefined) throw new Error(`The stage ${stage} has no table ${name}: deploy it first.`);
    return found;
  };
  const names = ['operations', 'hashes', 'deposits', 'events', 'clients'] as const;
  const arns = new Map<TableName, string>();
  for (const name of names) {
    const { Table } = await data.send(new DescribeTableCommand({ TableName: table(name) }));
    arns.set(name, Table?.TableArn ?? '');
  }
  const StackName = serviceStackName(copyName(stage));
  const resources: StackResourceSummary[] = [];
  // DescribeStackResources has the first hundred of a stack.
  for await (const { StackResourceSummaries = [] } of paginateListStackResources({ client: account }, { StackName }))
    resources.push(...StackResourceSummaries);
  const tables = {
    operations: table('operations'),
    hashes: table('hashes'),
    deposits: table('deposits'),
    events: table('events'),
    clients: table('clients'),
  };
  let isAsExpected = true;
  for (const { folder, role, conditions, trials } of trialsOn(tables, randomUUID)) {
    const found = resources.find(
      ({ ResourceType, LogicalResourceId = '' }) =>
        ResourceType === 'AWS::IAM::Role' && LogicalResourceId.startsWith(role),
    );
    const deployed = await policyOf(account, found?.PhysicalResourceId ?? role);
    const asked = conditions.map((name) => strictConditions[name]);
    const policy = strictPolicy(deployed, asked, (one) => arns.get(one.table) ?? '');
    say(`${folder}, with ${conditions.join(', ')}:`);
    await asRoleWith(account, policy, async (dynamo) => {
      for (const { what, isAllowed, run } of trials) {
        const allowed = await wasAllowed(run(dynamo));
        if (allowed !== isAllowed) isAsExpected = false;
        say(`  ${allowed === isAllowed ? 'as it should be' : 'WRONG'}: it ${allowed ? 'may' : 'may not'}: ${what}`);
      }
    });
  }
  return isAsExpected;
}

const { stage, profile } = readOptionsOrExit(USAGE, () => {
  const { values } = parseArgs({ options: { stage: { type: 'string' }, profile: { type: 'string' } } });
  if (values.stage === undefined || values.stage === 'local')
    throw new Error('--stage takes a stage on AWS, such as staging: the local AWS evaluates none of it.');
  return { ...values, stage: values.stage };
});
try {
  const isAsExpected = await tryPermissions(stage, profile);
  say(
    isAsExpected
      ? 'All as it should be. Write the run down in docs/on-aws.md, and name the conditions as strict in the settings of the stage.'
      : 'Leave out of the settings the conditions with a line that is WRONG.',
  );
  process.exitCode = isAsExpected ? 0 : 1;
} catch (error) {
  say(`${error instanceof Error ? error.message : String(error)}\n${NEEDS}`);
  process.exitCode = 3;
}
