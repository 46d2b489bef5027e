import { describe, expect, test } from 'vitest';
import { matchDeposit } from '#functions/verification/match-deposit/match-deposit.ts';
import { CustodianUnavailable } from '#shared/custodian/custodian.ts';
import type { CustodianTransfer } from '#shared/domain/deposit-match.ts';
import type { Confirmation } from '#shared/dynamodb/confirm-deposit.ts';
import type { Deposit } from '#shared/dynamodb/deposits.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { logged } from '#test/support/logged.ts';
import { CREATED_AT, HASH, offRamp, RULES, transfer } from '#test/support/off-ramp.ts';

const notified = { custodianTransferId: 'transfer-1', network: 'ETHEREUM', txHash: HASH } as const;
const stored: Deposit = { ...notified, firstNotifiedAt: CREATED_AT };
const DAY = 24 * 3600;

type Outcome = Confirmation['outcome'];

interface World {
  readonly deposit?: Deposit | undefined;
  readonly transfers?: readonly CustodianTransfer[];
  readonly custodianFails?: Error;
  /** The candidates of each round; the last ones stay. */
  readonly candidates?: readonly (readonly string[])[];
  readonly outcomes?: Readonly<Record<string, Outcome>>;
  readonly now?: string;
}

/** After the index of the operations has caught up. */
const LATER = new Date(Date.parse(CREATED_AT) + 60_000).toISOString();

function world(given: World = {}) {
  const { transfers = [transfer()], candidates = [[]], outcomes = {}, now = CREATED_AT } = given;
  let deposit = 'deposit' in given ? given.deposit : stored;
  const confirmed: string[] = [];
  const unmatched: string[] = [];
  const noted: string[] = [];
  const queued: { transfer: unknown; delaySeconds: number }[] = [];
  const queries: { since: string }[] = [];
  let round = 0;
  const clock = fakeClock(now);
  const match = matchDeposit({
    deposits: {
      find: async () => deposit,
      keepAsUnmatched: async ({ custodianTransferId }) => {
        if (deposit?.creditedTo !== undefined) return false;
        unmatched.push(custodianTransferId);
        return true;
      },
      noteArriving: async ({ custodianTransferId }) => {
        noted.push(`${custodianTransferId} arrives`);
        return true;
      },
      noteGone: async (custodianTransferId) => {
        noted.push(`${custodianTransferId} gone`);
        return true;
      },
    },
    findTransfers: async (query) => {
      queries.push(query);
      if (given.custodianFails !== undefined) throw given.custodianFails;
      return transfers;
    },
    candidatesFor: async () => {
      round += 1;
      return candidates[Math.min(round, candidates.length) - 1] ?? [];
    },
    confirmDeposit: async (operationId) => {
      confirmed.push(operationId);
      const outcome = outcomes[operationId] ?? 'CREDITED';
      if (outcome === 'CREDITED' && deposit !== undefined) deposit = { ...deposit, creditedTo: operationId };
      return { outcome, operation: offRamp({ operationId }) };
    },
    lookAgain: async (again, delaySeconds) => {
      queued.push({ transfer: again, delaySeconds });
    },
    networkRules: RULES,
    clock,
  });
  const creditElsewhere = () => {
    deposit = { ...stored, creditedTo: 'somebody' };
  };
  return { match, clock, confirmed, unmatched, noted, queued, queries, creditElsewhere };
}

