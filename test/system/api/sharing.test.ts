import { setTimeout as sleep } from 'node:timers/promises';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, inject, test } from 'vitest';
import { issueTokenContract } from '#shared/clients/access-token-contract.ts';
import { receiveCustodianNotificationContract } from '#shared/off-ramps/custodians/custodian-notification-contract.ts';
import { connectedAs } from '#test/support/connected.ts';
import { deployedParts } from '#test/support/deployed.ts';
import { eventually } from '#test/support/eventually.ts';
import { whileFlooded } from '#test/support/flood.ts';
import { callOnceAs, demoClient, newHash, OffRampUser, problemOf, send } from '#test/support/http-client.ts';

/** What one caller does to the others, by what all of them need. */

const { dynamo } = deployedParts();
const floods = demoClient('demo');
const other = demoClient('second');

/** Twice what one caller once could use up of it, for longer than its burst lasted. */
const PER_SECOND = 100;
const LASTS = 5000;

const json = { 'Content-Type': 'application/json' };
const tokenOf = ({ clientId: client_id }: { readonly clientId: string }, client_secret: string) =>
  send('POST', issueTokenContract.path, { headers: json, body: JSON.stringify({ client_id, client_secret }) });

/** Other calls of the client write its webhook while the work is done: hundreds a second, so that some of few wait in vain. */
async function whileWritten<T>(clientId: string, webhookId: string, work: () => Promise<T>): Promise<T> {
  let isOver = false;
  const write = async () => {
    while (!isOver) {
      await dynamo.send(
        new UpdateCommand({
          TableName: inject('stack')['webhooksTable'] ?? '',
          Key: { clientId, webhookId },
          UpdateExpression: 'SET #sequence = #sequence + :one',
          ExpressionAttributeNames: { '#sequence': 'sequence' },
          ExpressionAttributeValues: { ':one': 1 },
        }),
      );
    }
  };
  const writing = Array.from({ length: 40 }, write);
  try {
    return await work();
  } finally {
    isOver = true;
    await Promise.all(writing);
  }
}

describe('decisions 10: what everybody needs, nobody uses up', { concurrent: false }, () => {
  test('wrong secrets of one caller leave the tokens of another alone', async () => {
    const given: number[] = [];
    const { statuses } = await whileFlooded(
      PER_SECOND,
      () => tokenOf(floods, 'wrong'),
      async () => {
        await sleep(LASTS);
        for (let asked = 0; asked < 10; asked += 1) given.push((await tokenOf(other, other.clientSecret)).status);
      },
    );
    expect(given).toEqual(given.map(() => 200));
    expect(Object.keys(statuses)).toEqual(['401']);
  });

  test('junk leaves the notifications of a custodian alone', async () => {
    const path = receiveCustodianNotificationContract.path.replace('{custodian}', 'simulated');
    const user = new OffRampUser('POLYGON', other);
    const { address } = await user.create();
    const deposit = () => ({
      network: 'POLYGON',
      txHash: newHash(),
      fromAddress: user.wallet.address,
      toAddress: address,
      token: user.token,
      amount: '1',
      state: 'UNCONFIRMED',
      notify: true,
    });
    let answers: readonly number[] = [];
    const { statuses } = await whileFlooded(
      PER_SECOND,
      () => send('POST', path, { headers: json, body: '{}' }),
      async () => {
        await sleep(LASTS);
        // Each is 202 once its notification was answered 200.
        const sent = Array.from({ length: 10 }, () => callOnceAs(other, 'POST', '/api/sandbox/deposits', deposit()));
        answers = (await Promise.all(sent)).map(({ status }) => status);
      },
    );
    expect(answers).toEqual(answers.map(() => 202));
    expect(Object.keys(statuses)).toEqual(['401']);
  });

  test('requests of a client that hinder each other are its own conflicts, and no failures of the service', async () => {
    const call = connectedAs(other);
    const path = { clientId: other.clientId };
    const body = { url: 'http://127.0.0.1:9/x', process: 'compliance' } as const;
    const { id } = (await call('POST /api/webhooks/{clientId}', { path, body })).body;
    const rotate = () => callOnceAs(other, 'POST', `/api/webhooks/${other.clientId}/${id}/secret`);
    const refused = await whileWritten(other.clientId, id, () =>
      eventually(
        async () => {
          const answers = await Promise.all(Array.from({ length: 5 }, rotate));
          return answers.filter(({ status }) => status !== 200);
        },
        ({ length }) => length > 0,
      ),
    );
    for (const answer of refused) {
      expect(problemOf(answer)).toMatchObject({ status: 409, code: 'CONCURRENT_CHANGE' });
      expect(answer.headers.get('retry-after')).toBe('1');
    }
    expect((await rotate()).status).toBe(200);
  });
});
