import { parseArgs } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { depositBookOf } from '#functions/off-ramps/balance-deposits/balance-deposits.ts';
import { awsOf } from '#infra/cli/local-outputs.ts';
import { readOptionsOrExit, wholeNumber } from '#infra/cli/read-options.ts';
import { freePort } from '#infra/local/free-port.ts';
import { startLocalService } from '#infra/local/local-service.ts';
import { progressOn } from '#infra/local/progress.ts';
import { simulatedAccount } from '#shared/off-ramps/custodians/simulated/simulated-custodian-deployment.ts';
import { simulatedTransactionId, transferAttribute } from '#shared/off-ramps/custodians/simulated/transactions.ts';
import { createBooks } from '#shared/platform/books/book-store.ts';
import { systemClock } from '#shared/platform/clock.ts';
import { documentClient } from '#shared/platform/dynamodb/client.ts';
import { deployedFunctions } from '#test/support/deployed-functions.ts';

const USAGE = `npm run bench:books -- [--movements n]
  How long the deployed function takes for the book of a day with n movements on the local stack; 10,000 when not given.`;

const { movements } = readOptionsOrExit(USAGE, () => {
  const { values } = parseArgs({ options: { movements: { type: 'string', default: '10000' } } });
  return { movements: wholeNumber('--movements', values.movements, { most: 100_000 }) };
});

/** One in so many leaves the custodian's account, and one in so many came without being told of. */
const [OUTGOING, MISSING] = [50, 1000];
const USER = '0x98b5ccf00a7b5cb5487809d37577d0badbe4f8ff';
const DEPOSIT_ADDRESS = '0x7e4bef2fdd1ff04c86f33c2396eaec3fa8eb2d3c';
const BATCH = 25;

const progress = progressOn(process.stdout);
const { signal } = new AbortController();
const service = await startLocalService({
  port: await freePort(),
  windowSeconds: undefined,
  isEmpty: true,
  progress,
  signal,
});
try {
  const connection = awsOf(service.outputs);
  const dynamo = documentClient(new DynamoDBClient(connection));
  const tableOf = (name: string) => service.stack[`${name}Table`] ?? '';
  const books = createBooks(dynamo, tableOf('books'), systemClock);
  const name = depositBookOf('simulated');
  const functions = deployedFunctions(connection);
  const balance = await functions.find('balance-deposits');
  // The book begins before the day is filled: otherwise its first run is measured.
  await functions.invoke(balance);
  const day = (await books.findRun(name))?.begunOn ?? '';
  await fill(Date.now());

  await books.runNow(name);
  const startedAt = Date.now();
  let calls = 0;
  while (((await books.findDay(name, day))?.runAt ?? '') < new Date(startedAt).toISOString()) {
    calls += 1;
    await functions.invoke(balance);
  }
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
  const page = await books.findDay(name, day);
  const kinds = Map.groupBy(page?.differences ?? [], ({ kind }) => kind);
  progress.say(`  ${movements} movements: ${seconds} s, in ${calls} calls of the function`);
  progress.say(`  ${page?.differenceCount} differences, named: ${[...kinds.keys()].join(', ')}`);
  progress.say(`  ${JSON.stringify(page?.sums)}`);

  /** As a day goes: deposits that are credited, some that leave, and a few that nobody knows of. */
  async function fill(until: number): Promise<void> {
    const from = until - movements;
    const transactions = [];
    const deposits = [];
    for (let number = 0; number < movements; number += 1) {
      const createdAt = new Date(from + number).toISOString();
      const txHash = `0x${number.toString(16).padStart(64, '0')}`;
      const id = simulatedTransactionId('POLYGON', txHash);
      const isLeaving = number % OUTGOING === 0;
      const [fromAddress, toAddress] = isLeaving ? [simulatedAccount('POLYGON'), USER] : [USER, DEPOSIT_ADDRESS];
      const facts = { fromAddress, toAddress, assetId: 'POLYGON:USDC', amount: '250.5', confirmations: 32 };
      const transfer = { custodianTransferId: id, network: 'POLYGON', txHash, state: 'CONFIRMED', ...facts };
      const created = { createdAt, createdOn: createdAt.slice(0, 10) };
      transactions.push({
        custodianTransferId: id,
        isUnavailable: false,
        ...created,
        [transferAttribute(0)]: transfer,
      });
      if (isLeaving || number % MISSING === 1) continue;
      deposits.push({
        ...{ custodianTransferId: `simulated:${id}`, network: 'POLYGON', txHash, ...created },
        ...{ firstNotifiedAt: createdAt, lastNotifiedAt: createdAt, creditedAt: createdAt, detectedAt: createdAt },
        ...{
          operationId: crypto.randomUUID(),
          clientId: crypto.randomUUID(),
          userId: crypto.randomUUID(),
          sequence: 1,
        },
        transfer: { state: 'CONFIRMED', ...facts },
      });
    }
    await writeAll(tableOf('simulatedTransactions'), transactions);
    await writeAll(tableOf('deposits'), deposits);
  }

  async function writeAll(table: string, items: readonly Record<string, unknown>[]): Promise<void> {
    for (let at = 0; at < items.length; at += BATCH) {
      const puts = items.slice(at, at + BATCH).map((Item) => ({ PutRequest: { Item } }));
      await dynamo.send(new BatchWriteCommand({ RequestItems: { [table]: puts } }));
    }
  }
} finally {
  await service.stop();
}