describe('decisions 4, detected without a report: a confirmed deposit', () => {
  test('goes to the first candidate and to no other', async () => {
    const lines = logged();
    const { match, confirmed, unmatched, queued } = world({ candidates: [['first', 'second']] });
    await match(notified);
    expect([confirmed, unmatched, queued]).toEqual([['first'], [], []]);
    expect(lines).toMatchObject([{ level: 'info', code: 'DEPOSIT_DETECTED', fields: { operationId: 'first' } }]);
  });

  test('told again changes nothing', async () => {
    logged();
    const { match, confirmed, unmatched, queries } = world({ candidates: [['first']] });
    await match(notified);
    await match(notified);
    expect([confirmed, unmatched]).toEqual([['first'], []]);
    expect(queries).toHaveLength(1);
  });

  test.each<Outcome>(['NOT_AWAITING', 'FUNDS_ANOTHER_OPERATION'])(
    'goes to the next candidate when the first one is %s',
    async (outcome) => {
      logged();
      const { match, confirmed, unmatched } = world({
        candidates: [['first', 'second']],
        outcomes: { first: outcome },
      });
      await match(notified);
      expect([confirmed, unmatched]).toEqual([['first', 'second'], []]);
    },
  );

  test('that lost a race tries again with new candidates', async () => {
    logged();
    const { match, confirmed, unmatched } = world({
      candidates: [['first'], ['second']],
      outcomes: { first: 'NOT_AWAITING' },
    });
    await match(notified);
    expect([confirmed, unmatched]).toEqual([['first', 'second'], []]);
  });

  test('that lost a race after which nobody awaits it is unmatched', async () => {
    logged();
    const { match, unmatched } = world({
      candidates: [['first'], []],
      outcomes: { first: 'NOT_AWAITING' },
      now: LATER,
    });
    await match(notified);
    expect(unmatched).toEqual(['transfer-1']);
  });

  test('that loses race after race is not lost: it is kept as unmatched, for finance ops', async () => {
    const lines = logged();
    const { match, confirmed, unmatched } = world({
      candidates: [['first']],
      outcomes: { first: 'FUNDS_ANOTHER_OPERATION' },
      now: LATER,
    });
    await match(notified);
    expect(confirmed.length).toBeGreaterThan(1);
    expect(unmatched).toEqual(['transfer-1']);
    expect(lines).toMatchObject([{ level: 'error', code: 'DEPOSIT_UNMATCHED' }]);
  });

  test('that nobody awaits is kept as unmatched, with an alarm', async () => {
    const lines = logged();
    const { match, confirmed, unmatched, queued } = world({ now: LATER });
    await match(notified);
    expect([confirmed, unmatched, queued]).toEqual([[], ['transfer-1'], []]);
    expect(lines).toMatchObject([{ level: 'error', code: 'DEPOSIT_UNMATCHED' }]);
  });

  test('that nobody awaits yet is looked at once more while the index may lag behind', async () => {
    const { match, unmatched, queued } = world();
    await match(notified);
    expect(unmatched).toEqual([]);
    expect(queued).toHaveLength(1);
  });

  test('is the one that was notified, not another transfer of the same transaction', async () => {
    logged();
    const other = transfer({ custodianTransferId: 'transfer-2' });
    const { match, confirmed, queued } = world({ transfers: [other], candidates: [['first']] });
    await match(notified);
    expect(confirmed).toEqual([]);
    expect(queued).toHaveLength(1);
  });

  test('is searched for from long before its first notification: custodians send again for a month', async () => {
    logged();
    const { match, queries } = world({ now: '2026-08-05T12:00:00.000Z' });
    await match(notified);
    expect(Date.parse(CREATED_AT) - Date.parse(queries[0]?.since ?? '')).toBeGreaterThanOrEqual(30 * DAY * 1000);
  });
});

describe('decisions 4, detected without a report: a deposit that was credited', () => {
  test('is left alone, whatever it looks like now', async () => {
    const { match, confirmed, unmatched, queries } = world({
      deposit: { ...stored, creditedTo: 'somebody' },
      candidates: [['first']],
    });
    await match(notified);
    expect([confirmed, unmatched, queries]).toEqual([[], [], []]);
  });

  test('by an execution meanwhile is not filed as unmatched, and raises no alarm (interleaving 8)', async () => {
    const lines = logged();
    const { match, unmatched, creditElsewhere } = world({ candidates: [[]] });
    creditElsewhere();
    await match(notified);
    expect([unmatched, lines]).toEqual([[], []]);
  });
});

