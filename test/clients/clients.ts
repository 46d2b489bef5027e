import { parseArgs } from 'node:util';
import type { LocalOutputs } from '#infra/cli/local-outputs.ts';
import { readOptionsOrExit } from '#infra/cli/read-options.ts';
import { freePort } from '#infra/local/free-port.ts';
import { startLocalService } from '#infra/local/local-service.ts';
import { progressOn } from '#infra/local/progress.ts';
import { generators } from './generators.ts';
import { oauthClients } from './oauth-clients.ts';
import { run } from './trial.ts';
import { workplace } from './workplace.ts';

/**
 * Generates clients from openapi.json as developers do, builds them, and takes an off-ramp through a local deployment
 * with two; then asks for tokens with stock OAuth clients. Its exit status is 1 when one that could run has failed.
 */
const USAGE = `npm run clients
  Generates clients from openapi.json as developers do, builds them, and takes off-ramps through a local deployment
  with them. It takes no options.`;

readOptionsOrExit(USAGE, () => parseArgs({ options: {} }));
const stopped = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopped.abort());
const { signal } = stopped;
const progress = progressOn(process.stdout);

const service = await startLocalService({ port: await freePort(), windowSeconds: undefined, progress, signal });
try {
  const known = environmentOf(service.outputs);
  const good = (name: string) => workplace(name, known, signal);
  const wrong = (name: string) => workplace(name, { ...known, CLIENT_SECRET: 'wrong' }, signal);
  const outcomes = [];
  for (const trial of [...generators(good, service.outputs.baseUrl), ...oauthClients(good, wrong)]) {
    outcomes.push(await run(trial, progress, signal));
  }
  for (const { line, failure } of outcomes) if (failure !== undefined) progress.say(`\n${line}:\n${failure}`);
  progress.say(`\n${outcomes.map(({ line }) => line).join('\n')}`);
  process.exitCode = outcomes.some(({ failure }) => failure !== undefined) ? 1 : 0;
} finally {
  await service.stop();
}

/** What the programs are told of the service, of its first client, and of that client's wallet. */
function environmentOf({ baseUrl, clients, tokens }: LocalOutputs): Record<string, string> {
  const [client, token] = [clients[0], tokens[0]];
  const user = client?.users[0];
  const wallet = user?.externalWallets.find(({ network }) => network === 'POLYGON');
  if (client === undefined || user === undefined || wallet === undefined || token === undefined)
    throw new Error('The demo data are incomplete.');
  return {
    BASE_URL: baseUrl,
    TOKEN_URL: `${baseUrl}/api/token`,
    CLIENT_ID: client.clientId,
    CLIENT_SECRET: client.clientSecret,
    USER_ID: user.userId,
    WALLET_ID: wallet.id,
    WALLET_ADDRESS: wallet.address,
    TOKEN_ID: String(token.id),
  };
}
