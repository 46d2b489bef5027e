import { describe, expect, test } from 'vitest';
import { getOfframpHash } from '#functions/off-ramps/get-offramp-hash/get-offramp-hash.ts';
import { getOfframpHashContract } from '#shared/off-ramps/contract/off-ramp-hash-contract.ts';
import type { CustodianTransfer } from '#shared/off-ramps/custodians/custodian.ts';
import type { OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import type { Verification } from '#shared/off-ramps/model/verification.ts';
import { expectApiError } from '#test/support/expect-api-error.ts';
import { CLIENT, OPERATION, STRANGER, USER } from '#test/support/ids.ts';
import {
  CREATED_AT,
  DEPOSIT_ADDRESS,
  EXPIRES_AT,
  HASH,
  OTHER_HASH,
  offRamp,
  SENDER_ADDRESS,
  transfer,
  verification,
} from '#test/support/off-ramp.ts';
import { routeCall } from '#test/support/route-call.ts';

const NEXT = '2026-08-01T13:00:00.000Z';

function read(
  operation: OffRamp,
  attempt?: Verification,
  caller: { clientId?: string; userId?: string; id?: string } = {},
  deposits: readonly CustodianTransfer[] = [],
) {
  const { clientId = CLIENT, userId = USER, id = OPERATION } = caller;
  const useCase = getOfframpHash({
    operations: {
      findWithVerification: async (operationId) =>
        operationId === OPERATION ? { operation, verification: attempt } : undefined,
    },
    findFundingDeposit: async () => deposits.at(-1)?.custodianTransferId ?? 'none',
    findDeposit: async (custodianTransferId) => {
      const found = deposits.find((one) => one.custodianTransferId === custodianTransferId);
      return found && { ...found, firstNotifiedAt: CREATED_AT, lastNotifiedAt: CREATED_AT, transfer: found };
    },
  });
  return useCase(routeCall(getOfframpHashContract, { user_id: userId, operation_id: id }, {}, { clientId }));
}

/** The answer as the client gets it: shaped by the contract and sent as JSON. */
async function answer(
  operation: OffRamp,
  attempt?: Verification,
  ...deposits: readonly CustodianTransfer[]
): Promise<unknown> {
  return JSON.parse(
    JSON.stringify(getOfframpHashContract.success.body.parse((await read(operation, attempt, {}, deposits)).body)),
  );
}

const reported = offRamp({ txHash: HASH, attempt: 1, sequence: 2 });
const always = { source: 'REPORTED', attempt: 1, windowEndsAt: EXPIRES_AT };

describe('interface 2.6: the hash read', () => {
  test('NOT_SUBMITTED: both hashes null, and no verification', async () => {
    expect(await answer(offRamp())).toEqual({
      operationId: OPERATION,
      operationStatus: 'AWAITING_DEPOSIT',
      txHash: null,
      verifiedTxHash: null,
      status: 'NOT_SUBMITTED',
    });
  });

  test('VERIFYING: the reported hash, and the time of the first poll', async () => {
    expect(await answer(reported, verification())).toEqual({
      operationId: OPERATION,
      operationStatus: 'AWAITING_DEPOSIT',
      txHash: HASH,
      verifiedTxHash: null,
      status: 'VERIFYING',
      verification: { ...always, state: 'ACTIVE', nextCheckAt: CREATED_AT },
    });
  });

  test('VERIFIED by the reported hash: nothing that is over is shown', async () => {
    const operation = offRamp({ ...reported, status: 'PENDING', verifiedTxHash: HASH });
    const polled = verification({
      lastCheckedAt: CREATED_AT,
      nextCheckAt: NEXT,
      reason: 'UNCONFIRMED',
      confirmations: 3,
    });
    expect(await answer(operation, polled)).toEqual({
      operationId: OPERATION,
      operationStatus: 'PENDING',
      txHash: HASH,
      verifiedTxHash: HASH,
      status: 'VERIFIED',
      verification: { ...always, lastCheckedAt: CREATED_AT },
    });
  });

  test('VERIFIED stays VERIFIED when the operation is completed', async () => {
    const operation = offRamp({ ...reported, status: 'COMPLETED', verifiedTxHash: HASH });
    expect(await answer(operation, verification())).toMatchObject({ operationStatus: 'COMPLETED', status: 'VERIFIED' });
  });

  test('NOT_VERIFIED: the operation left AWAITING_DEPOSIT, no poll is to come, why the deposit did not match is still told', async () => {
    const polled = verification({ lastCheckedAt: CREATED_AT, nextCheckAt: NEXT, reason: 'NOT_FOUND' });
    expect(await answer({ ...reported, status: 'CANCELLED' }, polled)).toEqual({
      operationId: OPERATION,
      operationStatus: 'CANCELLED',
      txHash: HASH,
      verifiedTxHash: null,
      status: 'NOT_VERIFIED',
      verification: { ...always, lastCheckedAt: CREATED_AT, reason: 'NOT_FOUND' },
    });
  });

  test('NOT_VERIFIED without a report has no verification', async () => {
    const read = await answer(offRamp({ status: 'FAILED' }));
    expect(read).toMatchObject({ status: 'NOT_VERIFIED', txHash: null });
    expect(read).not.toHaveProperty('verification');
  });
});

describe('decisions 4, verification in the hash read', () => {
  const verificationOf = async (operation: OffRamp, attempt?: Verification) =>
    (await read(operation, attempt)).body.verification;

  test('has the reason once a poll found that the deposit does not match, and when the next poll is', async () => {
    const polled = verification({ lastCheckedAt: CREATED_AT, nextCheckAt: NEXT, reason: 'WRONG_AMOUNT' });
    expect(await verificationOf(reported, polled)).toEqual({
      ...always,
      state: 'ACTIVE',
      lastCheckedAt: CREATED_AT,
      nextCheckAt: NEXT,
      reason: 'WRONG_AMOUNT',
    });
  });

  test('is still VERIFYING after the window, with no further poll, and its state says so', async () => {
    const polled = verification({ lastCheckedAt: EXPIRES_AT, nextCheckAt: undefined, reason: 'NOT_FOUND' });
    expect(await answer(reported, polled)).toMatchObject({ status: 'VERIFYING', operationStatus: 'AWAITING_DEPOSIT' });
    expect(await verificationOf(reported, polled)).toEqual({
      ...always,
      state: 'WINDOW_ENDED',
      lastCheckedAt: EXPIRES_AT,
      reason: 'NOT_FOUND',
    });
  });

  test('says DETECTED when the verified deposit was found without a report', async () => {
    const operation = offRamp({ status: 'PENDING', verifiedTxHash: OTHER_HASH });
    expect(await answer(operation)).toMatchObject({ status: 'VERIFIED', txHash: null, verifiedTxHash: OTHER_HASH });
    expect(await verificationOf(operation)).toEqual({ source: 'DETECTED' });
  });

  test('says DETECTED when the verified deposit was found by another hash than the reported one', async () => {
    const operation = offRamp({ ...reported, status: 'PENDING', verifiedTxHash: OTHER_HASH });
    const polled = verification({ lastCheckedAt: CREATED_AT, nextCheckAt: NEXT, reason: 'NOT_FOUND' });
    expect(await answer(operation, polled)).toMatchObject({ txHash: HASH, verifiedTxHash: OTHER_HASH });
    expect(await verificationOf(operation, polled)).toEqual({ source: 'DETECTED' });
  });
});

describe('decisions 9, evidence', () => {
  const polled = verification({ lastCheckedAt: CREATED_AT, reason: 'WRONG_AMOUNT', seenTransferId: 'transfer-1' });
  const passed = { passed: true };
  const ADDRESS = { check: 'ADDRESS', ...passed, expected: DEPOSIT_ADDRESS, observed: DEPOSIT_ADDRESS };
  const TOKEN = { check: 'TOKEN', ...passed, expected: 'ETHEREUM:USDC', observed: 'ETHEREUM:USDC' };
  const AMOUNT = { check: 'AMOUNT', ...passed, expected: '100.5', observed: '100.5' };
  const SENDER = { check: 'SENDER', ...passed, expected: SENDER_ADDRESS, observed: SENDER_ADDRESS };
  const CONFIRMATIONS = { check: 'CONFIRMATIONS', ...passed, expected: '12', observed: '12' };
  const checked = (...checks: readonly unknown[]) => ({ verification: { checks } });

  test('is each fact of the deposit that the last poll judged', async () => {
    const amount = { ...AMOUNT, passed: false, observed: '1.5' };
    expect(await answer(reported, polled, transfer({ amount: '1.50' }))).toMatchObject({
      verification: { reason: 'WRONG_AMOUNT', checks: [ADDRESS, TOKEN, amount, SENDER, CONFIRMATIONS] },
    });
  });

  test('shows the deposit as it is now, whatever the last poll said', async () => {
    const deposit = transfer({ state: 'UNCONFIRMED', confirmations: 3, fromAddress: '' });
    const { observed: _, ...unknown } = SENDER;
    const confirmations = { ...CONFIRMATIONS, passed: false, observed: '3' };
    expect(await answer(reported, polled, deposit)).toMatchObject(
      checked(ADDRESS, TOKEN, AMOUNT, { ...unknown, passed: false }, confirmations),
    );
  });

  test('counts the confirmations that the poll of the hash has seen, if they are more', async () => {
    const counted = { ...polled, reason: 'UNCONFIRMED', confirmations: 7, requiredConfirmations: 12 } as const;
    for (const [confirmations, shown] of [
      [3, '7'],
      [9, '9'],
    ] as const) {
      const deposit = transfer({ state: 'UNCONFIRMED', confirmations });
      expect(await answer(reported, counted, deposit)).toMatchObject(
        checked(ADDRESS, TOKEN, AMOUNT, SENDER, { ...CONFIRMATIONS, passed: false, observed: shown }),
      );
    }
  });

  test.each(['CANCELLED', 'FAILED'] as const)('stays when the operation is %s', async (status) => {
    expect(await answer({ ...reported, status }, polled, transfer())).toMatchObject(
      checked(ADDRESS, TOKEN, AMOUNT, SENDER, CONFIRMATIONS),
    );
  });

  test('is of the verified deposit, reported or detected, whichever one a poll judged before', async () => {
    const verified = transfer({ custodianTransferId: 'verified' });
    const all = checked(ADDRESS, TOKEN, AMOUNT, SENDER, CONFIRMATIONS);
    const wrong = transfer({ amount: '1' });
    for (const verifiedTxHash of [HASH, OTHER_HASH]) {
      const operation = offRamp({
        ...reported,
        status: 'PENDING',
        verifiedTxHash,
      });
      expect(await answer(operation, polled, wrong, verified)).toMatchObject(all);
    }
    const detected = offRamp({ status: 'COMPLETED', verifiedTxHash: HASH });
    expect(await answer(detected, undefined, verified)).toMatchObject(all);
  });

  test('says of a deposit that was taken back that it was', async () => {
    const operation = offRamp({
      ...reported,
      status: 'PENDING',
      verifiedTxHash: HASH,
    });
    expect(await answer(operation, polled, transfer({ state: 'FAILED' }))).toMatchObject(
      checked(ADDRESS, TOKEN, AMOUNT, SENDER, { ...CONFIRMATIONS, passed: false }),
    );
  });

  test.each<[string, OffRamp, Partial<Verification>, readonly CustodianTransfer[]]>([
    ['no poll has seen a deposit', reported, { seenTransferId: undefined }, [transfer()]],
    ['the deposit is on no record', reported, {}, []],
    ['the deposit goes to another address', reported, {}, [transfer({ toAddress: SENDER_ADDRESS })]],
  ])('is absent when %s', async (_, operation, attempt, deposits) => {
    const { verification: told } = (await read(operation, { ...polled, ...attempt }, {}, deposits)).body;
    expect(told).not.toHaveProperty('checks');
  });

  test('names another token by the custodian’s id, its network too, and an address with its tag', async () => {
    const account = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ';
    const operation = offRamp({ ...reported, network: 'STELLAR', address: account, addressTag: '7' });
    const deposit = transfer({ network: 'STELLAR', toAddress: account, toTag: '7', assetId: 'XLM_USDC_e' });
    expect(await answer(operation, polled, deposit)).toMatchObject({
      verification: {
        checks: [
          { check: 'ADDRESS', passed: true, expected: `${account}#7`, observed: `${account}#7` },
          { check: 'TOKEN', passed: false, expected: 'STELLAR:USDC', observed: 'STELLAR:XLM_USDC_e' },
          AMOUNT,
          { check: 'SENDER' },
          CONFIRMATIONS,
        ],
      },
    });
  });
});

test.each([
  ['does not exist', { id: STRANGER }],
  ['belongs to another user', { userId: STRANGER }],
  ['belongs to another client', { clientId: STRANGER }],
])('interface 7: 404 when the operation %s', async (_, caller) => {
  const error = await expectApiError(() => read(offRamp(), undefined, caller));
  expect([error.status, error.code]).toEqual([404, 'OFF_RAMP_NOT_FOUND']);
});
