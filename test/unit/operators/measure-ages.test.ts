import { describe, expect, test } from 'vitest';
import { measureAges } from '#functions/operators/measure-ages/measure-ages.ts';
import { type TableShape, tableShapes } from '#infra/stage/table-shapes.ts';
import { type MeasuredIndex, measuredIndexes } from '#shared/operators/measured-ages.ts';
import { gaugesLine } from '#shared/platform/logger.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { tablesInMemory } from '#test/support/tables-in-memory.ts';

const NOW = '2026-11-23T12:00:00.000Z';

/** More clients than are read at the same time. */
const CLIENTS = Array.from({ length: 120 }, (_, number) => `client ${number}`);

const tables = {
  operations: 'operations',
  deposits: 'deposits',
  payins: 'payins',
  events: 'events',
  deliveries: 'deliveries',
} as const;

function world(others: Partial<Parameters<typeof measureAges>[0]> = {}) {
  const { dynamo, table } = tablesInMemory();
  const measure = measureAges({
    dynamo,
    tables,
    indexes: measuredIndexes,
    listClientIds: async () => CLIENTS,
    clock: fakeClock(NOW),
    ...others,
  });
  return {
    measure,
    put: (name: keyof typeof tables, item: Readonly<Record<string, unknown>>) => table(name).put(item),
  };
}

const ago = (seconds: number) => new Date(Date.parse(NOW) - seconds * 1000).toISOString();

test.each(measuredIndexes)(
  '$age is measured in an index of the tables, by the sort key of that index',
  (measured: MeasuredIndex) => {
    const shape: TableShape = tableShapes[measured.table];
    expect(shape.indexes?.[measured.index]).toEqual([measured.shard, measured.at]);
    if (measured.since !== undefined) expect(shape.alsoIn?.[measured.index]).toContain(measured.since);
    const shards = typeof measured.shards === 'function' ? measured.shards(CLIENTS) : measured.shards;
    expect(shards.length).toBeGreaterThan(0);
  },
);

