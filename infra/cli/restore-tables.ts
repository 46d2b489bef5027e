import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
  ListTagsOfResourceCommand,
  RestoreTableToPointInTimeCommand,
  type TableDescription,
  type Tag,
  TagResourceCommand,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { type RestoredTable, type TableShape, tableShapes } from '#infra/stage/table-shapes.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { retry } from '#shared/platform/retry.ts';

/** One table that is to be restored. */
export interface TableToRestore {
  readonly name: RestoredTable;
  /** The table that the service has now. */
  readonly source: string;
  readonly target: string;
}

/** The name of a restored table without its second; any other name is unchanged. */
export function nameBeforeRestore(name: string): string {
  return name.replace(/-\d{8}T\d{6}Z$/, '');
}

/** The name of a table restored to a second. The second of an earlier restore is replaced. */
export function restoredName(source: string, at: string): string {
  return `${nameBeforeRestore(source)}-${at.replace(/[-:]/g, '')}`;
}

/** Lists why the tables cannot be restored to this second; empty if they can. */
export async function windowFaults(
  dynamo: DynamoDBClient,
  tables: readonly TableToRestore[],
  at: string,
): Promise<string[]> {
  const faults: string[] = [];
  for (const { source, target } of tables) {
    // The service uses the target already: the same restore was done, and its settings were deployed.
    if (source === target) faults.push(`${source}: the service has it already`);
    // A target that exists is being restored, or a person has restored it from the backup of a deleted table.
    else if ((await describeTable(dynamo, target)) === undefined) {
      const fault = await sourceFault(dynamo, { source, target }, at);
      if (fault !== undefined) faults.push(`${source}: ${fault}`);
    }
  }
  return faults;
}

async function sourceFault(dynamo: DynamoDBClient, { source, target }: Omit<TableToRestore, 'name'>, at: string) {
  if ((await describeTable(dynamo, source)) === undefined)
    return `does not exist. If it was deleted, restore its backup as ${target} first: docs/disaster.md, the table at its top`;
  const { ContinuousBackupsDescription: backups } = await dynamo.send(
    new DescribeContinuousBackupsCommand({ TableName: source }),
  );
  const { EarliestRestorableDateTime: first, LatestRestorableDateTime: last } =
    backups?.PointInTimeRecoveryDescription ?? {};
  return windowFault(first, last, at);
}

async function describeTable(dynamo: DynamoDBClient, TableName: string): Promise<TableDescription | undefined> {
  try {
    return (await dynamo.send(new DescribeTableCommand({ TableName }))).Table;
  } catch (error) {
    if (error instanceof Error && error.name === 'ResourceNotFoundException') return undefined;
    throw error;
  }
}

async function tagsOf(dynamo: DynamoDBClient, ResourceArn: string, token?: string): Promise<readonly Tag[]> {
  const { Tags = [], NextToken } = await dynamo.send(
    new ListTagsOfResourceCommand({ ResourceArn, ...(token !== undefined && { NextToken: token }) }),
  );
  return NextToken === undefined ? Tags : [...Tags, ...(await tagsOf(dynamo, ResourceArn, NextToken))];
}

export function windowFault(first: Date | undefined, last: Date | undefined, at: string): string | undefined {
  if (first === undefined || last === undefined) return 'no second of it can be restored: it has no backups';
  const second = Date.parse(at);
  if (second >= first.getTime() && second <= last.getTime()) return undefined;
  return `can be restored to a second from ${first.toISOString()} to ${last.toISOString()}`;
}

/** Refusals of DynamoDB while it changes a table: it makes one change after another. */
const BUSY = [
  'ResourceInUseException',
  'LimitExceededException',
  'ContinuousBackupsUnavailableException',
  'ThrottlingException',
];

/** Milliseconds that a restore may take. */
const LONGEST = 24 * 3600_000;

function tooOld(table: string, since: Date): string {
  return `${table} exists since ${since.toISOString()}, and may have been written since: restore to another second, even the next one.`;
}

interface Restorer {
  readonly dynamo: DynamoDBClient;
  readonly clock: Clock;
  /** True if the tables are protected from deletion, like those of the stage's own stack. */
  readonly isProtected: boolean;
  readonly say: (line: string) => void;
  /** Milliseconds between two polls. */
  readonly pause?: number;
}

