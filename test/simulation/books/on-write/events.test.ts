import { test } from 'vitest';
import { at, type Breach, but, expectBreach, type Leg, without } from '../examples/history.ts';
import { CLIENT, cancellation, creation, eventLeg, submission, USER } from '../examples/off-ramp-examples.ts';

const STRANGER = '00000000-0000-4000-8000-0000000000c9';

/** What the bus has accepted. */
function published(
  legs: ReturnType<typeof creation>,
  set: Readonly<Record<string, unknown>> = {},
): { readonly event: Leg } {
  const key = legs.event.key;
  return { event: { table: 'events', key, set: { unpublishedIn: undefined, expiresAt: 2_000_000_000, ...set } } };
}

const review = (set: Readonly<Record<string, unknown>>): Leg => ({ table: 'clients', key: { clientId: CLIENT }, set });
const approved = { complianceStatus: 'approved', status: 'approved' };

const breaches: readonly Breach[] = [
  [
    'an event is kept until it was published and its time is over',
    (to) => {
      const legs = creation();
      to.write(legs);
      to.write(but(published(legs), 'event', 'GONE'));
    },
  ],
  ['an event waits for the bus, or expires', (to) => to.write(but(creation(), 'event', { expiresAt: 2_000_000_000 }))],
  [
    'an event never changes',
    (to) => {
      const legs = creation();
      to.write(legs);
      to.write(published(legs, { clientId: STRANGER }));
    },
  ],
  [
    'an event that was published stays published',
    (to) => {
      const legs = creation();
      to.write(legs);
      to.write(published(legs));
      to.write(published(legs, { unpublishedIn: 'EVENT#1', expiresAt: undefined }));
    },
  ],
  [
    'the body of an event says its type and its time',
    (to) => to.write(but(creation(), 'event', { occurredAt: 'then' })),
  ],
  [
    'each change that clients see has exactly one event, with its sequence',
    (to) => to.write(without(creation(), 'event')),
  ],
  [
    'each change that clients see has exactly one event, with its sequence',
    (to) => to.write({ ...creation(), another: creation().event }),
  ],
  [
    'each change that clients see has exactly one event, with its sequence',
    (to) => {
      to.write(creation());
      to.write(submission());
      to.write({ ...cancellation(), hashEvent: cancellation(4).hashEvent });
    },
  ],
  [
    'each change that clients see has exactly one event, with its sequence',
    (to) => {
      to.write({ client: review(approved) });
      to.write({ client: review({ status: 'suspended', resultIds: ['one'], sequence: 1 }) });
    },
  ],
  [
    'what is one client’s names nothing of another',
    (to) => {
      to.write({ user: { table: 'users', key: { userId: USER }, set: { clientId: STRANGER } } });
      to.write(creation());
    },
  ],
  [
    'an event belongs to the client of what it is about',
    (to) => to.write({ ...creation(), event: creation({ clientId: STRANGER }).event }),
  ],
  [
    'an event belongs to the client of what it is about',
    (to) => {
      to.write({ client: review(approved) });
      const data = { clientId: CLIENT, status: 'suspended', previousStatus: 'approved', sequence: 1 };
      const event = eventLeg('compliance.client.status_changed', data, 0, STRANGER);
      to.write({ client: review({ status: 'suspended', resultIds: ['one'], sequence: 1 }), event });
    },
  ],
  [
    'the sequence of a client grows by one with every review',
    (to) => {
      to.write({ client: review(approved) });
      to.write({ client: review({ resultIds: ['one'] }) });
    },
  ],
  [
    'a review of a client is applied once',
    (to) => {
      to.write({ client: review(approved) });
      to.write({ client: review({ resultIds: ['one', 'one'], sequence: 1 }) });
    },
  ],
  [
    'a client that was suspended is not approved within the same second',
    (to) => {
      const suspended = { complianceStatus: 'approved', status: 'suspended', withheld: { eventId: 'one', at: at(0) } };
      to.write({ client: review(suspended) });
      const data = { clientId: CLIENT, status: 'approved', previousStatus: 'suspended', sequence: 1 };
      const event = eventLeg('compliance.client.status_changed', data, 0, CLIENT);
      to.write({ client: review({ ...approved, resultIds: ['two'], sequence: 1 }), event });
    },
  ],
];

test.each(breaches)('%s', (...breach) => {
  expectBreach(breach);
});
