import { describe, expect, test } from 'vitest';
import { resendDelivery } from '#functions/webhooks/resend-delivery/resend-delivery.ts';
import { createRunIdempotently } from '#shared/platform/http/idempotency.ts';
import { resendDeliveryContract } from '#shared/webhooks/contract/delivery-contract.ts';
import type { DeliveryMessage } from '#shared/webhooks/delivery/delivery-messages.ts';
import { createResend } from '#shared/webhooks/delivery/resend.ts';
import { newDelivery } from '#shared/webhooks/model/delivery.ts';
import type { AttemptOutcome } from '#shared/webhooks/model/delivery-outcome.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { deliveriesInMemory } from '#test/support/deliveries-in-memory.ts';
import { eventOf } from '#test/support/events-in-memory.ts';
import { expectApiError } from '#test/support/expect-api-error.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { healthInMemory } from '#test/support/health-in-memory.ts';
import { idempotencyRecordsInMemory } from '#test/support/idempotency-records-in-memory.ts';
import { CLIENT, STRANGER } from '#test/support/ids.ts';
import { routeCall } from '#test/support/route-call.ts';
import { webhookOf, webhooksInMemory } from '#test/support/webhooks-in-memory.ts';

const START = '2026-11-21T12:00:00.000Z';
const AN_HOUR_LATER = '2026-11-21T13:00:00.000Z';
const OTHER = '66666666-6666-4666-8666-666666666666';

/** A delivery that is an hour old, and its queue. */
function world(webhook = webhookOf()) {
  const clock = fakeClock(START);
  const delivery = newDelivery(eventOf('evt_1'), webhook, 'SCHEDULED', clock.now());
  const foreign = newDelivery(eventOf('evt_1'), webhookOf({ webhookId: OTHER }), 'SCHEDULED', clock.now());
  const deliveries = deliveriesInMemory(delivery, foreign);
  const webhooks = webhooksInMemory(webhook);
  const { deliveryId } = delivery;
  const messages: DeliveryMessage[] = [];
  const outside = {
    sendMessage: async (message: DeliveryMessage) => {
      messages.push(message);
    },
    requeue: deliveries.requeue,
  };
  const useCase = resendDelivery({
    webhooks,
    deliveries,
    resend: createResend({
      health: healthInMemory(clock),
      queue: { requeue: (...asked) => outside.requeue(...asked) },
      sendMessage: (message) => outside.sendMessage(message),
      clock,
    }),
    runIdempotently: createRunIdempotently(idempotencyRecordsInMemory(), clock, () => clock.now().toISOString()),
    clock,
  });

  const attempt = (outcome: AttemptOutcome) => deliveries.attempt(deliveryId, 200, outcome, clock.now());

  async function resend(key?: string, path: Record<string, string> = {}) {
    const headers = key === undefined ? {} : { 'idempotency-key': key };
    const named = { delivery_id: deliveryId, ...path };
    const { body, headers: answered } = await useCase(routeCall(resendDeliveryContract, named, {}, { headers }));
    return { body: resendDeliveryContract.success.body.parse(body), headers: answered };
  }

  const kept = () => deliveries.kept(deliveryId);
  return { clock, deliveries, webhooks, deliveryId, foreign, outside, messages, attempt, resend, kept };
}

