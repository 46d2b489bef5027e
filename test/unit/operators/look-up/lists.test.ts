import { describe, expect, test } from 'vitest';
import {
  listOwedContract,
  listUnmatchedContract,
  listUnpaidContract,
  listWaitingContract,
} from '#shared/off-ramps/contract/operator-lookups.ts';
import type { Deposit } from '#shared/off-ramps/model/deposit.ts';
import { createCreditDeposit } from '#shared/off-ramps/transitions/credit-deposit.ts';
import { createEndOperation } from '#shared/off-ramps/transitions/end-operation.ts';
import { listDeadLettersContract, listUnreadableContract } from '#shared/operators/lookups.ts';
import type { Payin } from '#shared/pay-ins/pay-in.ts';
import { createUnreadablePayins } from '#shared/pay-ins/pay-in-lists.ts';
import { listMismatchedContract } from '#shared/pay-ins/pay-in-lookups.ts';
import { payinItem } from '#shared/pay-ins/pay-in-records.ts';
import { createPayinRepository } from '#shared/pay-ins/pay-in-repository.ts';
import { listFailingWebhooksContract } from '#shared/webhooks/contract/webhook-lookups.ts';
import { deliveryExpiry, newDelivery } from '#shared/webhooks/model/delivery.ts';
import type { Webhook } from '#shared/webhooks/model/webhook.ts';
import { createWebhookHealthRepository } from '#shared/webhooks/store/webhook-health-repository.ts';
import { ACCEPTED_CALL, REFUSED_CALL } from '#test/support/call-summaries.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { eventOf } from '#test/support/events-in-memory.ts';
import { CLIENT, OPERATION, USER, WEBHOOK } from '#test/support/ids.ts';
import { lookUpWorld } from '#test/support/look-up-world.ts';
import { CREATED_AT, EXPIRES_AT, HASH, offRamp, RULES, transfer } from '#test/support/off-ramp.ts';
import { payinOf } from '#test/support/pay-ins-in-memory.ts';
import { webhookOf } from '#test/support/webhooks-in-memory.ts';

const tables = { operations: 'operations', hashes: 'hashes', events: 'events', deposits: 'deposits', payins: 'payins' };
let made = 0;
const idOf = (number: number) => `${String(number).padStart(8, '0')}-0000-4000-8000-000000000000`;

test.each([
  ...[listWaitingContract, listUnmatchedContract, listUnreadableContract, listOwedContract, listUnpaidContract],
  ...[listMismatchedContract, listFailingWebhooksContract],
])('decisions 11, lists: $name has nothing of a time to come', async (list) => {
  const { lookAt } = lookUpWorld();
  expect((await lookAt(list, { since: '2999-01-01T00:00:00.000Z' })).body).toEqual({ items: [] });
});

