import { test } from 'vitest';
import { type Breach, but, createHistory, expectBreach, type History, without } from '../examples/history.ts';
import {
  cancellation,
  claim,
  confirmation,
  creation,
  funded,
  HASH,
  ID,
  noPoll,
  notification,
  search,
  submission,
  TRANSFER,
  windowEnd,
} from '../examples/off-ramp-examples.ts';

const OTHER = '00000000-0000-4000-8000-00000000000f';
const other = { id: OTHER };

function submitted(history: History): void {
  history.write(creation());
  history.write(submission());
}

const operations: readonly Breach[] = [
  [
    'the last status of an operation is its status',
    (to) => to.write(but(creation(), 'operation', { status: 'PENDING' })),
  ],
  [
    'the awaiting index is the status',
    (to) => to.write(but(creation(), 'operation', { awaitedDepositKey: undefined })),
  ],
  [
    'an operation begins as one that awaits its deposit',
    (to) => to.write(but(creation(), 'operation', { sequence: 2 })),
  ],
  [
    'what an operation awaits never changes',
    (to) => {
      to.write(creation());
      to.write(but(submission(), 'operation', { amount: '26' }));
    },
  ],
  [
    'the sequence of an operation grows by one with every write',
    (to) => {
      to.write(creation());
      to.write(but(submission(), 'operation', { sequence: 3 }));
    },
  ],
  [
    'an operation goes only along its life',
    (to) => {
      funded(to);
      const statusHistory = ['AWAITING_DEPOSIT', 'PENDING', 'AWAITING_DEPOSIT'].map((status) => ({ status }));
      to.write(
        but(submission({ seen: 3 }), 'operation', {
          status: 'AWAITING_DEPOSIT',
          statusHistory,
          awaitedDepositKey: 'key',
        }),
      );
    },
  ],
  [
    'the history of an operation only grows, by its changes',
    (to) => {
      submitted(to);
      to.write(but(confirmation(), 'operation', { statusHistory: [{ status: 'PENDING' }] }));
    },
  ],
  [
    'only a deposit leads to PENDING',
    (to) => {
      submitted(to);
      to.write(but(confirmation(), 'operation', { verifiedTxHash: undefined }));
    },
  ],
  [
    'the verified hash of an operation never changes',
    (to) => {
      funded(to);
      const statusHistory = ['AWAITING_DEPOSIT', 'PENDING', 'COMPLETED'].map((status) => ({ status }));
      const set = { status: 'COMPLETED', statusHistory, verifiedTxHash: 'another', sequence: 4 };
      to.write({ operation: { table: 'operations', key: { operationId: ID, record: 'OPERATION' }, set } });
    },
  ],
  [
    'a write of an operation changes its status, begins an attempt or ends a window',
    (to) => {
      submitted(to);
      to.write(without(windowEnd(), 'event'));
    },
  ],
  [
    'an attempt begins with its verification',
    (to) => {
      to.write(creation());
      to.write(without(submission(), 'verification'));
    },
  ],
  [
    'another hash is another attempt',
    (to) => {
      submitted(to);
      to.write(but(windowEnd(), 'operation', { txHash: 'another' }));
    },
  ],
  [
    'the hash of an operation that ends without a deposit is looked for',
    (to) => {
      submitted(to);
      to.write(without(cancellation(), 'search'));
    },
  ],
  [
    'what money is about is kept for ever',
    (to) => {
      to.write(creation());
      to.write(but(creation(), 'operation', 'GONE'));
    },
  ],
];

