import { test } from 'vitest';
import { detection, noPoll, notification } from '../examples/deposit-examples.ts';
import { type Breach, but, expectBreach, type History } from '../examples/history.ts';
import { confirmation, creation, funded, search, submission } from '../examples/off-ramp-examples.ts';

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
  ['a search is for the hash in its key', (to) => to.write(but({ it: search() }, 'it', { txHash: 'another' }))],
];

test.each(deposits)('%s', (...breach) => {
  expectBreach(breach);
});
