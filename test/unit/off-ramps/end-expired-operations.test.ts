import { describe, expect, test } from 'vitest';
import { endExpiredOperations } from '#functions/off-ramps/end-expired-operations/end-expired-operations.ts';
import type { Network } from '#shared/networks/network.ts';
import { CustodianUnavailable, type FindTransfers, NotServed } from '#shared/off-ramps/custodians/custodian.ts';
import { arrivingKey } from '#shared/off-ramps/model/deposit.ts';
import type { OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import { createDepositRepository } from '#shared/off-ramps/store/deposit-repository.ts';
import { createListExpired } from '#shared/off-ramps/store/off-ramp-lists.ts';
import { createIsDepositOnItsWay } from '#shared/off-ramps/transitions/deposit-on-its-way.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { CLIENT, OPERATION, STRANGER } from '#test/support/ids.ts';
import { CREATED_AT, ENDS_AT, EXPIRES_AT, HASH, offRamp, onEveryNetwork, transfer } from '#test/support/off-ramp.ts';
import { offRampsInMemory, TABLES } from '#test/support/off-ramps-in-memory.ts';

const nothingThere: FindTransfers = async () => [];
const OPERATION_RECORD = { operationId: OPERATION, record: 'OPERATION' };
const hourLater = new Date(Date.parse(ENDS_AT) + 3600_000).toISOString();
const lastMoment = new Date(Date.parse(ENDS_AT) - 1).toISOString();

/** An operation without any event since its creation, at the time at which it ends. */
function world(
  findTransfers = nothingThere,
  differences: Partial<OffRamp> = {},
  custodians: ReadonlyMap<Network, unknown> = onEveryNetwork({}),
) {
  const clock = fakeClock(CREATED_AT);
  const offRamps = offRampsInMemory(clock, offRamp(differences));
  const { dynamo, operations, endOperation, searches, table, beginAttempt, kept } = offRamps;
  const deposits = createDepositRepository(dynamo, TABLES.deposits, clock);
  const asked: unknown[] = [];
  const ask: FindTransfers = (query) => {
    asked.push(query);
    return findTransfers(query);
  };
  const sweep = endExpiredOperations({
    listExpired: createListExpired(dynamo, TABLES.operations),
    listClientIds: async () => [CLIENT],
    custodians,
    operations,
    isDepositOnItsWay: createIsDepositOnItsWay({
      deposits,
      searches,
      findTransfers: ask,
      clock,
      isCancel: false,
    }),
    endOperation,
    clock,
    endsAfterHours: 720,
  });
  /** Reports the hash; its window ends as usual, unless it is open. */
  const report = async ({ isOpen = false } = {}) => {
    await beginAttempt(await kept(), { txHash: HASH, windowEndsAt: EXPIRES_AT });
    if (isOpen) return;
    const record = { operationId: OPERATION, record: 'VERIFICATION' };
    const { nextCheckAt: _, dueShard: __, ...ended } = table(TABLES.operations).find(record) ?? {};
    table(TABLES.operations).put(ended);
  };
  const statusAt = async (at: string) => {
    clock.set(at);
    await sweep();
    return (await kept()).operation.status;
  };
  return { ...offRamps, sweep, report, statusAt, asked, clock };
}

describe('decisions 4, an unpaid off-ramp ends', () => {
  test('at its endsAt, not before: CANCELLED with the reason EXPIRED, and its client hears of it', async () => {
    const { statusAt, kept, told } = world();
    expect(await statusAt(lastMoment)).toBe('AWAITING_DEPOSIT');
    expect(await statusAt(ENDS_AT)).toBe('CANCELLED');
    const { operation } = await kept();
    expect(operation).toMatchObject({ status: 'CANCELLED', endedAt: ENDS_AT, endReason: 'EXPIRED' });
    const changed = { status: 'CANCELLED', previousStatus: 'AWAITING_DEPOSIT' };
    expect(told()).toContainEqual(expect.objectContaining({ data: expect.objectContaining(changed) }));
  });

  test('at its own endsAt, whatever the setting of the stage is by now', async () => {
    const later = '2026-09-05T12:00:00.000Z';
    const { statusAt } = world(nothingThere, { endsAt: later });
    expect(await statusAt(ENDS_AT)).toBe('AWAITING_DEPOSIT');
    expect(await statusAt(later)).toBe('CANCELLED');
  });

  test('later if something holds it up: it is tried each minute for ten minutes, and then each hour', async () => {
    const { report, sweep, clock } = world();
    await report({ isOpen: true });
    const triedIn: number[] = [];
    for (let minute = -1; minute <= 180; minute += 1) {
      clock.set(new Date(Date.parse(ENDS_AT) + minute * 60_000 + 5000).toISOString());
      if ((await sweep()) > 0) triedIn.push(minute);
    }
    expect(triedIn).toEqual([...Array(10).keys(), 60, 120, 180]);
  });

  test('with the hash that it declared, whose window is over: the hash is free, and looked for from then on', async () => {
    const { statusAt, report, findClaimant, searches, asked } = world();
    await report();
    expect(await statusAt(ENDS_AT)).toBe('CANCELLED');
    expect(asked).toEqual([
      { network: 'ETHEREUM', txHash: HASH, since: CREATED_AT, isReported: true, reportedBy: CLIENT },
    ]);
    expect(await findClaimant('DECLARED', HASH)).toBeUndefined();
    expect(await searches.find(`HASH#${CLIENT}#ETHEREUM#${HASH}`)).toMatchObject({ txHash: HASH, startsAt: ENDS_AT });
  });

  test('not while its hash is being verified', async () => {
    const { statusAt, report, asked } = world();
    await report({ isOpen: true });
    expect(await statusAt(ENDS_AT)).toBe('AWAITING_DEPOSIT');
    expect(asked).toEqual([]);
  });

  test('not while a submission is half written', async () => {
    const { statusAt, change } = world();
    await change({ attempt: 1, txHash: HASH });
    expect(await statusAt(ENDS_AT)).toBe('AWAITING_DEPOSIT');
  });

  test('with half of a submission that a restore has left: an hour later it no longer counts as under way', async () => {
    const { statusAt, change, findClaimant, asked } = world();
    await change({ attempt: 1, txHash: HASH });
    expect(await statusAt(hourLater)).toBe('CANCELLED');
    expect(asked).toMatchObject([{ txHash: HASH }]);
    expect(await findClaimant('DECLARED', HASH)).toBeUndefined();
  });

  test.each(['PENDING', 'COMPLETED', 'CANCELLED', 'FAILED'] as const)(
    'not one that is %s, though the index still has it',
    async (status) => {
      const { statusAt, table, kept } = world(nothingThere, { status });
      table(TABLES.operations).put({ ...table(TABLES.operations).find(OPERATION_RECORD), awaitingShard: CLIENT });
      expect(await statusAt(ENDS_AT)).toBe(status);
      expect((await kept()).operation.sequence).toBe(1);
    },
  );
});

describe('decisions 4, an unpaid off-ramp ends: a deposit that it awaits hinders it', () => {
  test.each(['UNCONFIRMED', 'HELD'] as const)('while it is on its way: %s', async (state) => {
    const { statusAt, table } = world();
    const seen = transfer({ state });
    const at = { firstNotifiedAt: CREATED_AT, lastNotifiedAt: CREATED_AT };
    const { custodianTransferId, network, txHash } = seen;
    const deposit = { custodianTransferId, network, txHash, ...at, transfer: seen, arrivingAt: arrivingKey(seen) };
    table(TABLES.deposits).put(deposit);
    expect(await statusAt(ENDS_AT)).toBe('AWAITING_DEPOSIT');
    const { arrivingAt: _, ...failed } = deposit;
    table(TABLES.deposits).put({ ...failed, transfer: { ...seen, state: 'FAILED' } });
    expect(await statusAt(ENDS_AT)).toBe('CANCELLED');
  });

  test('as long as the custodian does not answer, about which the sweep calls nobody', async () => {
    const lines = captureLogs();
    const { statusAt, report } = world(() => Promise.reject(new CustodianUnavailable('timeout')));
    await report();
    expect(await statusAt(ENDS_AT)).toBe('AWAITING_DEPOSIT');
    expect(lines).toEqual([]);
  });

  test.each([
    ['a fault of one stops no other', new Error('unauthorized')],
    ['a custodian that the settings have no more never answers', new NotServed('No custodian serves ETHEREUM here.')],
  ])('%s, and is an error', async (_, error) => {
    const lines = captureLogs();
    const { statusAt, report } = world(() => Promise.reject(error));
    await report();
    expect(await statusAt(ENDS_AT)).toBe('AWAITING_DEPOSIT');
    const fields = { operationId: OPERATION, cause: expect.stringContaining(error.message) };
    expect(lines).toMatchObject([{ level: 'error', code: 'OPERATION_NOT_ENDED', fields }]);
  });
});

test('decisions 4: one without a hash does not end on a network that the settings have no more, and is an error', async () => {
  const lines = captureLogs();
  const { statusAt } = world(nothingThere, {}, new Map());
  expect(await statusAt(ENDS_AT)).toBe('AWAITING_DEPOSIT');
  const fields = { operationId: OPERATION, cause: expect.stringContaining('No custodian serves ETHEREUM here.') };
  expect(lines).toMatchObject([{ level: 'error', code: 'OPERATION_NOT_ENDED', fields }]);
});

describe('decisions 4, an unpaid off-ramp ends: the first write decides', () => {
  test.each([
    ['a confirmation', 'PENDING'],
    ['a cancellation', 'CANCELLED'],
  ] as const)('%s between its read and its end wins', async (_, status) => {
    const lines = captureLogs();
    const { statusAt, beforeNextWrite, table, kept } = world();
    const overtake = () => {
      const item = table(TABLES.operations).find(OPERATION_RECORD);
      table(TABLES.operations).put({ ...item, status, sequence: 2 });
    };
    beforeNextWrite(TABLES.operations, overtake);
    expect(await statusAt(ENDS_AT)).toBe(status);
    expect((await kept()).operation.endedAt).toBeUndefined();
    expect(lines).toEqual([]);
  });

  test('clients take turns: one with a thousand that are over holds up nobody', async () => {
    const clock = fakeClock(ENDS_AT);
    const idsOf = (clientId: string, count: number) =>
      Array.from({ length: count }, (_, index) => `${clientId}-${index}`);
    const ended: string[] = [];
    const others = idsOf(STRANGER, 20);
    const expired = new Map([
      [CLIENT, idsOf(CLIENT, 1000)],
      [STRANGER, others],
    ]);
    await endExpiredOperations({
      listExpired: async function* (clientId) {
        for (const operationId of expired.get(clientId) ?? []) yield { operationId, expiresAt: EXPIRES_AT };
      },
      listClientIds: async () => [CLIENT, STRANGER],
      custodians: onEveryNetwork({}),
      operations: {
        findWithVerification: async (operationId) => ({ operation: offRamp({ operationId }), verification: undefined }),
      },
      isDepositOnItsWay: async () => false,
      endOperation: async (operation) => {
        clock.advance(1);
        ended.push(operation.operationId);
        return operation;
      },
      clock,
      endsAfterHours: 720,
    })();
    expect(ended).toEqual(expect.arrayContaining(others));
    expect(ended.length).toBeLessThan(100);
  });
});
