import { test } from 'vitest';
import { deposited, detection, noPoll, notification, seen } from '../examples/deposit-examples.ts';
import { at, type Breach, but, expectBreach, type History } from '../examples/history.ts';
import { confirmation, creation, funded, search, submission } from '../examples/off-ramp-examples.ts';

/** Seconds. */
const DAY = 86_400;

const OTHER = '00000000-0000-4000-8000-00000000000f';
function submitted(history: History): void {
  history.write(creation());
  history.write(submission());
}

const deposits: readonly Breach[] = [
  [
    'what arrives has a poll to come',
    (to) => to.write(but({ it: notification() }, 'it', { ...noPoll, arrivingAt: 'key' })),
  ],
  [
    'a poll of a deposit that is to come is due',
    (to) => to.write(but({ it: notification() }, 'it', { dueAt: undefined })),
  ],
  [
    'only what was credited is taken back',
    (to) => to.write(but({ it: notification() }, 'it', { unmatched: 'REVERSED', unmatchedSince: 'now' })),
  ],
  [
    'what is credited is not unmatched',
    (to) => {
      submitted(to);
      to.write(but(confirmation(), 'deposit', { unmatched: 'UNMATCHED', unmatchedSince: 'now' }));
    },
  ],
  [
    'what finance has to see says since when',
    (to) => to.write(but({ it: notification() }, 'it', { unmatched: 'UNMATCHED' })),
  ],
  ['what finance has to see says since when', (to) => to.write(but({ it: notification() }, 'it', { owed: 'OWED' }))],
  [
    'finance sees since when a deposit waits for it',
    (to) => {
      to.write(but({ it: notification() }, 'it', { unmatched: 'UNMATCHED', unmatchedSince: at(20) }));
      to.write(but({ it: notification() }, 'it', { unmatched: 'UNMATCHED', unmatchedSince: at(30) }));
    },
  ],
  [
    'a deposit is on its way for two weeks',
    (to) => {
      to.write(creation());
      to.write(detection());
      to.wait(13 * DAY);
      to.write(but(detection(), 'deposit', { unmatched: 'UNMATCHED', unmatchedSince: at(13 * DAY) }));
    },
  ],
  [
    'a deposit that is on its way has a poll to come',
    (to) => {
      to.write(creation());
      to.write(detection('HELD', 'HELD', { ...noPoll }));
    },
  ],
  [
    'a deposit is unmatched for the reasons that hold',
    (to) => {
      to.write(creation());
      const transfer = { ...seen(), amount: '25.000000000000000001' };
      to.write(detection('CONFIRMED', 'UNMATCHED', { transfer, reasons: ['WRONG_SENDER'] }));
    },
  ],
  [
    'a deposit is credited once and for ever',
    (to) => {
      funded(to);
      to.write({ it: { ...notification(), set: { creditedTo: OTHER } } });
    },
  ],
  [
    'a deposit keeps its hash and since when it is known',
    (to) => {
      to.write({ it: notification() });
      to.write({ it: { ...notification(), set: { txHash: 'another' } } });
    },
  ],
  [
    'a deposit goes only along its life',
    (to) => {
      to.write(creation());
      to.write(detection('HELD', 'HELD'));
      to.write(but(detection('HELD', 'HELD'), 'deposit', { operationId: undefined }));
    },
  ],
  [
    'the sequence of a deposit counts its statuses',
    (to) => {
      to.write(creation());
      to.write(but(detection(), 'deposit', { sequence: 2 }));
    },
  ],
  [
    'a deposit has all of an owner, or none',
    (to) => {
      to.write(creation());
      to.write(but(detection(), 'deposit', { detectedAt: undefined }));
    },
  ],
  [
    'a deposit is of the user of its operation',
    (to) => {
      to.write(creation());
      to.write(but(detection(), 'deposit', { userId: OTHER }));
    },
  ],
  [
    'a deposit stays its operation’s',
    (to) => {
      to.write(creation());
      to.write(creation({ id: OTHER }));
      to.write(detection());
      to.write({ it: { ...notification(), set: { operationId: OTHER } } });
    },
  ],
  [
    'a deposit is credited with the operation that it funds',
    (to) => {
      submitted(to);
      to.write({ deposit: confirmation().deposit });
    },
  ],
  [
    'a deposit funds by its own hash',
    (to) => {
      submitted(to);
      to.write(but(confirmation(), 'deposit', { txHash: 'another' }));
    },
  ],
  [
    'what is unmatched is credited only by a reported hash',
    (to) => {
      to.write(creation());
      to.write(detection('CONFIRMED', 'UNMATCHED', { reasons: ['WRONG_AMOUNT'] }));
      to.write(but(confirmation({ seen: 1, from: 'NOT_SUBMITTED' }), 'deposit', { reasons: undefined, sequence: 2 }));
    },
  ],
  [
    'what is unmatched is credited only by a reported hash',
    (to) => {
      to.write(creation());
      const listed = { unmatched: 'UNMATCHED', unmatchedSince: at(10), reasons: ['WRONG_AMOUNT'] };
      to.write(detection('CONFIRMED', 'UNMATCHED', listed));
      const failed = { transfer: { ...seen('FAILED') }, unmatched: undefined, unmatchedSince: undefined };
      to.write(deposited('FAILED', 'UNMATCHED', 2, { ...failed, reasons: undefined }));
      to.write(but(confirmation({ seen: 1, from: 'NOT_SUBMITTED' }), 'deposit', { sequence: 3 }));
    },
  ],
  [
    'only what is confirmed is credited',
    (to) => {
      submitted(to);
      to.write(but(confirmation(), 'deposit', { transfer: { state: 'HELD' } }));
    },
  ],
  [
    'a search ends by its time',
    (to) => {
      to.write({ it: search() });
      to.write({ it: { ...search(), set: 'GONE' } });
    },
  ],
  ['a poll of a search that is to come is due', (to) => to.write(but({ it: search() }, 'it', { dueShard: undefined }))],
  [
    'a hash is looked for for a day, and for a week at most',
    (to) => to.write(but({ it: search() }, 'it', { endsAt: at(90 + DAY / 60) })),
  ],
  ['a search is kept for some days', (to) => to.write(but({ it: search() }, 'it', { expiresAt: Date.parse(at(DAY)) }))],
  ['a search is for the hash in its key', (to) => to.write(but({ it: search() }, 'it', { txHash: 'another' }))],
];

test.each(deposits)('%s', (...breach) => {
  expectBreach(breach);
});
