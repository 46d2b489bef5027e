import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { deployedParts } from '../support/deployed.ts';
import { eventually } from '../support/eventually.ts';
import { demoClient } from '../support/http-client.ts';
import type { Received } from '../support/receiver.ts';
import { type Subscriber, subscriber } from '../support/webhook-subscriber.ts';

const [slow, healthy] = [demoClient('demo'), demoClient('second')];
const { bus } = deployedParts();

const EVENTS = 1000;
const HEALTHY_EVENTS = 50;
/** As many as the bus takes in one call. */
const BATCH = 10;

let endpoints: Subscriber;
beforeAll(async () => {
  endpoints = await subscriber();
});
afterAll(() => endpoints.stop());

const told = z.object({ data: z.object({ number: z.int() }) });
const numberIn = ({ body }: Received) => told.parse(JSON.parse(body.toString())).data.number;

async function happen(clientId: string, numbers: readonly number[]): Promise<void> {
  for (let start = 0; start < numbers.length; start += BATCH) {
    const entries = numbers.slice(start, start + BATCH).map((number) => ({
      source: 'payments.wallets',
      type: 'wallet_transfer.completed',
      detail: { clientId, eventId: randomUUID(), occurredAt: new Date().toISOString(), number },
    }));
    expect(await bus.put(entries)).toEqual([]);
  }
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

test('case 34: 1,000 events for an endpoint that hangs do not hold up the first attempts at a healthy one', {
  timeout: 600_000,
}, async () => {
  const hanging = await endpoints.subscribe(slow, () => 'never', 'wallet_transfer');
  const answering = await endpoints.subscribe(healthy, undefined, 'wallet_transfer');
  await happen(slow.clientId, upTo(EVENTS));
  await eventually(
    async () => hanging.received(),
    (requests) => requests.length > 0,
    120,
  );

  await happen(healthy.clientId, upTo(HEALTHY_EVENTS));
  await eventually(
    async () => new Set(answering.received().map(numberIn)),
    (numbers) => numbers.size === HEALTHY_EVENTS,
    400,
  );

  // The hanging one answers nobody, ever: it has been called by no more than its share at a time, and then parked.
  expect(new Set(hanging.received().map(numberIn)).size).toBeLessThan(EVENTS / 10);
  expect(answering.received()).toHaveLength(HEALTHY_EVENTS);
});
