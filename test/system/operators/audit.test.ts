import { CloudFormationClient, DescribeStackResourcesCommand } from '@aws-sdk/client-cloudformation';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { BatchGetCommand, DeleteCommand, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, inject, test } from 'vitest';
import { assumeLocally } from '#infra/cli/assume-locally.ts';
import { serviceAt } from '#infra/cli/find-service.ts';
import { awsOf } from '#infra/cli/local-outputs.ts';
import { copyName, operatorsStackName } from '#infra/stacks/stack-names.ts';
import { addUserContract } from '#shared/clients/user-commands.ts';
import { documentClient } from '#shared/platform/dynamodb/client.ts';
import { demoClient } from '#test/support/http-client.ts';
import { operate } from '#test/support/operator-client.ts';

/** The tables, with the permissions of the role. */
async function asRoleOf(name: string) {
  const aws = awsOf(inject('outputs'));
  const { endpoint, region } = aws;
  const stacks = new CloudFormationClient(aws);
  const { StackResources = [] } = await stacks.send(
    new DescribeStackResourcesCommand({ StackName: operatorsStackName(copyName('local')) }),
  );
  const role = StackResources.find(
    ({ ResourceType, LogicalResourceId = '' }) =>
      ResourceType === 'AWS::IAM::Role' && LogicalResourceId.startsWith(`${name.replaceAll('-', '')}Role`),
  );
  const { signing } = serviceAt(endpoint, 'the local AWS', aws);
  const { credentials } = await assumeLocally(
    aws,
    signing,
    'test',
    `arn:aws:iam::000000000000:role/${role?.PhysicalResourceId}`,
  );
  return documentClient(new DynamoDBClient({ endpoint, region, credentials }));
}

async function auditItem() {
  const { auditId } = await operate(addUserContract, { clientId: demoClient('demo').clientId });
  const Key = { auditId, record: 'ASKED' };
  return { TableName: inject('stack')['auditTable'] ?? '', Key };
}

const alteration = { UpdateExpression: 'SET reason = :no', ExpressionAttributeValues: { ':no': 'None' } };

test('decisions 11, audit: the function that makes changes can add items to it, and cannot alter, delete or read one', async () => {
  const { TableName, Key } = await auditItem();
  const dynamo = await asRoleOf('operate-clients');
  const ConditionExpression = 'attribute_not_exists(auditId)';
  const again = dynamo.send(new PutCommand({ TableName, Item: Key, ConditionExpression }));
  await expect(again).rejects.toThrow(/conditional request failed/);
  for (const attempt of [
    () => dynamo.send(new UpdateCommand({ TableName, Key, ...alteration })),
    () => dynamo.send(new DeleteCommand({ TableName, Key })),
    () => dynamo.send(new GetCommand({ TableName, Key })),
  ])
    await expect(attempt()).rejects.toThrow(
      /assumed-role\/payin-offramp-local-us-east-1-operate-clients.*is not authorized/,
    );
});

test('decisions 11, audit: the function for lookups can read it, and cannot change it', async () => {
  const { TableName, Key } = await auditItem();
  const dynamo = await asRoleOf('look-up');
  const read = await dynamo.send(new BatchGetCommand({ RequestItems: { [TableName]: { Keys: [Key] } } }));
  expect(read.Responses?.[TableName]).toMatchObject([{ ...Key, command: 'add-user' }]);
  for (const attempt of [
    () => dynamo.send(new PutCommand({ TableName, Item: Key })),
    () => dynamo.send(new UpdateCommand({ TableName, Key, ...alteration })),
    () => dynamo.send(new DeleteCommand({ TableName, Key })),
  ])
    await expect(attempt()).rejects.toThrow(/lookupRole.*is not authorized/);
});
