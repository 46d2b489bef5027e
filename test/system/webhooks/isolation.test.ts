import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { stageNamed } from '#infra/stage/stages.ts';
import { deployedParts } from '#test/support/deployed.ts';
import { eventually } from '#test/support/eventually.ts';
import type { Received } from '#test/support/receiver.ts';
import { newTenant } from '#test/support/tenant.ts';
import { type Subscriber, type Subscription, subscriber } from '#test/support/webhook-subscriber.ts';

const { bus } = deployedParts();

/** Events of a client with four webhooks: more attempts than there are slots for all clients together. */
const EVENTS = 30;
const HEALTHY_EVENTS = 30;
/** Most events that the bus takes in one call. */
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
      source: 'partner.demo',
      type: 'wallet_transfer.completed',
      detail: { clientId, eventId: randomUUID(), occurredAt: new Date().toISOString(), number },
    }));
    expect(await bus.put(entries)).toEqual([]);
  }
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

test('four endpoints of one client hang: they are called within its share, and another client receives every event', {
  timeout: 600_000,
}, async () => {
  const [slow, healthy] = [await newTenant('slow'), await newTenant('healthy')];
  const hanging: Subscription[] = [];
  for (const _ of upTo(4)) hanging.push(await endpoints.subscribe(slow, () => 'never', 'wallet_transfer'));
  const answering = await endpoints.subscribe(healthy, undefined, 'wallet_transfer');
  await happen(slow.clientId, upTo(EVENTS));
  await eventually(
    async () => hanging.flatMap((webhook) => webhook.received()),
    (requests) => requests.length > 0,
    120,
  );

  await happen(healthy.clientId, upTo(HEALTHY_EVENTS));
  await eventually(
    async () => new Set(answering.received().map(numberIn)),
    (numbers) => numbers.size === HEALTHY_EVENTS,
    400,
  );

  const { first, retries } = stageNamed('local').deliverySlots;
  const mostOpen = endpoints.endpoints.mostOpen(hanging.map(({ endpoint }) => endpoint));
  expect(mostOpen).toBeLessThanOrEqual(first.perClient + retries.perClient);
  expect(mostOpen).toBeLessThan(first.all);
  expect(answering.received()).toHaveLength(HEALTHY_EVENTS);
});
