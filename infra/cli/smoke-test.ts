import { ApiProblem } from '#sdk/api-problem.ts';
import { type Call, connect } from '#sdk/connect.ts';
import { itemsOf } from '#sdk/pages.ts';
import { type ClientEvent, readAsClient, runSampleOffRamp, sendInSandbox, until } from '#sdk/sample-off-ramp.ts';
import {
  addSandboxUser,
  type Credentials,
  createClient,
  type Operator,
  type Output,
  operatorAt,
} from './new-client.ts';
import type { SmokeTarget } from './smoke-target.ts';

/** @throws when the stage fails the test */
export async function smokeTest(target: SmokeTarget, { say, clock }: Output): Promise<void> {
  const ops = operatorAt(target.options, 'Smoke test', { say, clock });
  if (target.client !== undefined) {
    say('Production is read as a client of its own; no client is made, and no money moves.');
    const call = callAs(target, target.client, say);
    return await retryUntilKeyKnown(() => readAsClient(call));
  }
  say('A client, as docs/onboarding.md makes one:');
  const credentials = await createClient(ops, 'Smoke test');
  // Each run leaves a client behind, which nobody can use any more.
  const suspend = () => ops(['suspend-client', credentials.clientId, '--yes']);
  try {
    await onboarded(target, { ops, credentials, say });
  } catch (error) {
    // A failed suspension must not hide why the sample failed.
    await suspend().catch((other: Error) => say(`  ✗ ${other.message}`));
    throw error;
  }
  await suspend();
}

async function onboarded(
  target: SmokeTarget,
  { ops, credentials, say }: { ops: Operator; credentials: Credentials; say: Output['say'] },
): Promise<void> {
  const { clientId } = credentials;
  await ops(['approve-client', clientId, '--yes']);
  const call = callAs(target, credentials, say);
  say('\nThe client reads:');
  await retryUntilKeyKnown(() => readAsClient(call));
  const user = await addSandboxUser(ops, { call, clientId, isSimulated: target.isSimulated });
  if (user === undefined) {
    return say('\nNo EVM network of this stage is simulated: the smoke test sends no deposit, and ends here.');
  }
  const { from, token } = user;
  say('\nThe sample off-ramp, and what the feed of events says of it:');
  const known = new Set<string>();
  const end = await runSampleOffRamp({
    ...{ ...user, call, say, signal: new AbortController().signal },
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

/** Reads until the client's key is known: API Gateway takes a moment to know a new one everywhere. */
export async function retryUntilKeyKnown(read: () => Promise<unknown>): Promise<void> {
  const refusal = () =>
    read().then(
      () => undefined,
      (error: unknown) => {
        if (error instanceof ApiProblem && error.status === 403) return error.message;
        throw error;
      },
    );
  const isKnown = (reason: string | undefined) => reason === undefined;
  await until('the client could read its data', refusal, isKnown, new AbortController().signal);
}

/** Calls as the client, and prints a line for each call. */
function callAs({ baseUrl, fetch }: SmokeTarget, credentials: Credentials, say: Output['say']): Call {
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
