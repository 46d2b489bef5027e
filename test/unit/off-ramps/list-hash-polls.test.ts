import { describe, expect, test } from 'vitest';
import { listHashPolls } from '#functions/off-ramps/list-hash-polls/list-hash-polls.ts';
import { listHashPollsContract } from '#shared/off-ramps/contract/hash-poll-contract.ts';
import type { Verification } from '#shared/off-ramps/model/verification.ts';
import { expectApiError } from '#test/support/expect-api-error.ts';
import { CLIENT, OPERATION, STRANGER, USER } from '#test/support/ids.ts';
import { CREATED_AT, HASH, OTHER_HASH, offRamp, verification } from '#test/support/off-ramp.ts';
import { routeCall } from '#test/support/route-call.ts';

const LATER = '2026-08-01T12:03:00.000Z';
const LAST = '2026-08-02T12:00:00.123Z';
const created = Date.parse(CREATED_AT);
const later = Date.parse(LATER);
const last = Date.parse(LAST);

/** The answer as the client gets it: shaped by the contract and sent as JSON. */
async function answer(attempt?: Verification, clientId = CLIENT, userId = USER): Promise<unknown> {
  const state = { operation: offRamp({ txHash: HASH, attempt: 1 }), verification: attempt };
  const useCase = listHashPolls({ findWithVerification: async (id) => (id === OPERATION ? state : undefined) });
  const { body } = await useCase(
    routeCall(listHashPollsContract, { user_id: userId, operation_id: OPERATION }, {}, { clientId }),
  );
  return JSON.parse(JSON.stringify(listHashPollsContract.success.body.parse(body)));
}

describe('decisions 9, polls of a hash', () => {
  test('are listed newest first, each with what came of it, why, and when the next one was to be', async () => {
    const polls = [
      [created, 'NOT_FOUND', later],
      [later, 'UNCONFIRMED', last],
      [last, 'WRONG_AMOUNT'],
    ] as const;
    expect(await answer(verification({ polls }))).toEqual({
      polls: [
        { at: LAST, outcome: 'WINDOW_ENDED', reason: 'WRONG_AMOUNT' },
        { at: LATER, outcome: 'LOOK_AGAIN', reason: 'UNCONFIRMED', nextCheckAt: LAST },
        { at: CREATED_AT, outcome: 'LOOK_AGAIN', reason: 'NOT_FOUND', nextCheckAt: LATER },
      ],
      earlierAttempts: [],
    });
  });

  test.each(['DEPOSIT_VERIFIED', 'SUPERSEDED'] as const)('end with %s, without a reason', async (outcome) => {
    expect(await answer(verification({ polls: [[created, outcome]] }))).toMatchObject({
      polls: [{ at: CREATED_AT, outcome }],
    });
  });

  test('that were written twice, because the first answer was lost, are listed once', async () => {
    const poll = [created, 'NOT_FOUND', later] as const;
    expect(await answer(verification({ polls: [poll, poll, [later, 'NOT_FOUND', last]] }))).toMatchObject({
      polls: [{ at: LATER }, { at: CREATED_AT }],
    });
  });

  test('of earlier attempts are one line each, newest first', async () => {
    const earlierAttempts = [
      [1, HASH, 'SUPERSEDED'],
      [2, OTHER_HASH, 'WINDOW_ENDED', LATER, 'NOT_FOUND'],
    ] as const;
    expect(await answer(verification({ attempt: 3, earlierAttempts }))).toEqual({
      polls: [],
      earlierAttempts: [
        { attempt: 2, txHash: OTHER_HASH, outcome: 'WINDOW_ENDED', reason: 'NOT_FOUND', lastCheckedAt: LATER },
        { attempt: 1, txHash: HASH, outcome: 'SUPERSEDED' },
      ],
    });
  });

  test.each([
    ['was reported', undefined],
    ['was polled while polls were kept', verification({ lastCheckedAt: CREATED_AT })],
  ])('are none when no hash %s', async (_, attempt) => {
    expect(await answer(attempt)).toEqual({ polls: [], earlierAttempts: [] });
  });
});

test.each([
  ['another user', CLIENT, STRANGER],
  ['another client', STRANGER, USER],
])('decisions 1: the polls of an operation of %s are 404', async (_, clientId, userId) => {
  const error = await expectApiError(() => answer(verification(), clientId, userId));
  expect([error.status, error.code]).toEqual([404, 'OFF_RAMP_NOT_FOUND']);
});