describe('decisions 11, lists: waiting', () => {
  const NOW = '2026-08-04T15:30:00.000Z';

  test('has what still awaits its deposit after its time, with its age and who acts next', async () => {
    const { create, lookAt } = lookUpWorld(NOW);
    await create(offRamp());
    expect((await lookAt(listWaitingContract, {})).body).toEqual({
      items: [
        {
          operationId: OPERATION,
          clientId: CLIENT,
          amount: '100.5',
          token: 'USDC',
          network: 'ETHEREUM',
          hash: 'NOT_SUBMITTED',
          since: EXPIRES_AT,
          age: '2 d 3 h',
          who: 'CLIENT',
          what: expect.stringContaining('Cancels it'),
        },
      ],
    });
  });

  test('leaves out off-ramps whose time is not over, and those that have ended', async () => {
    const early = lookUpWorld();
    await early.create(offRamp());
    expect((await early.lookAt(listWaitingContract, {})).body.items).toEqual([]);
    const { create, dynamo, clock, lookAt } = lookUpWorld(NOW);
    await create(offRamp());
    await createEndOperation(dynamo, tables, clock)(offRamp(), { status: 'CANCELLED' });
    expect((await lookAt(listWaitingContract, {})).body.items).toEqual([]);
  });

  test('goes on page by page, and leaves nothing out', async () => {
    const { create, lookAt } = lookUpWorld(NOW);
    for (let number = 0; number < 120; number += 1) {
      const expiresAt = new Date(Date.parse(EXPIRES_AT) + number * 1000).toISOString();
      const address = `0x${String(number).padStart(40, '0')}`;
      await create(offRamp({ operationId: idOf(number), address, expiresAt }));
    }
    const seen = new Set<string>();
    let since: string | undefined;
    let pages = 0;
    do {
      const { body } = await lookAt(listWaitingContract, since === undefined ? {} : { since });
      for (const { operationId } of body.items) seen.add(operationId);
      since = body.nextSince;
      pages += 1;
    } while (since !== undefined);
    expect([seen.size, pages]).toEqual([120, 3]);
  });

  test('goes on when more than a page has the same millisecond', async () => {
    const { create, lookAt } = lookUpWorld(NOW);
    for (let number = 0; number < 70; number += 1)
      await create(offRamp({ operationId: idOf(number), address: `0x${String(number).padStart(40, '0')}` }));
    const later = new Date(Date.parse(EXPIRES_AT) + 1).toISOString();
    for (let number = 70; number < 120; number += 1)
      await create(
        offRamp({ operationId: idOf(number), address: `0x${String(number).padStart(40, '0')}`, expiresAt: later }),
      );
    const { body: first } = await lookAt(listWaitingContract, {});
    expect([first.items.length, first.nextSince]).toEqual([100, later]);
    const { body: rest } = await lookAt(listWaitingContract, { since: first.nextSince });
    const all = [...first.items, ...rest.items].map(({ operationId }: { operationId: string }) => operationId);
    expect([new Set(all).size, rest.nextSince]).toEqual([120, undefined]);
  });
});

describe('decisions 11, lists: unmatched', () => {
  test('has deposits that fund nothing and those that were taken back, the longest waiting first', async () => {
    const { putDeposit, lookAt } = lookUpWorld();
    const unmatched: Partial<Deposit> = {
      unmatched: 'UNMATCHED',
      unmatchedSince: CREATED_AT,
      reasons: ['WRONG_AMOUNT'],
    };
    putDeposit({ custodianTransferId: 'sim:2', amount: '99' }, { ...unmatched, clientId: CLIENT });
    const reversed: Partial<Deposit> = { unmatched: 'REVERSED', unmatchedSince: '2026-08-01T11:00:00.000Z' };
    putDeposit({ custodianTransferId: 'sim:1', state: 'FAILED' }, { ...reversed, creditedAt: CREATED_AT });
    putDeposit({ custodianTransferId: 'sim:3' }, { creditedAt: CREATED_AT });
    expect((await lookAt(listUnmatchedContract, {})).body.items).toMatchObject([
      { custodianTransferId: 'sim:1', status: 'REVERSED', age: '1 h 30 min', who: 'FINANCE' },
      {
        custodianTransferId: 'sim:2',
        amount: '99',
        reasons: ['WRONG_AMOUNT'],
        age: '30 min',
        who: 'FINANCE',
        clientId: CLIENT,
      },
    ]);
  });
});

/** An off-ramp that was credited a moment after its creation. */
async function credited(now: string) {
  const world = lookUpWorld(CREATED_AT);
  await world.create(offRamp());
  const { outcome, operation } = await createCreditDeposit(
    world.dynamo,
    tables,
    world.clock,
    RULES,
  )(OPERATION, transfer());
  expect(outcome).toBe('CREDITED');
  world.clock.set(now);
  const end = createEndOperation(world.dynamo, tables, world.clock);
  return {
    ...world,
    operation,
    end,
    inList: async (list: typeof listOwedContract | typeof listUnpaidContract) =>
      (await world.lookAt(list, {})).body.items,
  };
}

