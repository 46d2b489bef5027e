import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { createEventRepository } from '#shared/events/event-repository.ts';
import { externalEventId } from '#shared/events/service-event.ts';
import {
  depositHashStatusChanged,
  depositStatusChanged,
  operationStatusChanged,
} from '#shared/off-ramps/contract/off-ramp-events.ts';
import { payinStatusChanged } from '#shared/pay-ins/pay-in-events.ts';
import { connectedAs } from '#test/support/connected.ts';
import { depositScenarios } from '#test/support/deposit-scenarios.ts';
import { eventually } from '#test/support/eventually.ts';
import { functionLogs } from '#test/support/function-logs.ts';
import { newHash, OffRampUser } from '#test/support/http-client.ts';
import type { Received } from '#test/support/receiver.ts';
import { newTenant } from '#test/support/tenant.ts';
import { hasValidSignature } from '#test/support/verify-webhook.ts';
import { type Subscriber, type Subscription, subscriber } from '#test/support/webhook-subscriber.ts';

/** From a change to the calls of its client's webhooks, on the deployed stack. */

const client = await newTenant('notified');
const user = new OffRampUser('POLYGON', client);
const scenarios = depositScenarios();
const { bus } = scenarios;

let clientsEndpoints: Subscriber;
beforeAll(async () => {
  clientsEndpoints = await subscriber();
});
afterAll(() => clientsEndpoints.stop());

const event = z.object({ type: z.string(), timestamp: z.string(), data: z.record(z.string(), z.unknown()) });
const eventIn = ({ body }: Received) => event.parse(JSON.parse(body.toString()));

/** Waits until the webhook has received this number of events with these fields; returns their requests. */
function sentAbout(webhook: Subscription, about: Readonly<Record<string, unknown>>, times: number) {
  const isAbout = (request: Received) => {
    const { data } = eventIn(request);
    return Object.entries(about).every(([name, value]) => data[name] === value);
  };
  return eventually(
    async () => webhook.received().filter(isAbout),
    (found) => new Set(found.map(({ headers }) => headers['webhook-id'])).size >= times,
    120,
  );
}

/** The distinct events of the requests, by sequence. An endpoint may receive an event more than once. */
const inOrder = (requests: readonly Received[]) =>
  [...new Map(requests.map((request) => [request.headers['webhook-id'], eventIn(request)])).values()].toSorted(
    (one, other) => Number(one.data['sequence']) - Number(other.data['sequence']),
  );

