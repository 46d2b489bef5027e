import { describe, expect, test } from 'vitest';
import { cancelOperation } from '#functions/off-ramps/cancel-operation/cancel-operation.ts';
import { CustodianUnavailable, type FindTransfers } from '#shared/off-ramps/custodians/custodian.ts';
import { expectApiError } from '#test/support/expect-api-error.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { httpRequest } from '#test/support/http-request.ts';
import { CLIENT, OPERATION, USER } from '#test/support/ids.ts';
import { CREATED_AT, HASH, offRamp, transfer } from '#test/support/off-ramp.ts';

function cancel(findTransfers: FindTransfers) {
  const operation = offRamp({ txHash: HASH, attempt: 1 });
  const useCase = cancelOperation({
    operations: { findWithVerification: async () => ({ operation, verification: undefined }) },
    deposits: { isArrivingFor: async () => false },
    findTransfers,
    endOperation: async (seen, { status }) => ({ ...seen, status }),
    clock: fakeClock(CREATED_AT),
  });
  return useCase({
    clientId: CLIENT,
    path: { user_id: USER, operation_id: OPERATION },
    query: () => undefined,
    body: () => undefined,
    http: httpRequest(''),
  });
}

describe('decisions 4: a deposit that is on its way refuses the cancellation', () => {
  test.each([
    ['unconfirmed', transfer({ state: 'UNCONFIRMED' })],
    ['held', transfer({ state: 'HELD' })],
    ['confirmed, but not yet credited', transfer()],
    ['so new that its addresses are not known', transfer({ state: 'UNCONFIRMED', toAddress: '', fromAddress: '' })],
  ])('%s', async (_, arriving) => {
    expect((await expectApiError(() => cancel(async () => [arriving]))).code).toBe('DEPOSIT_IN_PROGRESS');
  });

  test('a custodian that does not answer cannot say that there is none', async () => {
    const outage = () => Promise.reject(new CustodianUnavailable('timeout'));
    expect((await expectApiError(() => cancel(outage))).code).toBe('SERVICE_UNAVAILABLE');
  });
});

test.each([
  ['no transaction', []],
  ['one that failed', [transfer({ state: 'FAILED' })]],
  ['one to somebody else', [transfer({ toAddress: `0x${'99'.repeat(20)}` })]],
])('%s does not stand in the way', async (_, transfers) => {
  const { body } = await cancel(async () => transfers);
  expect(body.operation.status).toBe('CANCELLED');
});
