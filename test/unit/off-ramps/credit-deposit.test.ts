import { describe, expect, test } from 'vitest';
import type { Deposit } from '#shared/off-ramps/model/deposit.ts';
import type { OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import { createDepositRepository } from '#shared/off-ramps/store/deposit-repository.ts';
import { log, withFields } from '#shared/platform/logger.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { NOTIFIED } from '#test/support/detection-world.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { CLIENT, OPERATION, STRANGER, USER } from '#test/support/ids.ts';
import { CREATED_AT, EXPIRES_AT, HASH, OTHER_HASH, offRamp, RULES, transfer } from '#test/support/off-ramp.ts';
import { offRampsInMemory, TABLES } from '#test/support/off-ramps-in-memory.ts';

const ANOTHER = '77777777-7777-4777-8777-777777777777';

const ACCOUNT = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ';

/** An operation that awaits the transfer of HASH, and others. */
function world(...others: readonly OffRamp[]) {
  return offRampsInMemory(fakeClock(CREATED_AT), offRamp(), ...others);
}

/** An operation of another client that awaits the same deposit, so that only the claims decide. */
const another = (differences: Partial<OffRamp> = {}) =>
  offRamp({ operationId: ANOTHER, clientId: STRANGER, userId: STRANGER, ...differences });

const report = (txHash: string) => ({ txHash, windowEndsAt: EXPIRES_AT });

describe('decisions 4, one transaction funds one operation: a confirmed deposit', () => {
  test('moves the operation to PENDING with its verified hash, and tells so once', async () => {
    const { creditDeposit, kept, table, told } = world();
    expect(await creditDeposit(OPERATION, transfer())).toMatchObject({ outcome: 'CREDITED' });
    expect((await kept()).operation).toMatchObject({ status: 'PENDING', verifiedTxHash: HASH, sequence: 2 });
    const owner = { operationId: OPERATION, userId: USER, clientId: CLIENT };
    expect(table('deposits').items()).toMatchObject([{ ...owner, creditedAt: CREATED_AT }]);
    expect(await creditDeposit(OPERATION, transfer())).toMatchObject({ outcome: 'NOT_AWAITING' });
    expect(told()).toMatchObject([
      {
        type: 'ramp.operation.status_changed',
        data: { status: 'PENDING', previousStatus: 'AWAITING_DEPOSIT', sequence: 2 },
      },
      { type: 'ramp.deposit_hash.status_changed', data: { status: 'VERIFIED', verifiedTxHash: HASH, sequence: 2 } },
      { type: 'ramp.deposit.status_changed', data: { status: 'CREDITED', previousStatus: null, sequence: 1 } },
    ]);
  });

  test('keeps its hash for its operation for ever', async () => {
    const { creditDeposit, findClaimant } = world();
    await creditDeposit(OPERATION, transfer());
    expect(await findClaimant('FUNDED', HASH)).toBe(OPERATION);
  });

  test('funds no second operation that awaits the same, and the result names the client of the first one', async () => {
    const { creditDeposit, kept } = world(another());
    await creditDeposit(OPERATION, transfer());
    expect(await creditDeposit(ANOTHER, transfer())).toMatchObject({
      outcome: 'FUNDS_ANOTHER_OPERATION',
      otherClientId: CLIENT,
    });
    expect((await kept(ANOTHER)).operation).toEqual(another());
  });

  test.each([
    [
      'by the same deposit another off-ramp',
      { operationId: ANOTHER, custodianTransferId: transfer().custodianTransferId },
    ],
    ['by another deposit the same off-ramp', { operationId: OPERATION, custodianTransferId: 'another' }],
  ])('whose transaction had funded %s before a restore funds nothing, and the claim stays', async (_, of) => {
    const { creditDeposit, table } = world();
    const claim = { claim: `FUNDED#${HASH}`, ...of };
    table('hashes').put(claim);
    expect(await creditDeposit(OPERATION, transfer())).toMatchObject({ outcome: 'FUNDS_ANOTHER_OPERATION' });
    expect(table('hashes').items()).toEqual([claim]);
  });

  test('confirmed for two at once is credited to one', async () => {
    const { creditDeposit } = world(another());
    const outcomes = await Promise.all([OPERATION, ANOTHER].map((id) => creditDeposit(id, transfer())));
    expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(['CREDITED', 'FUNDS_ANOTHER_OPERATION']);
  });

  test('found by a report and by a notification at once is credited once, and funds no other', async () => {
    const { creditDeposit } = world();
    const outcomes = await Promise.all([1, 2].map(() => creditDeposit(OPERATION, transfer())));
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['CREDITED', 'NOT_AWAITING']);
  });

  test('whose transaction has funded an off-ramp by another transfer is not credited, and the result names that off-ramp’s client', async () => {
    const { creditDeposit } = world(another());
    await creditDeposit(OPERATION, transfer());
    expect(await creditDeposit(ANOTHER, transfer({ custodianTransferId: 'transfer-2' }))).toMatchObject({
      ...{ outcome: 'FUNDS_ANOTHER_OPERATION', otherClientId: CLIENT },
    });
  });

  test('is credited once, even when the custodian writes the hash of one transfer in two ways', async () => {
    const { creditDeposit, kept } = world(another());
    await creditDeposit(OPERATION, transfer());
    const outcome = await creditDeposit(ANOTHER, transfer({ txHash: OTHER_HASH }));
    expect(outcome).toEqual({ outcome: 'FUNDS_ANOTHER_OPERATION', operation: another(), otherClientId: CLIENT });
    expect((await kept(ANOTHER)).operation).toEqual(another());
  });

  test('that was first seen for another operation stays its deposit', async () => {
    const { creditDeposit, table, kept } = world(another());
    const times = { firstNotifiedAt: CREATED_AT, lastNotifiedAt: CREATED_AT };
    table(TABLES.deposits).put({ ...times, ...transfer(), operationId: ANOTHER });
    expect(await creditDeposit(OPERATION, transfer())).toMatchObject({ outcome: 'FUNDS_ANOTHER_OPERATION' });
    expect((await kept()).operation).toEqual(offRamp());
  });

  test('decisions 4, Deposit address: the owner of a transfer that nobody has seen yet follows from its tag, and then from the account', async () => {
    const tagged = another({ network: 'STELLAR', address: ACCOUNT, addressTag: '42' });
    const { creditDeposit, table, kept } = world(tagged);
    const owner = ({ operationId, userId, clientId }: OffRamp) => ({ operationId, userId, clientId });
    table(TABLES.hashes).put({ claim: `ADDRESS#${ACCOUNT}`, ...owner(offRamp()) });
    table(TABLES.hashes).put({ claim: `ADDRESS#${ACCOUNT}#42`, ...owner(tagged) });
    const sent = transfer({ network: 'STELLAR', toAddress: ACCOUNT, toTag: '42' });
    expect(await creditDeposit(OPERATION, sent)).toMatchObject({ outcome: 'FUNDS_ANOTHER_OPERATION' });
    expect((await kept()).operation).toEqual(offRamp());
    expect(await creditDeposit(ANOTHER, sent)).toMatchObject({ outcome: 'CREDITED' });
  });

  test.each([
    ['is left to finance', undefined, 'UNMATCHED'],
    ['is left to finance when another hash is the reported one', OTHER_HASH, 'UNMATCHED'],
    ['is credited when its hash is the reported one (interface 4.3 rule 1)', HASH, 'CREDITED'],
    [
      'is credited when another has declared its hash, so that its client cannot report it',
      undefined,
      'CREDITED',
      ANOTHER,
    ],
    ['is left to finance when its own client has declared it before', OTHER_HASH, 'UNMATCHED', OPERATION],
  ])('that was unmatched as it was said before %s', async (_, txHash, outcome, claimant?: string) => {
    const { creditDeposit, table, change } = world();
    if (claimant !== undefined) table(TABLES.hashes).put({ claim: `DECLARED#${HASH}`, operationId: claimant });
    const { operationId, clientId, userId } = offRamp();
    const said = { ...NOTIFIED, firstNotifiedAt: CREATED_AT, lastNotifiedAt: CREATED_AT, sequence: 1 };
    const transferBefore = transfer({ amount: '7' });
    const filed = {
      transfer: transferBefore,
      reasons: ['WRONG_AMOUNT'],
      firstUnmatchedAt: CREATED_AT,
      detectedAt: CREATED_AT,
      updatedAt: CREATED_AT,
    };
    table(TABLES.deposits).put({ ...said, ...filed, operationId, clientId, userId });
    await change({ txHash });
    expect(await creditDeposit(OPERATION, transfer())).toMatchObject({
      ...{ outcome, ...(outcome === 'UNMATCHED' && { reasons: filed.reasons }) },
    });
  });

  test.each(['HELD', 'FAILED', 'UNCONFIRMED'] as const)(
    'decisions 9, what is credited by itself: never a deposit that has been unmatched, although it was %s since',
    async (state) => {
      const { creditDeposit, table, change } = world();
      const times = { firstNotifiedAt: CREATED_AT, lastNotifiedAt: CREATED_AT, firstUnmatchedAt: CREATED_AT };
      table(TABLES.deposits).put({ ...NOTIFIED, ...times, transfer: transfer({ state }) });
      expect(await creditDeposit(OPERATION, transfer())).toMatchObject({ outcome: 'UNMATCHED' });
      await change({ txHash: HASH });
      expect(await creditDeposit(OPERATION, transfer())).toMatchObject({ outcome: 'CREDITED' });
    },
  );

  test('decisions 9, what is credited by itself: a deposit that is filed as unmatched meanwhile is not, although it has no sequence', async () => {
    const { creditDeposit, beforeNextWrite, table } = world();
    const times = { firstNotifiedAt: CREATED_AT, lastNotifiedAt: CREATED_AT };
    const filed = { transfer: transfer(), reasons: [], firstUnmatchedAt: CREATED_AT };
    beforeNextWrite('deposits', () => table(TABLES.deposits).put({ ...NOTIFIED, ...times, ...filed }));
    expect(await creditDeposit(OPERATION, transfer())).toMatchObject({ outcome: 'UNMATCHED' });
    expect(table(TABLES.deposits).items()).toMatchObject([{ firstUnmatchedAt: CREATED_AT }]);
  });

  test('whose status changes meanwhile is credited from the status that it has then', async () => {
    const { creditDeposit, beforeNextWrite, table, told } = world();
    const seen = { firstNotifiedAt: CREATED_AT, lastNotifiedAt: CREATED_AT, ...transfer(), transfer: transfer() };
    const owner = { operationId: OPERATION, userId: USER, clientId: CLIENT, detectedAt: CREATED_AT };
    beforeNextWrite('deposits', () =>
      table(TABLES.deposits).put({ ...seen, ...owner, sequence: 1, updatedAt: CREATED_AT }),
    );
    expect(await creditDeposit(OPERATION, transfer())).toMatchObject({ outcome: 'CREDITED' });
    expect(told()).toContainEqual(
      expect.objectContaining({ data: expect.objectContaining({ previousStatus: 'DETECTED', sequence: 2 }) }),
    );
  });

  test('without a notification is stored as credited, and polled once more', async () => {
    const { creditDeposit, dynamo } = world();
    await creditDeposit(OPERATION, transfer());
    expect(
      await createDepositRepository(dynamo, TABLES.deposits, fakeClock(CREATED_AT)).find('transfer-1'),
    ).toMatchObject({
      network: 'ETHEREUM',
      txHash: HASH,
      operationId: OPERATION,
      creditedAt: CREATED_AT,
      transfer: { amount: '100.5' },
      nextPollAt: CREATED_AT,
    });
  });

  test.each<[string, string, string | undefined]>([
    ['although its next poll was planned for long after', EXPIRES_AT, EXPIRES_AT],
    ['although another poll has planned none meanwhile', CREATED_AT, undefined],
  ])('is polled within minutes %s', async (_, seen, meanwhile) => {
    const { creditDeposit, beforeNextWrite, table } = world();
    const put = (nextPollAt?: string) =>
      table(TABLES.deposits).put({ ...NOTIFIED, firstNotifiedAt: CREATED_AT, lastNotifiedAt: CREATED_AT, nextPollAt });
    put(seen);
    beforeNextWrite(TABLES.deposits, () => put(meanwhile));
    expect(await creditDeposit(OPERATION, transfer())).toMatchObject({ outcome: 'CREDITED' });
    expect(table(TABLES.deposits).items()).toMatchObject([{ nextPollAt: CREATED_AT, dueShard: expect.any(String) }]);
  });

  test.each(['PENDING', 'COMPLETED', 'CANCELLED', 'FAILED'] as const)(
    'changes nothing of an operation that is %s',
    async (status) => {
      const { creditDeposit, change, kept, writes } = world();
      await change({ status });
      const before = await kept();
      expect(await creditDeposit(OPERATION, transfer())).toMatchObject({ outcome: 'NOT_AWAITING' });
      expect([await kept(), writes()]).toEqual([before, 0]);
    },
  );

  test('of an operation that is gone is an error of ours', async () => {
    const { creditDeposit } = world();
    await expect(creditDeposit(ANOTHER, transfer())).rejects.toThrow(ANOTHER);
  });
});

