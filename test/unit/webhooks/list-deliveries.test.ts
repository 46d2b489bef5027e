import { describe, expect, test } from 'vitest';
import { listDeliveries } from '#functions/webhooks/list-deliveries/list-deliveries.ts';
import { messageLostAt } from '#shared/platform/dynamodb/due-queue.ts';
import { listDeliveriesContract } from '#shared/webhooks/contract/delivery-contract.ts';
import { type Delivery, newDelivery } from '#shared/webhooks/model/delivery.ts';
import type { AttemptOutcome } from '#shared/webhooks/model/delivery-outcome.ts';
import type { Webhook } from '#shared/webhooks/model/webhook.ts';
import type { Circuit } from '#shared/webhooks/model/webhook-health.ts';
import { deliveriesInMemory } from '#test/support/deliveries-in-memory.ts';
import { eventOf } from '#test/support/events-in-memory.ts';
import { expectApiError } from '#test/support/expect-api-error.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { STRANGER, WEBHOOK } from '#test/support/ids.ts';
import { routeCall } from '#test/support/route-call.ts';
import { webhookOf, webhooksInMemory } from '#test/support/webhooks-in-memory.ts';

const START = '2026-11-21T12:00:00.000Z';
const OTHER = '66666666-6666-4666-8666-666666666666';
const DAY = 24 * 3600;

function world(webhook: Webhook = webhookOf(), circuit: Circuit = { state: 'CLOSED' }) {
  const clock = fakeClock(START);
  const deliveries = deliveriesInMemory();
  const webhooks = webhooksInMemory(webhook, webhookOf({ webhookId: OTHER }));
  const useCase = listDeliveries({ webhooks, deliveries, readCircuit: async () => circuit, clock });
  let events = 0;

  /** A delivery that begins a second after the one before. */
  async function begin(webhookId = WEBHOOK): Promise<Delivery> {
    clock.advance(1);
    events += 1;
    const delivery = newDelivery(eventOf(`evt_${events}`), webhookOf({ webhookId }), 'SCHEDULED', clock.now());
    await deliveries.create(delivery, messageLostAt(clock.now()), clock.now());
    return delivery;
  }

  const attempt = (deliveryId: string, statusCode: number, outcome: AttemptOutcome) =>
    deliveries.attempt(deliveryId, statusCode, outcome, clock.now());

  async function list(query: Record<string, string> = {}, path: Record<string, string> = {}) {
    const answer = await useCase(routeCall(listDeliveriesContract, path, {}, { query }));
    return listDeliveriesContract.success.body.parse(answer.body);
  }

  return { clock, deliveries, webhooks, begin, attempt, list };
}

const ids = (listed: readonly { readonly id: string }[]) => listed.map(({ id }) => id);

describe('decisions 7, delivery log: a delivery', () => {
  test('that waits has no attempts, and says when the first is', async () => {
    const { begin, list } = world();
    const { deliveryId, createdAt } = await begin();
    expect(await list()).toEqual({
      deliveries: [
        {
          id: deliveryId,
          eventId: 'evt_1',
          type: 'ramp.operation.status_changed',
          status: 'PENDING',
          createdAt,
          nextAttemptAt: createdAt,
          attempts: [],
        },
      ],
    });
  });

  test.each(['OPEN', 'HALF_OPEN'] as const)('is due at the end of the parking or later: %s', async (state) => {
    const parkedUntil = '2026-11-21T12:08:00.000Z';
    const { begin, attempt, deliveries, clock, list } = world(webhookOf(), { state, until: parkedUntil });
    const [waits, later, byHand, arrived] = [await begin(), await begin(), await begin(), await begin()];
    const nextAttemptAt = '2026-11-21T14:00:00.000Z';
    await attempt(later.deliveryId, 500, { status: 'PENDING', nextAttemptAt });
    await attempt(arrived.deliveryId, 204, { status: 'DELIVERED' });
    clock.advance(1);
    const asked = {
      trigger: 'MANUAL',
      requestedAt: clock.now().toISOString(),
      dueAt: messageLostAt(clock.now()),
    } as const;
    await deliveries.requeue(byHand.deliveryId, asked, clock.now());
    const shown = new Map((await list()).deliveries.map((one) => [one.id, one.nextAttemptAt]));
    expect([waits, later, byHand, arrived].map(({ deliveryId }) => shown.get(deliveryId))).toEqual([
      parkedUntil,
      nextAttemptAt,
      asked.requestedAt,
      undefined,
    ]);
  });

  test('has its attempts in their order, and why it failed', async () => {
    const { begin, attempt, clock, list } = world();
    const { deliveryId } = await begin();
    const [first, second] = ['2026-11-21T12:00:01.000Z', '2026-11-21T12:00:06.000Z'];
    await attempt(deliveryId, 500, { status: 'PENDING', nextAttemptAt: second });
    clock.advance(5);
    await attempt(deliveryId, 410, { status: 'FAILED', reason: 'ENDPOINT_GONE' });
    const [listed] = (await list()).deliveries;
    expect(listed).toMatchObject({ status: 'FAILED', reason: 'ENDPOINT_GONE' });
    expect(listed).not.toHaveProperty('nextAttemptAt');
    expect(listed?.attempts).toEqual([
      { at: first, trigger: 'SCHEDULED', statusCode: 500, durationMs: 7 },
      { at: second, trigger: 'SCHEDULED', statusCode: 410, durationMs: 7 },
    ]);
  });
});

