import { test } from 'vitest';
import { at, type Breach, but, createHistory, expectBreach, type History, type Leg } from '../examples/history.ts';
import { link, mismatch, money, ordering, PAYIN, payinCreation, settlement } from '../examples/pay-in-examples.ts';

function ordered(history: History): void {
  history.write(payinCreation());
  history.write(ordering());
}

const key = (set: Leg['set'], scopeDigest = 'scope'): { readonly key: Leg } => ({
  key: { table: 'idempotency', key: { scopeDigest }, set },
});

const claimed = {
  requestDigest: 'request',
  resourceId: PAYIN,
  claimToken: 'one',
  lockedUntil: Date.parse(at(30)) / 1000,
  expiresAt: Date.parse(at(86_400)) / 1000,
};

const payins: readonly Breach[] = [
  ['the last status of a pay-in is its status', (to) => to.write(but(payinCreation(), 'payin', { status: 'PENDING' }))],
  [
    'what may still be paid, or taken back, has a poll to come',
    (to) => to.write(but(payinCreation(), 'payin', { nextPollAt: undefined })),
  ],
  [
    'what may still be paid, or taken back, has a poll to come',
    (to) => {
      ordered(to);
      to.write(but(settlement(), 'payin', { nextPollAt: undefined }));
    },
  ],
  [
    'only what is completed is taken back',
    (to) => {
      ordered(to);
      to.write(but(settlement('FAILED'), 'payin', { reversedAt: at(60) }));
    },
  ],
  [
    'what waits for finance is not what was ordered',
    (to) => {
      ordered(to);
      to.write(but(mismatch(), 'payin', { settlementMismatch: undefined }));
    },
  ],
  [
    'what can be paid was ordered',
    (to) => to.write(but(payinCreation(), 'payin', { pseLink: 'https://rail.example/1' })),
  ],
  [
    'a pay-in is in the indexes of what it is',
    (to) => {
      ordered(to);
      to.write(but(mismatch(), 'payin', { mismatched: undefined }));
    },
  ],
  [
    'a pay-in is in the indexes of what it is',
    (to) => {
      ordered(to);
      to.write(but(settlement(), 'payin', { completedShard: undefined }));
    },
  ],
  ['a pay-in begins open', (to) => to.write(but(payinCreation(), 'payin', { sequence: 2 }))],
  [
    'what is to be paid never changes',
    (to) => {
      to.write(payinCreation());
      to.write(but(ordering(), 'payin', { amount: '1' }));
    },
  ],
  [
    'a pay-in goes only along its life',
    (to) => {
      ordered(to);
      to.write(settlement());
      to.write(but(settlement('FAILED', 3), 'payin', { nextPollAt: 'later' }));
    },
  ],
  [
    'the history of a pay-in only grows, by its changes',
    (to) => {
      ordered(to);
      to.write(but(settlement(), 'payin', { statusHistory: [{ status: 'COMPLETED' }] }));
    },
  ],
  [
    'the sequence of a pay-in grows by one with every decision',
    (to) => {
      to.write(payinCreation());
      to.write(but(ordering(), 'payin', { sequence: 1 }));
    },
  ],
  [
    'each change that clients see has exactly one event, with its sequence',
    (to) => {
      ordered(to);
      to.write(settlement());
      to.write({ payin: money(3, at(120)).payin });
    },
  ],
  [
    'a link to pay stays as it is',
    (to) => {
      ordered(to);
      to.write(link());
      to.write(but(link(), 'payin', { pseLink: 'https://rail.example/2' }));
    },
  ],
];

const claims: readonly Breach[] = [
  [
    'a transfer ends one pay-in',
    (to) => {
      to.write(transferClaim('one'));
      to.write(transferClaim('another'));
    },
  ],
];

const transferClaim = (claimedBy: string): { readonly claim: Leg } => ({
  claim: { table: 'payins', key: { payinId: 'TRANSFER#1', record: 'CLAIM' }, set: { claimedBy } },
});

const keys: readonly Breach[] = [
  [
    'a key that made something is not forgotten',
    (to) => {
      to.write(key(claimed));
      to.write(payinCreation());
      to.write(key('GONE'));
    },
  ],
  [
    'a key is for one request and makes one thing',
    (to) => {
      to.write(key(claimed));
      to.write(key({ resourceId: 'another' }));
    },
  ],
  [
    'the answer under a key never changes',
    (to) => {
      to.write(key({ ...claimed, answer: 'one' }));
      to.write(key({ answer: 'two' }));
    },
  ],
  [
    'one request works under a key at a time',
    (to) => {
      to.write(key(claimed));
      to.wait(29);
      to.write(key({ claimToken: 'two' }));
    },
  ],
];

test.each([...payins, ...claims, ...keys])('%s', (...breach) => {
  expectBreach(breach);
});

test('a pay-in that is taken back and is there again, each with its event, breaks no rule', () => {
  const history = createHistory();
  ordered(history);
  history.write(settlement());
  history.write(money(3, at(120)));
  history.write(money(4, null));
});

test('a pay-in that is paid late, under its key, breaks no rule', () => {
  const history = createHistory();
  history.write(key(claimed));
  ordered(history);
  history.write(link());
  history.write(key({ answer: '{}', lockedUntil: undefined }));
  history.write(settlement('EXPIRED'));
  history.wait(86_400);
  history.write(key('GONE'));
});