describe('decisions 11, lists: unpaid', () => {
  const row = { operationId: OPERATION, since: CREATED_AT, amount: '100.5', token: 'USDC', who: 'PAYOUTS' };

  test('has an off-ramp that is PENDING for the hours in which payouts are made, and none before', async () => {
    const [inTime, late] = [await credited('2026-08-01T15:59:59.999Z'), await credited('2026-08-01T16:00:00.000Z')];
    expect(await inTime.inList(listUnpaidContract)).toEqual([]);
    expect(await late.inList(listUnpaidContract)).toMatchObject([{ ...row, age: '4 h 0 min' }]);
  });

  test.each(['COMPLETED', 'CANCELLED', 'FAILED'] as const)('has none that is %s', async (status) => {
    captureLogs();
    const { operation, end, inList, table } = await credited('2026-08-02T12:00:00.000Z');
    await end(operation, { status });
    expect(await inList(listUnpaidContract)).toEqual([]);
    expect(table('operations').find({ operationId: OPERATION, record: 'OPERATION' })).not.toHaveProperty(
      'pendingShard',
    );
  });
});

describe('decisions 11, lists: owed', () => {
  const NOW = '2026-08-02T12:00:00.000Z';

  test.each(['CANCELLED', 'FAILED'] as const)(
    'has the credited deposit of an off-ramp that is %s, and somebody is called',
    async (status) => {
      const lines = captureLogs();
      const { operation, end, inList } = await credited(NOW);
      expect(await inList(listOwedContract)).toEqual([]);
      await end(operation, { status });
      const row = { operationId: OPERATION, custodianTransferId: 'transfer-1', status, since: NOW, who: 'FINANCE' };
      expect(await inList(listOwedContract)).toMatchObject([row]);
      expect(lines).toContainEqual({
        level: 'error',
        code: 'DEPOSIT_OWED',
        fields: { operationId: OPERATION, status, verifiedTxHash: HASH },
      });
    },
  );

  test('has none that was paid out', async () => {
    const lines = captureLogs();
    const { operation, end, inList } = await credited(NOW);
    await end(operation, { status: 'COMPLETED' });
    expect(await inList(listOwedContract)).toEqual([]);
    expect(lines.filter(({ level }) => level === 'error')).toEqual([]);
  });
});

describe('decisions 11, lists: mismatched', () => {
  const payin: Payin = {
    payinId: idOf(1),
    clientId: CLIENT,
    userId: USER,
    status: 'PENDING',
    sequence: 1,
    currency: 'COP',
    amount: '50000',
    paymentMethod: 'NEQUI',
    rail: 'simulated',
    phone: '3001234567',
    orderingSince: CREATED_AT,
    createdAt: CREATED_AT,
    statusHistory: [{ status: 'PENDING', at: CREATED_AT }],
  };

  test('has a pay-in for which another amount was paid, until it is paid as it was ordered', async () => {
    const { table, dynamo, clock, lookAt } = lookUpWorld();
    const store = createPayinRepository(dynamo, tables, clock);
    table('payins').put(payinItem(payin, CREATED_AT));
    expect((await lookAt(listMismatchedContract, {})).body.items).toEqual([]);
    const kept = await store.recordMismatch(payin, { amount: '40000', currency: 'COP' }, CREATED_AT);
    const { body } = await lookAt(listMismatchedContract, {});
    expect(body.items).toEqual([
      {
        payinId: payin.payinId,
        clientId: CLIENT,
        status: 'PENDING',
        amount: '50000',
        currency: 'COP',
        paid: '40000 COP',
        since: CREATED_AT,
        age: '30 min',
        who: 'FINANCE',
        what: expect.stringContaining('40000 COP was paid instead of 50000 COP'),
      },
    ]);
    await store.changeStatus(kept, 'EXPIRED', CREATED_AT);
    expect((await lookAt(listMismatchedContract, {})).body.items).toHaveLength(1);
    const expired = await store.find(payin.payinId);
    if (expired !== undefined) await store.changeStatus(expired, 'COMPLETED', CREATED_AT);
    expect(table('payins').find({ payinId: payin.payinId, record: 'PAYIN' })).not.toHaveProperty('mismatched');
    expect((await lookAt(listMismatchedContract, {})).body.items).toEqual([]);
  });
});

