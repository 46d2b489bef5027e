import { expect, test } from 'vitest';
import { getDelivery } from '#functions/webhooks/get-delivery/get-delivery.ts';
import { getDeliveryContract } from '#shared/webhooks/contract/delivery-contract.ts';
import { newDelivery } from '#shared/webhooks/model/delivery.ts';
import { deliveriesInMemory } from '#test/support/deliveries-in-memory.ts';
import { eventNo, eventOf, eventsInMemory } from '#test/support/events-in-memory.ts';
import { expectApiError } from '#test/support/expect-api-error.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { CLIENT, STRANGER, WEBHOOK } from '#test/support/ids.ts';
import { CREATED_AT } from '#test/support/off-ramp.ts';
import { routeCall } from '#test/support/route-call.ts';
import { webhookOf, webhooksInMemory } from '#test/support/webhooks-in-memory.ts';

const OTHER = '66666666-6666-4666-8666-666666666666';
const DAY = 24 * 3600;

const event = eventOf(eventNo(1));

function world() {
  const clock = fakeClock(CREATED_AT);
  const [own, others] = [webhookOf(), webhookOf({ webhookId: OTHER })];
  const [mine, theirs] = [own, others].map((webhook) => newDelivery(event, webhook, 'SCHEDULED', clock.now()));
  if (mine === undefined || theirs === undefined) throw new Error('There is none.');
  const deliveries = deliveriesInMemory(mine, theirs);
  const events = eventsInMemory();
  events.putPublished(event);
  const useCase = getDelivery({
    ...{ deliveries, events, clock },
    webhooks: webhooksInMemory(own, others),
    readCircuit: async () => ({ state: 'OPEN', until: '2027-01-01T00:00:00.000Z' }),
  });
  const read = async (path: Readonly<Record<string, string>>, query = {}) =>
    getDeliveryContract.success.body.parse((await useCase(routeCall(getDeliveryContract, path, {}, { query }))).body);
  return { clock, mine, theirs, read };
}

test('decisions 14, delivery bodies: a delivery has the body that was sent, to the byte, and is as in the list', async () => {
  const { mine, read } = world();
  const { deliveryId, eventId, type, status, createdAt } = mine;
  expect(await read({ delivery_id: deliveryId })).toEqual({
    ...{ id: deliveryId, eventId, type, status, createdAt, attempts: [] },
    nextAttemptAt: '2027-01-01T00:00:00.000Z',
    body: event.body,
  });
});

test('decisions 14, delivery bodies: the order of the checks', async () => {
  const { clock, mine, theirs, read } = world();
  const own = { clientId: CLIENT, webhook_id: WEBHOOK, delivery_id: mine.deliveryId };
  const codeFor = async (path: object, query = {}) =>
    (await expectApiError(() => read({ ...own, ...path }, query))).code;
  expect(await codeFor({ clientId: STRANGER, webhook_id: STRANGER }, { x: '1' })).toBe('FORBIDDEN');
  expect(await codeFor({ webhook_id: STRANGER }, { x: '1' })).toBe('WEBHOOK_NOT_FOUND');
  expect(await codeFor({ delivery_id: 'x' }, { x: '1' })).toBe('VALIDATION_FAILED');
  expect(await codeFor({ delivery_id: theirs.deliveryId })).toBe('DELIVERY_NOT_FOUND');
  expect(await codeFor({ delivery_id: 'x' })).toBe('DELIVERY_NOT_FOUND');
  clock.advance(91 * DAY);
  expect(await codeFor({})).toBe('DELIVERY_NOT_FOUND');
});
