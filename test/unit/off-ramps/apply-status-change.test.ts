import { describe, expect, test } from 'vitest';
import { applyStatusChange } from '#functions/off-ramps/apply-status-change/apply-status-change.ts';
import { changeOperation } from '#functions/off-ramps/apply-status-change/change-operation.ts';
import { type OffRamp, type OperationStatus, operationStatuses } from '#shared/off-ramps/model/off-ramp.ts';
import { createContradictionRepository } from '#shared/off-ramps/transitions/keep-contradiction.ts';
import { handleEachMessage } from '#shared/platform/aws/messages.ts';
import { systemClock } from '#shared/platform/clock.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { expectApiError } from '#test/support/expect-api-error.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { OPERATION } from '#test/support/ids.ts';
import { CREATED_AT, offRamp } from '#test/support/off-ramp.ts';
import { offRampsInMemory, TABLES } from '#test/support/off-ramps-in-memory.ts';

interface World {
  readonly operation?: OffRamp | undefined;
  /** Concurrent changes to the operation: one is written before each of the next writes. */
  readonly meanwhile?: readonly Partial<OffRamp>[];
}

/** The tables with one operation, and concurrent writers. */
function world({ operation, meanwhile = [] }: World) {
  const clock = fakeClock(CREATED_AT);
  const offRamps = offRampsInMemory(clock, ...(operation ? [operation] : []));
  const { dynamo, operations, change, kept, writes } = offRamps;
  const others = [...meanwhile];
  const apply = applyStatusChange(
    changeOperation({
      operations,
      endOperation: async (seen, end) => {
        const other = others.shift();
        if (other !== undefined) await change(other);
        return offRamps.endOperation(seen, end);
      },
      contradictions: createContradictionRepository(dynamo, TABLES, clock),
      findReturningDeposits: async () => [],
      clock,
    }),
  );
  const now = () => ({ sentAt: clock.now(), isRepeat: false });
  return {
    keptOperation: async (operationId = OPERATION) => (await kept(operationId)).operation,
    writes,
    change,
    receiveOperationStatus: (detail: object, source = 'payments.payouts') =>
      apply(envelope({ source, 'detail-type': 'operation.status', detail }), now()),
    clock,
    apply: (message: string) => apply(message, now()),
  };
}

/** A message as EventBridge puts it into the queue. */
function envelope(event: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({
    version: '0',
    id: '6a7e8feb-b491-4cf7-a9f1-bf3703467718',
    account: '000000000000',
    region: 'us-east-1',
    time: '2026-08-01T12:00:00Z',
    resources: [],
    ...event,
  });
}

const allowed: Readonly<Record<OperationStatus, readonly OperationStatus[]>> = {
  AWAITING_DEPOSIT: ['CANCELLED', 'FAILED'],
  PENDING: ['COMPLETED', 'CANCELLED', 'FAILED'],
  COMPLETED: [],
  CANCELLED: [],
  FAILED: [],
};

const bySource = ['payments.payouts', 'payments.compliance'] as const;

const matrix = operationStatuses.flatMap((from) =>
  operationStatuses.flatMap((to) => bySource.map((by) => ({ from, to, by, is: expectedOf(from, to, by) }))),
);

/** The immediate result of an event. Contradictions of the status and repeats are in contradictions.test.ts. */
function expectedOf(from: OperationStatus, to: OperationStatus, by: string) {
  if (to === 'COMPLETED' && by !== 'payments.payouts') return 'refused';
  if (allowed[from].includes(to)) return 'applied';
  if (from === to) return 'repeated';
  if (to === 'AWAITING_DEPOSIT' || to === 'PENDING') return 'refused';
  if (from === 'AWAITING_DEPOSIT') return 'too early';
  return from === 'COMPLETED' || to === 'COMPLETED' ? 'contradicting' : 'repeated';
}

const those = (is: ReturnType<typeof expectedOf>) => matrix.filter((one) => one.is === is);

const EVENT = 'event-1';

