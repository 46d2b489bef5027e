import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from 'vitest';
import { asConflict, type TransactionLeg, transact, WriteConflict } from '#shared/platform/dynamodb/transaction.ts';
import { fakeDynamo } from '#test/support/fake-dynamo.ts';

const leg = (table: string): TransactionLeg => ({ Delete: { TableName: table, Key: {} } });

function cancelled(...codes: readonly string[]) {
  return fakeDynamo(async () => {
    throw new TransactionCanceledException({
      message: 'Transaction cancelled',
      $metadata: {},
      CancellationReasons: codes.map((Code) => ({ Code })),
    });
  }).client;
}

const legs = { operation: leg('a'), declared: leg('b'), event: leg('c') };

describe('decisions 4, writing an operation: a cancelled transaction says which of its conditions failed', () => {
  test.each([
    [['ConditionalCheckFailed', 'None', 'None'], ['operation']],
    [['None', 'ConditionalCheckFailed', 'None'], ['declared']],
    [['None', 'None', 'ConditionalCheckFailed'], ['event']],
    [
      ['ConditionalCheckFailed', 'None', 'ConditionalCheckFailed'],
      ['operation', 'event'],
    ],
  ])('%j is named as %j', async (codes, names) => {
    expect(await transact(cancelled(...codes), legs)).toEqual(new Set(names));
  });

  test('a leg that is left out takes no position', async () => {
    const optional = { operation: leg('a'), ...(legs.event && {}), event: leg('c') };
    expect(await transact(cancelled('None', 'ConditionalCheckFailed'), optional)).toEqual(new Set(['event']));
  });

  test('a conflict or a throttled leg is a lost write, whatever else failed', async () => {
    for (const codes of [
      ['TransactionConflict', 'None', 'None'],
      ['None', 'None', 'TransactionConflict'],
      ['ConditionalCheckFailed', 'TransactionConflict', 'None'],
      ['ThrottlingError', 'None', 'None'],
      ['None', 'ProvisionedThroughputExceeded', 'None'],
      ['ConditionalCheckFailed', 'None', 'RequestLimitExceeded'],
    ]) {
      await expect(transact(cancelled(...codes), legs)).rejects.toBeInstanceOf(WriteConflict);
    }
  });

  test.each([[['ValidationError', 'None', 'None']], [['None', 'None', 'None']], [[]]])(
    '%j is no lost condition: it is thrown on',
    async (codes) => {
      await expect(transact(cancelled(...codes), legs)).rejects.toBeInstanceOf(TransactionCanceledException);
    },
  );

  test.each([
    'ThrottlingException',
    'ProvisionedThroughputExceededException',
    'RequestLimitExceeded',
    'TransactionInProgressException',
  ])('what the SDK gave up on is a lost write too: %s', async (name) => {
    const { client } = fakeDynamo(async () => {
      throw Object.assign(new Error('Rate exceeded'), { name });
    });
    await expect(transact(client, legs)).rejects.toBeInstanceOf(WriteConflict);
  });

  test.each([
    ['ThrottlingException', WriteConflict],
    ['TransactionConflictException', WriteConflict],
    ['ConditionalCheckFailedException', Error],
  ])('what the SDK gave up on of a single item is a lost write, too: %s', (name, kind) => {
    const conflict = asConflict(Object.assign(new Error('no'), { name }));
    expect(Object.getPrototypeOf(conflict)).toBe(kind.prototype);
  });

  test('any other failure is thrown on', async () => {
    const failure = new Error('socket hang up');
    const { client } = fakeDynamo(async () => {
      throw failure;
    });
    await expect(transact(client, legs)).rejects.toBe(failure);
  });
});