describe('decisions 4, unique hash: a declaration', () => {
  test('of another hash is given back by the confirmation, so that another operation may declare it', async () => {
    const { beginAttempt, creditDeposit, findClaimant, kept } = world();
    await beginAttempt(await kept(), report(OTHER_HASH));
    expect(await findClaimant('DECLARED', OTHER_HASH)).toBe(OPERATION);
    await creditDeposit(OPERATION, transfer());
    expect(await findClaimant('DECLARED', OTHER_HASH)).toBeUndefined();
  });

  test('decisions 4: of another hash is turned into a search by the confirmation, which decides again if that search was renewed meanwhile', async () => {
    const { beginAttempt, creditDeposit, beforeNextWrite, kept, searches, table } = world();
    await beginAttempt(await kept(), report(OTHER_HASH));
    const custodianTransferId = `HASH#${CLIENT}#ETHEREUM#${OTHER_HASH}`;
    const begun = { custodianTransferId, network: 'ETHEREUM', txHash: OTHER_HASH, startsAt: CREATED_AT };
    beforeNextWrite(TABLES.deposits, () => {
      table(TABLES.deposits).put({ ...begun, endsAt: CREATED_AT, nextPollAt: CREATED_AT });
    });
    expect(await creditDeposit(OPERATION, transfer())).toMatchObject({ outcome: 'CREDITED' });
    expect(await searches.find(custodianTransferId)).toMatchObject({
      startsAt: CREATED_AT,
      endsAt: expect.stringMatching(/^2026-08-02T12:00/),
    });
  });

  test('of the confirmed hash itself is no longer searched for', async () => {
    const { beginAttempt, creditDeposit, kept, searches } = world();
    await beginAttempt(await kept(), report(HASH));
    await creditDeposit(OPERATION, transfer());
    expect(await searches.find(`HASH#${CLIENT}#ETHEREUM#${HASH}`)).toBeUndefined();
  });

  test.each(['of another client', 'that is gone'] as const)(
    'of its hash by an operation %s blocks nobody’s money',
    async (declarant) => {
      const { claim, creditDeposit } = declarant === 'that is gone' ? world() : world(another());
      claim('DECLARED', HASH, ANOTHER);
      expect(await creditDeposit(OPERATION, transfer())).toMatchObject({ outcome: 'CREDITED' });
    },
  );

  test('of a hash that funds another operation is refused', async () => {
    const { beginAttempt, creditDeposit, kept } = world(another());
    await creditDeposit(OPERATION, transfer());
    await expect(beginAttempt(await kept(ANOTHER), report(HASH))).rejects.toThrow('FUNDS_ANOTHER');
  });

  test('of a hash that another operation holds is refused until that operation releases it', async () => {
    const { beginAttempt, endOperation, kept } = world(another());
    await beginAttempt(await kept(), report(HASH));
    await expect(beginAttempt(await kept(ANOTHER), report(HASH))).rejects.toThrow('DECLARED_ELSEWHERE');
    await endOperation((await kept()).operation, { status: 'FAILED' });
    expect(await beginAttempt(await kept(ANOTHER), report(HASH))).toMatchObject({ attempt: 1, txHash: HASH });
  });
});

