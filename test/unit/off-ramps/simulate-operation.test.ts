import { describe, expect, test } from 'vitest';
import { simulateOperation } from '#functions/off-ramps/simulate-operation/simulate-operation.ts';
import { simulatePayout } from '#functions/off-ramps/simulate-payout/simulate-payout.ts';
import { simulateOperationContract } from '#shared/off-ramps/contract/off-ramp-sandbox-contract.ts';
import { endStatuses, type OffRamp, operationStatuses } from '#shared/off-ramps/model/off-ramp.ts';
import { createHeldPayouts } from '#shared/off-ramps/store/held-payouts.ts';
import { AttemptRefused } from '#shared/off-ramps/transitions/begin-attempt.ts';
import type { ExpireOperation } from '#shared/off-ramps/transitions/expire-operation.ts';
import { busInMemory } from '#test/support/bus-in-memory.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { expectApiError } from '#test/support/expect-api-error.ts';
import { CLIENT, OPERATION, USER } from '#test/support/ids.ts';
import { CREATED_AT, offRamp } from '#test/support/off-ramp.ts';
import { routeCall } from '#test/support/route-call.ts';
import { tablesInMemory } from '#test/support/tables-in-memory.ts';

const expiredAtOnce: ExpireOperation = async (seen) => ({ ...seen, expiresAt: CREATED_AT });

function world(operation: OffRamp | undefined, isBusDown = false, expireNow: ExpireOperation = expiredAtOnce) {
  const bus = busInMemory(isBusDown);
  const held = new Set<string>();
  const expired: OffRamp[] = [];
  const deps = {
    operations: { find: async () => operation },
    payouts: { hold: async (id: string) => void held.add(id), isHeld: async (id: string) => held.has(id) },
    expire: async (seen: OffRamp) => {
      expired.push(seen);
      return expireNow(seen);
    },
    bus,
    newId: () => 'event-1',
  };
  const post = (body: Readonly<Record<string, unknown>>) =>
    simulateOperation(deps)(routeCall(simulateOperationContract, {}, body));
  const verified = { detail: { schemaVersion: 1, clientId: CLIENT, operationId: OPERATION, status: 'PENDING' } };
  return { sent: bus.sent, held, expired, post, payOut: () => simulatePayout(deps)(JSON.stringify(verified)) };
}

/** What the sandbox pays for 100.5. */
const PAYOUT = { amount: '402000', currency: 'COP', reference: `SANDBOX-${OPERATION}` };

const possible = [
  { from: 'AWAITING_DEPOSIT', status: 'CANCELLED', source: 'payments.compliance' },
  { from: 'AWAITING_DEPOSIT', status: 'FAILED', source: 'payments.payouts' },
  { from: 'PENDING', status: 'COMPLETED', source: 'payments.payouts' },
  { from: 'PENDING', status: 'FAILED', source: 'payments.payouts' },
  { from: 'PENDING', status: 'CANCELLED', source: 'payments.compliance' },
] as const;

const impossible = operationStatuses.flatMap((from) =>
  endStatuses
    .filter((status) => !possible.some((one) => one.from === from && one.status === status))
    .map((status) => ({ from, status })),
);

describe('decisions 8: an operation is ended by the event of the service that would end it', () => {
  test.each(possible)('from $from to $status by $source', async ({ from, status, source }) => {
    const { sent, post } = world(offRamp({ status: from }));
    expect(await post({ status, reason: 'WHY' })).toEqual({ body: { id: OPERATION, status } });
    const detail = { operationId: OPERATION, eventId: 'event-1', status, reason: 'WHY' };
    const payout = status === 'COMPLETED' ? { payout: PAYOUT } : {};
    expect(sent).toEqual([{ source, type: 'operation.status', detail: { ...detail, ...payout } }]);
  });

  test('and its payout comes back once it was made', async () => {
    const { sent, post } = world(offRamp({ status: 'COMPLETED', payout: { reference: 'P-1' } }));
    expect(await post({ payoutReturned: true, reason: 'R03' })).toEqual({
      body: { id: OPERATION, status: 'COMPLETED' },
    });
    const detail = { operationId: OPERATION, eventId: 'event-1', payout: { reference: 'P-1' }, reason: 'R03' };
    expect(sent).toEqual([{ source: 'payments.payouts', type: 'operation.payout_returned', detail }]);
  });

  test.each(operationStatuses.filter((status) => status !== 'COMPLETED'))(
    'and no payout of one that is %s comes back: 409 OPERATION_STATUS_CONFLICT',
    async (status) => {
      const { sent, post } = world(offRamp({ status }));
      expect((await expectApiError(() => post({ payoutReturned: true }))).code).toBe('OPERATION_STATUS_CONFLICT');
      expect(sent).toEqual([]);
    },
  );

  test.each(impossible)('but not from $from to $status: 409 OPERATION_STATUS_CONFLICT', async ({ from, status }) => {
    const { sent, post } = world(offRamp({ status: from }));
    const error = await expectApiError(() => post({ status }));
    expect([error.status, error.code]).toEqual([409, 'OPERATION_STATUS_CONFLICT']);
    expect(sent).toEqual([]);
  });

  test.each([
    ['unknown', undefined],
    ['of another client', offRamp({ clientId: USER })],
  ])('and one %s is 404 OFF_RAMP_NOT_FOUND, whatever the body', async (_, operation) => {
    const { sent, post } = world(operation);
    expect((await expectApiError(() => post({ status: 'x' }))).code).toBe('OFF_RAMP_NOT_FOUND');
    expect(sent).toEqual([]);
  });

  test.each([
    ['body.status', { status: 'PENDING' }],
    ['body.status', { status: 'AWAITING_DEPOSIT' }],
    ['body.reason', { status: 'FAILED', reason: '' }],
    ['body.reason', { status: 'FAILED', reason: 'x'.repeat(256) }],
    ['body.expire', { expire: false }],
    ['body.hold', { hold: 'true' }],
    ['body', {}],
    ['body', { reason: 'WHY' }],
    ['body.reason', { expire: true, reason: 'WHY' }],
    ['body.reason', { hold: true, reason: 'WHY' }],
    ['body', { status: 'FAILED', hold: true }],
    ['body', { expire: true, hold: true }],
  ])('once the body is right: %s is named in %j', async (path, body) => {
    expect((await expectApiError(() => world(offRamp()).post(body))).errors).toMatchObject([{ path }]);
  });

  test('which is 503 while the bus does not take it', async () => {
    const error = await expectApiError(() => world(offRamp(), true).post({ status: 'FAILED' }));
    expect([error.status, error.retryAfterSeconds]).toEqual([503, 1]);
  });
});

