import { randomBytes, randomInt } from 'node:crypto';
import * as z from 'zod/mini';
import { newClientExample } from '#infra/clients/new-client-example.ts';
import { ApiProblem } from '#sdk/api-problem.ts';
import { type Call, connect } from '#sdk/connect.ts';
import { itemsOf } from '#sdk/pages.ts';
import { formatAddress, type Network } from '#shared/networks/network.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { findService } from './find-service.ts';
import { exitStatus } from './ops-error.ts';
import { runOps } from './run-ops.ts';
import { type ClientEvent, runSampleOffRamp, sendInSandbox, until } from './sample-off-ramp.ts';
import { makeSecretFile } from './secret-file.ts';
import type { SmokeTarget } from './smoke-target.ts';

interface Output {
  readonly say: (line: string) => void;
  readonly clock: Clock;
}

const made = z.object({ clientId: z.string(), clientSecret: z.string() });

/** @throws when the stage does not do what it should */
export async function smokeTest(target: SmokeTarget, { say, clock }: Output): Promise<void> {
  const ops = operatorAt(target, { say, clock });
  if (target.client !== undefined) {
    say('Production is read as a client of its own; no client is made, and no money moves.');
    return await read(callAs(target, target.client, say));
  }
  say('A client, as docs/onboarding.md makes one:');
  const credentials = made.parse(await ops(['create-client', '-'], profile()));
  // Each run leaves one; nobody can use it any more.
  const suspend = () => ops(['suspend-client', credentials.clientId, '--yes']);
  try {
    await onboarded(target, { ops, credentials, say });
  } catch (error) {
    // Why the sample failed is what matters.
    await suspend().catch((other: Error) => say(`  ✗ ${other.message}`));
    throw error;
  }
  await suspend();
}

type Operator = (command: readonly string[], input?: object) => Promise<unknown>;

/** The commands of `npm run ops` themselves, with their answers, which are not printed: one has a secret. */
function operatorAt({ options }: SmokeTarget, { say, clock }: Output): Operator {
  return async ([name = '', ...values], input) => {
    const [answer, news]: [string[], string[]] = [[], []];
    const status = await runOps([name, ...values, '--reason', 'Smoke test', '--json', ...options], {
      print: (text) => void answer.push(text),
      say: (text) => void news.push(text),
      person: undefined,
      read: async () => JSON.stringify(input),
      clock,
      makeSecretFile,
      findService,
      untilStopped: () => new Promise(() => undefined),
    });
    if (status !== exitStatus.done) throw new Error(`npm run ops -- ${name}: ${news.join('').trim()}`);
    say(`  ✓ ${name}`);
    return JSON.parse(answer.join(''));
  };
}

async function onboarded(
  target: SmokeTarget,
  { ops, credentials, say }: { ops: Operator; credentials: z.infer<typeof made>; say: Output['say'] },
): Promise<void> {
  const { clientId } = credentials;
  await ops(['approve-client', clientId, '--yes']);
  const { userId } = z.object({ userId: z.string() }).parse(await ops(['add-user', clientId]));
  const call = callAs(target, credentials, say);
  say('\nThe client reads:');
  await read(call);
  const served = await simulatedToken(call, target);
  if (served === undefined) {
    return say('\nNo custodian of this stage is simulated: the smoke test sends no deposit, and ends here.');
  }
  const { network, token } = served;
  const from = formatAddress(network, randomBytes(32));
  const { walletId } = z
    .object({ walletId: z.string() })
    .parse(await ops(['declare-wallet', userId, network, from, '--yes']));
  say('\nThe sample off-ramp, and what the feed of events says of it:');
  const known = new Set<string>();
  const end = await runSampleOffRamp({
    ...{ call, say, token, userId, walletId, signal: new AbortController().signal },
    send: (deposit) => sendInSandbox(call, { ...deposit, from, token: token.token }),
    received: async () => {
      const events: ClientEvent[] = [];
      for await (const { id, type, data } of itemsOf(call, 'GET /api/v1/events', {})) {
        events.push({ type, data: { ...data } });
        if (!known.has(id)) say(`  ${type}  ${data['status'] ?? ''}`);
        known.add(id);
      }
      return events;
    },
  });
  await end();
}

/** Changes nothing, so that it is safe in production. */
async function read(call: Call): Promise<void> {
  // A new key takes a moment to be known everywhere in API Gateway.
  const isKnown = () =>
    call('GET /api/infoClient').then(
      () => true,
      (error: unknown) => {
        if (error instanceof ApiProblem && error.status === 403) return false;
        throw error;
      },
    );
  await until('the client could read its data', isKnown, Boolean, new AbortController().signal);
  const { body = [] } = await call('GET /api/v1/admin/banks');
  if (body.length === 0) throw new Error('The list of banks is empty.');
}

/** A token on a network where no real money moves. */
async function simulatedToken(call: Call, { isSimulated }: SmokeTarget) {
  const { body = [] } = await call('GET /api/parameters/tokens');
  for (const token of body) {
    const found = token.networks.find(({ network }: { network: Network }) => isSimulated(network));
    if (found !== undefined) return { token, network: found.network };
  }
  return undefined;
}

/** A number of its own: no two clients are registered under one. */
function profile() {
  const identificationNro = `7${String(randomInt(1e8)).padStart(8, '0')}`;
  return {
    ...newClientExample,
    tradeName: 'Smoke test',
    person: { ...newClientExample.person, businessName: 'Smoke test', identificationNro },
  };
}

/** Prints a line for each call. */
function callAs(
  { baseUrl, fetch }: SmokeTarget,
  credentials: { readonly clientId: string; readonly clientSecret: string },
  say: Output['say'],
): Call {
  return connect({
    baseUrl,
    credentials,
    fetch: async (url, init) => {
      const answer = await fetch(url, init);
      say(`  ${answer.status}  ${init.method} ${url.replace(baseUrl, '')}`);
      return answer;
    },
  });
}
