import { test } from 'vitest';
import { at, type Breach, but, expectBreach, type Leg } from '../examples/history.ts';
import { CLIENT } from '../examples/off-ramp-examples.ts';
import { deactivation, registration, WEBHOOK } from '../examples/webhook-examples.ts';

const health = (set: Leg['set']) => ({ it: { table: 'webhookHealth', key: { webhookId: WEBHOOK }, set } }) as const;
const slot = (slot: string, set: Leg['set']) => ({ it: { table: 'slots', key: { slot }, set } }) as const;

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
  [
    'a webhook is active since it was made active',
    (to) => {
      to.write(registration());
      to.write(deactivation());
      to.wait(100);
      to.write(but(deactivation(2), 'webhook', { status: true, statusReason: undefined }));
    },
  ],
  ['the count of webhooks is how many there are', (to) => to.write(but(registration(), 'count', { count: 2 }))],
  [
    'a client has a hundred webhooks at most',
    (to) => {
      for (let number = 0; number <= 100; number += 1) {
        const key = { clientId: CLIENT, webhookId: `webhook ${number}` };
        const made = { ...registration(), webhook: { ...registration().webhook, key } };
        to.write(but(made, 'count', { count: number + 1 }));
        to.write({ ...deactivation(), webhook: { ...deactivation().webhook, key } });
      }
    },
  ],
  [
    'the count of active webhooks is how many are active',
    (to) => to.write(but(registration(), 'active', { count: 2 })),
  ],
  [
    'the count of active webhooks is how many are active',
    (to) => {
      to.write(registration());
      to.write(but(deactivation(), 'active', { count: 1 }));
    },
  ],
  [
    'a client has ten active webhooks of a process at most',
    (to) => {
      for (let number = 0; number <= 10; number += 1) {
        const key = { clientId: CLIENT, webhookId: `webhook ${number}` };
        const made = { ...registration(), webhook: { ...registration().webhook, key } };
        to.write(but(but(made, 'count', { count: number + 1 }), 'active', { count: number + 1 }));
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
  ['what fails is in the index of it', (to) => to.write(health({ version: 1, failingSince: at(1) }))],
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

test.each(webhooks)('%s', (...breach) => {
  expectBreach(breach);
});
