import { test } from 'vitest';
import { at, type Breach, createHistory, expectBreach, type History } from '../examples/history.ts';
import {
  CLIENT,
  confirmation,
  creation,
  ID,
  publishAll,
  submission,
  windowEnd,
} from '../examples/off-ramp-examples.ts';
import { endpoint, receipt, report, time, transfer } from '../examples/truth-examples.ts';
import { attempt, DELIVERY, leased, onItsWay, registration, WEBHOOK } from '../examples/webhook-examples.ts';

const execution = (name: string) => ({ executions: [{ name, status: 'RUNNING', transitions: 1 }] }) as const;
const given = (queue: string, body: object) => ({ deadLetters: new Map([[queue, [JSON.stringify(body)]]]) });

/** What the payout service says, so many seconds after the creation. */
const payout = (seconds: number) => ({ time: at(seconds), detail: { operationId: ID, status: 'COMPLETED' } });

/** What compliance says, so many seconds after the start. */
const review = (status: string, seconds: number) => ({
  at: time(seconds),
  source: 'payments.compliance',
  type: 'client.status',
  detail: { clientId: CLIENT, eventId: status, status },
});

/** An event that a webhook took, and its body. */
function delivered(history: History): readonly [eventId: string, body: string] {
  const eventId = onItsWay(history);
  history.write(leased());
  history.write(attempt());
  return [eventId, history.books.ledger.events.get(eventId)?.text ?? ''];
}

const events: readonly Breach[] = [
  [
    'every event is on the bus',
    (to) => {
      to.write(creation());
      to.wait(3600);
      to.end();
    },
  ],
  [
    'every event goes to each webhook that subscribes to it',
    (to) => {
      to.write(registration());
      to.write(creation());
      publishAll(to);
      to.wait(3600);
      to.end();
    },
  ],
  [
    'no delivery waits without an attempt',
    (to) => {
      onItsWay(to);
      publishAll(to);
      to.wait(7200);
      to.end();
    },
  ],
  [
    'delivered is what an endpoint received and took',
    (to) => {
      const [eventId, body] = delivered(to);
      to.end({ endpoints: [endpoint], receipts: [receipt(eventId, body, { status: 500 })] });
    },
  ],
  [
    'an endpoint has a client',
    (to) => {
      const [eventId, body] = delivered(to);
      to.end({ receipts: [receipt(eventId, body)] });
    },
  ],
  [
    'an endpoint receives the events of its client, to the byte',
    (to) => {
      const [eventId, body] = delivered(to);
      to.end({ endpoints: [endpoint], receipts: [receipt(eventId, body.replace('null', ' null'))] });
    },
  ],
  [
    'an endpoint receives the events of its client, to the byte',
    (to) => {
      const [eventId, body] = delivered(to);
      to.end({
        endpoints: [endpoint],
        receipts: [receipt(eventId, body), receipt('evt_unknown', '{"type":"ramp.payin"}')],
      });
    },
  ],
];

