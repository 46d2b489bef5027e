import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import { createWithdrawal } from '#shared/contracts/create-withdrawal.ts';
import { getOfframpHash } from '#shared/contracts/offramp-hash.ts';
import { issueToken } from '#shared/contracts/token.ts';
import type { LocalOutputs } from './local-service.ts';
import type { Progress } from './progress.ts';

const VERIFIED_WITHIN = 60_000;
const AMOUNT = '250.5';

/** One off-ramp, as a client's developer would try it, told line by line. @throws when it does not end as it should. */
export async function runSample({ baseUrl, clients, tokens }: LocalOutputs, { say }: Progress): Promise<void> {
  const [client, token] = [clients[0], tokens[0]];
  const user = client?.users[0];
  const wallet = user?.externalWallets.find(({ network }) => network === 'POLYGON');
  if (client === undefined || user === undefined || token === undefined || wallet === undefined) {
    throw new Error('The demo data are not complete.');
  }
  const call = async (method: string, path: string, body?: unknown, bearer?: string): Promise<unknown> => {
    const answer = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { 'Content-Type': 'application/json', ...(bearer && { Authorization: `Bearer ${bearer}` }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
    say(`  ${answer.status}  ${method} ${path}`);
    return JSON.parse(text);
  };

  say('\nA sample off-ramp:');
  const credentials = { client_id: client.clientId, client_secret: client.clientSecret };
  const { access_token: bearer } = issueToken.success.body.parse(await call('POST', issueToken.path, credentials));
  const withdrawals = createWithdrawal.path.replace('{user_id}', user.userId);
  const order = { originExternalWalletId: wallet.id, supportedTokenId: token.id, amount: AMOUNT };
  const created = createWithdrawal.success.body.parse(await call('POST', withdrawals, order, bearer));
  const { id, status, network, address } = created.operation;
  say(`       ${status}: send exactly ${AMOUNT} ${token.token} on ${network} to ${address}`);

  const txHash = `0x${randomBytes(32).toString('hex')}`;
  const deposit = {
    network,
    txHash,
    fromAddress: wallet.address,
    toAddress: address,
    token: token.token,
    amount: AMOUNT,
  };
  await call('POST', '/api/sandbox/deposits', { ...deposit, state: 'UNCONFIRMED' }, bearer);
  const hashPath = `${withdrawals}/${id}/hash`;
  await call('POST', hashPath, { txHash }, bearer);
  say(`       VERIFYING ${txHash}`);

  const read = async () => getOfframpHash.success.body.parse(await call('GET', hashPath, undefined, bearer));
  const first = await until(read, ({ verification }) => verification?.reason !== undefined);
  say(`       not verified yet: ${first.verification?.reason}, next look at ${first.verification?.nextCheckAt}`);
  await call('POST', '/api/sandbox/deposits', { ...deposit, state: 'CONFIRMED' }, bearer);
  const last = await until(read, (hash) => hash.status === 'VERIFIED');
  say(`       ${last.status}: the operation is ${last.operationStatus}`);
  z.literal('PENDING').parse(last.operationStatus);
}

async function until<T>(read: () => Promise<T>, holds: (value: T) => boolean): Promise<T> {
  const givesUpAt = Date.now() + VERIFIED_WITHIN;
  for (;;) {
    const value = await read();
    if (holds(value)) return value;
    if (Date.now() > givesUpAt) throw new Error(`It did not come to pass: ${JSON.stringify(value)}`);
    await sleep(1000);
  }
}
