import { test } from 'vitest';
import { detection, noPoll, notification } from '../examples/deposit-examples.ts';
import { at, type Breach, but, createHistory, expectBreach, type History, leg } from '../examples/history.ts';
import {
  claim,
  confirmation,
  creation,
  funded,
  HASH,
  ID,
  publishAll,
  search,
  statusEvent,
  submission,
  TRANSFER,
} from '../examples/off-ramp-examples.ts';
import { payinCreation } from '../examples/pay-in-examples.ts';
import { call, report, time, transfer } from '../examples/truth-examples.ts';
import type { Truth } from '../truth.ts';

/** Nothing failed, and an hour has passed. */
function quietly(history: History, truth: Partial<Truth>): void {
  publishAll(history);
  history.wait(3600);
  history.end({ isQuiet: true, ...truth });
}

const unmatched = { unmatched: 'UNMATCHED', unmatchedSince: at(10), reasons: [] };
const filed = (transferId = TRANSFER) => but({ it: notification(transferId) }, 'it', { ...unmatched, ...noPoll });
const called = { at: time(10), code: 'DEPOSIT_UNMATCHED', fields: { custodianTransferId: TRANSFER } };
const notified = [{ ...transfer(), notifiedAt: [time(6)] }];

/** Of an operation that another one has funded. */
const OTHER_HASH = `0x${'b'.repeat(64)}`;

const alreadyDeclared = { status: 409, answered: { code: 'TX_HASH_ALREADY_DECLARED' } };

/** The payout of a funded operation has failed. */
const owed = {
  it: leg(
    'operations',
    { operationId: ID, record: 'OPERATION' },
    {
      status: 'FAILED',
      sequence: 4,
      pendingShard: undefined,
      statusHistory: ['AWAITING_DEPOSIT', 'PENDING', 'FAILED'].map((status) => ({ status, at: at(60) })),
    },
  ),
  event: statusEvent({}, 4, 'PENDING', 'FAILED', 60),
};

const operationKey = { operationId: ID, record: 'OPERATION' };
const paid = { at: time(61), operationId: ID, reference: 'payout 1', isBack: false };

const completed = (reference: string) => ({
  it: leg('operations', operationKey, {
    status: 'COMPLETED',
    sequence: 4,
    pendingShard: undefined,
    payout: { reference },
    statusHistory: ['AWAITING_DEPOSIT', 'PENDING', 'COMPLETED'].map((status) => ({ status, at: at(60) })),
  }),
  event: statusEvent({}, 4, 'PENDING', 'COMPLETED', 60),
});

/** Payouts says that it was paid, whatever else is said. */
const saidAgainst = (reference = 'payout 1') => ({
  it: leg('operations', operationKey, {
    sequence: 5,
    contradictions: [{ eventId: 'one', status: 'COMPLETED', payout: { reference }, at: at(61), closedAt: at(62) }],
  }),
});

