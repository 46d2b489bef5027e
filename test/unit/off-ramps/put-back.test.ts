import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { serviceEvent } from '#shared/events/service-event.ts';
import { putBackContract } from '#shared/off-ramps/contract/operator-commands.ts';
import { type EndStatus, offRamp as stored } from '#shared/off-ramps/model/off-ramp.ts';
import { createCreditDeposit } from '#shared/off-ramps/transitions/credit-deposit.ts';
import { createEndOperation } from '#shared/off-ramps/transitions/end-operation.ts';
import { createPutBack } from '#shared/off-ramps/transitions/put-back-operation.ts';
import { retryOnConflict } from '#shared/platform/dynamodb/transaction.ts';
import { listAuditContract } from '#shared/platform/operators/audit-records.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { OPERATION, STRANGER } from '#test/support/ids.ts';
import { lookUpWorld } from '#test/support/look-up-world.ts';
import { CREATED_AT, DEPOSIT_ADDRESS, offRamp, RULES, transfer } from '#test/support/off-ramp.ts';
import { OPERATOR } from '#test/support/operators-world.ts';
import { tablesInMemory } from '#test/support/tables-in-memory.ts';

const SECOND = '77777777-7777-4777-8777-777777777777';
const TABLES = { operations: 'operations', hashes: 'hashes', deposits: 'deposits', events: 'events' };
const made = offRamp({ externalReference: 'order-17', derivation: { fingerprint: 'a1b2c3d4', path: '1/2' } });

/** The tables were restored to before the creation of an operation; its events were not. */
async function world() {
  captureLogs();
  const all = lookUpWorld();
  await all.create(made);
  const kept = { operations: all.table('operations').items(), hashes: all.table('hashes').items() };
  const restore = () => {
    all.table('operations').restore([]);
    all.table('hashes').restore([]);
  };
  const uncut = () => {
    all.table('operations').restore(kept.operations);
    all.table('hashes').restore(kept.hashes);
  };
  const end = async (status: EndStatus) => {
    const [item] = all.table('operations').items();
    return await createEndOperation(all.dynamo, TABLES, all.clock)(stored.parse(item), { status });
  };
  restore();
  return { ...all, kept, restore, uncut, end, putBack: () => all.change(putBackContract, { operationId: OPERATION }) };
}

