import { test } from 'vitest';
import { at, type Breach, but, createHistory, expectBreach, type Leg } from '../examples/history.ts';
import { CLIENT } from '../examples/off-ramp-examples.ts';
import {
  attempt,
  attemptRow,
  DELIVERY,
  deactivation,
  delivery,
  ending,
  leased,
  onItsWay,
  registration,
  WEBHOOK,
} from '../examples/webhook-examples.ts';

const health = (set: Leg['set']) => ({ it: { table: 'webhookHealth', key: { webhookId: WEBHOOK }, set } }) as const;
const slot = (slot: string, set: Leg['set']) => ({ it: { table: 'slots', key: { slot }, set } }) as const;

const deliveries: readonly Breach[] = [
  [
    'a delivery is kept until its time is over',
    (to) => {
      const eventId = onItsWay(to);
      to.write(but(delivery(eventId), 'delivery', 'GONE'));
    },
  ],
  [
    'a delivery has a next attempt until it ended',
    (to) => {
      onItsWay(to);
      to.write(leased());
      to.write(but(attempt(), 'delivery', { nextAttemptAt: at(9) }));
    },
  ],
  [
    'a next attempt is due',
    (to) => {
      const eventId = onItsWay(to);
      to.write(but(delivery(eventId), 'delivery', { dueAt: undefined }));
    },
  ],
  [
    'what was not delivered says why',
    (to) => {
      onItsWay(to);
      to.write(but(ending('FAILED', 'INTERNAL'), 'delivery', { reason: undefined }));
    },
  ],
  [
    'a lease has a holder',
    (to) => {
      onItsWay(to);
      to.write(but(leased(), 'delivery', { claimToken: undefined }));
    },
  ],
  [
    'nobody holds a delivery that ended',
    (to) => {
      onItsWay(to);
      to.write(leased());
      to.write(but(attempt(), 'delivery', { claimToken: 'one', leaseUntil: at(61) }));
    },
  ],
  [
    'a delivery has at most its attempts',
    (to) => {
      onItsWay(to);
      to.write(but(attempt(11, 500), 'delivery', { attemptsMade: 11 }));
    },
  ],
  [
    'a delivery is given up after all its attempts',
    (to) => {
      onItsWay(to);
      to.write(ending('FAILED', 'EXHAUSTED'));
    },
  ],
  [
    'a delivery is of an event',
    (to) => {
      to.write(registration());
      to.write(delivery('evt_unknown'));
    },
  ],
  [
    'a webhook gets what it monitors',
    (to) => {
      to.write(but(registration(), 'webhook', { process: 'compliance' }));
      onItsWay({ ...to, write: (legs) => legs['webhook'] === undefined && to.write(legs) });
    },
  ],
  [
    'one event is delivered to one webhook under one id',
    (to) => {
      const legs = delivery(onItsWay(to));
      to.write({
        delivery: legs.delivery && { ...legs.delivery, key: { deliveryId: 'dlv_other', record: 'DELIVERY' } },
      });
    },
  ],
  [
    'a delivery stays of one event to one webhook',
    (to) => {
      onItsWay(to);
      to.write(but(leased(), 'delivery', { type: 'another' }));
    },
  ],
  [
    'a delivery goes only along its life',
    (to) => {
      onItsWay(to);
      to.write(leased());
      to.write(attempt());
      to.write(ending('FAILED', 'INTERNAL'));
    },
  ],
  [
    'a delivery that ended begins again only when its client asks',
    (to) => {
      const eventId = onItsWay(to);
      to.write(ending('FAILED', 'INTERNAL'));
      to.write(but(delivery(eventId), 'delivery', { reason: undefined }));
    },
  ],
  [
    'attempts are counted as they are written',
    (to) => {
      onItsWay(to);
      to.write(leased());
      to.write({ ...attempt(), attempt: undefined });
    },
  ],
  [
    'attempts count since they were asked for',
    (to) => {
      onItsWay(to);
      to.write(leased());
      to.write(but(attempt(1, 500), 'delivery', { attemptsMade: 0 }));
    },
  ],
  [
    'delivered is what the endpoint took',
    (to) => {
      onItsWay(to);
      to.write(leased());
      to.write({ ...attempt(), attempt: attemptRow(1, 500) });
    },
  ],
  [
    'only an inactive webhook cancels a delivery',
    (to) => {
      onItsWay(to);
      to.write(ending('CANCELLED', 'WEBHOOK_INACTIVE'));
    },
  ],
  [
    'one attempt of a delivery is made at a time',
    (to) => {
      onItsWay(to);
      to.write(leased());
      to.wait(60);
      to.write(leased('two', 120));
    },
  ],
  [
    'no attempt is made before its time',
    (to) => {
      const eventId = onItsWay(to);
      to.write(but(delivery(eventId), 'delivery', { nextAttemptAt: at(30) }));
      to.write(leased());
    },
  ],
  [
    'an attempt is kept until its time is over',
    (to) => {
      onItsWay(to);
      to.write(leased());
      to.write(attempt());
      to.write({ it: { ...attemptRow(1, 200), set: 'GONE' } });
    },
  ],
  [
    'an attempt is written once',
    (to) => {
      onItsWay(to);
      to.write(leased());
      to.write(attempt());
      to.write({ it: attemptRow(1, 500) });
    },
  ],
  ['an attempt is of a delivery', (to) => to.write({ it: attemptRow(1, 500) })],
];

