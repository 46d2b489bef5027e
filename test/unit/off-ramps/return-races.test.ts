import { expect, test } from 'vitest';
import {
  confirmDepositContract,
  resolveContradictionContract,
  settleDepositContract,
} from '#shared/off-ramps/contract/operator-commands.ts';
import {
  approveReturnContract,
  declineReturnContract,
  recordReturnContract,
  requestReturnContract,
  startReturnContract,
} from '#shared/off-ramps/contract/return-commands.ts';
import type { OutgoingTransfer } from '#shared/off-ramps/custodians/outgoing.ts';
import { OPERATION } from '#test/support/ids.ts';
import { CREATED_AT, HASH, OTHER_HASH, SENDER_ADDRESS, TREASURY, transfer } from '#test/support/off-ramp.ts';
import { ALICE, BEA, CARL, CREDITED, type ReturnWorld, returnWorld } from '#test/support/return-world.ts';

type Parts = ReturnType<ReturnWorld['parts']>;

interface Race {
  readonly given?: Parameters<typeof returnWorld>[0];
  readonly before?: (w: ReturnWorld) => Promise<unknown>;
  /** The work that is interrupted before and after each of its calls. */
  readonly one: (parts: Parts) => Promise<unknown>;
  readonly other: (w: ReturnWorld) => Promise<unknown>;
  /** Checks what must hold afterwards, in every order. */
  readonly holds: (w: ReturnWorld) => Promise<void> | void;
}

/** The result; `undefined` if the work was refused. */
const settled = (work: Promise<unknown>) => work.catch(() => undefined);

const requestAndApprove = async (w: ReturnWorld) => {
  await w.ask();
  await w.operate(approveReturnContract);
  w.clock.advance(60);
};

const byHand = async (w: ReturnWorld) => {
  await requestAndApprove(w);
  await w.operate(startReturnContract);
  w.custodian.outgoing = [left];
};

/** The return of the deposit, as it leaves the stage's account. */
const left: OutgoingTransfer = {
  ...{ movementId: 'custodian:out-1', network: 'ETHEREUM', txHash: OTHER_HASH, state: 'CONFIRMED', from: TREASURY },
  ...{ toAddress: SENDER_ADDRESS, assetId: 'ETHEREUM:USDC', amount: '97.5', createdAt: CREATED_AT },
};

/** To a shared account without a known tag, and not final after 14 days. */
const NOBODYS = { network: 'STELLAR', state: 'UNCONFIRMED' } as const;
const NEVER_FINAL = { reasons: undefined, firstUnmatchedAt: undefined, sequence: undefined };

/** The id of the first thing that a world makes. */
const FIRST_ID = '00000000-0000-4000-8000-000000000001';

const isOneOf = (...facts: readonly unknown[]) => expect(facts.filter(Boolean).length).toBeLessThanOrEqual(1);

