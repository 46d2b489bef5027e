import { expect, test } from 'vitest';
import { systemClock } from '#shared/platform/clock.ts';
import { newDelivery } from '#shared/webhooks/model/delivery.ts';
import { createDeliveryClaims } from '#shared/webhooks/store/delivery-claims.ts';
import { createDeliveryQueue } from '#shared/webhooks/store/delivery-repository.ts';
import { eventOf } from '#test/support/events-in-memory.ts';
import { tablesInMemory } from '#test/support/tables-in-memory.ts';
import { webhookOf } from '#test/support/webhooks-in-memory.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const AT = NOW.toISOString();
const LATER = '2026-11-21T12:05:00.000Z';

test.each([0, 3])(
  'decisions 7, delivery log: an attempt is recorded once, and told as recorded, though %i answers to writes were lost',
  async (lostAnswers) => {
    const { dynamo, table } = tablesInMemory(lostAnswers);
    const delivery = newDelivery(eventOf('evt_1'), webhookOf(), 'SCHEDULED', NOW);
    const claims = createDeliveryClaims(dynamo, 'deliveries', systemClock);
    await createDeliveryQueue(dynamo, 'deliveries', systemClock).create(delivery, LATER, NOW);
    const claim = await claims.claim(delivery.deliveryId, 1, 'token', NOW);
    if (claim.state !== 'CLAIMED') throw new Error(`The attempt is ${claim.state}.`);
    const next = { status: 'PENDING', nextAttemptAt: LATER } as const;
    const made = { at: AT, statusCode: 503, durationMs: 12 };
    expect(await claims.finish(claim.delivery, made, next, LATER)).toBe(true);
    const recorded = { attempts: [[AT, 'SCHEDULED', 503, 12]], attemptsMade: 1, nextAttemptAt: LATER };
    expect(table('deliveries').items()).toMatchObject([recorded]);
    // The call of a worker that has lost its lease is not recorded.
    expect(await claims.finish(claim.delivery, { at: AT, error: 'TIMEOUT', durationMs: 15_000 }, next)).toBe(false);
    expect(table('deliveries').items()).toMatchObject([recorded]);
  },
);

test('decisions 7: an attempt belongs to one process at a time, until the lease of a dead one is over', async () => {
  const { dynamo } = tablesInMemory();
  const delivery = newDelivery(eventOf('evt_1'), webhookOf(), 'SCHEDULED', NOW);
  const { claim } = createDeliveryClaims(dynamo, 'deliveries', systemClock);
  await createDeliveryQueue(dynamo, 'deliveries', systemClock).create(delivery, LATER, NOW);
  const asked = async (attempt: number, token: string, now = NOW) =>
    (await claim(delivery.deliveryId, attempt, token, now)).state;
  expect(await asked(2, 'of a later attempt')).toBe('NOT_TO_MAKE');
  expect(await Promise.all([asked(1, 'first'), asked(1, 'second')])).toEqual(['CLAIMED', 'NOT_TO_MAKE']);
  expect(await asked(1, 'second', new Date(NOW.getTime() + 60_000))).toBe('NOT_TO_MAKE');
  expect(await asked(1, 'second', new Date(NOW.getTime() + 60_001))).toBe('CLAIMED');
});

test('a message of a delivery that a restore has lost creates none: only a replay brings the event', async () => {
  const { dynamo, table } = tablesInMemory(0);
  const { deliveryId } = newDelivery(eventOf('evt_1'), webhookOf(), 'SCHEDULED', NOW);
  const claims = createDeliveryClaims(dynamo, 'deliveries', systemClock);
  expect(await claims.claim(deliveryId, 1, 'token', NOW)).toEqual({ state: 'NOT_TO_MAKE' });
  expect(table('deliveries').items()).toEqual([]);
});