const webhooks: readonly Breach[] = [
  [
    'only an inactive webhook is removed',
    (to) => {
      to.write(registration());
      to.write(but(registration(), 'webhook', 'GONE'));
    },
  ],
  [
    'a webhook has a secret, and few that it replaced',
    (to) => to.write(but(registration(), 'webhook', { secrets: [] })),
  ],
  [
    'an active webhook has no reason to be inactive',
    (to) => to.write(but(registration(), 'webhook', { statusReason: 'ENDPOINT_GONE' })),
  ],
  ['a webhook begins active', (to) => to.write(but(registration(), 'webhook', { status: false }))],
  [
    'the sequence of a webhook grows by one with every write',
    (to) => {
      to.write(registration());
      to.write(deactivation(0));
    },
  ],
  [
    'a webhook stays whose it is and what it monitors',
    (to) => {
      to.write(registration());
      to.write(but(deactivation(), 'webhook', { process: 'compliance' }));
    },
  ],
  [
    'a webhook is active since it was made active',
    (to) => {
      to.write(registration());
      to.write(but(deactivation(), 'webhook', { activeSince: at(9) }));
    },
  ],
  ['the count of webhooks is how many there are', (to) => to.write(but(registration(), 'count', { count: 2 }))],
  [
    'a client has a hundred webhooks at most',
    (to) => {
      const webhook = registration().webhook;
      for (let number = 0; number <= 100; number += 1) {
        const made = { ...webhook, key: { clientId: CLIENT, webhookId: `webhook ${number}` } };
        to.write(but({ ...registration(), webhook: made }, 'count', { count: number + 1 }));
      }
    },
  ],
  [
    'health is kept until its time is over',
    (to) => {
      to.write(health({ version: 1, expiresAt: 2_000_000_000 }));
      to.write(health('GONE'));
    },
  ],
  ['the health of a webhook is decided on as it was read', (to) => to.write(health({ version: 2 }))],
  ['a circuit is open for half an hour at most', (to) => to.write(health({ version: 1, parkedUntil: at(1801) }))],
  [
    'nobody has more slots than its share',
    (to) => to.write(slot(`slot#first#${CLIENT}#2`, { token: 'one', leaseUntil: at(60) })),
  ],
  [
    'nobody has more slots than its share',
    (to) => {
      to.write(registration());
      to.write(slot(`slot#first#${WEBHOOK}#1`, { token: 'one', leaseUntil: at(60) }));
    },
  ],
  [
    'a slot has one holder',
    (to) => {
      to.write(slot(`slot#first#${CLIENT}#1`, { token: 'one', leaseUntil: at(60) }));
      to.wait(59);
      to.write(slot(`slot#first#${CLIENT}#1`, { token: 'two', leaseUntil: at(119) }));
    },
  ],
];

test.each([...deliveries, ...webhooks])('%s', (...breach) => {
  expectBreach(breach);
});

test('a delivery that is repeated, arrives and is asked for again breaks no rule', () => {
  const history = createHistory();
  const eventId = onItsWay(history);
  history.write(leased());
  history.write(attempt(1, 500));
  history.wait(70);
  history.write(leased('two', 130));
  history.write(attempt(2));
  const again = { trigger: 'MANUAL', queuedAt: at(70), attemptsMade: 0, attemptsLogged: 2, nextAttemptAt: at(70) };
  history.write(but(delivery(eventId), 'delivery', again));
  history.write(deactivation());
  history.write(ending('CANCELLED', 'WEBHOOK_INACTIVE'));
  history.write(slot(`slot#first#${CLIENT}#1`, { token: DELIVERY, leaseUntil: at(60) }));
});