describe('the ages of waiting work', () => {
  test('are 0 where nothing waits', async () => {
    const { measure } = world();
    const gauges = await measure();
    expect(Object.keys(gauges)).toEqual(
      measuredIndexes.flatMap((measured: MeasuredIndex) =>
        measured.number === undefined ? [measured.age] : [measured.age, measured.number],
      ),
    );
    expect(new Set(Object.values(gauges))).toEqual(new Set([0]));
  });

  test('are the age of the oldest item, in whichever shard it is', async () => {
    const { measure, put } = world();
    put('events', { subject: 'a', change: 'one', unpublishedIn: 'EVENT#0', occurredAt: ago(30) });
    put('events', { subject: 'b', change: 'one', unpublishedIn: 'EVENT#9', occurredAt: ago(400) });
    put('events', { subject: 'c', change: 'one', unpublishedIn: 'EVENT#9', occurredAt: ago(20) });
    put('operations', { operationId: 'o', record: 'VERIFICATION', dueShard: 'client 2', nextCheckAt: ago(700) });
    expect(await measure()).toMatchObject({
      'oldest unpublished event': 400,
      'longest overdue check of a verification': 700,
    });
  });

  // The sweep postpones `dueAt` with every message that it sends: an index by `dueAt` does not show how long one waits.
  test('count from the time at which the poll was due, however often its message was sent again; hashes apart from deposits', async () => {
    const { measure, put } = world();
    const poll = (custodianTransferId: string, dueShard: string, nextPollAt: string, dueAt: string) =>
      put('deposits', { custodianTransferId, dueShard, nextPollAt, dueAt });
    poll('soon', 'DEPOSIT#2', ago(10), ago(10));
    poll('long', 'DEPOSIT#2', ago(3000), ago(-1500));
    poll('HASH#client 2#x', 'HASH#client 2', ago(900), ago(-300));
    put('deliveries', {
      deliveryId: 'd',
      record: 'DELIVERY',
      clientId: 'client 119',
      nextAttemptAt: ago(5),
      dueAt: ago(-295),
    });
    expect(await measure()).toMatchObject({
      'longest overdue poll of a deposit': 3000,
      'longest overdue poll of a hash': 900,
      'longest overdue delivery': 5,
    });
  });

  test('are those of an overdue poll behind any number of polls that are only planned', async () => {
    const { measure, put } = world();
    for (let number = 0; number < 150; number += 1)
      put('deposits', {
        custodianTransferId: `${number}`,
        dueShard: 'DEPOSIT#2',
        nextPollAt: ago(-60),
        dueAt: ago(-360),
      });
    put('deposits', { custodianTransferId: 'x', dueShard: 'DEPOSIT#2', nextPollAt: ago(3000), dueAt: ago(-1860) });
    expect(await measure()).toMatchObject({ 'longest overdue poll of a deposit': 3000 });
  });

  test.each(['operators', 'custodian', 'client 2'])('of polls of hashes are those of %s, too', async (searcher) => {
    const { measure, put } = world();
    const dueShard = `HASH#${searcher}`;
    put('deposits', { custodianTransferId: `${dueShard}#x`, dueShard, nextPollAt: ago(900), dueAt: ago(-300) });
    expect(await measure()).toMatchObject({ 'longest overdue poll of a hash': 900 });
  });

  test('have the number of the items of a list beside them', async () => {
    const { measure, put } = world();
    for (const [id, kind, seconds] of [
      ['a', 'UNMATCHED', 50],
      ['b', 'REVERSED', 90_000],
    ] as const)
      put('deposits', { custodianTransferId: id, unmatched: kind, unmatchedSince: ago(seconds) });
    expect(await measure()).toMatchObject({ 'oldest unmatched deposit': 50, 'unmatched deposits': 1 });
  });

  // Such a deposit may stay unmatched for ever: its money is gone. It must not keep the others' alarm from going off.
  test('of the unmatched deposits do not include a deposit that was taken back', async () => {
    const { measure, put } = world();
    put('deposits', { custodianTransferId: 'a', unmatched: 'REVERSED', unmatchedSince: ago(90_000) });
    put('deposits', { custodianTransferId: 'b', unmatched: 'UNMATCHED', unmatchedSince: ago(50) });
    const ages = { 'oldest deposit that was taken back': 90_000, 'oldest unmatched deposit': 50 };
    expect(await measure()).toMatchObject({ ...ages, 'deposits that were taken back': 1, 'unmatched deposits': 1 });
  });

  test('of a contradiction count from the time since which nobody has decided it', async () => {
    const { measure, put } = world();
    const of = (operationId: string, shard: string, seconds: number) =>
      put('operations', {
        ...{ operationId, record: 'OPERATION', contradictedShard: shard, contradictedSince: ago(seconds) },
      });
    of('a', 'CONTRADICTED#0', 70);
    of('b', 'CONTRADICTED#9', 90_000);
    expect(await measure()).toMatchObject({ 'oldest contradiction': 90_000 });
  });

  test.each([
    ['has been settled', { settled: { outcome: 'KEPT' } }],
    ['was taken back, which the list of what is owed leaves out', { unmatched: 'REVERSED' }],
  ])('leave out of the owed deposits one that %s', async (_, differences) => {
    const { measure, put } = world();
    const owed = { owed: 'OWED', owedSince: ago(90_000) };
    put('deposits', { custodianTransferId: 'a', ...owed, ...differences });
    expect(await measure()).toMatchObject({ 'oldest owed deposit': 0, 'owed deposits': 0 });
    put('deposits', { custodianTransferId: 'b', ...owed, owedSince: ago(7) });
    expect(await measure()).toMatchObject({ 'oldest owed deposit': 7, 'owed deposits': 1 });
  });

  test('are measured in the other indexes when one cannot be read, which is an error', async () => {
    const lines = captureLogs();
    const [first, ...others] = measuredIndexes;
    const { measure } = world({ indexes: [{ ...first, index: 'none' }, ...others] });
    const gauges = await measure();
    const measured = others.map(({ age }) => age);
    expect(gauges).not.toHaveProperty(first.age);
    expect(Object.keys(gauges)).toEqual(expect.arrayContaining(measured));
    expect(lines).toMatchObject([{ level: 'error', code: 'AGE_NOT_MEASURED', fields: { metric: first.age } }]);
  });
});

test('a line of metrics is one of the embedded format: each metric is named in `_aws` and beside it, without dimensions', () => {
  const line = gaugesLine(
    'payin-offramp/prod',
    { 'oldest unpublished event': 7, 'unmatched deposits': 0 },
    new Date(NOW),
  );
  expect(JSON.parse(line)).toEqual({
    _aws: {
      Timestamp: Date.parse(NOW),
      CloudWatchMetrics: [
        {
          Namespace: 'payin-offramp/prod',
          Dimensions: [[]],
          Metrics: [{ Name: 'oldest unpublished event' }, { Name: 'unmatched deposits' }],
        },
      ],
    },
    'oldest unpublished event': 7,
    'unmatched deposits': 0,
  });
});