const rules: readonly Breach[] = [
  [
    'money that was awaited is credited within its finality and a minute',
    (to) => {
      to.write(creation());
      to.write(detection('CONFIRMED'));
      to.wait(200);
      to.end({ isQuiet: true, transfers: notified });
    },
  ],
  [
    'a quiet round calls nobody for nothing',
    (to) => {
      funded(to);
      quietly(to, { calls: [report], transfers: notified, errors: [called] });
    },
  ],
  [
    'a quiet round calls nobody for nothing',
    (to) => quietly(to, { errors: [{ at: time(10), code: 'DEPOSIT_NOT_POLLED', fields: {} }] }),
  ],
  [
    'money that nobody awaits calls somebody once',
    (to) => {
      to.write(filed());
      quietly(to, {});
    },
  ],
  [
    'what waits for a person is on its list',
    (to) => {
      to.write(filed());
      quietly(to, { errors: [called], lists: [{ at: time(3500), name: 'unmatched', ids: [] }] });
    },
  ],
  [
    'a list has only what waits for a person',
    (to) => {
      funded(to);
      const lists = [{ at: time(3500), name: 'unmatched', ids: [TRANSFER] }];
      quietly(to, { calls: [report], transfers: notified, lists });
    },
  ],
  [
    'what waits for a person is on its list',
    (to) => {
      funded(to);
      to.write(owed);
      quietly(to, { calls: [report], transfers: notified, lists: [{ at: time(3500), name: 'owed', ids: [] }] });
    },
  ],
  [
    'money that was reported is on a record',
    (to) => {
      to.write(creation());
      to.write(but({ it: search() }, 'it', { nextPollAt: at(7200), dueAt: at(7200) }));
      publishAll(to);
      to.wait(3600);
      const lost = call({ path: report.path, body: JSON.stringify({ txHash: HASH }), ...alreadyDeclared });
      to.end({ calls: [lost], transfers: [transfer()] });
    },
  ],
  [
    'money that was reported is on a record',
    (to) => {
      to.write(creation());
      to.write(submission({ hash: OTHER_HASH }));
      to.wait(60);
      const released = leg('hashes', claim('DECLARED', OTHER_HASH), 'GONE');
      to.write({ ...confirmation(), released });
      publishAll(to);
      to.wait(3600);
      const reported = { txHash: OTHER_HASH };
      const declared = call({ path: report.path, body: JSON.stringify(reported), status: 202, answered: reported });
      const lost = transfer(undefined, { custodianTransferId: `${OTHER_HASH}:0`, txHash: OTHER_HASH });
      to.end({ calls: [declared], transfers: [transfer(), lost] });
    },
  ],
  [
    'a cancellation is refused only for a deposit that is on its way',
    (to) => {
      to.write(creation());
      const path = report.path.replace('/hash', '/cancel');
      to.end({ calls: [call({ path, status: 409, answered: { code: 'DEPOSIT_IN_PROGRESS' } })] });
    },
  ],
  [
    'only what was credited is paid out',
    (to) => {
      to.write(creation());
      quietly(to, { payouts: [{ at: time(60), operationId: ID, reference: 'payout 1', isBack: false }] });
    },
  ],
  [
    'what was paid out is known by its reference',
    (to) => {
      funded(to);
      to.write(completed('another payout'));
      quietly(to, { calls: [report], transfers: notified, payouts: [paid] });
    },
  ],
  [
    'what was paid out is not given back',
    (to) => {
      funded(to);
      to.write(owed);
      to.write(saidAgainst());
      quietly(to, { calls: [report], transfers: notified, payouts: [paid] });
    },
  ],
  [
    'what was paid out twice contradicts',
    (to) => {
      funded(to);
      to.write(completed('payout 1'));
      to.write(saidAgainst('payout 2'));
      quietly(to, { calls: [report], transfers: notified, payouts: [paid, { ...paid, reference: 'payout 2' }] });
    },
  ],
  [
    'a payout that came back is not counted as paid',
    (to) => {
      funded(to);
      to.write(completed('payout 1'));
      quietly(to, { calls: [report], transfers: notified, payouts: [{ ...paid, isBack: true }] });
    },
  ],
  [
    'an operation says exactly while a contradiction stands since when',
    (to) => {
      funded(to);
      to.write(but(saidAgainst(), 'it', { sequence: 4, contradictedSince: at(61) }));
    },
  ],
  [
    'no more contradictions are kept than ten',
    (to) => {
      funded(to);
      const contradictions = Array.from({ length: 11 }, (_, number) => ({ eventId: `${number}`, closedAt: at(62) }));
      to.write(but(saidAgainst(), 'it', { sequence: 4, contradictions }));
    },
  ],
  [
    'while a contradiction stands nobody has decided',
    (to) => {
      funded(to);
      const open = { contradictions: [{ eventId: 'one' }], contradictedSince: at(61), paidOut: true };
      to.write(but(saidAgainst(), 'it', { sequence: 4, ...open }));
    },
  ],
  [
    'a payout that is told of is on its off-ramp',
    (to) => {
      funded(to);
      to.write(completed('another payout'));
      const detail = { operationId: ID, status: 'COMPLETED', payout: { reference: 'payout 1' } };
      quietly(to, {
        calls: [report],
        transfers: notified,
        notices: [{ at: time(100), source: 'payments.payouts', type: 'operation.status', detail }],
      });
    },
  ],
  [
    'what an operator has changed is in the audit',
    (to) => quietly(to, { commands: [{ at: time(60), name: 'poll-payin', input: {}, status: 200, auditId: 'none' }] }),
  ],
  [
    'what is in the audit stays as it is',
    (to) => {
      const key = { auditId: 'one', record: 'CHANGE' };
      to.write({ it: leg('audit', key, { who: 'ana' }) });
      to.write({ it: leg('audit', key, { who: 'eva' }) });
    },
  ],
  [
    'what is kept for a time goes when that is over',
    (to) => {
      const { payin, event } = payinCreation();
      to.write({ payin, event });
      const set = { unpublishedIn: undefined, expiresAt: Date.parse(at(86_400)) };
      to.write({ event: { ...event, set } });
    },
  ],
];

test.each(rules)('%s', (...breach) => {
  expectBreach(breach);
});

test('what is credited in time, unmatched with a call, listed and audited breaks no rule', () => {
  const history = createHistory();
  funded(history);
  const other = 'another';
  history.write(filed(other));
  history.write({ it: leg('audit', { auditId: 'one', record: 'CHANGE' }, { who: 'ana' }) });
  const errors = [{ ...called, fields: { custodianTransferId: other } }];
  const lists = [{ at: time(3500), name: 'unmatched', ids: [other] }];
  const commands = [{ at: time(60), name: 'poll-deposit', input: {}, status: 200, auditId: 'one' }];
  const payouts = [paid];
  history.write(completed('payout 1'));
  publishAll(history);
  quietly(history, { calls: [report], transfers: notified, errors, lists, commands, payouts });
});
