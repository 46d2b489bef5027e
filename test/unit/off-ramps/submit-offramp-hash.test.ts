import { describe, expect, test } from 'vitest';
import { submitOfframpHash } from '#functions/off-ramps/submit-offramp-hash/submit-offramp-hash.ts';
import { submitOfframpHashContract } from '#shared/off-ramps/contract/off-ramp-hash-contract.ts';
import type { OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import { executionName, type Verification } from '#shared/off-ramps/model/verification.ts';
import { createFurtherReports, createRefusedReports } from '#shared/off-ramps/store/hash-searches.ts';
import { AttemptRefused } from '#shared/off-ramps/transitions/begin-attempt.ts';
import { createRestartOverdue } from '#shared/off-ramps/transitions/verification-executions.ts';
import { WriteConflict } from '#shared/platform/dynamodb/transaction.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { allowancesInMemory } from '#test/support/allowances-in-memory.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { expectApiError } from '#test/support/expect-api-error.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { CLIENT, OPERATION, STRANGER, USER } from '#test/support/ids.ts';
import { CREATED_AT, EXPIRES_AT, HASH, OTHER_HASH, offRamp } from '#test/support/off-ramp.ts';
import { offRampsInMemory, TABLES } from '#test/support/off-ramps-in-memory.ts';
import { routeCall } from '#test/support/route-call.ts';

const LATE_WINDOW_SECONDS = 1800;

/** An operation in tables in memory, and the executions started for it. */
function world(differences: Partial<OffRamp> = {}, mostPerDay = 1000) {
  const clock = fakeClock(CREATED_AT);
  const allowances = allowancesInMemory(clock, 'reports', mostPerDay);
  const offRamps = offRampsInMemory(clock, offRamp(differences));
  const { operations, verifications, kept, change, changeVerification, claim } = offRamps;
  /** Hashes that were handed over to the search for deposits. */
  const searched: unknown[] = [];
  /** Names of started executions. */
  const executions = new Set<string>();
  /** Errors of the next writes and starts; each is made at that moment, so that it can change the world first. */
  const faults: { begin: (() => Error | Promise<Error>)[]; start: Error[]; search: Error[] } = {
    begin: [],
    start: [],
    search: [],
  };
  const begun: Verification[] = [];
  const startExecution = async (verification: Verification) => {
    const fault = faults.start.shift();
    if (fault !== undefined) throw fault;
    executions.add(executionName(verification));
    return 'RUNNING' as const;
  };
  const useCase = submitOfframpHash({
    operations,
    countCall: allowances.countCall,
    beginAttempt: async (seen, attempt) => {
      const fault = faults.begin.shift();
      if (fault !== undefined) throw await fault();
      const next = await offRamps.beginAttempt(seen, attempt);
      begun.push(next);
      return next;
    },
    hashSearches: {
      async start(hash, now) {
        const fault = faults.search.shift();
        if (fault !== undefined) throw fault;
        searched.push(hash);
        return await offRamps.searches.start(hash, now);
      },
    },
    furtherReports: createFurtherReports(offRamps.dynamo, TABLES.deposits, clock),
    refusedReports: createRefusedReports(offRamps.dynamo, TABLES.deposits, clock),
    startExecution,
    restartOverdue: createRestartOverdue({ verifications, startExecution, clock }),
    clock,
    lateWindowSeconds: LATE_WINDOW_SECONDS,
  });
  const submit = (txHash: unknown, caller: { clientId?: string; userId?: string; operationId?: string } = {}) => {
    const { clientId = CLIENT, userId = USER, operationId = OPERATION } = caller;
    return useCase(
      routeCall(submitOfframpHashContract, { user_id: userId, operation_id: operationId }, { txHash }, { clientId }),
    );
  };
  return {
    submit,
    useCase,
    clock,
    allowances,
    begun,
    executions,
    faults,
    searched,
    kept,
    change,
    changeVerification,
    claim,
  };
}

const accepted = { body: { operationId: OPERATION, txHash: HASH, status: 'VERIFYING' } };

describe('interface 4.3: a first submission', () => {
  test('answers the operation, the hash as stored and VERIFYING, and starts the verification', async () => {
    const { submit, begun, executions } = world();
    expect(await submit(HASH)).toEqual(accepted);
    expect(begun).toMatchObject([{ attempt: 1, txHash: HASH, windowEndsAt: EXPIRES_AT }]);
    expect([...executions]).toEqual([`${OPERATION}-1`]);
  });
});

describe('interface 7: 404, 422, 409, in this order (decisions 3)', () => {
  const outcome = async (action: Promise<unknown>) => {
    const { status, code } = await expectApiError(() => action);
    return `${status} ${code}`;
  };

  test.each([
    ['of another client', { clientId: STRANGER }],
    ['of another user of the client', { userId: STRANGER }],
    ['that does not exist', { operationId: STRANGER }],
  ])('404 for an operation %s, whatever the body', async (_, caller) => {
    const { submit, change, begun } = world();
    await change({ status: 'PENDING' });
    expect(await outcome(submit(undefined, caller))).toBe('404 OFF_RAMP_NOT_FOUND');
    expect(await outcome(submit(HASH, caller))).toBe('404 OFF_RAMP_NOT_FOUND');
    expect(begun).toEqual([]);
  });

  test('the body is not read before the operation is found', async () => {
    const { useCase } = world();
    const body = () => {
      throw new ApiError(apiErrors.MALFORMED_JSON);
    };
    const call = { ...routeCall(submitOfframpHashContract, {}, {}, { clientId: STRANGER }), body };
    expect(await outcome(useCase(call))).toBe('404 OFF_RAMP_NOT_FOUND');
    expect(await outcome(useCase({ ...call, clientId: CLIENT }))).toBe('400 MALFORMED_JSON');
  });

  test.each([undefined, null, 7, '', 'x', '0x', HASH.slice(2), `${HASH}0`])(
    '422 for the hash %j, whatever the status of the operation',
    async (txHash) => {
      const { submit, change } = world();
      await change({ status: 'PENDING' });
      expect(await outcome(submit(txHash))).toBe('422 VALIDATION_FAILED');
    },
  );

  test.each(['PENDING', 'COMPLETED', 'CANCELLED', 'FAILED'] as const)(
    '409 for an operation that is %s, before the hash is looked up',
    async (status) => {
      const { submit, change, claim, begun, executions } = world();
      await change({ status });
      claim('DECLARED', HASH, STRANGER);
      expect(await outcome(submit(HASH))).toBe('409 OPERATION_NOT_AWAITING_DEPOSIT');
      expect([begun, executions.size]).toEqual([[], 0]);
    },
  );

  test('409 for the hash that it declared itself, once the operation no longer awaits a deposit', async () => {
    const { submit, change } = world();
    await submit(HASH);
    await change({ status: 'PENDING', verifiedTxHash: HASH });
    expect(await outcome(submit(HASH))).toBe('409 OPERATION_NOT_AWAITING_DEPOSIT');
  });

  test('409 for a hash that is declared for another operation, once it is looked for (decisions 4, a report that loses)', async () => {
    const { submit, claim, executions, searched } = world();
    claim('DECLARED', HASH, STRANGER);
    expect(await outcome(submit(` ${HASH.toUpperCase().replace('0X', '0x')}`))).toBe('409 TX_HASH_ALREADY_DECLARED');
    expect(executions.size).toBe(0);
    expect(searched).toEqual([{ clientId: CLIENT, network: 'ETHEREUM', txHash: HASH }]);
  });

  test('a notice once an hour of a client of whom more than 100 reports lose (decisions 4, a report that loses)', async () => {
    const lines = captureLogs();
    const { submit, claim, clock } = world();
    claim('DECLARED', HASH, STRANGER);
    const lose = async (times: number) => {
      for (let made = 0; made < times; made += 1) await expectApiError(() => submit(HASH));
    };
    await lose(100);
    expect(lines).toEqual([]);
    await lose(5);
    const notice = { level: 'warn', code: 'MANY_REPORTS_REFUSED', fields: { clientId: CLIENT } };
    expect(lines).toEqual([notice]);
    clock.advance(3600);
    await lose(101);
    expect(lines).toEqual([notice, notice]);
  });

  test.each(['CANCELLED', 'FAILED', 'COMPLETED'] as const)(
    '409 for a hash that is reported after the operation is %s, once it is looked for, ten times a day (decisions 4, a report after the end)',
    async (status) => {
      const { submit, change, faults, searched, clock } = world();
      await change({ status });
      faults.search.push(new Error('throttled'));
      expect(await outcome(submit(HASH))).toBe('503 SERVICE_UNAVAILABLE');
      expect(await outcome(submit(HASH))).toBe('409 OPERATION_NOT_AWAITING_DEPOSIT');
      expect(searched).toEqual([{ clientId: CLIENT, network: 'ETHEREUM', txHash: HASH }]);
      for (let made = 0; made < 20; made += 1) {
        expect(await outcome(submit(OTHER_HASH))).toBe('409 OPERATION_NOT_AWAITING_DEPOSIT');
      }
      expect(searched).toHaveLength(9);
      clock.advance(12 * 3600);
      await outcome(submit(OTHER_HASH));
      expect(searched).toHaveLength(10);
    },
  );

  test('409 for the verified hash of an operation, which is not looked for: its deposit is known', async () => {
    const { submit, change, searched } = world();
    await change({ status: 'COMPLETED', verifiedTxHash: HASH });
    expect(await outcome(submit(HASH))).toBe('409 OPERATION_NOT_AWAITING_DEPOSIT');
    expect(searched).toEqual([]);
  });

  test('503 when the search cannot be written, and the same call writes it', async () => {
    const { submit, claim, faults, searched } = world();
    claim('DECLARED', HASH, STRANGER);
    faults.search.push(new Error('throttled'));
    const { status, code, retryAfterSeconds } = await expectApiError(() => submit(HASH));
    expect([status, code, retryAfterSeconds]).toEqual([503, 'SERVICE_UNAVAILABLE', 1]);
    expect(await outcome(submit(HASH))).toBe('409 TX_HASH_ALREADY_DECLARED');
    expect(searched).toHaveLength(1);
  });

  test('409 for a hash that funds another operation, which is not searched for: its deposit is known', async () => {
    const { submit, claim, searched } = world();
    claim('DECLARED', HASH, STRANGER);
    claim('FUNDED', HASH, STRANGER);
    expect(await outcome(submit(HASH))).toBe('409 TX_HASH_ALREADY_DECLARED');
    expect(searched).toEqual([]);
  });
});

describe('interface 4.3 rule 3: resubmitting', () => {
  test('the same hash while its window is open is idempotent: no second attempt, no second execution', async () => {
    const { submit, begun, executions, clock } = world();
    await submit(HASH);
    clock.advance(3600);
    expect(await submit(HASH)).toEqual(accepted);
    expect(await submit(` ${HASH.toUpperCase().replace('0X', '0x')}`)).toEqual(accepted);
    expect(begun).toHaveLength(1);
    expect(executions.size).toBe(1);
  });

  test('the same hash is searched for at once when its next poll is more than a minute away, ten times a day', async () => {
    const { submit, searched, changeVerification, clock } = world();
    await submit(HASH);
    const nextIn = (seconds: number) =>
      changeVerification({ nextCheckAt: new Date(clock.now().getTime() + seconds * 1000).toISOString() });
    await nextIn(60);
    expect(await submit(HASH)).toEqual(accepted);
    expect(searched).toEqual([]);
    await nextIn(61);
    for (let report = 0; report < 11; report += 1) expect(await submit(HASH)).toEqual(accepted);
    expect(searched).toEqual(Array(10).fill({ clientId: CLIENT, network: 'ETHEREUM', txHash: HASH }));
  });

  test('the same hash is answered when it cannot be searched for: its verification goes on', async () => {
    const { submit, faults, searched, changeVerification } = world();
    await submit(HASH);
    await changeVerification({ nextCheckAt: EXPIRES_AT });
    faults.search.push(new Error('throttled'));
    expect(await submit(HASH)).toEqual(accepted);
    expect(searched).toEqual([]);
  });

  test('the same hash again uses up no search for reports after the end', async () => {
    const { submit, searched, change, changeVerification } = world();
    await submit(HASH);
    await changeVerification({ nextCheckAt: EXPIRES_AT });
    for (let report = 0; report < 10; report += 1) await submit(HASH);
    await change({ status: 'PENDING', verifiedTxHash: HASH });
    await expect(submit(OTHER_HASH)).rejects.toThrow(ApiError);
    expect(searched.at(-1)).toMatchObject({ txHash: OTHER_HASH });
  });

  test('the same hash is answered, and not searched for, when its client has no report left for today', async () => {
    const { submit, searched, changeVerification } = world({}, 2);
    await submit(HASH);
    await changeVerification({ nextCheckAt: EXPIRES_AT });
    for (let report = 0; report < 3; report += 1) expect(await submit(HASH)).toEqual(accepted);
    expect(searched).toHaveLength(1);
  });

  test('another hash corrects it: attempt + 1, in a new execution, until expiresAt', async () => {
    const { submit, begun, executions, kept, clock } = world();
    await submit(HASH);
    clock.advance(3600);
    expect((await submit(OTHER_HASH)).body.txHash).toBe(OTHER_HASH);
    expect(begun).toMatchObject([{ attempt: 1 }, { attempt: 2, txHash: OTHER_HASH, windowEndsAt: EXPIRES_AT }]);
    expect([...executions]).toEqual([`${OPERATION}-1`, `${OPERATION}-2`]);
    expect((await kept()).operation.txHash).toBe(OTHER_HASH);
  });
});

describe('interface 4.3 rule 2: after expiresAt a new submission triggers a new verification', () => {
  test('of the same hash, for 30 minutes', async () => {
    const { submit, begun, executions, clock } = world();
    await submit(HASH);
    clock.set('2026-08-03T12:00:00.000Z');
    expect(await submit(HASH)).toEqual(accepted);
    expect(begun.at(-1)).toMatchObject({ attempt: 2, windowEndsAt: '2026-08-03T12:30:00.000Z' });
    expect(executions.size).toBe(2);
  });

  test('of a first hash, for 30 minutes', async () => {
    const { submit, begun, clock } = world();
    clock.set(EXPIRES_AT);
    await submit(HASH);
    expect(begun).toMatchObject([{ attempt: 1, windowEndsAt: '2026-08-02T12:30:00.000Z' }]);
  });

  test('and one only: the same hash is idempotent within the 30 minutes, after them it is not', async () => {
    const { submit, begun, clock } = world();
    clock.set('2026-08-03T12:00:00.000Z');
    await submit(HASH);
    clock.set('2026-08-03T12:29:59.999Z');
    await submit(HASH);
    expect(begun).toHaveLength(1);
    clock.set('2026-08-03T12:30:00.000Z');
    await submit(HASH);
    expect(begun).toHaveLength(2);
  });
});

describe('decisions 4, resubmitting: the execution', () => {
  test('that could not be started after the write still answers 202', async () => {
    const lines = captureLogs();
    const { submit, faults, kept } = world();
    faults.start.push(new Error('throttled'));
    expect(await submit(HASH)).toEqual(accepted);
    expect((await kept()).operation.txHash).toBe(HASH);
    expect(lines).toMatchObject([{ level: 'warn', code: 'VERIFICATION_START_FAILED' }]);
  });

  test('is started by the same call, once its first poll is 10 seconds overdue', async () => {
    captureLogs();
    const { submit, faults, begun, executions, clock } = world();
    faults.start.push(new Error('throttled'));
    await submit(HASH);
    clock.advance(10);
    expect(await submit(HASH)).toEqual(accepted);
    expect(executions.size).toBe(0);
    clock.advance(1);
    expect(await submit(HASH)).toEqual(accepted);
    expect([...executions]).toEqual([`${OPERATION}-1`]);
    expect(begun).toHaveLength(1);
  });

  test('whose state is unknown is left to the sweep', async () => {
    captureLogs();
    const { submit, begun, faults, clock } = world();
    await submit(HASH);
    clock.advance(600);
    faults.start.push(new Error('down'));
    expect(await submit(HASH)).toEqual(accepted);
    expect([begun.length, faults.start]).toEqual([1, []]);
  });

  test('whose last poll was made a moment before the window’s end is followed by a new attempt', async () => {
    const { submit, begun, clock, changeVerification } = world();
    await submit(HASH);
    clock.set('2026-08-02T11:59:59.500Z');
    await changeVerification({ nextCheckAt: undefined });
    await submit(HASH);
    expect(begun).toMatchObject([{ attempt: 1 }, { attempt: 2, windowEndsAt: EXPIRES_AT }]);
  });
});

describe('decisions 10, costly calls: reports of a day', () => {
  const REACHED = { status: 429, code: 'DAILY_LIMIT_REACHED' };

  test('end before anything is written', async () => {
    const { submit, begun } = world({}, 1);
    await submit(HASH);
    expect(await expectApiError(() => submit(OTHER_HASH))).toMatchObject(REACHED);
    expect(begun).toHaveLength(1);
  });

  test('count no submission of an open hash, which is answered when none is left', async () => {
    const { submit, allowances } = world({}, 1);
    await submit(HASH);
    expect(await submit(HASH)).toEqual(accepted);
    expect(allowances.items()).toMatchObject([{ used: 1 }]);
  });

  test('count nothing that is refused before anything is written', async () => {
    const { submit, change, allowances } = world();
    await expectApiError(() => submit('x'));
    await change({ attempt: 100 });
    expect(await expectApiError(() => submit(HASH))).toMatchObject({ code: 'TOO_MANY_ATTEMPTS' });
    await change({ status: 'PENDING', verifiedTxHash: HASH });
    expect(await expectApiError(() => submit(HASH))).toMatchObject({ code: 'OPERATION_NOT_AWAITING_DEPOSIT' });
    expect(allowances.items()).toEqual([]);
  });

  test('count a report that loses, because its hash is searched for', async () => {
    const { submit, claim, searched } = world({}, 1);
    claim('DECLARED', HASH, STRANGER);
    await expectApiError(() => submit(HASH));
    expect(await expectApiError(() => submit(HASH))).toMatchObject(REACHED);
    expect(searched).toHaveLength(1);
  });

  test.each([
    [1, 1],
    [1000, 10],
  ])('of %i count what comes too late as long as it is looked for, and it is 409 all the same', async (most, used) => {
    const { submit, searched, allowances } = world({ status: 'CANCELLED' }, most);
    for (let made = 0; made < 12; made += 1) {
      expect(await expectApiError(() => submit(HASH))).toMatchObject({ code: 'OPERATION_NOT_AWAITING_DEPOSIT' });
    }
    expect([searched.length, allowances.items()]).toMatchObject([used, [{ used }]]);
  });

  test('count the same hash again ten times a day, as often as it is searched for', async () => {
    const { submit, changeVerification, allowances } = world();
    await submit(HASH);
    await changeVerification({ nextCheckAt: EXPIRES_AT });
    for (let made = 0; made < 20; made += 1) await submit(HASH);
    expect(allowances.items()).toMatchObject([{ used: 11 }]);
  });

  test('count one report once, however often its write is tried, or if it is late after all', async () => {
    const { submit, faults, change, allowances } = world();
    faults.begin.push(
      () => new WriteConflict('operation'),
      async () => {
        await change({ status: 'CANCELLED' });
        return new WriteConflict('operation');
      },
    );
    await expectApiError(() => submit(HASH));
    expect(allowances.items()).toMatchObject([{ used: 1 }]);
  });
});

describe('decisions 4, writing an operation', () => {
  const conflict = () => new WriteConflict('operation');

  test('a lost write is read and decided again', async () => {
    const { submit, faults, begun } = world();
    faults.begin.push(conflict, conflict);
    expect(await submit(HASH)).toEqual(accepted);
    expect(begun).toHaveLength(1);
  });

  test('a report whose write was done although its answer was lost does not replace a correction that came after it', async () => {
    const { submit, faults, begun, kept } = world();
    faults.begin.push(async () => {
      await submit(HASH);
      await submit(OTHER_HASH);
      return conflict();
    });
    expect(await submit(HASH)).toEqual(accepted);
    expect(begun).toHaveLength(2);
    expect((await kept()).operation).toMatchObject({ txHash: OTHER_HASH, attempt: 2 });
  });

  test('a deposit that is confirmed meanwhile refuses the submission', async () => {
    const { submit, faults, change } = world();
    faults.begin.push(async () => {
      await change({ status: 'PENDING', verifiedTxHash: OTHER_HASH });
      return conflict();
    });
    expect((await expectApiError(() => submit(HASH))).code).toBe('OPERATION_NOT_AWAITING_DEPOSIT');
  });

  test.each([
    ['FUNDS_ANOTHER', 'TX_HASH_ALREADY_DECLARED'],
    ['DECLARED_ELSEWHERE', 'TX_HASH_ALREADY_DECLARED'],
    ['TOO_MANY_ATTEMPTS', 'TOO_MANY_ATTEMPTS'],
  ] as const)('an attempt that is refused (%s) is %s, and is not decided again', async (reason, code) => {
    const { submit, faults, begun } = world();
    faults.begin.push(() => new AttemptRefused(reason));
    expect((await expectApiError(() => submit(HASH))).code).toBe(code);
    expect(begun).toEqual([]);
  });
});