describe('decisions 7: a delivery that waits for a webhook that cancels it is shown as cancelled', () => {
  const cancelled = { status: 'CANCELLED', reason: 'WEBHOOK_INACTIVE' };

  test.each<[string, Partial<Webhook>]>([
    ['inactive', { status: false }],
    ['active again, but not all the time', { activeSince: '2026-11-21T12:00:02.000Z' }],
  ])('when the webhook is %s', async (_, differences) => {
    const { begin, list } = world(webhookOf(differences));
    await begin();
    const [listed] = (await list()).deliveries;
    expect(listed).toMatchObject(cancelled);
    expect(listed).not.toHaveProperty('nextAttemptAt');
  });

  test('not when it was asked for since, nor when it is over', async () => {
    const { begin, attempt, list } = world(webhookOf({ activeSince: '2026-11-21T12:00:02.000Z' }));
    const over = await begin();
    await attempt(over.deliveryId, 200, { status: 'DELIVERED' });
    await begin();
    expect((await list()).deliveries.map(({ status }) => status)).toEqual(['PENDING', 'DELIVERED']);
  });
});

describe('decisions 7, delivery log: deliveries are paged, newest first', () => {
  test('twenty, or as many as limit says; nextCursor leads on until the end', async () => {
    const { begin, list } = world();
    const begun: string[] = [];
    for (let made = 0; made < 25; made += 1) begun.unshift((await begin()).deliveryId);
    const first = await list();
    const second = await list({ cursor: first.nextCursor ?? '' });
    expect(ids(first.deliveries)).toEqual(begun.slice(0, 20));
    expect(ids(second.deliveries)).toEqual(begun.slice(20));
    expect(second.nextCursor).toBeUndefined();
    expect(ids((await list({ limit: '3' })).deliveries)).toEqual(begun.slice(0, 3));
    expect((await list({ limit: '25' })).nextCursor).toBeUndefined();
  });

  test('an expired delivery is not listed, deleted yet or not, and is no cursor', async () => {
    const { begin, clock, deliveries, list } = world();
    const old = await begin();
    clock.advance(DAY);
    const young = await begin();
    clock.advance(89 * DAY);
    expect(ids((await list()).deliveries)).toEqual([young.deliveryId]);
    expect(deliveries.kept(old.deliveryId)).toBeDefined();
    const error = await expectApiError(() => list({ cursor: old.deliveryId }));
    expect(error.errors).toMatchObject([{ path: 'query.cursor', code: 'INVALID_CURSOR' }]);
  });

  test('a delivery that is asked for again expires at the same time as before, as its event does', async () => {
    const { begin, attempt, clock, deliveries, list } = world();
    const { deliveryId } = await begin();
    await attempt(deliveryId, 200, { status: 'DELIVERED' });
    clock.advance(DAY);
    const requestedAt = clock.now().toISOString();
    const asked = { trigger: 'MANUAL', requestedAt, dueAt: messageLostAt(clock.now()) } as const;
    await deliveries.requeue(deliveryId, asked, clock.now());
    await attempt(deliveryId, 204, { status: 'DELIVERED' });
    clock.advance(88.5 * DAY);
    expect((await list()).deliveries[0]?.attempts.map(({ statusCode }) => statusCode)).toEqual([200, 204]);
    clock.advance(DAY);
    expect((await list()).deliveries).toEqual([]);
  });

  test.each(['', 'forged', `dlv_${'0'.repeat(32)}`, 'x'.repeat(3000), STRANGER])(
    'a forged cursor is 422: %j',
    async (cursor) => {
      const { begin, list } = world();
      await begin();
      const error = await expectApiError(() => list({ cursor }));
      expect([error.status, error.errors?.[0]?.code]).toEqual([422, 'INVALID_CURSOR']);
    },
  );
});

describe('decisions 7, delivery log: deliveries of another client', () => {
  test('are not in the list, and no cursor of it', async () => {
    const { begin, list } = world();
    const [mine, others] = [await begin(), await begin(OTHER)];
    expect(ids((await list()).deliveries)).toEqual([mine.deliveryId]);
    expect((await expectApiError(() => list({ cursor: others.deliveryId }))).code).toBe('VALIDATION_FAILED');
  });

  test.each([
    [{ clientId: STRANGER }, 'FORBIDDEN'],
    [{ webhook_id: STRANGER }, 'WEBHOOK_NOT_FOUND'],
    [{ webhook_id: 'x' }, 'WEBHOOK_NOT_FOUND'],
  ])('%j is %s', async (path, code) => {
    expect((await expectApiError(() => world().list({ limit: 'x' }, path))).code).toBe(code);
  });
});