describe('decisions 4, detected without a report: too few confirmations', () => {
  test.each([
    ['unconfirmed', [transfer({ state: 'UNCONFIRMED', confirmations: 0 })]],
    ['below the minimum', [transfer({ confirmations: 11 })]],
    ['held', [transfer({ state: 'HELD' })]],
    ['not known yet', []],
  ])("%s: looked at again after the network's finality", async (_, transfers) => {
    const { match, confirmed, unmatched, queued, noted } = world({ transfers, candidates: [['first']] });
    await match(notified);
    expect(noted).toEqual(transfers.length === 0 ? ['transfer-1 gone'] : ['transfer-1 arrives']);
    expect(queued).toEqual([{ transfer: notified, delaySeconds: 180 }]);
    expect([confirmed, unmatched]).toEqual([[], []]);
  });

  test('with later notifications that never come, it is looked at until it is confirmed (interleaving 10)', async () => {
    const { match, clock, queued } = world({ transfers: [transfer({ confirmations: 1 })] });
    for (let look = 0; look < 20; look += 1) {
      await match(notified);
      expect(queued).toHaveLength(look + 1);
      clock.advance(queued.at(-1)?.delaySeconds ?? 0);
    }
    expect(queued.every(({ delaySeconds }) => delaySeconds >= 1)).toBe(true);
  });

  test('after two weeks it is left to finance ops, with an alarm', async () => {
    const lines = logged();
    const transfers = [transfer({ confirmations: 1 })];
    const { match, unmatched, queued } = world({ transfers, now: '2026-08-15T12:00:00.000Z' });
    await match(notified);
    expect([queued, unmatched]).toEqual([[], ['transfer-1']]);
    expect(lines).toMatchObject([{ level: 'error', code: 'DEPOSIT_NEVER_CONFIRMED' }]);
  });

  test('after two weeks a transfer that the custodian does not know is an alarm too', async () => {
    const lines = logged();
    const { match, unmatched, queued } = world({ transfers: [], now: '2026-08-15T12:00:00.000Z' });
    await match(notified);
    expect([queued, unmatched]).toEqual([[], []]);
    expect(lines).toMatchObject([{ level: 'error', code: 'DEPOSIT_NEVER_CONFIRMED' }]);
  });

  test('a transfer confirmed after the two weeks is still credited when it is told again', async () => {
    logged();
    const { match, confirmed } = world({ candidates: [['first']], now: '2026-09-15T12:00:00.000Z' });
    await match(notified);
    expect(confirmed).toEqual(['first']);
  });
});

test('decisions 4: a transfer that failed on chain credits nobody, arrives no more and is not looked at again', async () => {
  const lines = logged();
  const { match, confirmed, unmatched, queued, noted } = world({
    transfers: [transfer({ state: 'FAILED' })],
    candidates: [['first']],
  });
  await match(notified);
  expect(noted).toEqual(['transfer-1 gone']);
  expect([confirmed, unmatched, queued]).toEqual([[], [], []]);
  expect(lines).toMatchObject([{ level: 'info', code: 'NOTIFIED_DEPOSIT_FAILED' }]);
});

describe('a failure is thrown, so that the queue hands the transfer out anew', () => {
  test('the notification was not stored', async () => {
    await expect(world({ deposit: undefined }).match(notified)).rejects.toThrow('transfer-1');
  });
});

test('decisions 4: while the custodian does not answer, a notified transfer is looked at again, not given up', async () => {
  const lines = logged();
  const { match, queued, unmatched, noted } = world({ custodianFails: new CustodianUnavailable('timeout') });
  await match(notified);
  expect(queued).toHaveLength(1);
  expect([unmatched, noted]).toEqual([[], []]);
  expect(lines).toMatchObject([{ level: 'warn', code: 'CUSTODIAN_UNAVAILABLE' }]);
});