const others: readonly Breach[] = [
  ['no execution without an operation', (to) => to.end({}, execution(`${ID}-1`))],
  [
    'no execution without an attempt',
    (to) => {
      to.write(creation());
      to.end({}, execution(`${ID}-1`));
    },
  ],
  [
    'no execution without a run',
    (to) => {
      to.write(creation());
      to.write(submission());
      to.end({}, execution(`${ID}-1-2`));
    },
  ],
  [
    'every execution ends',
    (to) => {
      to.write(creation());
      to.write(submission());
      to.wait(86_400);
      to.write(windowEnd());
      publishAll(to);
      to.wait(3 * 86_400);
      to.end({}, execution(`${ID}-1`));
    },
  ],
  [
    'nothing is given up that nothing makes up for',
    (to) => {
      to.write(creation());
      to.end({}, given('StatusChangesToldDeadLetters', { detail: { operationId: ID, status: 'FAILED' } }));
    },
  ],
  [
    'nothing is given up that nothing makes up for',
    (to) => {
      to.write(creation());
      to.write(submission());
      to.wait(60);
      to.write(confirmation());
      to.end({ transfers: [transfer()] }, given('StatusChangesToldDeadLetters', payout(61)));
    },
  ],
  [
    'nothing is given up that nothing makes up for',
    (to) => to.end({}, given('DeliveriesReplaysDeadLetters', { clientId: CLIENT, requestedAt: at(0) })),
  ],
  ['AWS stops no function as one that calls itself', (to) => to.end({}, { stopped: ['off-ramps/match-deposit'] })],
  [
    'an end that another service announces is applied',
    (to) => {
      to.write(creation());
      to.wait(3600);
      publishAll(to);
      to.end({
        notices: [
          {
            at: time(1),
            source: 'payments.payouts',
            type: 'operation.status',
            detail: { operationId: ID, status: 'FAILED' },
          },
        ],
      });
    },
  ],
  [
    'an end that another service announces is applied',
    (to) => {
      to.write(creation());
      to.write(submission());
      to.wait(60);
      to.write(confirmation());
      to.wait(3600);
      publishAll(to);
      const notice = {
        at: time(61),
        source: 'payments.payouts',
        type: 'operation.status',
        detail: { operationId: ID, status: 'COMPLETED' },
      };
      to.end({ notices: [notice], transfers: [transfer()] });
    },
  ],
  [
    'what another service tells clients is kept',
    (to) => {
      to.write({ client: { table: 'clients', key: { clientId: CLIENT }, set: { status: 'approved' } } });
      to.wait(3600);
      to.end({
        notices: [
          {
            at: time(1),
            source: 'partner.demo',
            type: 'wallet_transfer.done',
            detail: { clientId: CLIENT, eventId: 'one' },
          },
        ],
      });
    },
  ],
  [
    'what withholds an approval is applied',
    (to) => {
      to.write({ client: { table: 'clients', key: { clientId: CLIENT }, set: { status: 'approved' } } });
      to.wait(3600);
      to.end({ notices: [review('suspended', 1)] });
    },
  ],
  [
    'only what is said after a suspension ends it',
    (to) => {
      const withheld = { eventId: 'suspended', at: at(10) };
      const set = { status: 'approved', resultIds: ['approved', 'suspended'], withheld };
      to.write({ client: { table: 'clients', key: { clientId: CLIENT }, set } });
      to.wait(3600);
      to.end({ notices: [review('suspended', 1), review('approved', 9)] });
    },
  ],
  [
    'what is told in our name, or by a stranger, is not kept',
    (to) => {
      to.write({ client: { table: 'clients', key: { clientId: CLIENT }, set: { status: 'approved' } } });
      const legs = creation();
      to.write(legs);
      publishAll(to);
      to.wait(3600);
      const { eventId } = legs.event.key;
      const type = 'ramp.operation.status_changed';
      to.end({ notices: [{ at: time(1), source: 'partner.demo', type, detail: { clientId: CLIENT, eventId } }] });
    },
  ],
];

test('a payout of an off-ramp whose deposit is not confirmed may be given up', () => {
  const history = createHistory();
  history.write(creation());
  publishAll(history);
  history.end({}, given('StatusChangesToldDeadLetters', payout(61)));
});

test('only payouts is believed that an off-ramp was paid', () => {
  const history = createHistory();
  history.write(creation());
  history.write(submission());
  history.wait(60);
  history.write(confirmation());
  history.wait(3600);
  publishAll(history);
  const detail = { operationId: ID, status: 'COMPLETED' };
  const notice = { at: time(61), source: 'payments.compliance', type: 'operation.status', detail };
  history.end({ notices: [notice], calls: [report], transfers: [transfer()] });
});

test.each([...events, ...others])('%s', (...breach) => {
  expectBreach(breach);
});

test('what is delivered, tested, and given up as a hint breaks no rule', () => {
  const history = createHistory();
  const [eventId, body] = delivered(history);
  publishAll(history);
  history.write(submission());
  const asked = receipt('evt_test', JSON.stringify({ type: 'webhook.test', data: { webhookId: WEBHOOK } }));
  history.end(
    { calls: [report], endpoints: [endpoint], receipts: [receipt(eventId, body), asked] },
    { ...execution(`${ID}-1`), ...given('DeliveriesRetriesDeadLetters', { deliveryId: DELIVERY }) },
  );
});
