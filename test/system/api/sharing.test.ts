import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { issueTokenContract } from '#shared/clients/access-token-contract.ts';
import { receiveCustodianNotificationContract } from '#shared/off-ramps/custodians/custodian-notification-contract.ts';
import { whileFlooded } from '#test/support/flood.ts';
import { callOnceAs, demoClient, newHash, OffRampUser, send } from '#test/support/http-client.ts';

/** How one caller affects the others through resources that all of them share. */

const floods = demoClient('demo');
const other = demoClient('second');

/** Twice the rate at which one caller once used up a shared limit, for longer than the burst lasted. */
const PER_SECOND = 100;
const LASTS = 5000;

const json = { 'Content-Type': 'application/json' };
const tokenOf = ({ clientId: client_id }: { readonly clientId: string }, client_secret: string) =>
  send('POST', issueTokenContract.path, { headers: json, body: JSON.stringify({ client_id, client_secret }) });

describe('decisions 10: one caller cannot use up what all callers share', { concurrent: false }, () => {
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
        // Each call answers 202 once its notification was answered with 200.
        const sent = Array.from({ length: 10 }, () => callOnceAs(other, 'POST', '/api/sandbox/deposits', deposit()));
        answers = (await Promise.all(sent)).map(({ status }) => status);
      },
    );
    expect(answers).toEqual(answers.map(() => 202));
    expect(Object.keys(statuses)).toEqual(['401']);
  });
});