describe('decisions 4, putting back: an operation that a restore has lost', () => {
  test('is restored from the event of its creation, with its address, and the audit names it', async () => {
    const { putBack, table, kept, lookAt, clock } = await world();
    const answer = await putBack();
    expect(answer).toMatchObject({ status: 200, body: { operationId: OPERATION, address: DEPOSIT_ADDRESS } });
    const putBackAt = clock.now().toISOString();
    expect(table('operations').items()).toEqual([{ ...kept.operations[0], putBackAt }]);
    expect(table('hashes').items()).toEqual(kept.hashes);
    const audit = await lookAt(listAuditContract, { about: OPERATION });
    expect(audit.body.items).toMatchObject([{ command: 'put-back', who: OPERATOR, result: 'DONE' }]);
  });

  test('is not told of what its event keeps beside its body', async () => {
    const { table } = await world();
    const [item] = table('events').items();
    expect(item?.['made']).toMatchObject({ address: DEPOSIT_ADDRESS, amount: made.amount });
    expect(Object.keys(serviceEvent.parse(item))).not.toContain('made');
    expect(item?.['body']).not.toContain(DEPOSIT_ADDRESS);
  });

  test.each(['CANCELLED', 'FAILED'] as const)(
    'that was %s before its deposit has that status again, after its last event, and keeps its address',
    async (status) => {
      const { putBack, table, kept, restore, uncut, end, clock } = await world();
      uncut();
      const { endedAt } = await end(status);
      restore();
      clock.advance(3600);
      expect((await putBack()).body).toMatchObject({ status, sequence: 2 });
      const { awaitingShard: _, ...item } = kept.operations[0] ?? {};
      const putBackAt = clock.now().toISOString();
      expect(table('operations').items()).toEqual([{ ...item, status, sequence: 2, endedAt, putBackAt }]);
      expect(table('hashes').items()).toEqual(kept.hashes);
    },
  );

  test('that was credited and has ended awaits its deposit, which comes again from the custodian', async () => {
    const { putBack, restore, uncut, end, dynamo, clock } = await world();
    uncut();
    await createCreditDeposit(dynamo, TABLES, clock, RULES)(OPERATION, transfer());
    await end('FAILED');
    restore();
    expect((await putBack()).body).toMatchObject({ status: 'AWAITING_DEPOSIT', sequence: 3 });
  });

  test('is put back again after a second restore, as it ended after the first one', async () => {
    const { putBack, restore, table, kept, end, clock } = await world();
    await putBack();
    expect((await end('CANCELLED')).status).toBe('CANCELLED');
    restore();
    clock.advance(3600);
    expect(await putBack()).toMatchObject({ status: 200, body: { status: 'CANCELLED', sequence: 2 } });
    expect(table('hashes').items()).toEqual(kept.hashes);
  });

  test('is put back once, when the answer to its write is lost and the SDK sends it again', async () => {
    const { table } = await world();
    const { dynamo, table: of } = tablesInMemory(1);
    of('events').restore(table('events').items());
    const put = createPutBack(dynamo, TABLES);
    const clock = fakeClock(CREATED_AT);
    expect(await retryOnConflict(clock, () => put(OPERATION, clock.now()))).toMatchObject({ outcome: 'PUT_BACK' });
    expect([of('operations').items().length, of('hashes').items().length]).toEqual([1, 1]);
  });

  test.each(['before', 'after'])(
    'is back once after a repeat of a call that broke off right %s its only write',
    async (when) => {
      const { dynamo, table, putBack } = await world();
      const stopped = new Error('The function was stopped.');
      const send = async (command: TransactWriteCommand) => {
        if (!(command instanceof TransactWriteCommand)) return dynamo.send(command);
        if (when === 'after') await dynamo.send(command);
        throw stopped;
      };
      const breaking = Object.assign(Object.create(dynamo), { send });
      await expect(createPutBack(breaking, TABLES)(OPERATION, new Date(CREATED_AT))).rejects.toThrow(stopped);
      const [first, second] = [await putBack(), await putBack()];
      expect([first.status, second]).toEqual([200, first]);
      expect(table('operations').items().length).toBe(1);
      expect(table('hashes').items()).toMatchObject([{ operationId: OPERATION }]);
    },
  );

  test('is back where its address was not lost', async () => {
    const { putBack, table, kept } = await world();
    table('hashes').restore(kept.hashes);
    expect((await putBack()).status).toBe(200);
    expect(table('hashes').items()).toEqual(kept.hashes);
  });

  test('takes the address of an earlier operation of its user that awaits nothing any more', async () => {
    const { putBack, put, table, kept } = await world();
    const paid = { status: 'COMPLETED', verifiedTxHash: `0x${'cd'.repeat(32)}` } as const;
    put(offRamp({ operationId: SECOND, createdAt: '2026-07-31T12:00:00.000Z', ...paid }));
    table('hashes').restore([{ ...kept.hashes[0], operationId: SECOND }]);
    expect((await putBack()).status).toBe(200);
    expect(table('hashes').items()).toEqual(kept.hashes);
  });

  test.each([
    ['another user’s', { userId: STRANGER, status: 'COMPLETED', createdAt: '2026-07-31T12:00:00.000Z' }],
    ['one of its user that awaits its deposit', { status: 'AWAITING_DEPOSIT', createdAt: '2026-07-31T12:00:00.000Z' }],
    [
      'a later one of its user that had its deposit',
      { status: 'COMPLETED', createdAt: '2026-08-01T12:10:00.000Z', verifiedTxHash: `0x${'cd'.repeat(32)}` },
    ],
  ] as const)('is not put back where its address belongs to %s', async (_, differences) => {
    const { putBack, put, table, kept } = await world();
    put(offRamp({ operationId: SECOND, ...differences }));
    const { userId } = offRamp(differences);
    table('hashes').restore([{ ...kept.hashes[0], operationId: SECOND, userId }]);
    const before = [table('operations').items(), table('hashes').items()];
    expect(await putBack()).toMatchObject({ status: 409, body: { detail: expect.stringContaining(SECOND) } });
    expect([table('operations').items(), table('hashes').items()]).toEqual(before);
  });

  test('takes the address of a later operation of its user that was put back as it ended', async () => {
    const { putBack, put, table, kept } = await world();
    put(offRamp({ operationId: SECOND, status: 'CANCELLED', createdAt: '2026-08-01T12:10:00.000Z' }));
    table('hashes').restore([{ ...kept.hashes[0], operationId: SECOND }]);
    expect((await putBack()).status).toBe(200);
    expect(table('hashes').items()).toEqual(kept.hashes);
  });

  test.each(['AWAITING_DEPOSIT', 'CANCELLED'] as const)(
    'that had ended leaves its address to a later one of its user that is %s, and to nobody else',
    async (status) => {
      const { putBack, put, table, kept, restore, uncut, end } = await world();
      uncut();
      await end('CANCELLED');
      restore();
      put(offRamp({ operationId: SECOND, status, createdAt: '2026-08-01T12:10:00.000Z' }));
      const later = { ...kept.hashes[0], operationId: SECOND };
      table('hashes').restore([{ ...later, userId: STRANGER }]);
      expect((await putBack()).status).toBe(409);
      table('hashes').restore([later]);
      expect(await putBack()).toMatchObject({ status: 200, body: { status: 'CANCELLED' } });
      expect(table('hashes').items()).toEqual([later]);
    },
  );

  test('whose address another operation takes meanwhile is not put back', async () => {
    const { putBack, table, kept, beforeNextWrite } = await world();
    beforeNextWrite('operations', () => table('hashes').restore([{ ...kept.hashes[0], operationId: SECOND }]));
    expect((await putBack()).status).toBe(409);
    expect(table('operations').items()).toEqual([]);
  });
});

