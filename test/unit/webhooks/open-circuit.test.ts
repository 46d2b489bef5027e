import { describe, expect, test } from 'vitest';
import { resendDelivery } from '#functions/webhooks/resend-delivery/resend-delivery.ts';
import { createRunIdempotently } from '#shared/platform/http/idempotency.ts';
import { resendDeliveryContract } from '#shared/webhooks/contract/delivery-contract.ts';
import { createResend } from '#shared/webhooks/delivery/resend.ts';
import { deliveryIdOf } from '#shared/webhooks/model/delivery.ts';
import { REFUSED_CALL } from '#test/support/call-summaries.ts';
import { deliveryWorld, type Sent } from '#test/support/delivery-world.ts';
import { eventNo, eventOf } from '#test/support/events-in-memory.ts';
import { idempotencyRecordsInMemory } from '#test/support/idempotency-records-in-memory.ts';
import { WEBHOOK } from '#test/support/ids.ts';
import { routeCall } from '#test/support/route-call.ts';
import { webhookOf } from '#test/support/webhooks-in-memory.ts';

const EVENT = eventNo(1);
const DELIVERY = deliveryIdOf(EVENT, WEBHOOK);

/** A webhook whose endpoint is down and whose circuit is open for half an hour, with one delivery that waits for it. */
async function worldWithOpenCircuit(answer: (sent: Sent) => { readonly statusCode: number }) {
  const world = deliveryWorld({ answer }, webhookOf());
  const { clock, deliveries, health, steps, webhooks } = world;
  const hour = 3600;
  for (let outage = 0; outage < 5 + 6; outage += 1) {
    await health.requestAttempt(webhookOf(), 'probe', false);
    await health.recordResult(webhookOf(), 'probe', REFUSED_CALL);
    if (outage >= 4 && outage < 10) clock.advance(hour);
  }
  const event = eventOf(EVENT, { occurredAt: clock.now().toISOString() });
  world.events.put(event);
  await world.fanOut(event);
  clock.advance(1);
  const resend = async () => {
    const useCase = resendDelivery({
      webhooks,
      deliveries,
      resend: createResend({ health, queue: deliveries, sendMessage: steps.sendRetry, clock }),
      runIdempotently: createRunIdempotently(idempotencyRecordsInMemory(), clock, () => clock.now().toISOString()),
      clock,
    });
    const { body } = await useCase(routeCall(resendDeliveryContract, { webhook_id: WEBHOOK, delivery_id: DELIVERY }));
    return resendDeliveryContract.success.body.parse(body);
  };
  const now = () => (clock.now().getTime() - Date.parse('2026-11-21T12:00:00.000Z')) / 1000;
  return { ...world, resend, now };
}

describe('decisions 7, parked: a resend by hand', () => {
  test('is made now, and what happens afterwards is sent at once', async () => {
    const world = await worldWithOpenCircuit(() => ({ statusCode: 204 }));
    const start = world.now();
    expect(world.health.of(WEBHOOK)).toMatchObject({ parkMinutes: 30 });
    await world.runUntil(start + 60);
    expect(world.sent).toEqual([]);
    const asked = await world.resend();
    expect(asked.nextAttemptAt).toBe(world.clock.now().toISOString());
    await world.runUntil(start + 61);
    expect(world.sent.map(({ at }) => at)).toEqual([start + 60]);
    const later = eventOf(eventNo(2), { occurredAt: world.clock.now().toISOString() });
    world.events.put(later);
    await world.fanOut(later);
    await world.runUntil(start + 62);
    expect(world.sent.map(({ eventId }) => eventId)).toEqual([EVENT, later.eventId]);
  });

  test('is made also when another call fails before it, and parks the webhook again', async () => {
    const world = await worldWithOpenCircuit(() => ({ statusCode: 204 }));
    const start = world.now();
    await world.resend();
    await world.health.recordResult(webhookOf(), 'another call', REFUSED_CALL);
    expect(await world.health.circuit(webhookOf())).toMatchObject({ state: 'OPEN' });
    await world.runUntil(start + 1);
    expect(world.sent.map(({ at }) => at)).toEqual([start]);
  });

  test('is made also when a worker that found the webhook parked is about to postpone the delivery', async () => {
    const world = await worldWithOpenCircuit(() => ({ statusCode: 204 }));
    world.clock.advance(3600);
    // The circuit opens again while a worker claims the delivery.
    await world.health.requestAttempt(webhookOf(), 'probe', false);
    await world.health.recordResult(webhookOf(), 'probe', REFUSED_CALL);
    const claim = await world.deliveries.claim(DELIVERY, 1, 'holder', world.clock.now());
    const permission = await world.health.requestAttempt(webhookOf(), 'holder', false);
    if (claim.state !== 'CLAIMED' || permission.state !== 'CIRCUIT_OPEN')
      throw new Error('The delivery is not put off.');
    const [start, { sleep }] = [world.now(), world.clock];
    world.clock.sleep = async (milliseconds) => {
      await world.deliveries.reschedule(claim.delivery, permission.until);
      await sleep(milliseconds);
    };
    const asked = await world.resend();
    expect(asked.nextAttemptAt).toBe(world.clock.now().toISOString());
    await world.runUntil(start + 2);
    expect(world.sent).toHaveLength(1);
  });
});
