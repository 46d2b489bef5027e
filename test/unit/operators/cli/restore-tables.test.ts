import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { tableStateOf } from '#infra/cli/account.ts';
import {
  restoredName,
  restoreTables,
  type TableToRestore,
  windowFault,
  windowFaults,
} from '#infra/cli/restore-tables.ts';
import { fakeClock } from '#test/support/fake-clock.ts';

const [first, last] = [new Date('2026-10-23T10:00:00Z'), new Date('2026-11-27T09:55:00Z')];

test.each([
  ['2026-10-23T10:00:00Z', undefined],
  ['2026-11-27T09:55:00Z', undefined],
  ['2026-10-23T09:59:59Z', 'from 2026-10-23T10:00:00.000Z to 2026-11-27T09:55:00.000Z'],
  // The last five minutes cannot be restored yet.
  ['2026-11-27T09:55:01Z', 'from 2026-10-23T10:00:00.000Z to 2026-11-27T09:55:00.000Z'],
])('decisions 4, putting back: whether a table can be restored to %s', (at, fault) => {
  const said = windowFault(first, last, at);
  if (fault === undefined) expect(said).toBeUndefined();
  else expect(said).toContain(fault);
});

test('a table without backups can be restored to no second', () => {
  expect(windowFault(undefined, undefined, '2026-11-27T09:00:00Z')).toContain('no backups');
});

test('the name of a restored table says to which second, also when it is restored again', () => {
  const once = restoredName('payin-offramp-prod-data-Tablesclients-1A2B3C', '2026-11-27T09:00:00Z');
  expect(once).toBe('payin-offramp-prod-data-Tablesclients-1A2B3C-20261127T090000Z');
  expect(restoredName(once, '2026-11-28T10:11:12Z')).toBe(
    'payin-offramp-prod-data-Tablesclients-1A2B3C-20261128T101112Z',
  );
});

const AT = '2026-11-27T09:00:00Z';
const restoring: readonly TableToRestore[] = (['clients', 'deposits'] as const).map((name) => {
  const source = `payin-offramp-prod-data-Tables${name}-1A2B3C`;
  return { name, source, target: restoredName(source, AT) };
});

const awsError = (name: string) => Object.assign(new Error(name), { name });

/** A restored table. `looks` counts DescribeTable: from the third on it is ACTIVE; before, it takes no change. */
const restored = { looks: 0, backups: false, timeToLive: '', isProtected: false, tags: [] as readonly string[] };

type Table = typeof restored;

interface Asked {
  readonly TimeToLiveSpecification: { readonly AttributeName: string };
  readonly Tags: readonly { readonly Key: string }[];
  readonly NextToken?: string;
}

const says: Readonly<Record<string, (table: Table, TableArn: string, asked: Asked) => object>> = {
  DescribeTable: ({ looks, isProtected }, TableArn) => ({
    Table: {
      TableArn,
      CreationDateTime: new Date(AT),
      TableStatus: looks > 2 ? 'ACTIVE' : 'CREATING',
      DeletionProtectionEnabled: isProtected,
    },
  }),
  DescribeContinuousBackups: ({ backups }) => ({
    ContinuousBackupsDescription: {
      PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus: backups ? 'ENABLED' : 'DISABLED' },
    },
  }),
  DescribeTimeToLive: ({ timeToLive }) => ({
    TimeToLiveDescription: { TimeToLiveStatus: timeToLive === '' ? 'DISABLED' : 'ENABLING' },
  }),
  // Each page has one tag.
  ListTagsOfResource({ tags }, _, { NextToken = '0' }) {
    const [Key, ...others] = tags.slice(Number(NextToken));
    return { Tags: [{ Key }], ...(others.length > 0 && { NextToken: String(Number(NextToken) + 1) }) };
  },
};

const does: Readonly<Record<string, (table: Table, asked: Asked) => Partial<Table>>> = {
  UpdateContinuousBackups: () => ({ backups: true }),
  UpdateTable: () => ({ isProtected: true }),
  UpdateTimeToLive({ timeToLive }, { TimeToLiveSpecification }) {
    if (timeToLive !== '') throw awsError('ValidationException');
    return { timeToLive: TimeToLiveSpecification.AttributeName };
  },
  TagResource: (_, { Tags }) => ({ tags: Tags.map(({ Key }) => Key) }),
};

