import { test } from 'vitest';
import { noPoll } from '../examples/deposit-examples.ts';
import { type Breach, but, createHistory, expectBreach, type History } from '../examples/history.ts';
import { confirmation, creation, HASH, ID, search, submission, windowEnd } from '../examples/off-ramp-examples.ts';
import { call, report, transfer } from '../examples/truth-examples.ts';

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

test.each(reports)('%s', (...breach) => {
  expectBreach(breach);
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
