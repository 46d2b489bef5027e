import { test } from 'vitest';
import { arrival, noPoll, notification } from '../examples/deposit-examples.ts';
import { type Breach, but, createHistory, expectBreach, type History, without } from '../examples/history.ts';
import {
  cancellation,
  claim,
  confirmation,
  creation,
  funded,
  HASH,
  ID,
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
    'a write of an operation changes its status, begins an attempt, ends a window or is about a contradiction',
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
    'nothing is cancelled whose deposit is known to be on its way',
    (to) => {
      submitted(to);
      to.write(arrival());
      to.wait(300);
      to.write(cancellation());
    },
  ],
  [
    'an operation is in the indexes of what it is',
    (to) => to.write(but(creation(), 'operation', { pendingShard: 'P' })),
  ],
  [
    'an operation is in the indexes of what it is',
    (to) => {
      submitted(to);
      to.write(but(cancellation(), 'operation', { awaitingShard: 'AWAITING#1' }));
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
      const { deposit, depositEvent } = confirmation({ transfer: `${HASH}:1` });
      to.write({ ...confirmation(), deposit2: deposit, depositEvent2: depositEvent });
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
    'what funds one operation is not declared for another',
    (to) => {
      funded(to);
      to.write(creation(other));
      to.write(submission(other));
    },
  ],
  [
    'an address is at most one awaiting operation’s',
    (to) => {
      to.write(creation({ address: '0xD' }));
      to.write(creation({ ...other, address: '0xD' }));
    },
  ],
];

test.each([...operations, ...claims])('%s', (...breach) => {
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

test('an address may go to another operation of its user once the one before awaits nothing', () => {
  const history = createHistory();
  history.write(creation({ address: '0xD' }));
  history.write(submission());
  history.write(cancellation());
  history.write(creation({ ...other, address: '0xD' }));
});

test('an operation is cancelled whose deposit the indexes do not show yet, or is on its way no more', () => {
  const [early, late] = [createHistory(), createHistory()];
  for (const history of [early, late]) {
    submitted(history);
    history.write(arrival());
  }
  early.wait(60);
  early.write(cancellation());
  late.wait(300);
  late.write(without(but(arrival(), 'deposit', { arrivingAt: undefined }), 'event'));
  late.write(cancellation());
});

test('an operation that is cancelled, and one whose window ends, break no rule', () => {
  const [cancelled, ended] = [createHistory(), createHistory()];
  submitted(cancelled);
  cancelled.write(cancellation());
  submitted(ended);
  ended.wait(86_400);
  ended.write(windowEnd());
});

test('the hash of an operation that ends is looked for when that was begun at the same moment for another', () => {
  const history = createHistory();
  submitted(history);
  const { search, ...legs } = cancellation();
  history.write({ search });
  history.write(legs);
});
