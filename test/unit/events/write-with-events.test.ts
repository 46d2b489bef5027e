import { expect, test } from 'vitest';
import { createClientApprovals } from '#shared/clients/client-repository.ts';
import { createDepositRepository } from '#shared/off-ramps/store/deposit-repository.ts';
import { createPayinRepository } from '#shared/pay-ins/pay-in-repository.ts';
import { retryOnConflict, WriteConflict } from '#shared/platform/dynamodb/transaction.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { CLIENT, OPERATION } from '#test/support/ids.ts';
import { CREATED_AT, EXPIRES_AT, HASH, offRamp, transfer } from '#test/support/off-ramp.ts';
import { offRampsInMemory, TABLES } from '#test/support/off-ramps-in-memory.ts';
import { PAYIN, payinOf } from '#test/support/pay-ins-in-memory.ts';
import { tablesInMemory } from '#test/support/tables-in-memory.ts';

const TO = ['operations', 'hashes', 'deposits'] as const;

/** An operation. `kept` returns a function that restores its tables as they are now; the table of events stays. */
async function world() {
  const clock = fakeClock(CREATED_AT);
  const all = offRampsInMemory(clock);
  await all.create(offRamp());
  const kept = () => {
    const items = TO.map((name) => all.table(name).items());
    return () => {
      for (const [at, name] of TO.entries()) all.table(name).restore(items[at] ?? []);
    };
  };
  const sequences = (part: string) =>
    all
      .table('events')
      .items()
      .flatMap(({ change }) => (String(change).startsWith(part) ? [Number(String(change).slice(-10))] : []));
  return { ...all, clock, kept, sequences };
}

test('an operation and its deposit that are credited again after a restore continue the sequence of their last events', async () => {
  const { creditDeposit, endOperation, kept, operations, sequences, table } = await world();
  const back = kept();
  await creditDeposit(OPERATION, transfer());
  const credited = await operations.find(OPERATION);
  if (credited === undefined) throw new Error('It is gone.');
  await endOperation(credited, { status: 'COMPLETED' });
  back();
  expect(await creditDeposit(OPERATION, transfer())).toMatchObject({
    outcome: 'CREDITED',
    operation: { status: 'PENDING', sequence: 4 },
  });
  expect(sequences('ramp.operation.status_changed')).toEqual([1, 2, 3, 4]);
  expect(sequences('ramp.deposit.status_changed')).toEqual([1, 2]);
  expect(table('deposits').items()).toMatchObject([{ sequence: 2, creditedAt: expect.any(String) }]);
});

test('a deposit that was seen by then continues its sequence, too', async () => {
  const { creditDeposit, kept, clock, dynamo, sequences, table } = await world();
  await createDepositRepository(dynamo, TABLES.deposits, clock).remember(transfer(), clock.now());
  const back = kept();
  await creditDeposit(OPERATION, transfer());
  back();
  expect(await creditDeposit(OPERATION, transfer())).toMatchObject({ outcome: 'CREDITED' });
  expect(sequences('ramp.deposit.status_changed')).toEqual([1, 2]);
  expect(table('deposits').items()).toMatchObject([{ sequence: 2 }]);
});

test('a submission and an end that are repeated continue the sequence of the last event', async () => {
  const { beginAttempt, endOperation, kept, operations, clock, sequences } = await world();
  const submit = () =>
    retryOnConflict(clock, async () => {
      const seen = await operations.findWithVerification(OPERATION);
      if (seen === undefined) throw new Error('It is gone.');
      return beginAttempt(seen, { txHash: HASH, windowEndsAt: EXPIRES_AT });
    });
  const back = kept();
  await submit();
  back();
  await submit();
  const end = () =>
    retryOnConflict(clock, async () => {
      const seen = await operations.find(OPERATION);
      return seen && endOperation(seen, { status: 'CANCELLED' });
    });
  const again = kept();
  await end();
  again();
  expect(await end()).toMatchObject({ status: 'CANCELLED', sequence: 5 });
  expect(sequences('ramp.deposit_hash.status_changed')).toEqual([2, 3, 4, 5]);
  expect(sequences('ramp.operation.status_changed')).toEqual([1, 4, 5]);
});

test.each([
  ['than the change', 0],
  ['than what follows a change that was refused', 1],
])('where another writer was faster %s, its sequence stays', async (_, isLater) => {
  const { creditDeposit, kept, table, beforeNextWrite } = await world();
  const back = kept();
  await creditDeposit(OPERATION, transfer());
  back();
  const overtake = () => table('operations').put({ ...table('operations').items()[0], sequence: 7 });
  beforeNextWrite('operations', isLater ? () => beforeNextWrite('operations', overtake) : overtake);
  expect(await creditDeposit(OPERATION, transfer())).toMatchObject({ operation: { sequence: 8 } });
});

test('a pay-in that is created or ended again continues the sequence of its last event', async () => {
  const { dynamo, table } = tablesInMemory();
  const clock = fakeClock(CREATED_AT);
  const payins = createPayinRepository(dynamo, { payins: 'payins', events: 'events' }, clock);
  const expire = () =>
    retryOnConflict(clock, async () => {
      const seen = await payins.find(PAYIN);
      return seen && payins.changeStatus(seen, 'EXPIRED', CREATED_AT);
    });
  await payins.create(payinOf());
  const items = table('payins').items();
  await expire();
  table('payins').restore(items);
  expect(await expire()).toMatchObject({ sequence: 3 });
  table('payins').restore([]);
  expect(await payins.create(payinOf())).toBe(false);
  expect(await payins.find(PAYIN)).toEqual(payinOf({ sequence: 4 }));
  expect(await payins.create(payinOf())).toBe(false);
  expect(table('events').items().length).toBe(4);
});

test('a client whose status is decided again continues the sequence of its last event', async () => {
  const { dynamo, table } = tablesInMemory();
  const clock = fakeClock(CREATED_AT);
  const approvals = createClientApprovals(dynamo, { clients: 'clients', events: 'events' }, clock);
  table('clients').put({ clientId: CLIENT, complianceStatus: 'pending', status: 'pending', secretDigests: [] });
  const items = table('clients').items();
  const approve = async () => {
    const seen = await approvals.find(CLIENT);
    if (seen === undefined) throw new Error('It is gone.');
    const after = { ...seen, complianceStatus: 'approved', status: 'approved', sequence: seen.sequence + 1 } as const;
    await approvals.change(seen, after);
  };
  await approve();
  table('clients').restore(items);
  await expect(approve()).rejects.toThrow(WriteConflict);
  await approve();
  expect(await approvals.find(CLIENT)).toMatchObject({ status: 'approved', sequence: 2 });
});
