import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import { connect } from '#shared/client/connect.ts';
import type { Fetch } from '#shared/client/send.ts';
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
  const told: Fetch = async (url, init) => {
    const answer = await fetch(url, init);
    say(`  ${answer.status}  ${init.method} ${url.replace(baseUrl, '')}`);
    return answer;
  };
  const call = connect({ baseUrl, credentials: client, fetch: told });

  say('\nA sample off-ramp:');
  const created = await call('POST /api/v1/admin/operation/{user_id}/withdrawal', {
    path: { user_id: user.userId },
    body: { originExternalWalletId: wallet.id, supportedTokenId: token.id, amount: AMOUNT },
  });
  const { id, status, network, address } = created.body.operation;
  say(`       ${status}: send exactly ${AMOUNT} ${token.token} on ${network} to ${address}`);

  const txHash = `0x${randomBytes(32).toString('hex')}`;
  const deposit = { network, txHash, fromAddress: wallet.address, toAddress: address, token: token.token };
  const put = (state: 'UNCONFIRMED' | 'CONFIRMED') =>
    call('POST /api/sandbox/deposits', { body: { ...deposit, amount: AMOUNT, state } });
  await put('UNCONFIRMED');
  const path = { user_id: user.userId, operation_id: id };
  await call('POST /api/v1/admin/operation/{user_id}/withdrawal/{operation_id}/hash', { path, body: { txHash } });
  say(`       VERIFYING ${txHash}`);

  const read = async () =>
    (await call('GET /api/v1/admin/operation/{user_id}/withdrawal/{operation_id}/hash', { path })).body;
  const first = await until(read, ({ verification }) => verification?.reason !== undefined);
  say(`       not verified yet: ${first.verification?.reason}, next look at ${first.verification?.nextCheckAt}`);
  await put('CONFIRMED');
  const last = await until(read, (hash) => hash.status === 'VERIFIED');
  say(`       ${last.status}: the operation is ${last.operationStatus}`);
  z.enum(['PENDING', 'COMPLETED']).parse(last.operationStatus);
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