describe('decisions 11, lists: failing-webhooks', () => {
  const webhook = webhookOf({ url: 'https://user.example/secret-path', secrets: [] });

  async function failed(times: number, after: Partial<Webhook> = {}) {
    const world = lookUpWorld();
    const health = createWebhookHealthRepository(world.dynamo, 'webhookHealth', world.clock);
    for (let failure = 0; failure < times; failure += 1)
      await health.recordResult(webhook, `token-${failure}`, REFUSED_CALL);
    world.table('webhooks').put({ ...webhook, ...after });
    return {
      ...world,
      health,
      items: async () => (await world.lookAt(listFailingWebhooksContract, {})).body.items,
    };
  }

  test('has one whose endpoint has failed five times in a row, with the host of its address', async () => {
    const { items } = await failed(5);
    expect(await items()).toEqual([
      {
        webhookId: WEBHOOK,
        clientId: CLIENT,
        isActive: true,
        host: 'user.example',
        failures: 5,
        lastError: '500',
        neverAttempted: 0,
        since: expect.any(String),
        age: '0 min',
        who: 'CLIENT',
        what: expect.stringContaining('Repairs its endpoint'),
      },
    ]);
  });

  test('says how the latest call ended, and how many deliveries have had no call', async () => {
    const { health, items, table, clock } = await failed(5);
    expect(await items()).toMatchObject([{ lastError: '500' }]);
    clock.advance(120);
    const call = (token: string, answer: { statusCode: number } | { error: 'TIMEOUT' }) =>
      health.recordResult(webhook, token, { ...answer, durationMs: 15_000 });
    await call('a', { statusCode: 503 });
    expect(await items()).toMatchObject([{ lastError: '503' }]);
    clock.advance(1200);
    await call('b', { error: 'TIMEOUT' });
    expect(await items()).toMatchObject([{ lastError: 'TIMEOUT' }]);
    for (const attempts of [[], [], [[clock.now().toISOString(), 'SCHEDULED', 500, 7]]]) {
      made += 1;
      const delivery = newDelivery(eventOf(`evt_${made}`), webhook, 'SCHEDULED', clock.now());
      const expiresAt = deliveryExpiry(clock.now());
      table('deliveries').put({ ...delivery, attempts, expiresAt });
    }
    expect(await items()).toMatchObject([{ neverAttempted: 2 }]);
  });

  test.each([
    ['ENDPOINT_FAILING', 'CLIENT', 'reactivates the webhook'],
    ['BY_OPERATOR', 'NOBODY', 'An operator has deactivated it'],
  ] as const)('has one that is inactive (%s), and says who acts', async (statusReason, who, what) => {
    const { items } = await failed(5, { status: false, statusReason, sequence: 2 });
    const says = { who, what: expect.stringContaining(what) };
    expect(await items()).toMatchObject([{ isActive: false, statusReason, ...says }]);
  });

  test('has it still once the sweep has forgotten its pause, until it is active again', async () => {
    const reactivated = { ...webhook, sequence: 3 };
    const { health, items, table } = await failed(5, { status: false, statusReason: 'ENDPOINT_FAILING', sequence: 2 });
    await health.forgetPause(webhook);
    expect(await items()).toMatchObject([{ isActive: false, failures: 5, lastError: '500' }]);
    table('webhooks').put({ ...reactivated });
    expect(await items()).toEqual([]);
    expect(await health.circuit(reactivated)).toEqual({ state: 'CLOSED' });
  });

  test('has none that failed less often, was changed since by its client, or has answered again', async () => {
    expect(await (await failed(4)).items()).toEqual([]);
    expect(await (await failed(5, { sequence: 2 })).items()).toEqual([]);
    expect(await (await failed(5, { sequence: 2, status: false })).items()).toEqual([]);
    const { health, items } = await failed(5);
    await health.recordResult(webhook, 'token-5', ACCEPTED_CALL);
    expect(await items()).toEqual([]);
  });
});

const oldest = { since: '2026-08-01T10:30:00.000Z', ids: { operationId: OPERATION, clientId: CLIENT } };

