import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deployedParts } from '#test/support/deployed.ts';
import { eventually } from '#test/support/eventually.ts';
import { newTenant } from '#test/support/tenant.ts';
import { type Subscriber, type Subscription, subscriber } from '#test/support/webhook-subscriber.ts';

const { bus } = deployedParts();

let endpoints: Subscriber;
beforeAll(async () => {
  endpoints = await subscriber();
});
afterAll(() => endpoints.stop());

const TIMEOUT = 120;

async function happen(clientId: string): Promise<string> {
  const eventId = randomUUID();
  const detail = { clientId, eventId, occurredAt: new Date().toISOString() };
  expect(await bus.put([{ source: 'partner.demo', type: 'wallet_transfer.completed', detail }])).toEqual([]);
  return eventId;
}

const hasHeard = (webhook: Subscription, eventId: string) =>
  webhook.received().some(({ headers }) => headers['webhook-id'] === eventId);

test('decisions 7: three endpoints of a client hang, and its fourth is told of an event before any call of them has ended', {
  timeout: 600_000,
}, async () => {
  const client = await newTenant('own');
  const hanging: Subscription[] = [];
  for (const _ of [1, 2, 3]) hanging.push(await endpoints.subscribe(client, () => 'never', 'wallet_transfer'));
  const answering = await endpoints.subscribe(client, undefined, 'wallet_transfer');
  const paths = hanging.map(({ endpoint }) => endpoint);
  const { open, received } = endpoints.endpoints;
  const begun = () => paths.flatMap(received).length;
  const until = (holds: () => boolean) =>
    eventually(
      async () => holds(),
      (is) => is,
      TIMEOUT,
    );

  const first = await happen(client.clientId);
  await until(() => hasHeard(answering, first));
  // Whichever calls came before it, it did not wait for the end of one.
  expect(open(paths)).toBe(begun());
  await until(() => hanging.every((webhook) => hasHeard(webhook, first)));
  // Each has been called once, and those calls have run out of time.
  await until(() => open(paths) === 0);

  for (const _ of [1, 2, 3]) {
    // So that there is something that hangs: its call has just begun, and ends in 15 seconds.
    const before = begun();
    await happen(client.clientId);
    await until(() => begun() > before);
    const [calls, hangs] = [begun(), open(paths)];
    expect(hangs).toBeGreaterThan(0);
    const eventId = await happen(client.clientId);
    await until(() => hasHeard(answering, eventId));
    // None has ended: all that have begun since are open, too.
    expect(open(paths) - hangs).toBe(begun() - calls);
  }
});