/** The calls of DynamoDB that a restore makes. */
function dynamoDb() {
  const whole = { looks: 3, backups: true, isProtected: true, tags: ['aws:stack', 'stage'] };
  const tables = new Map<string, Table>(restoring.map(({ source }) => [source, { ...restored, ...whole }]));
  /** The restore dies at the call of this number, before or after DynamoDB has done what it asks. */
  const dies = { at: 0, isAfter: false, calls: 0 };

  const answer = (command: string, asked: Asked & Readonly<Record<string, string>>): object => {
    const { TargetTableName: target, TableName = asked['ResourceArn'] ?? '' } = asked;
    if (target !== undefined) {
      if (tables.has(target)) throw awsError('TableAlreadyExistsException');
      tables.set(target, { ...restored });
      return {};
    }
    const table = tables.get(TableName);
    if (table === undefined) throw awsError('ResourceNotFoundException');
    if (command === 'DescribeTable') table.looks += 1;
    else if (table.looks < 3) throw awsError('ResourceInUseException');
    return says[command]?.(table, TableName, asked) ?? Object.assign(table, does[command]?.(table, asked));
  };

  const client = Object.assign(new DynamoDBClient({ region: 'us-east-1' }), {
    send: async (command: { readonly input: object }) => {
      const answered = async () =>
        answer(command.constructor.name.replace(/Command$/, ''), { ...Object(command.input) });
      dies.calls += 1;
      if (dies.calls !== dies.at) return answered();
      if (dies.isAfter) await answered().catch(() => {});
      throw new Error('The call dies.');
    },
  });
  return { client, dies, tables };
}

const restore = (dynamo: DynamoDBClient, now = AT) =>
  restoreTables({ dynamo, clock: fakeClock(now), isProtected: true, say: () => {} }, restoring, AT);

test('a table that was restored more than a day ago may have been written since: it is not taken', async () => {
  const { client } = dynamoDb();
  await restore(client);
  await expect(restore(client, '2026-11-28T09:00:00Z')).resolves.toBeUndefined();
  await expect(restore(client, '2026-11-28T09:00:01Z')).rejects.toThrow('restore to another second');
});

test('a table that was deleted is restored from its backup by a person, and completed with the others', async () => {
  const { client, tables } = dynamoDb();
  const [deleted] = restoring.map(({ source, target }) => ({ source, target }));
  tables.delete(deleted?.source ?? '');
  const [fault, ...others] = await windowFaults(client, restoring, AT);
  expect(fault).toContain(`does not exist. If it was deleted, restore its backup as ${deleted?.target} first`);
  // The source of the other table has no backups in this test.
  expect(others).toEqual([expect.stringContaining('no backups')]);
  for (const { target } of restoring) tables.set(target, { ...restored });
  expect(await windowFaults(client, restoring, AT)).toEqual([]);
  await restore(client);
  expect(tables.get(deleted?.target ?? '')).toMatchObject({ backups: true, isProtected: true, tags: [] });
});

test('a call that dies at any step, before or after it was done, is gone on with by the next one', async () => {
  const uncut = dynamoDb();
  await restore(uncut.client);
  const complete = { looks: expect.any(Number), backups: true, isProtected: true, tags: ['stage'] };
  for (const { name, source, target } of restoring) {
    const timeToLive = name === 'deposits' ? 'expiresAt' : '';
    expect([uncut.tables.has(source), uncut.tables.get(target)]).toEqual([true, { ...complete, timeToLive }]);
  }
  const settings = ({ tables }: typeof uncut) => [...tables].map(([name, { looks: _, ...kept }]) => [name, kept]);
  for (const isAfter of [false, true]) {
    for (let at = 1; at <= uncut.dies.calls; at += 1) {
      const cut = dynamoDb();
      Object.assign(cut.dies, { at, isAfter });
      await expect(restore(cut.client), `call ${at}`).rejects.toThrow('The call dies.');
      await restore(cut.client);
      expect(settings(cut), `call ${at}`).toEqual(settings(uncut));
    }
  }
});

test('a restore that another call began meanwhile, or whose answer was lost, is waited for', async () => {
  const { client, tables } = dynamoDb();
  const { send } = client;
  const twice = async (command: Parameters<typeof send>[0]) => {
    if ('TargetTableName' in command.input) await send(command);
    return send(command);
  };
  await restore(Object.assign(client, { send: twice }));
  for (const { target } of restoring) expect(tables.get(target)).toMatchObject({ backups: true, isProtected: true });
});

test.each([
  ['ACTIVE', ['ACTIVE', 'ACTIVE'], 'ACTIVE'],
  ['ACTIVE', ['ACTIVE', 'CREATING'], 'CREATING'],
  ['UPDATING', ['ACTIVE'], 'UPDATING'],
])(
  'preflight takes a restored table that is %s, with indexes that are %s, for %s',
  async (TableStatus, indexes, state) => {
    const GlobalSecondaryIndexes = indexes.map((IndexStatus) => ({ IndexStatus }));
    const send = async () => ({ Table: { TableStatus, GlobalSecondaryIndexes } });
    const dynamo = Object.assign(new DynamoDBClient({ region: 'us-east-1' }), { send });
    expect(await tableStateOf(dynamo, 'restored')).toBe(state);
  },
);
