import { test } from 'vitest';
import { at, type Breach, but, createHistory, expectBreach, type History } from '../examples/history.ts';
import {
  confirmation,
  creation,
  funded,
  HASH,
  ID,
  noPoll,
  notification,
  publishAll,
  search,
  submission,
  windowEnd,
} from '../examples/off-ramp-examples.ts';
import { mismatch, ordering, payinCreation, settlement } from '../examples/pay-in-examples.ts';
import { call, payment, report, time, transfer } from '../examples/truth-examples.ts';

/** The deposit was notified, and is not looked at any more. */
const filed = (set: Readonly<Record<string, unknown>>) => ({ it: { ...notification(), set: { ...set, ...noPoll } } });
const unmatched = { unmatched: 'UNMATCHED', unmatchedSince: at(20) };

/** The last poll of a window was made, and nothing found; or something else. */
function ended(history: History, reason = 'NOT_FOUND'): void {
  history.write(creation());
  history.write(submission());
  history.wait(86_400);
  const legs = windowEnd();
  history.write({
    ...legs,
    verification: { ...legs.verification, set: { nextCheckAt: undefined, dueShard: undefined, reason } },
  });
}

const deposits: readonly Breach[] = [
  [
    'a transfer that was notified is on record',
    (to) => to.end({ transfers: [{ ...transfer(), notifiedAt: [time(6)] }] }),
  ],
  [
    'no deposit waits without a poll',
    (to) => {
      to.write({ it: notification() });
      to.wait(3600);
      to.end({ transfers: [transfer()] });
    },
  ],
  [
    'what was taken back in the end is reported',
    (to) => {
      funded(to);
      to.wait(3600);
      to.end({
        transfers: [
          {
            ...transfer([
              [5, 'CONFIRMED'],
              [100, 'FAILED'],
            ]),
            notifiedAt: [time(300)],
          },
        ],
      });
    },
  ],
  [
    'what failed is not unmatched',
    (to) => {
      to.write({ it: notification() });
      to.write(filed(unmatched));
      to.wait(3600);
      to.end({ transfers: [{ ...transfer([[5, 'FAILED']]), notifiedAt: [time(300)] }] });
    },
  ],
  [
    'a final transfer is credited, or listed with its reason',
    (to) => {
      to.write({ it: notification() });
      to.write(filed({}));
      to.wait(3600);
      to.end({ transfers: [transfer()] });
    },
  ],
  [
    'nothing is unmatched that an operation awaits',
    (to) => {
      to.write(creation());
      to.write({ it: { ...notification(), set: { firstNotifiedAt: at(1), ...unmatched } } });
      to.wait(3600);
      to.end({ transfers: [transfer()] });
    },
  ],
  [
    'only what an operation awaits is credited to it',
    (to) => {
      funded(to);
      to.end({ transfers: [transfer([[5, 'CONFIRMED']], { amount: '26' })] });
    },
  ],
  [
    'only what an operation awaits is credited to it',
    (to) => {
      funded(to);
      to.end();
    },
  ],
  [
    'only money that came is credited',
    (to) => {
      funded(to);
      to.end({
        transfers: [
          transfer([
            [5, 'UNCONFIRMED'],
            [600, 'CONFIRMED'],
          ]),
        ],
      });
    },
  ],
];

const reports: readonly Breach[] = [
  [
    'no attempt waits without a poll',
    (to) => {
      to.write(creation());
      to.write(submission());
      to.wait(3600);
      to.end();
    },
  ],
  [
    'a deposit that was reported is credited',
    (to) => {
      ended(to);
      to.end({ transfers: [transfer()] });
    },
  ],
  [
    'the reason is that of the declared hash',
    (to) => {
      ended(to, 'WRONG_AMOUNT');
      to.end();
    },
  ],
  [
    'what funds another is there',
    (to) => {
      ended(to, 'FUNDS_ANOTHER_OPERATION');
      to.end({ transfers: [transfer([[5, 'UNCONFIRMED']])] });
    },
  ],
  [
    'a hash whose report loses is looked for',
    (to) => {
      to.write(creation());
      const path = `/api/v1/admin/operation/u/withdrawal/${ID}/hash`;
      const body = JSON.stringify({ txHash: HASH });
      to.end({ calls: [call({ path, body, status: 409, answered: { code: 'TX_HASH_ALREADY_DECLARED' } })] });
    },
  ],
  [
    'no search waits without a poll',
    (to) => {
      to.write({ it: search() });
      to.wait(3600);
      to.end();
    },
  ],
  [
    'what a search looks for is found',
    (to) => {
      to.write(creation());
      to.write(but({ it: search() }, 'it', noPoll));
      to.wait(100_000);
      to.end({ transfers: [transfer()] });
    },
  ],
];

function ordered(history: History): void {
  history.write(payinCreation());
  history.write(ordering());
}

const payins: readonly Breach[] = [
  [
    'no pay-in waits without a poll',
    (to) => {
      to.write(payinCreation());
      to.wait(3600);
      to.end();
    },
  ],
  [
    'only what was paid in full is completed',
    (to) => {
      ordered(to);
      to.write(settlement());
      to.end({ payments: [payment('PENDING')] });
    },
  ],
  [
    'what the rail has taken fails only at the rail',
    (to) => {
      ordered(to);
      to.write(settlement('FAILED'));
      to.end({ payments: [payment('PENDING')] });
    },
  ],
  [
    'no money is asked for twice',
    (to) => {
      ordered(to);
      to.end({ payments: [{ ...payment(), payable: 2 }] });
    },
  ],
  [
    'what can be paid is a pay-in that was ordered',
    (to) => {
      to.write(payinCreation());
      to.end({ payments: [payment()] });
    },
  ],
  [
    'a payment that was notified is in its pay-in',
    (to) => {
      ordered(to);
      to.wait(3600);
      to.end({ payments: [{ ...payment(), notifiedAt: [time(2)] }] });
    },
  ],
  [
    'what is paid is completed, or listed with its mismatch',
    (to) => {
      ordered(to);
      to.wait(3600);
      to.end({ payments: [payment()] });
    },
  ],
  [
    'a mismatch is listed where there is one',
    (to) => {
      ordered(to);
      to.write(mismatch());
      to.wait(3600);
      to.end({ payments: [payment()] });
    },
  ],
];

test.each([...deposits, ...reports, ...payins])('%s', (...breach) => {
  expectBreach(breach);
});

test('what is credited, listed, and still awaited breaks no rule', () => {
  const history = createHistory();
  funded(history);
  ordered(history);
  history.write(settlement());
  history.write(but({ it: notification('second', 'another') }, 'it', { ...unmatched, ...noPoll }));
  publishAll(history);
  history.wait(3600);
  const other = transfer([[5, 'CONFIRMED']], { custodianTransferId: 'second', txHash: 'another' });
  const transfers = [{ ...transfer(), notifiedAt: [time(200)] }, other];
  history.end({ calls: [report], transfers, payments: [payment()] });
});

test('a deposit of another transaction than the reported one is looked for as well', () => {
  const history = createHistory();
  history.write(creation());
  history.write(submission());
  history.wait(60);
  const legs = confirmation({ hash: 'another' });
  history.write({ ...legs, released: { table: 'hashes', key: { claim: `DECLARED#${HASH}` }, set: 'GONE' } });
  history.end({ calls: [report], transfers: [transfer([[5, 'CONFIRMED']], { txHash: 'another' })] });
});
