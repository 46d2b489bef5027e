import { test } from 'vitest';
import { at, type Breach, but, createHistory, expectBreach, type Leg } from '../examples/history.ts';
import { CLIENT } from '../examples/off-ramp-examples.ts';
import {
  attempt,
  DELIVERY,
  deactivation,
  delivery,
  ending,
  leased,
  onItsWay,
  registration,
} from '../examples/webhook-examples.ts';

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
      // Its count is not what this is about.
      to.write({ ...but(registration(), 'webhook', { process: 'compliance' }), active: undefined });
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
];

test.each(deliveries)('%s', (...breach) => {
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
