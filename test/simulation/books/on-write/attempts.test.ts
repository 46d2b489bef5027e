import { test } from 'vitest';
import { at, type Breach, but, expectBreach } from '../examples/history.ts';
import { attempt, attemptRow, delivery, ending, leased, onItsWay } from '../examples/webhook-examples.ts';

const attempts: readonly Breach[] = [
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

test.each(attempts)('%s', (...breach) => {
  expectBreach(breach);
});