/**
 * Restores tables to one second, each into a table of another name, and adds what a restore leaves out: time to live,
 * backups, protection, tags. The tables need no stream and no policy, because tables with one are never restored. Each
 * step first checks whether it is done, so an interrupted call can be repeated.
 */
export async function restoreTables(
  { dynamo, clock, isProtected, say, pause = 15_000 }: Restorer,
  tables: readonly TableToRestore[],
  at: string,
): Promise<void> {
  const describe = (TableName: string) => describeTable(dynamo, TableName);

  const patiently = <Done>(work: () => Promise<Done>) =>
    retry(work, {
      clock,
      pause: () => pause,
      tries: 40,
      when: (error) => error instanceof Error && BUSY.includes(error.name),
    });

  const begin = async ({ source, target }: TableToRestore) => {
    const found = await describe(target);
    if (found !== undefined) {
      const since = found.CreationDateTime ?? clock.now();
      if (since.getTime() + LONGEST < clock.now().getTime()) throw new Error(tooOld(target, since));
      return say(`${target}: exists since ${since.toISOString()}, ${found.TableStatus}`);
    }
    const restore = new RestoreTableToPointInTimeCommand({
      ...{ SourceTableName: source, TargetTableName: target, RestoreDateTime: new Date(at) },
      BillingModeOverride: 'PAY_PER_REQUEST',
      SSESpecificationOverride: { Enabled: true, SSEType: 'KMS' },
    });
    try {
      await patiently(() => dynamo.send(restore));
    } catch (error) {
      // Another call created the table, or an attempt of this one whose answer was lost.
      if (!(error instanceof Error && error.name === 'TableAlreadyExistsException')) throw error;
    }
    say(`${target}: being restored`);
  };

  const untilActive = async ({ target }: TableToRestore): Promise<TableDescription> => {
    for (;;) {
      const found = await describe(target);
      const { TableStatus, GlobalSecondaryIndexes: indexes = [] } = found ?? {};
      const isWhole = TableStatus === 'ACTIVE' && indexes.every(({ IndexStatus }) => IndexStatus === 'ACTIVE');
      if (found !== undefined && isWhole && found.RestoreSummary?.RestoreInProgress !== true) return found;
      say(`${target}: ${TableStatus ?? 'not there yet'}`);
      await clock.sleep(pause);
    }
  };

  const complete = async (table: TableToRestore) => {
    const { source, target } = table;
    const { TableArn: ResourceArn } = await untilActive(table);
    await keepBackups(target);
    await forget(table);
    await protect(target);
    const from = (await describe(source))?.TableArn;
    // A table that was deleted has no tags to copy.
    const tags = from === undefined ? [] : await tagsOf(dynamo, from);
    // Tags of CloudFormation cannot be set.
    const own = tags.filter(({ Key }) => Key?.startsWith('aws:') === false);
    if (own.length > 0) await patiently(() => dynamo.send(new TagResourceCommand({ ResourceArn, Tags: own })));
    say(`${target}: complete`);
  };

  const keepBackups = async (TableName: string) => {
    const enable = { PointInTimeRecoveryEnabled: true };
    const { ContinuousBackupsDescription: found } = await dynamo.send(
      new DescribeContinuousBackupsCommand({ TableName }),
    );
    if (found?.PointInTimeRecoveryDescription?.PointInTimeRecoveryStatus === 'ENABLED') return;
    await patiently(() =>
      dynamo.send(new UpdateContinuousBackupsCommand({ TableName, PointInTimeRecoverySpecification: enable })),
    );
  };

  const forget = async ({ name, target: TableName }: TableToRestore) => {
    const { timeToLive }: TableShape = tableShapes[name];
    if (timeToLive === undefined) return;
    const { TimeToLiveDescription: found } = await dynamo.send(new DescribeTimeToLiveCommand({ TableName }));
    if (found?.TimeToLiveStatus?.startsWith('ENABL')) return;
    const TimeToLiveSpecification = { Enabled: true, AttributeName: timeToLive };
    await patiently(() => dynamo.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification })));
  };

  const protect = async (TableName: string) => {
    const found = await describe(TableName);
    if (!isProtected || found?.DeletionProtectionEnabled === true) return;
    await patiently(() => dynamo.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: true })));
  };

  for (const table of tables) await begin(table);
  for (const table of tables) await complete(table);
}
