import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LocalOutputs } from './local-outputs.ts';
import { createLoggingClient } from './logging-client.ts';
import type { Progress } from './progress.ts';
import { startSampleWebhook } from './sample-webhook.ts';
import type { ReceivedEvent } from './webhook-receiver.ts';

const TIMEOUT = 60_000;
const AMOUNT = '250.5';

/**
 * One off-ramp, as a client's developer would try it, printed line by line until its webhook has received its end. The
 * receiver goes on for as long as what it was started with.
 *
 * @throws when it does not end as it should
 */
export async function runSample(
  outputs: LocalOutputs,
  progress: Progress,
  run: { readonly signal: AbortSignal; readonly started: AsyncDisposableStack },
): Promise<void> {
  const { baseUrl, clients, tokens } = outputs;
  const [client, token] = [clients[0], tokens[0]];
  const user = client?.users[0];
  const wallet = user?.externalWallets.find(({ network }) => network === 'POLYGON');
  if (client === undefined || user === undefined || token === undefined || wallet === undefined) {
    throw new Error('The demo data are not complete.');
  }
  const { say } = progress;
  const call = createLoggingClient(baseUrl, client, progress, run.signal);

  say('\nA sample off-ramp, and what its webhook receives:');
  const webhook = await startSampleWebhook(outputs, { call, clientId: client.clientId, progress });
  run.started.defer(() => webhook.stop());
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
  const first = await until(
    'the first check',
    read,
    ({ verification }) => verification?.reason !== undefined,
    run.signal,
  );
  say(`       not verified yet: ${first.verification?.reason}, next check at ${first.verification?.nextCheckAt}`);
  await put('CONFIRMED');
  const isTheEnd = ({ type, data }: ReceivedEvent) =>
    type === 'ramp.operation.status_changed' && data['operationId'] === id && data['status'] === 'COMPLETED';
  await until(
    'the webhook got COMPLETED',
    async () => webhook.received(),
    (events) => events.some(isTheEnd),
    run.signal,
  );
  say('       COMPLETED: the simulated payout was made');
}

async function until<T>(
  what: string,
  read: () => Promise<T>,
  holds: (value: T) => boolean,
  signal: AbortSignal,
): Promise<T> {
  const givesUpAt = Date.now() + TIMEOUT;
  for (;;) {
    const value = await read();
    if (holds(value)) return value;
    if (Date.now() > givesUpAt) throw new Error(`Timed out before ${what}. Last read: ${JSON.stringify(value)}`);
    await sleep(1000, undefined, { signal });
  }
}
