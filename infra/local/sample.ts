import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LocalChain, LocalOutputs } from '#infra/cli/local-outputs.ts';
import { createChainClient } from './chain/chain-client.ts';
import { sampleToken, smallestUnit } from './chain/sample-token.ts';
import { createLoggingClient } from './logging-client.ts';
import type { Progress } from './progress.ts';
import { startSampleWebhook } from './sample-webhook.ts';
import type { ReceivedEvent } from './webhook-receiver.ts';

/** Milliseconds: a chain is read each minute, and final some blocks later. */
const TIMEOUT = 150_000;
const AMOUNT = '250.5';
const TOO_LITTLE = '250';

/** Waits for what a sample still waits for when its developer has no more to do. */
export type SampleEnd = () => Promise<void>;

/**
 * One off-ramp, as a client's developer would try it, printed line by line until its webhook has received its end:
 * first a wrong deposit, with the evidence, then the right one. The receiver runs on until the service stops.
 *
 * @returns once the right deposit is sent, with what waits for the payout
 * @throws when it does not end as it should
 */
export async function runSample(
  outputs: LocalOutputs,
  progress: Progress,
  run: { readonly signal: AbortSignal; readonly started: AsyncDisposableStack },
): Promise<SampleEnd> {
  const { baseUrl, clients, tokens, chain = {}, doubles = {} } = outputs;
  const [client, token] = [clients[0], tokens[0]];
  const user = client?.users[0];
  const wallet = user?.externalWallets.find(({ network }) => network === 'POLYGON');
  if (client === undefined || user === undefined || token === undefined || wallet === undefined) {
    throw new Error('The demo data are incomplete.');
  }
  const { say } = progress;
  const call = createLoggingClient(baseUrl, client, progress, run.signal);

  say('\nA sample off-ramp, and what its webhook receives:');
  const webhook = await startSampleWebhook(outputs, { call, clientId: client.clientId, progress });
  run.started.defer(() => webhook.stop());
  if (doubles.custodian !== undefined)
    say(
      '       Addresses are made ahead, the first within a minute: until then it is 503, and the client repeats the call.',
    );
  const created = await call('POST /api/v1/admin/operation/{user_id}/withdrawal', {
    path: { user_id: user.userId },
    body: { originExternalWalletId: wallet.id, supportedTokenId: token.id, amount: AMOUNT },
  });
  const { id, status, network, address } = created.body.operation;
  say(`       ${status}: send exactly ${AMOUNT} ${token.token} on ${network} to ${address}`);

  const path = { user_id: user.userId, operation_id: id };
  const itsChain = chain[network];
  /** The user sends an amount. On a chain nobody tells the service; the simulated custodian notifies it. */
  const send = async (amount: string): Promise<string> => {
    if (itsChain !== undefined) return sendOn(itsChain, address, amount);
    const txHash = `0x${randomBytes(32).toString('hex')}`;
    if (doubles.custodian !== undefined) {
      const deposit = { network, txHash, from: wallet.address, to: address, asset: token.token, amount };
      await play(doubles.custodian, '/_double/deposits', deposit);
      return txHash;
    }
    const facts = { network, txHash, fromAddress: wallet.address, toAddress: address, token: token.token, amount };
    await call('POST /api/sandbox/deposits', { body: { ...facts, state: 'CONFIRMED', notify: true } });
    return txHash;
  };

  say(`\n       The user sends ${TOO_LITTLE} ${token.token}, too little, and the client reports the hash:`);
  const txHash = await send(TOO_LITTLE);
  await call('POST /api/v1/admin/operation/{user_id}/withdrawal/{operation_id}/hash', { path, body: { txHash } });
  say(`       VERIFYING ${txHash}`);
  const { verification } = await until(
    'the first check',
    async () => (await call('GET /api/v1/admin/operation/{user_id}/withdrawal/{operation_id}/hash', { path })).body,
    (hash) => hash.verification?.reason === 'WRONG_AMOUNT',
    run.signal,
  );
  say(`       not verified: ${verification?.reason}, next check at ${verification?.nextCheckAt}`);
  for (const { check, passed, observed, expected } of verification?.checks ?? []) {
    say(`         ${passed ? '✓' : '✗'} ${check.padEnd(13)}  ${observed}${passed ? '' : `, expected ${expected}`}`);
  }
  const hears = (what: string, of: (event: ReceivedEvent) => boolean) =>
    until(
      `the webhook got ${what}`,
      async () => webhook.received(),
      (events) => events.some(of),
      run.signal,
    );
  await hears('UNMATCHED', ({ data }) => data['operationId'] === id && data['status'] === 'UNMATCHED');

  say(`\n       The user sends ${AMOUNT} ${token.token}, and nobody needs to report it:`);
  await send(AMOUNT);
  const isTheEnd = ({ type, data }: ReceivedEvent) =>
    type === 'ramp.operation.status_changed' && data['operationId'] === id && data['status'] === 'COMPLETED';
  const samplePayin = async (rail: string): Promise<void> => {
    say('\nA sample pay-in:');
    const { body: payin } = await call('POST /api/v1/admin/fiats/{user_id}/payin', {
      path: { user_id: user.userId },
      body: { amount: 150_000, currency: 'COP', paymentMethod: 'NEQUI', phone: '3107654321' },
    });
    say(`       ${payin.status}: the payer accepts ${payin.amount} ${payin.currency} in the app`);
    await play(rail, `/_double/payments/${payin.id}`, { status: 'APPROVED' });
    await hears(
      'COMPLETED',
      ({ type, data }) =>
        type === 'ramp.payin.status_changed' && data['payinId'] === payin.id && data['status'] === 'COMPLETED',
    );
    say('       COMPLETED: it was paid');
  };
  return async () => {
    await hears('COMPLETED', isTheEnd);
    say('       COMPLETED: the simulated payout was made');
    if (doubles.rail !== undefined) await samplePayin(doubles.rail);
  };
}

/** Tells the double of a provider what happened outside. */
async function play(url: string, path: string, body: object): Promise<void> {
  const answer = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`The double of the provider answers ${answer.status}: ${await answer.text()}`);
}

async function sendOn(chain: LocalChain, to: string, amount: string): Promise<string> {
  const value = smallestUnit(amount, chain.decimals) ?? 0n;
  const data = sampleToken.transfer(to, value);
  return createChainClient(chain.rpcUrl).send({ from: chain.fundedAccount, to: chain.token, data });
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