test('decisions 11, lists: dead-letters has the queues with messages in them, and what clients lose', async () => {
  const { putDeadLetters, lookAt } = lookUpWorld();
  putDeadLetters([
    { name: 'Deliveries/Events', impact: 'Webhooks hear nothing of an event.', isMovable: true, messages: 3, oldest },
    { name: 'StatusChanges/Changes', impact: 'A payout is not told.', isMovable: true, messages: 0 },
    { name: 'Publication/Unhandled', impact: 'Events are late.', isMovable: false, messages: 1 },
  ]);
  expect((await lookAt(listDeadLettersContract, {})).body.items).toEqual([
    {
      queue: 'Deliveries/Events',
      messages: 3,
      since: oldest.since,
      age: '2 h 0 min',
      operationId: OPERATION,
      who: 'FINANCE',
      what: 'Webhooks hear nothing of an event. Fixes the cause, and moves the messages back: redrive-dead-letters.',
    },
    {
      queue: 'Publication/Unhandled',
      messages: 1,
      who: 'FINANCE',
      what: 'Events are late. Deletes the messages: a sweep does their work.',
    },
  ]);
});

describe('decisions 12, boundary: an item that cannot be read hides no other of its list', () => {
  /** A field as an adapter would have stored it if its answers were not parsed. */
  const broken = { confirmations: '64' };
  const breakIn = ({ table }: ReturnType<typeof lookUpWorld>, name: 'deposits' | 'operations', key: object) => {
    const item = { ...table(name).find({ ...key }) };
    table(name).put({ ...item, ...(name === 'deposits' ? { transfer: broken } : { sequence: 'none' }) });
  };

  test('unmatched', async () => {
    const lines = captureLogs();
    const world = lookUpWorld();
    await world.create(offRamp());
    const unmatched: Partial<Deposit> = {
      unmatched: 'UNMATCHED',
      unmatchedSince: CREATED_AT,
      reasons: ['WRONG_AMOUNT'],
    };
    world.putDeposit({ custodianTransferId: 'sim:1', amount: '99' }, unmatched);
    world.putDeposit({ custodianTransferId: 'sim:2', amount: '98' }, unmatched);
    breakIn(world, 'deposits', { custodianTransferId: 'sim:1' });
    const { status, body } = await world.lookAt(listUnmatchedContract, {});
    expect([status, body.unreadableIds]).toEqual([200, ['sim:1']]);
    expect(body.items).toMatchObject([{ custodianTransferId: 'sim:2' }]);
    expect(lines[0]).toMatchObject({ level: 'error', code: 'ITEM_UNREADABLE', fields: { id: 'sim:1' } });
    const look = await world.look();
    expect(look.unreadableDeposits).toEqual(['sim:1']);
    expect(look.deposits).toMatchObject([{ custodianTransferId: 'sim:2' }]);
  });

  test('waiting', async () => {
    captureLogs();
    const world = lookUpWorld('2026-08-04T15:30:00.000Z');
    await world.create(offRamp());
    await world.create(offRamp({ operationId: idOf(7), address: `0x${'a7'.repeat(20)}` }));
    breakIn(world, 'operations', { operationId: OPERATION, record: 'OPERATION' });
    const { status, body } = await world.lookAt(listWaitingContract, {});
    expect([status, body.unreadableIds]).toEqual([200, [OPERATION]]);
    expect(body.items).toMatchObject([{ operationId: idOf(7) }]);
  });

  test('unreadable: by the id alone, where no more is known', async () => {
    const { table, lookAt } = lookUpWorld('2026-08-01T14:00:00.000Z');
    const since = { unreadable: 'UNREADABLE', unreadableSince: CREATED_AT, unreadableFields: 'txHash' };
    table('deposits').put({ custodianTransferId: 'sim:1', ...since });
    const times = { firstNotifiedAt: CREATED_AT, lastNotifiedAt: CREATED_AT, nextPollAt: EXPIRES_AT };
    const { network, txHash } = transfer();
    table('deposits').put({ custodianTransferId: 'sim:2', network, txHash, ...times, ...since });
    table('deposits').put({ custodianTransferId: 'sim:3', ...since, unreadableSince: '2026-08-01T13:00:00.001Z' });
    const { items } = (await lookAt(listUnreadableContract, {})).body;
    const waiting = { since: CREATED_AT, age: '2 h 0 min', who: 'FINANCE' };
    expect(items).toEqual([
      {
        custodianTransferId: 'sim:1',
        ...waiting,
        what: expect.stringContaining('fields of its notification: txHash'),
      },
      {
        custodianTransferId: 'sim:2',
        network,
        txHash,
        ...waiting,
        what: expect.stringContaining('as the service does on'),
      },
    ]);
  });
});