describe('decisions 8: an operation that is to expire in the sandbox', () => {
  test('expires, and keeps its status', async () => {
    const { expired, sent, post } = world(offRamp());
    expect(await post({ expire: true })).toEqual({
      body: { id: OPERATION, status: 'AWAITING_DEPOSIT', expiresAt: CREATED_AT },
    });
    expect([expired.length, sent]).toEqual([1, []]);
  });

  test('and awaits no deposit any more is 409', async () => {
    const { post } = world(offRamp(), false, async () => undefined);
    expect((await expectApiError(() => post({ expire: true }))).code).toBe('OPERATION_STATUS_CONFLICT');
  });

  test('and has used all of its attempts is 409', async () => {
    const useUp = () => Promise.reject(new AttemptRefused('TOO_MANY_ATTEMPTS'));
    const { post } = world(offRamp(), false, useUp);
    expect((await expectApiError(() => post({ expire: true }))).code).toBe('TOO_MANY_ATTEMPTS');
  });
});

describe('decisions 8: a payout that is held', () => {
  test.each(['AWAITING_DEPOSIT', 'PENDING'] as const)('of one that is %s is kept', async (status) => {
    const { held, sent, post } = world(offRamp({ status }));
    expect((await post({ hold: true })).body).toEqual({ id: OPERATION, status });
    expect([[...held], sent]).toEqual([[OPERATION], []]);
  });

  test('is not completed by itself, and by a call', async () => {
    captureLogs();
    const { sent, post, payOut } = world(offRamp({ status: 'PENDING' }));
    await post({ hold: true });
    await payOut();
    expect(sent).toEqual([]);
    await post({ status: 'COMPLETED' });
    expect(sent).toHaveLength(1);
  });

  test.each(endStatuses)('of one that is %s: 409 OPERATION_STATUS_CONFLICT', async (status) => {
    const { held, post } = world(offRamp({ status }));
    expect((await expectApiError(() => post({ hold: true }))).code).toBe('OPERATION_STATUS_CONFLICT');
    expect(held.size).toBe(0);
  });

  test('is kept for its operation alone', async () => {
    const { hold, isHeld } = createHeldPayouts(tablesInMemory().dynamo, 'simulatedPayments');
    await hold(OPERATION);
    expect([await isHeld(OPERATION), await isHeld(USER)]).toEqual([true, false]);
  });
});

describe('decisions 8: a simulated payout', () => {
  test('completes a verified operation, as payouts would', async () => {
    const { sent, payOut } = world(offRamp({ status: 'PENDING' }));
    await payOut();
    expect(sent).toEqual([
      {
        source: 'payments.payouts',
        type: 'operation.status',
        detail: { operationId: OPERATION, eventId: `payout-${OPERATION}`, status: 'COMPLETED', payout: PAYOUT },
      },
    ]);
  });

  test.each(operationStatuses.filter((status) => status !== 'PENDING'))(
    'leaves alone what is %s by then',
    async (status) => {
      captureLogs();
      const { sent, payOut } = world(offRamp({ status }));
      await payOut();
      expect(sent).toEqual([]);
    },
  );

  test('that the bus does not take comes again', async () => {
    await expect(world(offRamp({ status: 'PENDING' }), true).payOut()).rejects.toThrow(OPERATION);
  });
});
