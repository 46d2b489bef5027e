import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import * as z from 'zod/mini';
import { type DemoClient, rootCredentials } from '#infra/local/demo-data.ts';
import { freePort } from '#infra/local/free-port.ts';
import { startLocalService } from '#infra/local/local-service.ts';
import { progressOn } from '#infra/local/progress.ts';
import { typed } from '#infra/local/typed.ts';
import { connect } from '#sdk/connect.ts';
import { eventBus } from '#shared/platform/aws/event-bus.ts';
import { receiver } from '#test/support/receiver.ts';

/**
 * How long first attempts at a healthy endpoint take while another client's events are on their way to four endpoints, which
 * answer and then hang. Milliseconds from the bus to the endpoint, on this machine; only their ratio says anything about
 * the service. The healthy one's events come one after another, so that it waits for nothing of its own.
 */
const EVENTS = 40;
const PAUSE = 250;
const ENDPOINTS = 4;
/** Events of the other client: of each endpoint as many calls, more than there are slots for all. */
const BACKLOG = 10;
const TIMEOUT = 300_000;

const told = z.object({ timestamp: z.string() });

const USAGE = `npm run bench
  Measures on a local deployment how long a healthy endpoint waits while those of another client hang. It takes no options.`;

typed(USAGE, () => parseArgs({ options: {} }));
const progress = progressOn(process.stdout);
const { signal } = new AbortController();
const service = await startLocalService({ port: await freePort(), windowSeconds: undefined, progress, signal });
let hangs = false;
const endpoints = await receiver(({ path }) => (hangs && path.startsWith('/other') ? 'never' : { status: 204 }));
try {
  await measure();
} finally {
  await endpoints.stop();
  await service.stop();
}

async function measure(): Promise<void> {
  const [other, healthy] = service.outputs.clients;
  if (other === undefined || healthy === undefined) throw new Error('The demo data are not complete.');
  const paths = Array.from({ length: ENDPOINTS }, (_, number) => `/other/${number}`);
  for (const path of paths) await subscribe(other, path);
  await subscribe(healthy, '/healthy');
  await lagsOf(healthy, 5); // What starts for the first time is not what is measured.
  await happen(other, BACKLOG);
  const whileItAnswers = await lagsOf(healthy, EVENTS);
  await until(() => paths.every((path) => endpoints.received(path).length >= BACKLOG));
  hangs = true;
  await happen(other, BACKLOG);
  const whileItHangs = await lagsOf(healthy, EVENTS);
  for (const share of [0.5, 0.95, 1]) {
    const [answers, hanging] = [quantile(whileItAnswers, share), quantile(whileItHangs, share)];
    const times = (hanging / answers).toFixed(2);
    progress.say(`  p${share * 100}  while it answers ${answers} ms, while it hangs ${hanging} ms: ${times} times`);
  }
}

async function subscribe(client: DemoClient, path: string): Promise<void> {
  const call = connect({ baseUrl: service.outputs.baseUrl, credentials: client });
  const body = { url: `${endpoints.url}${path}`, process: 'wallet_transfer' } as const;
  await call('POST /api/webhooks/{clientId}', { path: { clientId: client.clientId }, body });
}

async function happen({ clientId }: DemoClient, count: number): Promise<void> {
  const connection = { endpoint: service.outputs.awsEndpoint, region: 'us-east-1', credentials: rootCredentials };
  const bus = eventBus(new EventBridgeClient(connection), service.stack['EventBusName'] ?? '');
  for (let put = 0; put < count; put += 10) {
    const entries = Array.from({ length: Math.min(10, count - put) }, () => ({
      source: 'payments.wallets',
      type: 'wallet_transfer.completed',
      detail: { clientId, eventId: randomUUID(), occurredAt: new Date().toISOString() },
    }));
    const refused = await bus.put(entries);
    if (refused.length > 0) throw new Error('The bus did not take an event.');
  }
}

/** From the bus to the first attempt at the healthy endpoint, sorted. */
async function lagsOf(client: DemoClient, count: number): Promise<readonly number[]> {
  const before = endpoints.received('/healthy').length;
  for (let put = 0; put < count; put += 1) {
    await happen(client, 1);
    await sleep(PAUSE);
  }
  await until(() => endpoints.received('/healthy').length >= before + count);
  return endpoints
    .received('/healthy')
    .slice(before)
    .map(({ at, body }) => at - Date.parse(told.parse(JSON.parse(body.toString())).timestamp))
    .toSorted((one, other) => one - other);
}

async function until(holds: () => boolean): Promise<void> {
  const givesUpAt = Date.now() + TIMEOUT;
  while (!holds()) {
    if (Date.now() > givesUpAt) throw new Error('An endpoint was not told of everything.');
    await sleep(100);
  }
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
}