describe('decisions 7, delivery log: resending', () => {
  test.each<[string, AttemptOutcome]>([
    ['arrived', { status: 'DELIVERED' }],
    ['failed', { status: 'FAILED', reason: 'EXHAUSTED' }],
    ['waits for its next attempt', { status: 'PENDING', nextAttemptAt: '2026-11-22T12:00:00.000Z' }],
  ])('makes a delivery that %s due now, by hand, with the whole schedule before it', async (_, outcome) => {
    const { attempt, clock, deliveryId, messages, resend, kept } = world();
    await attempt(outcome);
    clock.set(AN_HOUR_LATER);
    const { body } = await resend();
    expect(body).toMatchObject({ id: deliveryId, eventId: 'evt_1', status: 'PENDING', nextAttemptAt: AN_HOUR_LATER });
    expect(body).not.toHaveProperty('reason');
    expect(body.attempts).toHaveLength(1);
    expect(messages).toEqual([expect.objectContaining({ deliveryId, clientId: CLIENT, attempt: 2 })]);
    expect(kept()?.delivery).toMatchObject({ trigger: 'MANUAL', attemptsMade: 0, attempts: [expect.anything()] });
  });

  test('after 50 attempts is 409 TOO_MANY_ATTEMPTS: the log of a delivery is read as a whole', async () => {
    const { attempt, clock, resend } = world();
    for (let made = 0; made < 50; made += 1) {
      await attempt({ status: 'DELIVERED' });
      clock.advance(60);
      if (made < 49) await resend();
    }
    const error = await expectApiError(() => resend());
    expect([error.status, error.code]).toEqual([409, 'TOO_MANY_ATTEMPTS']);
  });

  test('while an attempt is under way asks for that one', async () => {
    const { clock, deliveries, deliveryId, messages, resend, kept } = world();
    clock.set(AN_HOUR_LATER);
    await deliveries.claim(deliveryId, 1, 'token', clock.now());
    const before = kept();
    expect((await resend()).body).toMatchObject({ status: 'PENDING', nextAttemptAt: START });
    expect(kept()).toEqual(before);
    expect(messages).toEqual([]);
    clock.advance(61);
    expect((await resend()).body.nextAttemptAt).toBe('2026-11-21T13:01:01.000Z');
  });

  test('to an inactive webhook is 409, and nothing is asked for', async () => {
    const { clock, resend, messages, kept } = world(webhookOf({ status: false }));
    clock.set(AN_HOUR_LATER);
    const before = kept();
    const error = await expectApiError(() => resend());
    expect([error.status, error.code]).toEqual([409, 'WEBHOOK_INACTIVE']);
    expect([kept(), messages]).toEqual([before, []]);
  });

  test('to one that was reactivated brings back what its deactivation cancelled', async () => {
    const { clock, resend } = world(webhookOf({ activeSince: '2026-11-21T12:30:00.000Z' }));
    clock.set(AN_HOUR_LATER);
    expect((await resend()).body).toMatchObject({ status: 'PENDING', nextAttemptAt: AN_HOUR_LATER });
  });

  test('leaves a message that is not sent to the sweep', async () => {
    const lines = captureLogs();
    const { clock, outside, deliveryId, resend, kept } = world();
    clock.set(AN_HOUR_LATER);
    outside.sendMessage = async () => {
      throw new Error('SQS is down');
    };
    expect((await resend()).body.nextAttemptAt).toBe(AN_HOUR_LATER);
    expect(kept()?.dueAt).toBe('2026-11-21T13:05:00.000Z');
    expect(lines).toMatchObject([{ level: 'warn', code: 'DELIVERY_MESSAGE_NOT_SENT', fields: { deliveryId } }]);
  });
});

describe('decisions 5, same request twice: one key of a resend', () => {
  test('asks for one attempt and sends one message, however much time lies between the calls', async () => {
    const { attempt, clock, messages, resend, kept } = world();
    clock.set(AN_HOUR_LATER);
    const first = await resend('key');
    await attempt({ status: 'DELIVERED' });
    clock.advance(3600);
    const again = await resend('key');
    expect(again).toEqual({ body: first.body, headers: { 'Idempotency-Replayed': 'true' } });
    expect(messages).toHaveLength(1);
    expect(kept()?.delivery.status).toBe('DELIVERED');
  });

  test('asks for one attempt also when the first call died after it had asked', async () => {
    const { attempt, clock, outside, deliveries, messages, resend, kept } = world();
    clock.set(AN_HOUR_LATER);
    outside.requeue = async (...asked) => {
      await deliveries.requeue(...asked);
      throw new Error('killed');
    };
    await expect(resend('key')).rejects.toThrow('killed');
    await attempt({ status: 'DELIVERED' });
    outside.requeue = deliveries.requeue;
    clock.advance(60);
    expect((await resend('key')).body.status).toBe('DELIVERED');
    expect(messages).toEqual([]);
    expect(kept()?.delivery).toMatchObject({ status: 'DELIVERED', attempts: [expect.anything()] });
  });

  test('asks when the first call died before it had asked', async () => {
    const { clock, outside, deliveries, messages, resend } = world();
    clock.set(AN_HOUR_LATER);
    outside.requeue = async () => {
      throw new Error('killed');
    };
    await expect(resend('key')).rejects.toThrow('killed');
    outside.requeue = deliveries.requeue;
    clock.advance(60);
    await resend('key');
    expect(messages).toHaveLength(1);
  });
});

describe('decisions 7, delivery log: a delivery of another client', () => {
  test('or one of another webhook, or none, is 404 DELIVERY_NOT_FOUND', async () => {
    const { foreign, resend, messages } = world();
    for (const delivery_id of [foreign.deliveryId, `dlv_${'0'.repeat(32)}`, 'x', 'x'.repeat(3000)]) {
      const error = await expectApiError(() => resend(undefined, { delivery_id }));
      expect([error.status, error.code]).toEqual([404, 'DELIVERY_NOT_FOUND']);
    }
    expect(messages).toEqual([]);
  });

  test.each([
    [{ clientId: STRANGER }, 'FORBIDDEN'],
    [{ webhook_id: STRANGER }, 'WEBHOOK_NOT_FOUND'],
    [{ webhook_id: 'x' }, 'WEBHOOK_NOT_FOUND'],
  ])('%j is %s', async (path, code) => {
    expect((await expectApiError(() => world().resend(undefined, path))).code).toBe(code);
  });

  test('or one that has expired is 404 too', async () => {
    const { clock, resend } = world();
    clock.advance(90 * 24 * 3600);
    expect((await expectApiError(() => resend())).code).toBe('DELIVERY_NOT_FOUND');
  });
});