describe('decisions 4: what other services may do to an operation', () => {
  test.each(those('applied'))('$from becomes $to when $by says so', async ({ from, to, by }) => {
    const lines = captureLogs();
    const { receiveOperationStatus, keptOperation } = world({ operation: offRamp({ status: from }) });
    await receiveOperationStatus({ operationId: OPERATION, eventId: EVENT, status: to, reason: 'BECAUSE' }, by);
    expect(await keptOperation()).toMatchObject({ status: to, sequence: 2, endedBy: EVENT });
    expect(await keptOperation()).toMatchObject({ endedAt: CREATED_AT, endReason: 'BECAUSE' });
    const fields = { operationId: OPERATION, eventId: EVENT, by, from, to };
    expect(lines).toEqual([{ level: 'info', code: 'STATUS_CHANGED', fields }]);
  });

  test('a payout says how many seconds after the credit it came', async () => {
    const lines = captureLogs();
    const { receiveOperationStatus, clock } = world({
      operation: offRamp({ status: 'PENDING', creditedAt: CREATED_AT }),
    });
    clock.advance(90);
    await receiveOperationStatus({ operationId: OPERATION, eventId: EVENT, status: 'COMPLETED' });
    expect(lines).toMatchObject([{ code: 'STATUS_CHANGED', fields: { to: 'COMPLETED', secondsToPayout: 90 } }]);
  });

  test('an end without a payout does not count as one', async () => {
    const lines = captureLogs();
    const { receiveOperationStatus } = world({ operation: offRamp({ status: 'PENDING', creditedAt: CREATED_AT }) });
    await receiveOperationStatus({ operationId: OPERATION, eventId: EVENT, status: 'FAILED' });
    expect(lines.find(({ code }) => code === 'STATUS_CHANGED')?.fields['secondsToPayout']).toBeUndefined();
  });

  test.each(those('repeated'))('$from changes nothing when $by says $to', async ({ from, to, by }) => {
    const lines = captureLogs();
    const { receiveOperationStatus, writes } = world({ operation: offRamp({ status: from }) });
    await receiveOperationStatus({ operationId: OPERATION, eventId: EVENT, status: to }, by);
    expect(writes()).toBe(0);
    expect(lines.map(({ level, code }) => [level, code])).toEqual([['info', 'STATUS_CHANGE_REPEATED']]);
  });

  test.each(those('too early'))(
    '$from to $to comes again, until the confirmation of the deposit is seen: $by',
    async ({ from, to, by }) => {
      const lines = captureLogs();
      const { receiveOperationStatus, keptOperation, change, writes } = world({ operation: offRamp({ status: from }) });
      const tell = () => receiveOperationStatus({ operationId: OPERATION, eventId: EVENT, status: to }, by);
      await expect(tell()).rejects.toThrow('Its status is AWAITING_DEPOSIT');
      expect({ writes: writes(), lines }).toEqual({ writes: 0, lines: [] });
      await change({ status: 'PENDING' });
      await tell();
      expect(await keptOperation()).toMatchObject({ status: to });
    },
  );

  test.each(those('refused'))(
    '$from to $to is refused with an error for somebody to look at, and done with: $by',
    async ({ from, to, by }) => {
      const lines = captureLogs();
      const { receiveOperationStatus, writes } = world({ operation: offRamp({ status: from }) });
      await receiveOperationStatus({ operationId: OPERATION, eventId: EVENT, status: to }, by);
      expect(writes()).toBe(0);
      const fields = { operationId: OPERATION, eventId: EVENT, by, from, to };
      expect(lines).toEqual([{ level: 'error', code: 'STATUS_CHANGE_REFUSED', fields }]);
    },
  );

  test.each(those('contradicting'))(
    '$from to $to is kept, with an error for somebody to look at: $by',
    async ({ from, to, by }) => {
      const lines = captureLogs();
      const { receiveOperationStatus, keptOperation } = world({ operation: offRamp({ status: from }) });
      await receiveOperationStatus(
        { operationId: OPERATION, eventId: EVENT, status: to, payout: { reference: 'P-2' } },
        by,
      );
      expect(await keptOperation()).toMatchObject({
        status: from,
        sequence: 2,
        contradictedSince: CREATED_AT,
        contradictions: [{ eventId: EVENT, status: to, source: by, payout: { reference: 'P-2' }, at: CREATED_AT }],
      });
      const fields = { operationId: OPERATION, eventId: EVENT, by, from, to };
      expect(lines).toEqual([{ level: 'error', code: 'STATUS_CHANGE_CONTRADICTED', fields }]);
    },
  );

  test('an unknown operation is refused', async () => {
    const lines = captureLogs();
    await world({}).receiveOperationStatus({ operationId: OPERATION, status: 'FAILED' });
    expect(lines.map(({ level, code }) => [level, code])).toEqual([['error', 'STATUS_CHANGE_REFUSED']]);
  });
});

