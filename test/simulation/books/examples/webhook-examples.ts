import { at, type History, type Leg, leg } from './history.ts';
import { CLIENT, creation, USER } from './off-ramp-examples.ts';

/*
 * A webhook, and the way of an event to it, as the service writes them.
 */

export const WEBHOOK = '00000000-0000-4000-8000-0000000000ab';
export const URL = 'https://client.example/webhooks';
export const DELIVERY = `dlv_${'d'.repeat(32)}`;

const webhookKey = { clientId: CLIENT, webhookId: WEBHOOK };
const deliveryKey = { deliveryId: DELIVERY, record: 'DELIVERY' };

export function registration() {
  const webhook = {
    userId: USER,
    url: URL,
    process: 'ramp',
    method: 'POST',
    status: true,
    createdAt: at(-60),
    activeSince: at(-60),
    sequence: 1,
    secrets: [{ sealed: 's' }],
  };
  return {
    webhook: leg('webhooks', webhookKey, webhook),
    count: leg('webhooks', { clientId: CLIENT, webhookId: '#count' }, { count: 1 }),
    active: leg('webhooks', { clientId: CLIENT, webhookId: '#active#ramp' }, { count: 1 }),
  };
}

export function deactivation(seen = 1) {
  const set = { status: false, statusReason: 'ENDPOINT_GONE', sequence: seen + 1 };
  return {
    webhook: leg('webhooks', webhookKey, set),
    active: leg('webhooks', { clientId: CLIENT, webhookId: '#active#ramp' }, { count: 0 }),
  };
}

export function delivery(eventId: string) {
  const set = {
    eventId,
    type: 'ramp.operation.status_changed',
    clientId: CLIENT,
    webhookId: WEBHOOK,
    status: 'PENDING',
    createdAt: at(1),
    trigger: 'SCHEDULED',
    queuedAt: at(1),
    attemptsMade: 0,
    attemptsLogged: 0,
    nextAttemptAt: at(1),
    claims: 0,
    dueAt: at(301),
    expiresAt: Date.parse(at(7_776_000)) / 1000,
  };
  return { delivery: leg('deliveries', deliveryKey, set) };
}

export function leased(claimToken = 'one', until = 61) {
  return { delivery: leg('deliveries', deliveryKey, { claimToken, leaseUntil: at(until), claims: 1 }) };
}

const released = { claimToken: undefined, leaseUntil: undefined, claims: 0 };
const over = { nextAttemptAt: undefined, dueAt: undefined };

/** An attempt that the endpoint took. */
export function attempt(number = 1, statusCode = 200) {
  const isTaken = statusCode < 300;
  const set = { status: isTaken ? 'DELIVERED' : 'PENDING', attemptsMade: number, attemptsLogged: number, ...released };
  return {
    attempt: attemptRow(number, statusCode),
    delivery: leg('deliveries', deliveryKey, { ...set, ...(isTaken && over) }),
  };
}

export function attemptRow(number: number, statusCode: number): Leg {
  const key = { deliveryId: DELIVERY, record: `ATTEMPT#${String(number).padStart(4, '0')}` };
  const expiresAt = Date.parse(at(7_776_000)) / 1000;
  return leg('deliveries', key, { at: at(2), durationMs: 5, statusCode, trigger: 'SCHEDULED', expiresAt });
}

/** The delivery ends without an attempt. */
export function ending(status: string, reason: string) {
  return { delivery: leg('deliveries', deliveryKey, { status, reason, ...over, ...released }) };
}

/** An event on its way to a webhook: the id of the event. */
export function onItsWay(history: History): string {
  history.write(registration());
  const legs = creation();
  history.write(legs);
  history.wait(2);
  const eventId = legs.event?.key['eventId'] ?? '';
  history.write(delivery(eventId));
  return eventId;
}