const claims: readonly Breach[] = [
  [
    'FUNDED is never changed and never deleted',
    (to) => {
      funded(to);
      to.write({ claim: { table: 'hashes', key: claim('FUNDED', HASH), set: 'GONE' } });
    },
  ],
  [
    'an address is one user’s',
    (to) => {
      to.write(creation({ address: '0xD' }));
      to.write(creation({ ...other, address: '0xD', userId: 'another' }));
    },
  ],
  [
    'FUNDED is what is verified',
    (to) => {
      submitted(to);
      to.write(without(confirmation(), 'funded'));
    },
  ],
  [
    'credited once',
    (to) => {
      submitted(to);
      to.write({ ...confirmation(), again: confirmation({ transfer: `${HASH}:1` }).deposit });
    },
  ],
  [
    'no DECLARED leaked, none missing',
    (to) => {
      submitted(to);
      to.write(without(submission({ before: HASH, hash: 'another', attempt: 2, seen: 2 }), 'released'));
    },
  ],
  ['an operation is made with the claim on its address', (to) => to.write(without(creation(), 'address'))],
  [
    'a declared hash funds no twin',
    (to) => {
      to.write(creation({ address: '0xD' }));
      to.write(creation({ ...other, address: '0xD' }));
      to.write(submission());
      to.write(confirmation({ ...other, seen: 1, from: 'NOT_SUBMITTED' }));
    },
  ],
];

const verifications: readonly Breach[] = [
  [
    'a next poll is due',
    (to) => {
      to.write(creation());
      to.write(but(submission(), 'verification', { dueShard: undefined }));
    },
  ],
  [
    'one attempt follows another',
    (to) => {
      submitted(to);
      to.write({ verification: { ...submission().verification, set: { attempt: 3 } } });
    },
  ],
  [
    'one run of an attempt follows another',
    (to) => {
      submitted(to);
      to.write({ verification: { ...submission().verification, set: { run: 3 } } });
    },
  ],
  [
    'an attempt keeps what it was started with',
    (to) => {
      submitted(to);
      to.write({ verification: { ...submission().verification, set: { txHash: 'another' } } });
    },
  ],
  [
    'an attempt that is over is not opened again',
    (to) => {
      submitted(to);
      to.wait(86_400);
      to.write(windowEnd());
      to.write({ verification: { ...submission().verification, set: { nextCheckAt: 'later', dueShard: 'LOOK#1' } } });
    },
  ],
  [
    'the verification is of the last attempt',
    (to) => {
      submitted(to);
      to.write({ verification: { ...submission().verification, set: { attempt: 2 } } });
    },
  ],
  [
    'the verification looks for the declared hash',
    (to) => {
      to.write(creation());
      to.write(but(submission(), 'verification', { txHash: 'another' }));
    },
  ],
  [
    'an attempt has a next poll, or its end was published',
    (to) => {
      submitted(to);
      to.write({
        verification: { ...submission().verification, set: { nextCheckAt: undefined, dueShard: undefined } },
      });
    },
  ],
  [
    'the end of a window is that of the last attempt',
    (to) => {
      submitted(to);
      to.wait(86_400);
      to.write({ ...windowEnd(), event: windowEnd(2, 2).event, verification: undefined });
    },
  ],
  [
    'an open window is not ended',
    (to) => {
      submitted(to);
      to.wait(86_000);
      to.write(windowEnd());
    },
  ],
];

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

test.each([...operations, ...claims, ...verifications, ...deposits])('%s', (...breach) => {
  expectBreach(breach);
});

test('a whole life breaks no rule', () => {
  const history = createHistory();
  submitted(history);
  history.write({ it: notification() });
  history.write(submission({ before: HASH, hash: '0xother', attempt: 2, seen: 2 }));
  history.write(submission({ before: '0xother', attempt: 3, seen: 3 }));
  history.wait(60);
  history.write(confirmation({ seen: 4 }));
  history.write({ it: { ...notification(TRANSFER), set: { ...noPoll } } });
});

test('an operation that is cancelled, and one whose window ends, break no rule', () => {
  const [cancelled, ended] = [createHistory(), createHistory()];
  submitted(cancelled);
  cancelled.write(cancellation());
  submitted(ended);
  ended.wait(86_400);
  ended.write(windowEnd());
});
