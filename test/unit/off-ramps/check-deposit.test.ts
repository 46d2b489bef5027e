import { describe, expect, test } from 'vitest';
import { checkDeposit } from '#functions/off-ramps/check-deposit/check-deposit.ts';
import {
  type CustodianTransfer,
  CustodianUnavailable,
  type FoundTransfer,
  NotServed,
} from '#shared/off-ramps/custodians/custodian.ts';
import type { OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import { type Mismatch, reasonsInWords, type VerificationReason } from '#shared/off-ramps/model/verification.ts';
import type { RecordedPoll } from '#shared/off-ramps/store/verification-repository.ts';
import type { CreditResult } from '#shared/off-ramps/transitions/credit-deposit.ts';
import type { EndWindow } from '#shared/off-ramps/transitions/end-window.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { CLIENT, OPERATION, STRANGER, USER } from '#test/support/ids.ts';
import {
  CREATED_AT,
  EXPIRES_AT,
  HASH,
  OTHER_HASH,
  offRamp,
  RULES,
  transfer,
  verification,
} from '#test/support/off-ramp.ts';

const ELSEWHERE = `0x${'99'.repeat(20)}`;

const input = {
  operationId: OPERATION,
  attempt: 1,
  clientId: CLIENT,
  amount: '100.5',
  token: 'USDC',
  network: 'ETHEREUM',
  txHash: HASH,
  windowStartsAt: CREATED_AT,
  windowEndsAt: EXPIRES_AT,
};

const verifying = offRamp({ txHash: HASH, attempt: 1, sequence: 2 });

interface World {
  readonly operation?: OffRamp | undefined;
  readonly transfers?: readonly FoundTransfer[];
  readonly custodianFails?: Error;
  readonly crediting?: CreditResult;
  readonly now?: string;
  readonly currentAttempt?: number;
  /** Ids of the clients to whom each address belongs. */
  readonly owners?: Readonly<Record<string, readonly string[]>>;
  /** The deposit that raised an alarm in the current attempt. */
  readonly calledFor?: string;
  /** The reason with which the last poll ended the attempt, if it is over. */
  readonly ended?: VerificationReason;
  /** The operation at the time when the poll's result is refused, if it has changed; null when it is gone. */
  readonly meanwhile?: OffRamp | null;
}

function world(given: World = {}) {
  const { transfers = [], custodianFails, now = CREATED_AT, currentAttempt = 1 } = given;
  const operation = 'operation' in given ? given.operation : verifying;
  const polls: { attempt: number; result: RecordedPoll }[] = [];
  const superseded: [attempt: number, polledAt: string][] = [];
  /** Addresses whose owner was looked up. */
  const asked: string[] = [];
  const ends: Parameters<EndWindow>[] = [];
  const isOpen = (attempt: number) => attempt === currentAttempt && given.ended === undefined;
  const confirmed: { operationId: string; transfer: CustodianTransfer }[] = [];
  const queries: unknown[] = [];
  /** Ids of the transfers that became deposits. */
  const remembered: string[] = [];
  const clock = fakeClock(now);
  const check = checkDeposit({
    operations: {
      find: async () => operation,
      findWithVerification: async () => {
        const current = given.meanwhile === undefined ? operation : (given.meanwhile ?? undefined);
        const { ended: reason, calledFor } = given;
        const ended = verification({ attempt: currentAttempt, reason, calledFor, lastCheckedAt: CREATED_AT });
        return current && { operation: current, verification: ended };
      },
    },
    verifications: {
      recordPoll: async ({ attempt }, result) => {
        polls.push({ attempt, result });
        return isOpen(attempt);
      },
      recordSuperseded: async ({ attempt }, polledAt) => {
        superseded.push([attempt, polledAt]);
        return isOpen(attempt);
      },
    },
    endWindow: async (attempt, poll) => {
      ends.push([attempt, poll]);
      return isOpen(attempt.attempt);
    },
    findTransfers: async (query) => {
      queries.push(query);
      if (custodianFails !== undefined) throw custodianFails;
      return transfers;
    },
    findAddressOwners: async ({ toAddress }) => {
      asked.push(toAddress);
      return given.owners?.[toAddress]?.map((clientId) => ({ operationId: OPERATION, userId: USER, clientId }));
    },
    rememberSeen: async ({ custodianTransferId }) => {
      remembered.push(custodianTransferId);
    },
    creditDeposit: async (operationId, deposit) => {
      confirmed.push({ operationId, transfer: deposit });
      const credited = offRamp({ ...operation, status: 'PENDING', verifiedTxHash: deposit.txHash, sequence: 3 });
      return given.crediting ?? { outcome: 'CREDITED', operation: credited };
    },
    networkRules: RULES,
    clock,
  });
  return { check, clock, polls, superseded, ends, asked, confirmed, queries, remembered };
}

describe('interface 4.3 rule 1: a match', () => {
  test('is credited, and the poll says that the deposit is verified', async () => {
    const { check, polls, confirmed, queries } = world({ transfers: [transfer()], now: '2026-08-01T12:00:05.000Z' });
    // The transaction may be older than the attempt, but not than the operation.
    const late = { ...input, windowStartsAt: '2026-08-01T12:00:03.000Z' };
    expect(await check(late)).toEqual({
      ...late,
      outcome: 'DEPOSIT_VERIFIED',
      why: expect.stringContaining(HASH),
      lastCheckedAt: '2026-08-01T12:00:05.000Z',
    });
    expect(confirmed).toEqual([{ operationId: OPERATION, transfer: transfer() }]);
    expect(queries).toEqual([
      { network: 'ETHEREUM', txHash: HASH, since: CREATED_AT, isReported: true, reportedBy: CLIENT },
    ]);
    expect(polls).toEqual([
      {
        attempt: 1,
        result: { lastCheckedAt: '2026-08-01T12:00:05.000Z', nextCheckAt: undefined, mismatch: undefined },
      },
    ]);
  });

  test('of a stale attempt is credited all the same: the facts count, not which attempt asked (decisions 4, superseded)', async () => {
    const corrected = offRamp({ txHash: OTHER_HASH, attempt: 2, sequence: 3 });
    const { check, confirmed } = world({ operation: corrected, transfers: [transfer()], currentAttempt: 2 });
    expect((await check(input)).outcome).toBe('DEPOSIT_VERIFIED');
    expect(confirmed).toHaveLength(1);
  });

  test('that another function has credited meanwhile is verified, too', async () => {
    const operation = offRamp({ status: 'PENDING', verifiedTxHash: HASH });
    const { check } = world({ transfers: [transfer()], crediting: { outcome: 'NOT_AWAITING', operation } });
    expect(await check(input)).toMatchObject({ outcome: 'DEPOSIT_VERIFIED', why: expect.stringContaining(HASH) });
  });

  test('of an operation that was credited by another hash meanwhile ends as superseded (decisions 4)', async () => {
    const operation = offRamp({ status: 'PENDING', verifiedTxHash: OTHER_HASH });
    const given = { outcome: 'NOT_AWAITING', operation } as const;
    const { check, polls, superseded } = world({ transfers: [transfer()], crediting: given });
    expect(await check(input)).toMatchObject({ outcome: 'SUPERSEDED', why: expect.stringContaining(OTHER_HASH) });
    expect([superseded, polls]).toEqual([[[1, CREATED_AT]], []]);
  });

  test('that is left to finance, because its hash was corrected meanwhile, ends as superseded', async () => {
    const given = { outcome: 'UNMATCHED', operation: verifying, reasons: ['WRONG_AMOUNT'] } as const;
    const meanwhile = offRamp({ txHash: OTHER_HASH, attempt: 2 });
    const { check, remembered } = world({ transfers: [transfer()], crediting: given, currentAttempt: 2, meanwhile });
    const why = `Attempt 2 verifies ${OTHER_HASH} now.`;
    expect(await check(input)).toMatchObject({ outcome: 'SUPERSEDED', why });
    expect(remembered).toEqual([]);
  });

  test('that another record of its movement was credited for is looked for again: the hash is not verified by it', async () => {
    const crediting = { outcome: 'RECORDED_TWICE', operation: verifying } as const;
    const { check, superseded } = world({ transfers: [transfer()], crediting });
    expect(await check(input)).toMatchObject({ outcome: 'LOOK_AGAIN', reason: 'NOT_FOUND' });
    expect(superseded).toEqual([]);
  });

  test.each([
    ['keeps the fact that it was unmatched for', ['ALREADY_FUNDED', 'WRONG_AMOUNT'], 'WRONG_AMOUNT'],
    ['tells nothing of another client', ['FUNDS_ANOTHER_OPERATION'], 'NOT_FOUND'],
  ] as const)(
    'that is right by now, and was asked back with the earlier facts of the custodian, %s',
    async (_, reasons, reason) => {
      const { check } = world({
        transfers: [transfer()],
        crediting: { outcome: 'UNMATCHED', operation: verifying, reasons },
      });
      expect(await check(input)).toMatchObject({ outcome: 'LOOK_AGAIN', reason });
    },
  );

  test('against a cancellation that came first ends as superseded', async () => {
    const operation = offRamp({ status: 'CANCELLED' });
    const { check } = world({ transfers: [transfer()], crediting: { outcome: 'NOT_AWAITING', operation } });
    expect((await check(input)).outcome).toBe('SUPERSEDED');
  });

  test('that funds another operation of the client is polled again, and the reason is kept', async () => {
    const { check, polls, remembered } = world({
      transfers: [transfer()],
      crediting: { outcome: 'FUNDS_ANOTHER_OPERATION', operation: verifying, otherClientId: CLIENT },
    });
    expect(await check(input)).toMatchObject({
      outcome: 'LOOK_AGAIN',
      reason: 'FUNDS_ANOTHER_OPERATION',
      nextCheckAt: '2026-08-01T12:03:00.000Z',
    });
    const seenTransferId = 'transfer-1';
    expect(polls).toMatchObject([{ result: { mismatch: { reason: 'FUNDS_ANOTHER_OPERATION' }, seenTransferId } }]);
    expect(remembered).toEqual([seenTransferId]);
  });

  test.each([STRANGER, undefined])(
    'that funds an operation of another client (%s) is NOT_FOUND to this one',
    async (otherClientId) => {
      const lines = captureLogs();
      const { check, polls } = world({
        transfers: [transfer()],
        crediting: { outcome: 'FUNDS_ANOTHER_OPERATION', operation: verifying, otherClientId },
      });
      expect(await check(input)).toMatchObject({ outcome: 'LOOK_AGAIN', reason: 'NOT_FOUND' });
      expect(polls).toMatchObject([{ result: { mismatch: { reason: 'NOT_FOUND' } } }]);
      expect(polls[0]?.result.seenTransferId).toBeUndefined();
      expect(lines).toMatchObject([{ level: 'error', code: 'DEPOSIT_FUNDS_ANOTHER_CLIENT' }]);
      expect(polls[0]?.result.calledFor).toBe('transfer-1');
    },
  );

  test.each([
    ['once in an attempt', { calledFor: 'transfer-1' }, 0],
    ['for another deposit', { calledFor: 'transfer-2' }, 1],
    ['again in the next attempt', { calledFor: 'transfer-1', currentAttempt: 2 }, 1],
  ])('decisions 9: somebody is called for that %s', async (_, known, calls) => {
    const lines = captureLogs();
    const { check } = world({
      ...{ transfers: [transfer()], ...known },
      crediting: { outcome: 'FUNDS_ANOTHER_OPERATION', operation: verifying, otherClientId: STRANGER },
    });
    await check(input);
    expect(lines.filter(({ code }) => code === 'DEPOSIT_FUNDS_ANOTHER_CLIENT')).toHaveLength(calls);
  });
});

describe('interface 4.3 rule 2: a deposit that does not match is polled again until the window ends', () => {
  const unconfirmed: Mismatch = { reason: 'UNCONFIRMED', confirmations: 3, requiredConfirmations: 12 };

  test.each<[Mismatch, readonly CustodianTransfer[]]>([
    [{ reason: 'NOT_FOUND' }, []],
    [unconfirmed, [transfer({ state: 'UNCONFIRMED', confirmations: 3 })]],
    [{ reason: 'WRONG_AMOUNT' }, [transfer({ amount: '1' })]],
    [{ reason: 'WRONG_SENDER' }, [transfer({ fromAddress: `0x${'99'.repeat(20)}` })]],
    [{ reason: 'FAILED_ON_CHAIN' }, [transfer({ state: 'FAILED' })]],
    [{ reason: 'HELD_BY_CUSTODIAN' }, [transfer({ state: 'HELD' })]],
  ])('and the client is told why: %j', async (mismatch, transfers) => {
    const { check, polls, confirmed, remembered } = world({ transfers });
    // A deposit that is seen but not final is polled at the network's finality.
    const nextCheckAt = mismatch.reason === 'UNCONFIRMED' ? '2026-08-01T12:06:00.000Z' : '2026-08-01T12:03:00.000Z';
    const seen = transfers.map(({ custodianTransferId }) => custodianTransferId);
    expect(await check(input)).toEqual({
      ...input,
      outcome: 'LOOK_AGAIN',
      why: reasonsInWords[mismatch.reason],
      reason: mismatch.reason,
      lastCheckedAt: CREATED_AT,
      nextCheckAt,
      ...(mismatch.reason === 'NOT_FOUND' && { wasUnknown: true }),
    });
    const result = { lastCheckedAt: CREATED_AT, nextCheckAt, mismatch, seenTransferId: seen[0] };
    expect(polls).toEqual([{ attempt: 1, result }]);
    expect([confirmed, remembered]).toEqual([[], seen]);
  });

  test('decisions 12, searching: a transaction that the custodian did not know is asked for as unknown until it is known', async () => {
    const { check, queries } = world({ transfers: [] });
    await check(await check(input));
    expect(queries).toMatchObject([
      { wasUnknown: undefined, isReported: true },
      { wasUnknown: true, isReported: false },
    ]);
    const known = world({ transfers: [transfer({ amount: '1' })] });
    const seen = await known.check({ ...input, wasUnknown: true });
    expect(seen).not.toHaveProperty('wasUnknown');
    await known.check(seen);
    expect(known.queries[1]).toMatchObject({ wasUnknown: undefined, isReported: false });
  });

  test('a transaction without any answer is asked for as unknown, too; one for which the custodian was not asked calls nobody', async () => {
    const lines = captureLogs();
    const failing = world({ custodianFails: new CustodianUnavailable('timeout') });
    const unanswered = await failing.check(input);
    expect([unanswered, await failing.check(unanswered)]).toMatchObject([{ wasUnknown: true }, { wasUnknown: true }]);
    expect(lines).toMatchObject([{ code: 'CUSTODIAN_UNAVAILABLE' }, { code: 'CUSTODIAN_UNAVAILABLE' }]);
    const known = { ...input, lastCheckedAt: CREATED_AT };
    expect(await failing.check(known)).not.toHaveProperty('wasUnknown');
    class PutOff extends CustodianUnavailable {
      override get declinedFor() {
        return 'REPORTED_HASHES';
      }
    }
    const usedUp = world({ custodianFails: new PutOff('used up', { retryAfter: 20 }) });
    expect((await usedUp.check(input)).why).toContain('waits its turn');
    expect([usedUp.polls[0], failing.polls[0]].map((poll) => poll?.result.mismatch?.isPutOff)).toEqual([
      true,
      undefined,
    ]);
    expect(lines.at(-1)).toMatchObject({ level: 'info', code: 'HASH_PUT_OFF' });
  });

  test("decisions 4, polling schedule: the second poll is at the network's finality, counted from the attempt's start", async () => {
    const { check } = world({ now: '2026-08-01T12:01:00.000Z' });
    expect((await check(input)).nextCheckAt).toBe('2026-08-01T12:03:00.000Z');
  });

  test('decisions 4, polling schedule: a transaction that is long unknown is polled less often than one that was found', async () => {
    const now = '2026-08-01T17:00:00.000Z';
    const next = async (...transfers: CustodianTransfer[]) =>
      (await world({ now, transfers }).check(input)).nextCheckAt;
    expect(await next(transfer({ amount: '7' }))).toBe('2026-08-01T18:00:00.000Z');
    expect(await next()).toBe('2026-08-02T02:54:00.000Z');
  });

  test('decisions 4, verification window: the last poll is exactly at the end', async () => {
    const { check, clock } = world();
    for (const end of ['2026-08-02T12:00:00.000Z', '2026-08-02T12:00:00.123Z', '2026-08-02T12:00:00.999Z']) {
      clock.set(end);
      clock.advance(-3);
      expect((await check({ ...input, windowEndsAt: end })).nextCheckAt).toBe(end);
    }
  });

  test('decisions 4, verification window: the poll at the end of the window ends the verification, and the reason is kept', async () => {
    const { check, polls, ends } = world({ now: EXPIRES_AT });
    const poll = await check(input);
    expect(poll).toMatchObject({ outcome: 'WINDOW_ENDED', reason: 'NOT_FOUND', lastCheckedAt: EXPIRES_AT });
    expect(poll).not.toHaveProperty('nextCheckAt');
    expect(ends).toEqual([[input, { lastCheckedAt: EXPIRES_AT, mismatch: { reason: 'NOT_FOUND' } }]]);
    expect(polls).toEqual([]);
  });
});

describe('decisions 4, end of the window', () => {
  test('a repeat of the last poll after its write finds it done and says the same', async () => {
    const { check, polls } = world({ now: EXPIRES_AT, ended: 'WRONG_AMOUNT' });
    expect(await check(input)).toEqual({
      ...input,
      outcome: 'WINDOW_ENDED',
      why: expect.stringContaining(reasonsInWords.WRONG_AMOUNT),
      reason: 'WRONG_AMOUNT',
      lastCheckedAt: CREATED_AT,
    });
    expect(polls).toEqual([]);
  });

  test('a repeat that the custodian does not answer does not open the window again', async () => {
    captureLogs();
    const custodianFails = new CustodianUnavailable('timeout');
    const { check, ends } = world({ now: EXPIRES_AT, ended: 'NOT_FOUND', custodianFails });
    expect(await check(input)).toMatchObject({ outcome: 'WINDOW_ENDED', reason: 'NOT_FOUND' });
    expect(ends).toEqual([]);
  });

  test('is not reported for a superseded attempt', async () => {
    const corrected = offRamp({ txHash: OTHER_HASH, attempt: 2, sequence: 3 });
    const { check } = world({ now: EXPIRES_AT, operation: corrected, currentAttempt: 2 });
    expect(await check(input)).toMatchObject({ outcome: 'SUPERSEDED', why: expect.stringContaining(OTHER_HASH) });
  });

  test('is not reported for an attempt that a restore undid, although another attempt has its number', async () => {
    const undone = { ...input, windowStartsAt: '2026-08-01T11:00:00.000Z' };
    const { check } = world({
      now: EXPIRES_AT,
      ended: 'WRONG_AMOUNT',
      operation: offRamp({ ...verifying, txHash: OTHER_HASH }),
    });
    expect(await check(undone)).toMatchObject({ outcome: 'SUPERSEDED', why: expect.stringContaining(OTHER_HASH) });
  });
});

describe('decisions 4, reasons while not verified: the address is judged first', () => {
  const states = ['UNCONFIRMED', 'CONFIRMED', 'HELD', 'FAILED'] as const;
  const judged = async (transfers: readonly CustodianTransfer[], owners: NonNullable<World['owners']>) => {
    const seen = world({ transfers, owners });
    await seen.check(input);
    const mismatches = seen.polls.map(({ result }) => result.mismatch);
    const evidence = seen.polls.flatMap(({ result }) => result.seenTransferId ?? []);
    return { ...seen, mismatches, evidence };
  };

  test.each(states)('%s to an address of another client: as if the hash did not exist', async (state) => {
    const strangers = transfer({ state, toAddress: ELSEWHERE });
    expect((await judged([strangers], { [ELSEWHERE]: [STRANGER] })).mismatches).toEqual([{ reason: 'NOT_FOUND' }]);
    const shared = { [ELSEWHERE]: [CLIENT, STRANGER] };
    expect((await judged([strangers], shared)).mismatches).toEqual([{ reason: 'NOT_FOUND' }]);
  });

  test.each(states)(
    '%s to an address that is not known yet, or cannot be read: as if the hash did not exist',
    async (state) => {
      for (const toAddress of ['', 'not an address']) {
        const unknown = transfer({ state, toAddress, fromAddress: '' });
        expect((await judged([unknown], {})).mismatches).toEqual([{ reason: 'NOT_FOUND' }]);
      }
    },
  );

  test.each(states)('%s to any other address: WRONG_ADDRESS from the first sight', async (state) => {
    const wrong = transfer({ state, toAddress: ELSEWHERE, confirmations: 0 });
    for (const owners of [[], [CLIENT]]) {
      expect((await judged([wrong], { [ELSEWHERE]: owners })).mismatches).toEqual([{ reason: 'WRONG_ADDRESS' }]);
    }
  });
});

describe('decisions 9, evidence', () => {
  const polled = async (...transfers: readonly CustodianTransfer[]) => {
    const seen = world({ transfers, owners: { [ELSEWHERE]: [CLIENT] } });
    await seen.check(input);
    return seen;
  };

  test('does not come from a transfer to another address, not even to one of the client', async () => {
    const { polls, remembered } = await polled(transfer({ toAddress: ELSEWHERE }));
    expect(polls).toMatchObject([{ result: { mismatch: { reason: 'WRONG_ADDRESS' } } }]);
    expect(polls[0]?.result.seenTransferId).toBeUndefined();
    expect(remembered).toEqual([]);
  });

  test('of a transaction with thousands of transfers to the address only the nearest become deposits by its poll', async () => {
    const many = Array.from({ length: 5000 }, (_, number) =>
      transfer({ custodianTransferId: `dust-${number}`, assetId: 'DUST' }),
    );
    const { polls, remembered } = await polled(...many, transfer({ custodianTransferId: 'meant', amount: '1' }));
    expect(polls).toMatchObject([{ result: { mismatch: { reason: 'WRONG_AMOUNT' }, seenTransferId: 'meant' } }]);
    expect(remembered).toHaveLength(50);
    expect(remembered).toContain('meant');
  });

  test('every other transfer of the transaction of a credited deposit becomes a deposit, too', async () => {
    const { confirmed, remembered } = await polled(transfer({ custodianTransferId: 'short', amount: '1' }), transfer());
    expect(confirmed).toHaveLength(1);
    expect(remembered).toEqual(['short']);
  });

  test('a match that comes too late becomes a deposit, and is not kept as evidence', async () => {
    const operation = offRamp({ status: 'PENDING', verifiedTxHash: OTHER_HASH });
    const crediting = { outcome: 'NOT_AWAITING', operation } as const;
    const { check, polls, superseded, remembered } = world({ transfers: [transfer()], crediting });
    await check(input);
    expect(remembered).toEqual(['transfer-1']);
    expect([superseded, polls]).toEqual([[[1, CREATED_AT]], []]);
  });
});

describe('decisions 4, superseded', () => {
  test('an attempt that is no longer the current one ends at its next poll when nothing matches', async () => {
    const corrected = offRamp({ txHash: OTHER_HASH, attempt: 2, sequence: 3 });
    const { check, polls } = world({ operation: corrected, currentAttempt: 2 });
    const poll = await check(input);
    expect(poll).toMatchObject({ outcome: 'SUPERSEDED', why: expect.stringContaining(OTHER_HASH) });
    expect(poll).not.toHaveProperty('nextCheckAt');
    expect(polls.map(({ attempt }) => attempt)).toEqual([1]);
  });

  test.each(['CANCELLED', 'FAILED'] as const)('no deposit of an operation that is %s is looked for', async (status) => {
    const { check, queries, polls, superseded } = world({ operation: offRamp({ status, txHash: HASH, attempt: 1 }) });
    expect(await check(input)).toMatchObject({ outcome: 'SUPERSEDED', why: expect.stringContaining(status) });
    expect(queries).toEqual([]);
    expect(superseded).toEqual([[1, CREATED_AT]]);
    expect(polls).toEqual([]);
  });

  test.each([
    ['PENDING', HASH, 'DEPOSIT_VERIFIED'],
    ['COMPLETED', HASH, 'DEPOSIT_VERIFIED'],
    ['FAILED', HASH, 'DEPOSIT_VERIFIED'],
    ['PENDING', OTHER_HASH, 'SUPERSEDED'],
    ['COMPLETED', OTHER_HASH, 'SUPERSEDED'],
    ['FAILED', OTHER_HASH, 'SUPERSEDED'],
  ] as const)('an operation that is %s and was verified with %s ends the execution as %s', async (...given) => {
    const [status, verifiedTxHash, outcome] = given;
    const { check, queries } = world({ operation: offRamp({ status, verifiedTxHash }) });
    expect((await check(input)).outcome).toBe(outcome);
    expect(queries).toEqual([]);
  });
});

describe('decisions 4, superseded: while the custodian was asked', () => {
  const during = (meanwhile: OffRamp | null) => world({ ended: 'NOT_FOUND', meanwhile });

  test('an operation was cancelled: the attempt ends without a result', async () => {
    const { check, superseded } = during(offRamp({ status: 'CANCELLED' }));
    expect(await check(input)).toMatchObject({ outcome: 'SUPERSEDED', why: expect.stringContaining('CANCELLED') });
    expect(superseded).toEqual([[1, CREATED_AT]]);
  });

  test.each([
    ['this hash', HASH, 'DEPOSIT_VERIFIED'],
    ['another hash', OTHER_HASH, 'SUPERSEDED'],
  ] as const)('an operation was verified with %s', async (_, verifiedTxHash, outcome) => {
    const { check } = during(offRamp({ status: 'PENDING', verifiedTxHash }));
    expect(await check(input)).toMatchObject({ outcome, why: expect.stringContaining(verifiedTxHash) });
  });

  test('an operation went: that is a fault of ours', async () => {
    await expect(during(null).check(input)).rejects.toMatchObject({ message: expect.stringContaining(OPERATION) });
  });
});

describe('decisions 4, verification window: an outage of the custodian', () => {
  const custodianFails = new CustodianUnavailable('timeout');

  test('is no outcome: inside the window the deposit is polled again', async () => {
    const lines = captureLogs();
    const { check, polls } = world({ custodianFails });
    expect(await check(input)).toMatchObject({
      outcome: 'LOOK_AGAIN',
      reason: 'CUSTODIAN_UNAVAILABLE',
      nextCheckAt: '2026-08-01T12:03:00.000Z',
    });
    expect(polls).toMatchObject([{ result: { mismatch: { reason: 'CUSTODIAN_UNAVAILABLE' } } }]);
    const fields = { operationId: OPERATION, attempt: 1 };
    expect(lines).toMatchObject([{ level: 'warn', code: 'CUSTODIAN_UNAVAILABLE', fields }]);
  });

  test('that the settings no longer have calls somebody: it never answers', async () => {
    const lines = captureLogs();
    const { check } = world({ custodianFails: new NotServed('No custodian serves ETHEREUM here.') });
    expect(await check(input)).toMatchObject({ outcome: 'LOOK_AGAIN', reason: 'CUSTODIAN_UNAVAILABLE' });
    expect(lines).toMatchObject([{ level: 'error', code: 'NETWORK_NOT_SERVED', fields: { operationId: OPERATION } }]);
  });

  test('over the end of the window repeats the last poll', async () => {
    captureLogs();
    const { check } = world({ custodianFails, now: EXPIRES_AT });
    expect(await check(input)).toMatchObject({ outcome: 'LOOK_AGAIN', nextCheckAt: '2026-08-02T12:01:00.000Z' });
  });

  test('repeats the last poll for up to 24 hours and no longer', async () => {
    captureLogs();
    const { check, clock } = world({ custodianFails, now: EXPIRES_AT });
    const repeated: string[] = [];
    for (let poll = await check(input); poll.outcome === 'LOOK_AGAIN'; poll = await check(input)) {
      clock.set(poll.nextCheckAt ?? '');
      repeated.push(poll.nextCheckAt ?? '');
    }
    expect(repeated.length).toBeGreaterThan(5);
    expect(repeated.at(-1)).toBe('2026-08-03T12:00:00.000Z');
    expect(await check(input)).toMatchObject({ outcome: 'WINDOW_ENDED', reason: 'CUSTODIAN_UNAVAILABLE' });
  });

  test('that is over: a deposit that came in time is credited', async () => {
    const { check } = world({ transfers: [transfer()], now: '2026-08-02T18:00:00.000Z' });
    expect((await check(input)).outcome).toBe('DEPOSIT_VERIFIED');
  });

  test('of a stale attempt ends as superseded', async () => {
    captureLogs();
    const { check } = world({ custodianFails, currentAttempt: 2 });
    expect((await check(input)).outcome).toBe('SUPERSEDED');
  });
});

describe('a fault of our own is thrown, so that the state machine tries again', () => {
  test('the operation is gone', async () => {
    const { check } = world({ operation: undefined });
    await expect(check(input)).rejects.toMatchObject({ message: expect.stringContaining(OPERATION) });
  });

  test('an error that is not the custodian being unavailable', async () => {
    const failure = new Error('bad item');
    const { check, polls } = world({ custodianFails: failure });
    await expect(check(input)).rejects.toBe(failure);
    expect(polls).toEqual([]);
  });

  test.each([{}, { ...input, network: 'DOGE' }, { ...input, attempt: 'first' }, null])(
    'an input that is none: %j',
    async (event) => {
      await expect(world().check(event)).rejects.toThrow();
    },
  );
});

describe('decisions 12, boundary: a transfer that cannot be read', () => {
  const { network, txHash } = transfer();
  const unreadable = {
    custodianTransferId: 'other',
    network,
    txHash,
    state: 'UNREADABLE',
    unreadableFields: 'amount',
  } as const;
  const reasonOf = ({ polls }: ReturnType<typeof world>) => polls.at(-1)?.result.mismatch?.reason;

  test('hides no deposit beside it, and is remembered', async () => {
    const seen = world({ transfers: [unreadable, transfer()] });
    expect((await seen.check(input)).outcome).toBe('DEPOSIT_VERIFIED');
    expect(seen.remembered).toEqual(['other']);
  });

  test('counts as no answer, also at the end of the window', async () => {
    const seen = world({ transfers: [unreadable], now: EXPIRES_AT });
    expect((await seen.check(input)).outcome).toBe('LOOK_AGAIN');
    expect([reasonOf(seen), seen.remembered]).toEqual(['CUSTODIAN_UNAVAILABLE', ['other']]);
  });

  test('is remembered with fifty others at most: anybody can send thousands in one transaction', async () => {
    const many = Array.from({ length: 60 }, (_, at) => ({ ...unreadable, custodianTransferId: `other-${at}` }));
    const seen = world({ transfers: [...many, transfer()] });
    expect((await seen.check(input)).outcome).toBe('DEPOSIT_VERIFIED');
    expect(seen.remembered).toHaveLength(50);
  });

  test('gives way to a readable one to the operation’s own address', async () => {
    const seen = world({ transfers: [unreadable, transfer({ amount: '7' })] });
    await seen.check(input);
    expect(reasonOf(seen)).toBe('WRONG_AMOUNT');
  });
});

test('decisions 9, what is no deposit: the money of an account of the custodian itself is credited by no report', async () => {
  const { check, polls } = world({ transfers: [transfer({ isFromCustodian: true })] });
  expect((await check(input)).outcome).toBe('LOOK_AGAIN');
  expect(polls.at(-1)?.result.mismatch?.reason).toBe('WRONG_SENDER');
});

test('decisions 12, searching: a custodian that wants to be asked later is not asked by the next poll before', async () => {
  captureLogs();
  const { check } = world({ custodianFails: new CustodianUnavailable('429', { retryAfter: 3600 }) });
  expect((await check(input)).nextCheckAt).toBe('2026-08-01T13:00:00.000Z');
});