describe('decisions 7, event types: the webhook is told, signed', () => {
  test('of an off-ramp from its creation to its payout, of its hash and of its deposit', async () => {
    const webhook = await clientsEndpoints.subscribe(client);
    const operation = await user.create();
    const txHash = newHash();
    await user.deposit(operation, txHash);
    await user.submit(operation.id, txHash);
    const requests = await sentAbout(webhook, { operationId: operation.id }, 6);
    const told = inOrder(requests);
    const ofOperation = told.filter(({ type }) => type === 'ramp.operation.status_changed');
    const ofHash = told.filter(({ type }) => type === 'ramp.deposit_hash.status_changed');
    const ofDeposit = told.filter(({ type }) => type === 'ramp.deposit.status_changed');
    const changes = (events: typeof told) => events.map(({ data }) => [data['previousStatus'], data['status']]);
    expect(changes(ofOperation)).toEqual([
      [null, 'AWAITING_DEPOSIT'],
      ['AWAITING_DEPOSIT', 'PENDING'],
      ['PENDING', 'COMPLETED'],
    ]);
    expect(changes(ofHash)).toEqual([
      ['NOT_SUBMITTED', 'VERIFYING'],
      ['VERIFYING', 'VERIFIED'],
    ]);
    expect(changes(ofDeposit)).toEqual([[null, 'CREDITED']]);
    for (const one of ofDeposit) depositStatusChanged.parse(one);
    expect(ofHash[1]?.data).toMatchObject({ txHash, verifiedTxHash: txHash, userId: user.userId });
    for (const one of ofOperation) operationStatusChanged.parse(one);
    for (const one of ofHash) depositHashStatusChanged.parse(one);
    for (const request of requests) {
      expect(hasValidSignature(webhook.secret, request.headers, request.body)).toBe(true);
    }
  });

  test('of a pay-in from its creation to its end', async () => {
    const webhook = await clientsEndpoints.subscribe(client);
    const call = connectedAs(client);
    const { body: payin } = await call('POST /api/v1/admin/fiats/{user_id}/payin', {
      path: { user_id: user.userId },
      body: { amount: 20_000, currency: 'COP', paymentMethod: 'NEQUI', phone: '3001112233' },
    });
    await call('POST /api/sandbox/payins/{payin_id}', { path: { payin_id: payin.id }, body: { status: 'COMPLETED' } });
    const told = inOrder(await sentAbout(webhook, { payinId: payin.id }, 2)).map((one) =>
      payinStatusChanged.parse(one),
    );
    expect(told.map(({ data }) => [data.previousStatus, data.status, data.sequence])).toEqual([
      [null, 'PENDING', 1],
      // Sequence 2 is the call of the rail, which is not a status.
      ['PENDING', 'COMPLETED', 3],
    ]);
  });

  test.each([
    // The rule of the bus marks the event, and the function reports it to a person.
    ['by an unknown source', 'some.other.app', 'ramp.operation.status_changed'],
    ['by an unknown source, with its own type', 'some.other.app', 'ramp.quote.expired'],
    ['by a known source, with a type of this service', 'partner.demo', 'ramp.operation.status_changed'],
  ])('of no event that is published %s', async (_, source, type) => {
    const webhook = await clientsEndpoints.subscribe(client);
    const [eventId, operationId] = [`evt_forged_${randomUUID()}`, randomUUID()];
    const said = { clientId: client.clientId, eventId, occurredAt: new Date().toISOString() };
    const forged = { ...said, operationId, status: 'COMPLETED', previousStatus: 'PENDING', sequence: 99 };
    const since = Date.now();
    expect(await bus.put([{ source, type, detail: forged }])).toEqual([]);
    const reported = new RegExp(`EVENT_NOT_OURS[^}]*${source}[^}]*${type}|${source}[^}]*${type}[^}]*EVENT_NOT_OURS`);
    await eventually(
      () => functionLogs(since),
      (lines) => reported.test(lines),
    );
    // Once a later event is delivered, the forged one would have been delivered, too.
    const after = { ...said, eventId: `after-${eventId}`, reference: eventId };
    expect(await bus.put([{ source: 'partner.demo', type: 'ramp.quote.expired', detail: after }])).toEqual([]);
    await sentAbout(webhook, { reference: eventId }, 1);
    expect(webhook.received().filter((request) => eventIn(request).data['operationId'] === operationId)).toEqual([]);
    expect(
      await createEventRepository(scenarios.dynamo, scenarios.tables.events).find(externalEventId(source, eventId)),
    ).toBeUndefined();
  });
});

test('no secret, signature, body or query of a delivery is in any log', async () => {
  const reference = `reference-${randomUUID()}`;
  // Only this event is refused: otherwise the other tests' events of the same client would open the circuit first.
  const webhook = await clientsEndpoints.subscribe(client, ({ body }) =>
    body.includes(reference) ? { status: 500, body: 'a complaint of the endpoint' } : { status: 204 },
  );
  const detail = { clientId: client.clientId, eventId: randomUUID(), occurredAt: new Date().toISOString(), reference };
  expect(await bus.put([{ source: 'partner.demo', type: 'ramp.quote.expired', detail }])).toEqual([]);
  const [request] = await sentAbout(webhook, { reference }, 1);
  await webhook.delivery(externalEventId('partner.demo', detail.eventId), ({ attempts }) => attempts.length > 0);
  await sleep(1000);
  const logs = await functionLogs();
  const hidden = {
    secret: webhook.secret.replace('whsec_', ''),
    signature: request?.headers['webhook-signature']?.replace('v1,', ''),
    body: reference,
    query: request?.path.split('?')[1],
    answer: 'a complaint of the endpoint',
  };
  expect(Object.entries(hidden).filter(([, text]) => text === undefined || logs.includes(text))).toEqual([]);
});
