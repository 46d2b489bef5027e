import { randomBytes } from 'node:crypto';
import type { LocalChain, LocalOutputs } from '#infra/cli/local-outputs.ts';
import { runSampleOffRamp, type SampleDeposit, type SampleOffRamp, sendInSandbox, told } from '#sdk/sample-off-ramp.ts';
import { createChainClient } from './chain/chain-client.ts';
import { sampleToken, smallestUnit } from './chain/sample-token.ts';
import { createLoggingClient } from './logging-client.ts';
import type { Progress } from './progress.ts';
import { startSampleWebhook } from './sample-webhook.ts';

/** Waits for the rest of a sample, when its developer has no more to do. */
export type SampleEnd = () => Promise<void>;

/**
 * Runs the sample off-ramp of a demo client, until its webhook has received the end, and with a double of the rail a
 * pay-in. The receiver runs on until the service stops.
 *
 * @returns once the right deposit is sent, with what waits for the payout
 * @throws when the sample does not end as it should
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
  const { signal } = run;
  const call = createLoggingClient(baseUrl, client, progress, signal);

  say('\nA sample off-ramp, and what its webhook receives:');
  const webhook = await startSampleWebhook(outputs, { call, clientId: client.clientId, progress });
  run.started.defer(() => webhook.stop());
  if (doubles.custodian !== undefined)
    say(
      '       Addresses are made in advance, the first within a minute. Until then, the client gets 503 and repeats its call.',
    );
  /** Sends a deposit. The simulated custodian notifies the service; a chain does not. */
  const send = async (deposit: SampleDeposit): Promise<string> => {
    const { network, address: to, amount } = deposit;
    const itsChain = chain[network];
    if (itsChain !== undefined) return sendOn(itsChain, to, amount);
    if (doubles.custodian === undefined)
      return sendInSandbox(call, { ...deposit, from: wallet.address, token: token.token });
    const txHash = `0x${randomBytes(32).toString('hex')}`;
    const facts = { network, txHash, from: wallet.address, to, asset: token.token, amount };
    await play(doubles.custodian, '/_double/deposits', facts);
    return txHash;
  };
  const sample: SampleOffRamp = {
    ...{ call, say, send, token, signal, userId: user.userId, walletId: wallet.id },
    received: async () => webhook.received(),
  };
  const end = await runSampleOffRamp(sample);
  return async () => {
    await end();
    if (doubles.rail !== undefined) await samplePayin(sample, doubles.rail);
  };
}

async function samplePayin(sample: SampleOffRamp, rail: string): Promise<void> {
  const { call, say, userId } = sample;
  say('\nA sample pay-in:');
  const { body: payin } = await call('POST /api/v1/admin/fiats/{user_id}/payin', {
    path: { user_id: userId },
    body: { amount: 150_000, currency: 'COP', paymentMethod: 'NEQUI', phone: '3107654321' },
  });
  say(`       ${payin.status}: the payer accepts ${payin.amount} ${payin.currency} in the app`);
  await play(rail, `/_double/payments/${payin.id}`, { status: 'APPROVED' });
  await told(
    sample,
    'COMPLETED',
    ({ type, data }) =>
      type === 'ramp.payin.status_changed' && data['payinId'] === payin.id && data['status'] === 'COMPLETED',
  );
  say('       COMPLETED: it was paid');
}

/** Reports to the double of a provider what happened outside. */
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