test('an operation that exists stays as it is', async () => {
  const { putBack, table, kept } = await world();
  table('operations').restore(kept.operations);
  table('hashes').restore(kept.hashes);
  expect(await putBack()).toMatchObject({ status: 409, body: { code: 'OPERATION_STATUS_CONFLICT' } });
  expect(table('operations').items()).toEqual(kept.operations);
});

test.each([
  ['nobody’s', []],
  [
    'that of an earlier operation of its user',
    [{ operationId: SECOND, status: 'CANCELLED', createdAt: '2026-08-01T11:00:00.000Z' }],
  ],
] as const)(
  'an operation of whose creation a restore has one half gets its address, which is %s',
  async (_, earlier) => {
    const { putBack, put, table, kept } = await world();
    table('operations').restore(kept.operations);
    for (const one of earlier) put(offRamp(one));
    table('hashes').restore(earlier.map(({ operationId }) => ({ ...kept.hashes[0], operationId })));
    const before = table('operations').items();
    expect(await putBack()).toMatchObject({ status: 200, body: { operationId: OPERATION } });
    expect(table('hashes').items()).toEqual(kept.hashes);
    expect(table('operations').items()).toEqual(before);
    expect((await putBack()).status).toBe(409);
  },
);

test('an operation of whose creation a restore has one half is not put back where another one takes its address meanwhile', async () => {
  const { putBack, table, kept, beforeNextWrite } = await world();
  table('operations').restore(kept.operations);
  beforeNextWrite('hashes', () => table('hashes').restore([{ ...kept.hashes[0], operationId: SECOND }]));
  expect((await putBack()).status).toBe(409);
  expect(table('hashes').items()).toMatchObject([{ operationId: SECOND }]);
});

test('an operation that has ended leaves its address to the later one that has it', async () => {
  const { putBack, put, table, kept } = await world();
  put(offRamp({ status: 'CANCELLED' }));
  put(offRamp({ operationId: SECOND, createdAt: '2026-08-01T12:10:00.000Z' }));
  const later = [{ ...kept.hashes[0], operationId: SECOND }];
  table('hashes').restore(later);
  expect((await putBack()).status).toBe(409);
  expect(table('hashes').items()).toEqual(later);
});

test('an operation whose creation is kept in no event is not found', async () => {
  const { putBack, table } = await world();
  const items = table('events').items();
  table('events').restore(items.map(({ made: _, ...event }) => event));
  expect((await putBack()).status).toBe(404);
  table('events').restore([]);
  expect((await putBack()).status).toBe(404);
  expect(table('operations').items()).toEqual([]);
});

describe('a creation that is repeated after its table was restored', () => {
  test('puts back what its first try made', async () => {
    const { create, table, kept } = await world();
    await create(offRamp({ ...made, address: `0x${'9'.repeat(40)}`, createdAt: '2026-08-01T12:20:00.000Z' }));
    expect(table('operations').items()).toMatchObject(kept.operations);
    expect(table('hashes').items()).toEqual(kept.hashes);
  });

  test('goes on after the last event where its event keeps nothing', async () => {
    const { create, table } = await world();
    table('events').restore(
      table('events')
        .items()
        .map(({ made: _, ...event }) => event),
    );
    await create(made);
    expect(table('operations').items()).toMatchObject([{ operationId: OPERATION, sequence: 2 }]);
    expect(table('events').items().length).toBe(2);
  });
});
