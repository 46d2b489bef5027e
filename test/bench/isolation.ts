import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import * as z from 'zod/mini';
import { quantile } from '#infra/cli/load/measurements.ts';
import { awsOf, type DemoClient } from '#infra/cli/local-outputs.ts';
import { readOptionsOrExit } from '#infra/cli/read-options.ts';
import { freePort } from '#infra/local/free-port.ts';
import { startLocalService } from '#infra/local/local-service.ts';
import { progressOn } from '#infra/local/progress.ts';
import { connect } from '#sdk/connect.ts';
import { eventBus } from '#shared/platform/aws/event-bus.ts';
import { receiver } from '#test/support/receiver.ts';

/**
 * How long first attempts at a healthy endpoint take while another client's events are on their way to four endpoints, which
 * answer and then hang; and then while three of its own client's endpoints hang from their first call on. Milliseconds from
 * the bus to the endpoint, on this machine; only their ratio says anything about the service. The healthy one's events come
 * one after another, so that it waits for nothing of its own. The same is played once before and not measured: functions
 * that start for the first time would be most of what is slow.
 */
const EVENTS = 40;
const PAUSE = 250;
const ENDPOINTS = 4;
/** Events of the other client: of each endpoint as many calls, more than there are slots for all. */
const BACKLOG = 10;
const TIMEOUT = 300_000;
const OWN_ENDPOINTS = 3;
/** Between the events of the client whose own endpoints hang. */
const OWN_PAUSE = 2000;

const told = z.object({ timestamp: z.string() });

const USAGE = `npm run bench:isolation
  Measures on a local deployment how long a healthy endpoint waits while those of another client hang. It takes no options.`;

readOptionsOrExit(USAGE, () => parseArgs({ options: {} }));
const progress = progressOn(process.stdout);
const { signal } = new AbortController();
const service = await startLocalService({ port: await freePort(), windowSeconds: undefined, progress, signal });
let hangs = false;
const isHanging = (path: string) => path.startsWith('/own/') || (hangs && path.startsWith('/other'));
const endpoints = await receiver(({ path }) => (isHanging(path) ? 'never' : { status: 204 }));
try {
  await measureClients();
  await measureOwnEndpoints();
} finally {
  await endpoints.stop();
  await service.stop();
}

async function measureClients(): Promise<void> {
  const { other, healthy } = clients();
  const paths = Array.from({ length: ENDPOINTS }, (_, number) => `/other/${number}`);
  for (const path of paths) await subscribe(other, path);
  const subscribed = await subscribe(healthy, '/healthy');
  const whileAllAnswer = async (round: number) => {
    await happen(other, BACKLOG);
    const lags = await lagsOf(healthy, EVENTS);
    await until(() => paths.every((path) => endpoints.received(path).length >= round * BACKLOG));
    return lags;
  };
  await whileAllAnswer(1);
  const whileItAnswers = await whileAllAnswer(2);
  hangs = true;
  await happen(other, BACKLOG);
  const whileItHangs = await lagsOf(healthy, EVENTS);
  for (const share of [0.5, 0.95, 1]) {
    const [answers, hanging] = [quantile(whileItAnswers, share), quantile(whileItHangs, share)];
    const times = (hanging / answers).toFixed(2);
    progress.say(`  p${share * 100}  while it answers ${answers} ms, while it hangs ${hanging} ms: ${times} times`);
  }
  await subscribed.end();
}

/** The healthy client's own: the first event reaches all of them, and the others come once each has been called. */
async function measureOwnEndpoints(): Promise<void> {
  const { healthy } = clients();
  const paths = Array.from({ length: OWN_ENDPOINTS }, (_, number) => `/own/${number}`);
  for (const path of paths) await subscribe(healthy, path);
  await subscribe(healthy, '/own-healthy');
  const [first = Number.NaN] = await lagsOf(healthy, 1, '/own-healthy');
  await until(() => paths.every((path) => endpoints.received(path).length > 0) && endpoints.open(paths) === 0);
  const lags = await lagsOf(healthy, EVENTS, '/own-healthy', OWN_PAUSE);
  const [middle, longest] = [quantile(lags, 0.5), quantile(lags, 1)];
  progress.say(`  three of its own hang: the first event ${first} ms, p50 ${middle} ms, the longest ${longest} ms`);
}

function clients(): { readonly other: DemoClient; readonly healthy: DemoClient } {
  const [other, healthy] = service.outputs.clients;
  if (other === undefined || healthy === undefined) throw new Error('The demo data are not complete.');
  return { other, healthy };
}

async function subscribe(client: DemoClient, path: string): Promise<{ readonly end: () => Promise<void> }> {
  const call = connect({ baseUrl: service.outputs.baseUrl, credentials: client });
  const body = { url: `${endpoints.url}${path}`, process: 'wallet_transfer' } as const;
  const { clientId } = client;
  const { body: made } = await call('POST /api/webhooks/{clientId}', { path: { clientId }, body });
  return {
    end: async () => {
      await call('DELETE /api/webhooks/{clientId}/{webhook_id}', { path: { clientId, webhook_id: made.id } });
    },
  };
}

async function happen({ clientId }: DemoClient, count: number): Promise<void> {
  const bus = eventBus(new EventBridgeClient(awsOf(service.outputs)), service.stack['EventBusName'] ?? '');
  for (let put = 0; put < count; put += 10) {
    const entries = Array.from({ length: Math.min(10, count - put) }, () => ({
      source: 'partner.demo',
      type: 'wallet_transfer.completed',
      detail: { clientId, eventId: randomUUID(), occurredAt: new Date().toISOString() },
    }));
    const refused = await bus.put(entries);
    if (refused.length > 0) throw new Error('The bus did not take an event.');
  }
}

/** From the bus to the first attempt at the healthy endpoint, sorted. */
async function lagsOf(client: DemoClient, count: number, path = '/healthy', pause = PAUSE): Promise<readonly number[]> {
  const before = endpoints.received(path).length;
  for (let put = 0; put < count; put += 1) {
    await happen(client, 1);
    await sleep(pause);
  }
  await until(() => endpoints.received(path).length >= before + count);
  return endpoints
    .received(path)
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
