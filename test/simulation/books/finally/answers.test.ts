import { expect, test } from 'vitest';
import { type Breach, createHistory, expectBreach } from '../examples/history.ts';
import { CLIENT, cancellation, creation, HASH, ID, submission, USER } from '../examples/off-ramp-examples.ts';
import { call, endpoint, receipt, report, time, transfer } from '../examples/truth-examples.ts';
import { attempt, leased, onItsWay, WEBHOOK } from '../examples/webhook-examples.ts';
import { idsIn } from './disclosure.ts';

const STRANGER = '00000000-0000-4000-8000-0000000000c9';
const OTHER = '00000000-0000-4000-8000-00000000000f';
const of = (what: string) => `/api/v1/admin/operation/${USER}/withdrawal/${ID}/${what}`;

const answers: readonly Breach[] = [
  ['what a client was told exists is there, and its own', (to) => to.end({ calls: [call()] })],
  [
    'what a client was told exists is there, and its own',
    (to) => {
      to.write(creation({ clientId: STRANGER }));
      to.end({ calls: [call()] });
    },
  ],
  [
    'one key is one thing, however often it is asked for',
    (to) => {
      to.write(creation());
      to.write(creation({ id: OTHER }));
      const again = call({ idempotencyKey: 'one', at: time(60), answered: { operation: { id: OTHER } } });
      to.end({ calls: [call({ idempotencyKey: 'one' }), again] });
    },
  ],
  [
    'nothing is made more often than it was asked for',
    (to) => {
      to.write(creation());
      to.write(creation({ id: OTHER }));
      to.end({ calls: [call({ idempotencyKey: 'one' }), call({ idempotencyKey: 'one' })] });
    },
  ],
  [
    'what was refused is not made',
    (to) => {
      to.write(creation());
      to.end({ calls: [call({ status: 422, answered: { code: 'VALIDATION_FAILED' } })] });
    },
  ],
  [
    'a hash that was accepted is declared',
    (to) => {
      to.write(creation());
      to.end({ calls: [call({ path: of('hash'), status: 202, answered: { txHash: HASH } })] });
    },
  ],
  [
    'what was cancelled stays cancelled',
    (to) => {
      to.write(creation());
      to.end({ calls: [call({ path: of('cancel'), status: 200, answered: {} })] });
    },
  ],
  [
    'nothing is cancelled whose reported deposit is on its way',
    (to) => {
      to.write(creation());
      to.write(submission());
      to.write(cancellation());
      const answer = { at: time(301), status: 200, body: '{}' };
      const calls = [report, call({ path: of('cancel'), at: time(300), answer })];
      to.end({ calls, transfers: [transfer([[5, 'UNCONFIRMED']])] });
    },
  ],
];

const disclosure: readonly Breach[] = [
  [
    'no client does anything with what is another’s',
    (to) => {
      to.write(creation());
      to.end({ calls: [call({ clientId: STRANGER, method: 'GET', path: of('hash'), status: 200, answered: {} })] });
    },
  ],
  [
    'no client reads what is another’s',
    (to) => {
      to.write(creation());
      const path = '/api/parameters/tokens';
      to.end({ calls: [call({ clientId: STRANGER, method: 'GET', path, status: 400, answered: { of: `${ID}.` } })] });
    },
  ],
  [
    'no client reads what is another’s',
    (to) => {
      const eventId = onItsWay(to);
      to.end({ calls: [call({ clientId: STRANGER, path: '/api/webhooks', status: 400, answered: { eventId } })] });
    },
  ],
  [
    'no endpoint receives what is another’s',
    (to) => {
      to.write({ user: { table: 'users', key: { userId: OTHER }, set: { clientId: STRANGER } } });
      const eventId = onItsWay(to);
      to.write(leased());
      to.write(attempt());
      const test = JSON.stringify({ type: 'webhook.test', data: { webhookId: WEBHOOK, of: OTHER } });
      const body = to.books.ledger.events.get(eventId)?.text ?? '';
      to.end({ endpoints: [endpoint], receipts: [receipt(eventId, body), receipt('evt_test', test)] });
    },
  ],
];

test.each([...answers, ...disclosure])('%s', (...breach) => {
  expectBreach(breach);
});

test('answers that are true, and one that repeats what its caller sent, break no rule', () => {
  const history = createHistory();
  history.write(creation());
  history.write(submission());
  history.write(cancellation());
  const guess = call({ clientId: STRANGER, path: of('hash'), status: 404, answered: { instance: of('hash') } });
  const calls = [
    call({ idempotencyKey: 'one' }),
    call({ idempotencyKey: 'one' }),
    call({ path: of('hash'), status: 202, answered: { txHash: HASH } }),
    call({ path: of('cancel'), status: 200, answered: { operation: { id: ID, clientId: CLIENT } } }),
    guess,
  ];
  history.end({ calls });
});

test.each([
  { what: 'came a moment ago', transfers: [transfer([[299, 'UNCONFIRMED']])] },
  { what: 'has failed', transfers: [transfer([[5, 'FAILED']])] },
  { what: 'is not what is awaited', transfers: [transfer([[5, 'UNCONFIRMED']], { amount: '24' })] },
])('a deposit that $what hinders no cancellation', ({ transfers }) => {
  const history = createHistory();
  history.write(creation());
  history.write(submission());
  history.write(cancellation());
  const answer = { at: time(301), status: 200, body: '{}' };
  history.end({ calls: [report, call({ path: of('cancel'), at: time(300), answer })], transfers });
});

test('ids are found wherever they stand in a text', () => {
  const delivery = `dlv_${'0'.repeat(32)}`;
  expect(idsIn(`a-b ${ID}${OTHER}, evt_${USER} and ${delivery}.`)).toEqual([ID, OTHER, USER, delivery]);
  expect(idsIn('-')).toEqual([]);
});
