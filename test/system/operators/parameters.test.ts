import { expect, test } from 'vitest';
import {
  activateBankContract,
  activateTokenContract,
  deactivateBankContract,
  deactivateTokenContract,
} from '#shared/parameters/parameter-commands.ts';
import { connectedAs } from '#test/support/connected.ts';
import { callAs, demoClient, OffRampUser, problemOf, withdrawalPath } from '#test/support/http-client.ts';
import { operate } from '#test/support/operator-client.ts';

const client = demoClient('demo');
const userId = client.users[0]?.userId ?? '';
const call = connectedAs(client);

/** The refused fields of a pay-in from the bank, and of an off-ramp of USDT. */
async function refusals(): Promise<readonly string[]> {
  const order = { amount: 15_000, currency: 'COP', bank: '1812', redirectUrl: 'https://client.example/return' };
  const wallet = new OffRampUser('POLYGON', client).order();
  const answers = [
    await callAs(client, 'POST', `/api/v1/admin/fiats/${userId}/payin`, order),
    await callAs(client, 'POST', withdrawalPath(userId), { ...wallet, supportedTokenId: 2 }),
  ];
  return answers
    .flatMap((answer) => (answer.status === 201 ? [] : (problemOf(answer).errors ?? [])))
    .map(({ path }) => path);
}

async function listed(): Promise<readonly boolean[]> {
  const banks = (await call('GET /api/parameters/banks')).body ?? [];
  const tokens = (await call('GET /api/parameters/tokens')).body ?? [];
  return [banks.some(({ id }) => id === 'coink'), tokens.some(({ id }) => id === 2)];
}

test('decisions 11, putting right: a bank or token that an operator deactivates is in no list and in no new order, until it is activated', async () => {
  const [bank, token] = [{ bankId: 'coink' }, { tokenId: '2' }];
  expect([await listed(), await refusals()]).toEqual([[true, true], []]);
  try {
    expect([
      (await operate(deactivateBankContract, bank)).body,
      (await operate(deactivateTokenContract, token)).body,
    ]).toEqual([bank, token]);
    expect([await listed(), await refusals()]).toEqual([
      [false, false],
      ['body.bank', 'body.supportedTokenId'],
    ]);
  } finally {
    await operate(activateBankContract, bank);
    await operate(activateTokenContract, token);
  }
  expect([await listed(), await refusals()]).toEqual([[true, true], []]);
  const inFiles = await operate(activateTokenContract, { tokenId: '3' });
  expect([inFiles.status, inFiles.body.errors]).toMatchObject([422, [{ code: 'INACTIVE_IN_FILES' }]]);
});
