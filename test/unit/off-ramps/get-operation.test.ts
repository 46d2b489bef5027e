import { describe, expect, test } from 'vitest';
import { getOperation } from '#functions/off-ramps/get-operation/get-operation.ts';
import { getOperationContract } from '#shared/off-ramps/contract/off-ramp-contract.ts';
import { expectApiError } from '#test/support/expect-api-error.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { OPERATION, STRANGER, USER } from '#test/support/ids.ts';
import { CREATED_AT, DEPOSIT_ADDRESS, ENDS_AT, EXPIRES_AT, offRamp } from '#test/support/off-ramp.ts';
import { offRampsInMemory } from '#test/support/off-ramps-in-memory.ts';
import { routeCall } from '#test/support/route-call.ts';

const PATH = { user_id: USER, operation_id: OPERATION };

const read = (operation = offRamp(), path: Readonly<Record<string, string>> = PATH) =>
  getOperation(offRampsInMemory(fakeClock(CREATED_AT), operation).operations)(routeCall(getOperationContract, path));

describe('decisions 4, reading an operation', () => {
  test('answers it as created, with its current status, every status it has had, and the sequence of its events', async () => {
    const statusHistory = [
      { status: 'AWAITING_DEPOSIT', at: CREATED_AT },
      { status: 'CANCELLED', at: EXPIRES_AT, reason: 'CANCELLED_BY_CLIENT' },
    ] as const;
    const given = {
      status: 'CANCELLED',
      sequence: 3,
      endedAt: EXPIRES_AT,
      endReason: 'CANCELLED_BY_CLIENT',
      addressTag: '42',
      externalReference: 'invoice 7',
    } as const;
    const { body } = await read(offRamp(given));
    expect(getOperationContract.success.body.parse(body)).toEqual({
      operation: {
        id: OPERATION,
        userId: USER,
        status: 'CANCELLED',
        network: 'ETHEREUM',
        token: 'USDC',
        address: DEPOSIT_ADDRESS,
        addressTag: '42',
        amount: '100.5',
        expiresAt: EXPIRES_AT,
        endsAt: ENDS_AT,
        originExternalWalletId: offRamp().originExternalWalletId,
        externalReference: 'invoice 7',
        createdAt: CREATED_AT,
        sequence: 3,
        statusHistory,
      },
    });
  });

  test.each([
    ['of another client', offRamp({ clientId: STRANGER }), PATH],
    ['of another user of the client', offRamp(), { ...PATH, user_id: STRANGER }],
    ['that does not exist', offRamp(), { ...PATH, operation_id: STRANGER }],
  ])('an operation %s is 404 OFF_RAMP_NOT_FOUND', async (_, operation, path) => {
    const { status, code } = await expectApiError(() => read(operation, path));
    expect([status, code]).toEqual([404, 'OFF_RAMP_NOT_FOUND']);
  });
});