const races: Readonly<Record<string, Race>> = {
  'a request against a credit by the report of its hash': {
    before: async (w) => {
      w.putOperation({ txHash: HASH });
      w.custodian.transfer = transfer();
    },
    one: (parts) => parts.ask(),
    other: (w) => w.credit(),
    holds: (w) => isOneOf(w.kept().creditedAt, w.kept().return),
  },
  'a credit by the report of its hash against a request': {
    before: async (w) => w.putOperation({ txHash: HASH }),
    one: (parts) => parts.credit(),
    other: (w) => w.ask(),
    holds: (w) => isOneOf(w.kept().creditedAt, w.kept().return),
  },
  'a request against a poll that finds it held': {
    before: async (w) => {
      w.custodian.transfer = transfer({ amount: '99', state: 'HELD' });
    },
    one: (parts) => parts.ask(),
    other: (w) => w.poll(),
    holds: async (w) => {
      if (w.kept().return !== undefined) await w.operate(approveReturnContract);
      await w.pass(3);
      expect([w.moved(), w.status()]).toEqual([[], 'HELD']);
    },
  },
  'a poll that finds it corrected against a request': {
    before: async (w) => {
      w.putOperation({ txHash: HASH });
      w.custodian.transfer = transfer();
    },
    one: (parts) => parts.poll(),
    other: (w) => w.ask(),
    holds: (w) => isOneOf(w.kept().creditedAt, w.kept().return),
  },
  'two approvals at once': {
    given: { onePersonUpTo: '1' },
    before: (w) => w.ask(),
    one: (parts) => parts.operate(approveReturnContract, {}, ALICE),
    other: (w) => w.operate(approveReturnContract, {}, BEA),
    holds: (w) => expect([w.kept().return?.approvals.length, w.kept().returnState]).toEqual([2, 'DUE']),
  },
  'one person twice at once': {
    given: { onePersonUpTo: '1' },
    before: (w) => w.ask(),
    one: (parts) => parts.operate(approveReturnContract, {}, ALICE),
    other: (w) => w.operate(approveReturnContract, {}, 'arn:aws:iam::111122223333:user/Alice'),
    holds: (w) => expect([w.kept().return?.approvals.length, w.kept().returnState]).toEqual([1, 'WAITING']),
  },
  'two workers': {
    before: requestAndApprove,
    one: (parts) => parts.work(),
    other: (w) => w.work(),
    holds: async (w) => {
      await w.pass(3);
      expect([w.moved().length, w.status(), w.kept().lastSending]).toEqual([1, 'RETURNED', 1]);
    },
  },
  'two workers, of which one is refused': {
    before: async (w) => {
      await requestAndApprove(w);
      w.custodian.answer = 'REFUSED';
    },
    one: (parts) => parts.work(),
    other: async (w) => {
      await w.work();
      w.custodian.answer = 'COMPLETED';
    },
    holds: async (w) => {
      w.custodian.answer = 'COMPLETED';
      await w.pass(10);
      expect([w.moved().length, w.status()]).toEqual([1, 'RETURNED']);
    },
  },
  'the worker against a decline': {
    before: requestAndApprove,
    one: (parts) => parts.work(),
    other: (w) => w.operate(declineReturnContract),
    holds: async (w) => {
      await w.pass(3);
      expect([w.moved().length, w.status()]).toEqual(w.moved().length === 1 ? [1, 'RETURNED'] : [0, 'UNMATCHED']);
    },
  },
  'the worker against payouts, which says that it was paid': {
    given: { operation: { status: 'CANCELLED', endedAt: CREATED_AT } },
    before: requestAndApprove,
    one: (parts) => parts.work(),
    other: (w) => w.tellPaid(),
    holds: async (w) => {
      await w.pass(3);
      const isCalled = w.errors().includes('RETURN_CONTRADICTED');
      expect([w.moved().length, isCalled]).toEqual(isCalled ? [1, true] : [0, false]);
    },
  },
  'payouts, which says that it was paid, against the worker': {
    given: CREDITED,
    before: async (w) => {
      await w.operate(requestReturnContract, { payoutNeverMade: 'yes' }, CARL);
      await w.operate(approveReturnContract);
      w.clock.advance(60);
    },
    one: (parts) => parts.tellPaid(),
    other: (w) => w.work(),
    holds: (w) => {
      const isSent = w.moved().length === 1;
      expect([w.operation()?.['contradictedSince'] !== undefined, w.errors().includes('RETURN_CONTRADICTED')]).toEqual([
        true,
        isSent,
      ]);
    },
  },
  'a request of a credited one against payouts, which says that it was paid': {
    given: CREDITED,
    one: (parts) => parts.operate(requestReturnContract, { payoutNeverMade: 'yes' }),
    other: (w) => w.tellPaid(),
    holds: async (w) => {
      if (w.kept().return !== undefined) await w.operate(approveReturnContract, {}, BEA);
      await w.pass(3);
      expect(w.moved()).toEqual([]);
    },
  },
  'payouts, which says that it came back, against a decline': {
    given: CREDITED,
    before: async (w) => {
      await w.operate(requestReturnContract, { payoutNeverMade: 'yes' });
      await w.tellPaid();
      const sequence = String(w.operation()?.['sequence']);
      await w.operate(resolveContradictionContract, { operationId: OPERATION, outcome: 'paid', sequence });
    },
    one: (parts) => parts.tellPaid('back', { status: 'PAYOUT_RETURNED' }),
    other: (w) => w.operate(declineReturnContract),
    holds: (w) => expect([w.kept().return, w.kept().owed]).toEqual([undefined, 'OWED']),
  },
  'a recorded hash against the worker': {
    before: async (w) => {
      await requestAndApprove(w);
      w.custodian.answer = 'PENDING';
      await w.work();
      w.clock.advance(60);
      for (const id of w.orders.keys()) w.say(id, 'COMPLETED');
      w.custodian.outgoing = [{ ...left, movementId: [...w.orders.keys()][0] ?? '' }];
    },
    one: (parts) => parts.operate(recordReturnContract, { hash: OTHER_HASH }, BEA),
    other: (w) => w.work(),
    holds: (w) => expect([w.status(), w.told().length, w.errors()]).toEqual(['RETURNED', 2, []]),
  },
  'one hash for two deposits': {
    given: { isByHand: true },
    before: async (w) => {
      await byHand(w);
      const other = 'transfer-2';
      w.putDeposit(
        { custodianTransferId: other, sequence: 2, return: w.kept().return },
        { custodianTransferId: other, amount: '99' },
      );
    },
    one: (parts) => parts.operate(recordReturnContract, { hash: OTHER_HASH }, BEA),
    other: (w) => w.operate(recordReturnContract, { custodianTransferId: 'transfer-2', hash: OTHER_HASH }, BEA),
    holds: (w) => {
      const items = w.table('deposits').items() as readonly { return?: { returnedAt?: string } }[];
      expect(items.filter((item) => item.return?.returnedAt !== undefined)).toHaveLength(1);
    },
  },
  'a request against two persons who keep it': {
    before: (w) => w.operate(settleDepositContract, { outcome: 'kept' }),
    one: (parts) => parts.ask(),
    other: async (w) => {
      const [proposal] = w.table('proposals').items();
      await w.operate(confirmDepositContract, { proposalId: proposal?.['proposalId'] }, BEA);
    },
    holds: (w) => isOneOf(w.kept().settled, w.kept().return),
  },
  'two persons who write off what is nobody’s against a poll that finds it final': {
    given: { facts: NOBODYS, deposit: { ...NEVER_FINAL, operationId: undefined, clientId: undefined } },
    before: async (w) => {
      await w.operate(settleDepositContract, { outcome: 'written-off' });
      w.custodian.transfer = transfer({ ...NOBODYS, state: 'CONFIRMED' });
    },
    one: (parts) => parts.operate(confirmDepositContract, { proposalId: FIRST_ID }, BEA),
    other: (w) => w.poll(),
    holds: async (w) => {
      while (w.kept().nextPollAt !== undefined) await w.pollPlanned();
      expect([w.status(), w.kept().unmatched, w.kept().settled]).toEqual(['UNMATCHED', 'UNMATCHED', undefined]);
    },
  },
};

test.each(Object.entries(races))('decisions 9, returns: %s', async (_, { given, before, one, other, holds }) => {
  for (let at = 0; ; at += 1) {
    const w = await returnWorld(given);
    await before?.(w);
    let calls = 0;
    const parts = w.parts(async () => {
      calls += 1;
      if (calls === at + 1) await settled(other(w));
    });
    await settled(one(parts));
    if (calls <= at) {
      expect(at).toBeGreaterThan(1);
      break;
    }
    await holds(w);
  }
});
