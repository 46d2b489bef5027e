import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  ListTagsOfResourceCommand,
  TagResourceCommand,
} from '@aws-sdk/client-dynamodb';
import { DeleteCommand, GetCommand } from '@aws-sdk/lib-dynamodb';
import { expect, inject, test } from 'vitest';
import { awsOf } from '#infra/cli/local-outputs.ts';
import { restoredName, restoreTables } from '#infra/cli/restore-tables.ts';
import { restoredTables, type TableShape, tableShapes } from '#infra/stage/table-shapes.ts';
import { parseAddress } from '#shared/networks/network.ts';
import { putBackContract } from '#shared/off-ramps/contract/operator-commands.ts';
import { addressKey } from '#shared/off-ramps/custodians/assigned-addresses.ts';
import { listSinceContract } from '#shared/operators/lookups.ts';
import { systemClock } from '#shared/platform/clock.ts';
import { documentClient } from '#shared/platform/dynamodb/client.ts';
import { eventually } from '#test/support/eventually.ts';
import { newHash, OffRampUser } from '#test/support/http-client.ts';
import { operate } from '#test/support/operator-client.ts';
import { newTenant } from '#test/support/tenant.ts';

const second = (at: Date) => `${at.toISOString().slice(0, 19)}Z`;

test('decisions 4, putting back: an off-ramp that its tables have lost is listed, put back, and takes its deposit', async () => {
  const tenant = await newTenant('restore');
  const user = new OffRampUser('POLYGON', tenant);
  const since = second(new Date());
  const operation = await user.create();
  const { id, address } = operation;
  const dynamo = documentClient(new DynamoDBClient(awsOf(inject('outputs'))));
  const { operationsTable = '', hashesTable = '' } = inject('stack');
  await dynamo.send(new DeleteCommand({ TableName: operationsTable, Key: { operationId: id, record: 'OPERATION' } }));
  await dynamo.send(
    new DeleteCommand({
      TableName: hashesTable,
      Key: addressKey(parseAddress('POLYGON', address)?.address ?? address),
    }),
  );

  const line = async () => {
    const found: { about?: string; what: string; isThere?: boolean; next: string }[] = [];
    for (let cursor: object | undefined = { client: tenant.clientId }; cursor !== undefined; ) {
      const { body }: Awaited<ReturnType<typeof operate>> = await operate(listSinceContract, { since, ...cursor });
      found.push(...body.items);
      cursor = body.nextCursor === undefined ? undefined : { client: tenant.clientId, cursor: body.nextCursor };
    }
    return found.find(({ about, what }) => about === id && what === 'off-ramp created');
  };
  expect(await line()).toMatchObject({ isThere: false, next: `put-back ${id}` });
  expect((await operate(putBackContract, { operationId: id })).status).toBe(200);
  expect(await line()).toMatchObject({ isThere: true });
  await user.deposit(operation, newHash(), { notify: true });
  await eventually(
    () => user.read(id),
    ({ status }) => status === 'VERIFIED',
  );
});

// The local AWS restores a table's current items, whatever the second, and has no restore window; only AWS has both.
test('every table is restored beside the original, with its indexes and the settings that a restore leaves out, also by a repeated call', async () => {
  const dynamo = new DynamoDBClient(awsOf(inject('outputs')));
  const at = second(new Date());
  const tables = restoredTables.map((name) => {
    const source = inject('stack')[`${name}Table`] ?? '';
    return { name, source, target: restoredName(source, at) };
  });
  // The local AWS takes tags of tables from no template.
  const Tags = [{ Key: 'stage', Value: 'local' }];
  const clients = tables.find(({ name }) => name === 'clients');
  const { Table } = await dynamo.send(new DescribeTableCommand({ TableName: clients?.source }));
  await dynamo.send(new TagResourceCommand({ ResourceArn: Table?.TableArn, Tags }));
  const said: string[] = [];
  const restorer = {
    dynamo,
    clock: systemClock,
    isProtected: true,
    say: (line: string) => said.push(line),
    pause: 100,
  };
  // The first call breaks off after two of them.
  await restoreTables(restorer, tables.slice(0, 2), at);
  await restoreTables(restorer, tables, at);
  expect(said.filter((line) => line.endsWith('being restored'))).toHaveLength(tables.length);

  for (const { name, source, target } of tables) {
    const [was, is] = [await shapeOf(dynamo, source), await shapeOf(dynamo, target)];
    const { timeToLive }: TableShape = tableShapes[name];
    // The local AWS takes backups, protection and time to live from no template.
    expect(is).toEqual({ ...was, isProtected: true, backups: 'ENABLED', timeToLive });
    if (name === 'clients') expect(is.tags).toEqual(Tags);
  }
  const [client] = inject('outputs').clients;
  const Key = { clientId: client?.clientId };
  const { Item } = await documentClient(dynamo).send(new GetCommand({ TableName: clients?.target, Key }));
  expect(Item).toMatchObject(Key);
});

async function shapeOf(dynamo: DynamoDBClient, TableName: string) {
  const { Table = {} } = await dynamo.send(new DescribeTableCommand({ TableName }));
  const [backups, forgetting, tags] = await Promise.all([
    dynamo.send(new DescribeContinuousBackupsCommand({ TableName })),
    dynamo.send(new DescribeTimeToLiveCommand({ TableName })),
    dynamo.send(new ListTagsOfResourceCommand({ ResourceArn: Table.TableArn })),
  ]);
  const { TimeToLiveStatus, AttributeName } = forgetting.TimeToLiveDescription ?? {};
  return {
    keys: Table.KeySchema,
    indexes: Table.GlobalSecondaryIndexes?.map(({ IndexName, KeySchema, Projection }) => ({
      ...{ IndexName, KeySchema, Projection },
    })).toSorted((one, other) => String(one.IndexName).localeCompare(String(other.IndexName))),
    isProtected: Table.DeletionProtectionEnabled,
    backups: backups.ContinuousBackupsDescription?.PointInTimeRecoveryDescription?.PointInTimeRecoveryStatus,
    timeToLive: TimeToLiveStatus === 'ENABLED' ? AttributeName : undefined,
    tags: tags.Tags?.filter(({ Key }) => !Key?.startsWith('aws:')),
  };
}