describe('a line of the credit says how many seconds after its finality a deposit is credited', () => {
  const FINALITY = RULES.ETHEREUM.finalitySeconds;

  async function secondsAfter(
    seconds: number,
    notified: { readonly after?: number } & { readonly [Name in keyof Deposit]?: Deposit[Name] | undefined },
  ) {
    const lines = captureLogs();
    const clock = fakeClock(CREATED_AT);
    const { creditDeposit, table } = offRampsInMemory(clock, offRamp({ txHash: HASH }));
    const { after, custodianTransferId = NOTIFIED.custodianTransferId, ...differences } = notified;
    const lastNotifiedAt = new Date(Date.parse(CREATED_AT) + (after ?? 0) * 1000).toISOString();
    const seen = {
      ...NOTIFIED,
      custodianTransferId,
      firstNotifiedAt: CREATED_AT,
      lastNotifiedAt,
      isNotified: true,
      ...differences,
    };
    if (after !== undefined) table(TABLES.deposits).put(seen);
    clock.advance(seconds);
    await withFields({}, async () => {
      expect(await creditDeposit(OPERATION, transfer({ custodianTransferId }))).toMatchObject({
        outcome: 'CREDITED',
      });
      log.info('CALL_DONE');
    });
    return lines.at(-1)?.fields['secondsToCredit'];
  }

  test.each([
    ['the usual finality of its network, when it was notified before', FINALITY + 5, { after: 10 }, 5],
    ['the usual finality of its network, when it was never notified', FINALITY + 7, {}, 7],
    [
      'the usual finality of its network, when a list found it',
      3600,
      { after: 3599, isNotified: undefined },
      3600 - FINALITY,
    ],
    ['its last notification, when that came later', FINALITY + 100, { after: FINALITY + 90 }, 10],
    [
      'the scan of its chain that saw it final, when that came later',
      FINALITY + 100,
      { after: FINALITY + 90, isNotified: undefined, custodianTransferId: 'evm:a' },
      10,
    ],
    ['0, when it was final earlier than usual', 20, { after: 20 }, 0],
    [
      'nothing, when it waited for others as unmatched',
      FINALITY,
      { after: 0, firstUnmatchedAt: CREATED_AT },
      undefined,
    ],
  ])('counted from %s', async (_, seconds, notified, expected) => {
    expect(await secondsAfter(seconds, notified)).toBe(expected);
  });
});