describe('decisions 4: a status is applied whatever its reason is', () => {
  const toldReason = async (reason: unknown) => {
    captureLogs();
    const { receiveOperationStatus, keptOperation } = world({ operation: offRamp({ status: 'PENDING' }) });
    await receiveOperationStatus({ operationId: OPERATION, status: 'COMPLETED', reason });
    expect((await keptOperation()).status).toBe('COMPLETED');
    return (await keptOperation()).endReason;
  };

  test.each([undefined, null, '', 4711, false, { code: 'X' }])('%j is no reason', async (reason) => {
    expect(await toldReason(reason)).toBeUndefined();
  });

  test.each(['X', ' ', 'x'.repeat(255), '😀'.repeat(255)])('%j is read by the client as it is', async (reason) => {
    expect(await toldReason(reason)).toBe(reason);
  });

  test.each(['x', 'é', '😀'])('more than 255 times %s is cut to 255 whole characters', async (character) => {
    expect(await toldReason(character.repeat(256))).toBe(character.repeat(255));
    expect(await toldReason(`x${character.repeat(100_000)}`)).toBe(`x${character.repeat(254)}`);
  });
});

describe('decisions 4: a lost race is decided again on what won it', () => {
  const race = async (told: OperationStatus, seen: OperationStatus, winner: Partial<OffRamp>) => {
    const lines = captureLogs();
    const { receiveOperationStatus, keptOperation, writes } = world({
      operation: offRamp({ status: seen }),
      meanwhile: [winner],
    });
    await receiveOperationStatus({ operationId: OPERATION, status: told });
    return { status: (await keptOperation()).status, writes: writes(), codes: lines.map(({ code }) => code) };
  };

  test('a failure still applies when a deposit was confirmed meanwhile', async () => {
    expect(await race('FAILED', 'AWAITING_DEPOSIT', { status: 'PENDING' })).toMatchObject({ status: 'FAILED' });
  });

  test('what was applied meanwhile is a repeat', async () => {
    expect(await race('COMPLETED', 'PENDING', { status: 'COMPLETED' })).toEqual({
      status: 'COMPLETED',
      writes: 0,
      codes: ['STATUS_CHANGE_REPEATED'],
    });
  });

  test('one that an operation that ended otherwise meanwhile does not allow is kept', async () => {
    expect(await race('COMPLETED', 'PENDING', { status: 'FAILED' })).toEqual({
      status: 'FAILED',
      writes: 1,
      codes: ['STATUS_CHANGE_CONTRADICTED'],
    });
  });

  test('a race that does not end brings the message back', async () => {
    const { receiveOperationStatus } = world({
      operation: offRamp(),
      meanwhile: Array.from({ length: 100 }, () => ({})),
    });
    const error = await expectApiError(() => receiveOperationStatus({ operationId: OPERATION, status: 'FAILED' }));
    expect(error.code).toBe('SERVICE_UNAVAILABLE');
  });
});

describe('an event that cannot be read comes again, and ends with the dead letters', () => {
  const operation = { source: 'payments.payouts', 'detail-type': 'operation.status' };
  const told = { operationId: OPERATION, status: 'FAILED' };

  test.each([
    ['no JSON', 'x'],
    ['no event', '[]'],
    ['of another type', envelope({ ...operation, 'detail-type': 'operation.closed', detail: told })],
    ['of another service', envelope({ ...operation, source: 'payments.ramp', detail: told })],
    ['without an operation', envelope({ ...operation, detail: { status: 'FAILED' } })],
    ['with an id that is none', envelope({ ...operation, detail: { ...told, operationId: 'x' } })],
    ['with an unknown status', envelope({ ...operation, detail: { ...told, status: 'DONE' } })],
  ])('%s', async (_, message) => {
    const lines = captureLogs();
    const { apply, writes } = world({ operation: offRamp() });
    const eventSourceARN = 'arn:aws:sqs:us-east-1:000000000000:told';
    const handled = await handleEachMessage('apply-status-change', systemClock, (body) => apply(body))({
      Records: [
        { messageId: 'broken', body: message, eventSourceARN },
        { messageId: 'good', body: envelope({ ...operation, detail: told }), eventSourceARN },
      ],
    });
    expect(handled).toEqual({ batchItemFailures: [{ itemIdentifier: 'broken' }] });
    expect(writes()).toBe(1);
    expect(lines.map(({ code }) => code).sort()).toEqual(['MESSAGE_FAILED', 'MESSAGE_HANDLED', 'STATUS_CHANGED']);
  });
});