describe('decisions 12, Boundary: unreadable pay-ins are listed beside deposits', () => {
  const unreadable = (number: number, unreadableSince: string) => ({
    ...payinItem(payinOf({ payinId: idOf(number), unreadableSince }), CREATED_AT),
    unreadable: 'UNREADABLE',
  });
  const since = (minute: number) => `2026-08-01T10:${String(minute).padStart(2, '0')}:00.000Z`;

  test('after an hour, until they can be read', async () => {
    const { table, dynamo, lookAt, clock } = lookUpWorld('2026-08-01T10:59:00.000Z');
    table('payins').put(unreadable(1, since(0)));
    const items = async () => (await lookAt(listUnreadableContract, {})).body.items;
    expect(await items()).toEqual([]);
    clock.advance(60);
    expect(await items()).toMatchObject([
      { payinId: idOf(1), clientId: CLIENT, status: 'CASHININIT', since: since(0), age: '1 h 0 min', who: 'FINANCE' },
    ]);
    await createUnreadablePayins(dynamo, 'payins', clock).clear(idOf(1));
    expect(await items()).toEqual([]);
  });

  test('and wait for a person, whatever was done about their money before', async () => {
    const { table, lookAt } = lookUpWorld('2026-08-01T12:00:00.000Z');
    const end = { amount: '1', currency: 'COP', outcome: 'kept', at: since(0) } as const;
    table('payins').put({ ...unreadable(1, since(0)), reversedAt: since(0), mismatchEnds: [end] });
    expect((await lookAt(listUnreadableContract, {})).body.items).toMatchObject([
      { payinId: idOf(1), who: 'FINANCE', what: expect.stringMatching(/^Asks the rail/) },
    ]);
  });

  test('page by page, both kinds in the order of their times, and nothing left out', async () => {
    const { table, lookAt } = lookUpWorld('2026-08-02T12:00:00.000Z');
    for (let number = 0; number < 59; number += 1) {
      table('payins').put(unreadable(number, `2026-08-01T10:${String(number).padStart(2, '0')}:00.000Z`));
      table('deposits').put({
        custodianTransferId: `sim:${number}`,
        unreadable: 'UNREADABLE',
        unreadableSince: `2026-08-01T10:${String(number).padStart(2, '0')}:30.000Z`,
      });
    }
    const seen = new Set<string>();
    let next: string | undefined;
    do {
      const { body } = await lookAt(listUnreadableContract, next === undefined ? {} : { since: next });
      const times = body.items.map((one: Record<string, string>) => one['since']);
      expect(times).toEqual(times.toSorted());
      for (const { payinId, custodianTransferId } of body.items) seen.add(payinId ?? custodianTransferId);
      next = body.nextSince;
    } while (next !== undefined);
    expect(seen.size).toBe(118);
  });

  test('and goes on where both together have more of one time than a page', async () => {
    const { table, lookAt } = lookUpWorld('2026-08-02T12:00:00.000Z');
    for (let number = 0; number < 30; number += 1) {
      table('payins').put(unreadable(number, since(0)));
      const unreadableSince = since(0);
      table('deposits').put({ custodianTransferId: `sim:${number}`, unreadable: 'UNREADABLE', unreadableSince });
    }
    const { body } = await lookAt(listUnreadableContract, {});
    expect([body.items.length, body.nextSince]).toEqual([60, undefined]);
  });
});
