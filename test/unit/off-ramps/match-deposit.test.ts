import { describe, expect, test, vi } from 'vitest';
import { type CustodianTransfer, CustodianUnavailable } from '#shared/off-ramps/custodians/custodian.ts';
import { deposit, depositStatusOf, storedTransfer } from '#shared/off-ramps/model/deposit.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { detectionWorld, NOTIFIED } from '#test/support/detection-world.ts';
import { OPERATION, STRANGER } from '#test/support/ids.ts';
import { CREATED_AT, transfer } from '#test/support/off-ramp.ts';

const ID = NOTIFIED.custodianTransferId;
const MINUTE = 60;
const DAY = 24 * 3600;

describe('decisions 4, detected without a report: a confirmed deposit', () => {
  test('goes to the operation of its address, and is polled at finality, because it may be taken back', async () => {
    const lines = captureLogs();
    const { notified, confirmed, kept, sent } = detectionWorld({ operation: {} });
    await notified();
    expect(confirmed).toEqual([OPERATION]);
    expect(sent).toMatchObject([{ nextPollAt: '2026-08-01T12:03:00.000Z', delaySeconds: 180 }]);
    expect(kept(ID)).toMatchObject({
      operationId: OPERATION,
      creditedAt: expect.any(String),
      nextPollAt: '2026-08-01T12:03:00.000Z',
    });
    expect(lines).toMatchObject([{ level: 'info', code: 'DEPOSIT_DETECTED', fields: { operationId: OPERATION } }]);
  });

  test.each<[string, Parameters<typeof detectionWorld>[0]]>([
    ['that is not what its operation awaits', {}],
    ['whose operation has its deposit, or has ended', { operation: {}, outcome: 'NOT_AWAITING' }],
    ['whose transaction funds another operation', { operation: {}, outcome: 'FUNDS_ANOTHER_OPERATION' }],
  ])('%s is kept as unmatched at once, with one alarm however often it is notified', async (_, given) => {
    const lines = captureLogs();
    const world = detectionWorld(given);
    await world.notified();
    expect(world.confirmed).toHaveLength(given?.operation === undefined ? 0 : 1);
    const { unmatchedSince } = world.kept(ID);
    expect(unmatchedSince).toBe(CREATED_AT);
    world.clock.advance(MINUTE);
    await world.notified();
    expect(world.kept(ID)).toMatchObject({ unmatched: 'UNMATCHED', unmatchedSince, nextPollAt: undefined });
    expect(lines).toMatchObject([{ level: 'error', code: 'DEPOSIT_UNMATCHED' }]);
  });

  test.each([{ custodianAssetId: 'ETHEREUM:USDT' }, { amount: '7' }, { senderAddress: `0x${'99'.repeat(20)}` }])(
    'is not credited to the operation of its address that awaits %j',
    async (awaited) => {
      captureLogs();
      const { notified, confirmed, kept } = detectionWorld({ operation: awaited });
      await notified();
      expect([confirmed, kept(ID).unmatched]).toEqual([[], 'UNMATCHED']);
    },
  );

  test('that an execution has credited meanwhile is no unmatched one', async () => {
    const lines = captureLogs();
    const world = detectionWorld({ operation: {}, outcome: 'NOT_AWAITING' });
    const poll = await world.stored();
    Object.defineProperty(world.custodian, 'transfers', {
      get() {
        world.credit(OPERATION);
        return [transfer()];
      },
    });
    await world.matchDeposit(poll);
    expect(world.kept(ID)).toMatchObject({
      operationId: OPERATION,
      creditedAt: expect.any(String),
      unmatched: undefined,
      nextPollAt: '2026-08-01T12:03:00.000Z',
    });
    expect(lines).toEqual([]);
  });

  test('is the one that was notified, not another transfer of the same transaction', async () => {
    const other = transfer({ custodianTransferId: 'transfer-2' });
    const { notified, confirmed, kept } = detectionWorld({ transfers: [other], operation: {} });
    await notified();
    expect(confirmed).toEqual([]);
    expect(kept(ID).nextPollAt).toBeDefined();
  });

  test('is searched for from long before its first notification: custodians send again for a month', async () => {
    captureLogs();
    const { stored, notified, clock, asked } = detectionWorld();
    await stored();
    clock.advance(4 * DAY);
    await notified();
    expect(Date.parse(CREATED_AT) - Date.parse(asked[0]?.since ?? '')).toBeGreaterThanOrEqual(30 * DAY * 1000);
  });
});

test.each([
  [
    [
      ['error', 'DEPOSIT_UNMATCHED'],
      ['warn', 'FOUND_WITHOUT_NOTIFICATION'],
    ],
    ID,
  ],
  [[['error', 'DEPOSIT_UNMATCHED']], 'evm:transfer-1'],
])(
  'decisions 12, notifications: an unmatched deposit without a notification for ten minutes: %j, of %s',
  async (told, id) => {
    const lines = captureLogs();
    const world = detectionWorld({ transfers: [transfer({ custodianTransferId: id })] });
    const poll = await world.deposits.rememberFound(
      '2027',
      { ...NOTIFIED, custodianTransferId: id },
      world.clock.now(),
    );
    await world.matchDeposit(poll ?? { custodianTransferId: '', nextPollAt: '' });
    await world.pass(DAY);
    expect(lines.map(({ level, code }) => [level, code])).toEqual(told);
    expect(world.kept(id).nextPollAt).toBeUndefined();
  },
);

test('a deposit that is settled calls nobody when it is notified again', async () => {
  const world = detectionWorld();
  await world.notified();
  const { unmatched: _, unmatchedSince: __, ...kept } = world.kept(ID);
  const settled = { outcome: 'KEPT', by: 'alice', at: CREATED_AT, reason: 'A gift' } as const;
  world.put({ ...deposit.parse({ ...kept, ...NOTIFIED }), settled });
  const lines = captureLogs();
  world.clock.advance(MINUTE);
  await world.notified();
  expect([lines, world.kept(ID).unmatched, world.kept(ID).lastNotifiedAt]).toEqual([
    [],
    undefined,
    world.clock.now().toISOString(),
  ]);
});

test('a deposit that is credited by an execution while it is filed as unmatched raises no alarm', async () => {
  const lines = captureLogs();
  const world = detectionWorld();
  const poll = await world.stored();
  world.clock.advance(MINUTE);
  const { record } = world.polls;
  world.polls.record = (...recorded) => {
    world.credit(STRANGER);
    return record(...recorded);
  };
  await world.matchDeposit(poll);
  expect(world.kept(ID)).toMatchObject({ operationId: STRANGER, creditedAt: expect.any(String) });
  expect(world.kept(ID).unmatched).toBeUndefined();
  expect(lines).toEqual([]);
});

describe('decisions 4, detected without a report: a deposit that is not final yet', () => {
  test.each([
    ['unconfirmed', transfer({ state: 'UNCONFIRMED', confirmations: 0 })],
    ['held', transfer({ state: 'HELD' })],
  ])("and is %s is on its way, and polled again after the network's finality", async (_, arriving) => {
    const { notified, confirmed, kept } = detectionWorld({
      transfers: [arriving],
      operation: {},
    });
    await notified();
    expect(kept(ID)).toMatchObject({ transfer: storedTransfer(arriving), nextPollAt: '2026-08-01T12:03:00.000Z' });
    expect(kept(ID).arrivingAt).toBeDefined();
    expect(confirmed).toEqual([]);
  });

  test('and is not known, or no more, is not on its way, and polled again', async () => {
    const world = detectionWorld({ transfers: [transfer({ state: 'UNCONFIRMED' })] });
    await world.notified();
    world.custodian.transfers = [];
    await world.pass(4 * MINUTE);
    expect(world.kept(ID).arrivingAt).toBeUndefined();
    expect(world.kept(ID).nextPollAt).toBeDefined();
  });

  test('stays what it was while the custodian does not answer, and is polled again', async () => {
    const lines = captureLogs();
    const world = detectionWorld({ transfers: [transfer({ state: 'UNCONFIRMED' })] });
    await world.notified();
    const { arrivingAt } = world.kept(ID);
    world.custodian.fault = new CustodianUnavailable('timeout');
    await world.pass(4 * MINUTE);
    expect(world.kept(ID)).toMatchObject({ arrivingAt });
    expect(world.kept(ID).nextPollAt).toBeDefined();
    expect(lines).toEqual(world.asked.slice(1).map(() => expect.objectContaining({ code: 'CUSTODIAN_UNAVAILABLE' })));
  });

  test('stays what it was while the custodian does not answer about its id, and is polled after the pause', async () => {
    captureLogs();
    const world = detectionWorld({ transfers: [transfer({ state: 'UNCONFIRMED' })] });
    await world.notified();
    const { arrivingAt } = world.kept(ID);
    world.custodian.transfers = [];
    world.custodian.byId = () => {
      throw new CustodianUnavailable('429', { retryAfter: DAY });
    };
    await world.notified();
    expect(world.kept(ID)).toMatchObject({ arrivingAt, nextPollAt: '2026-08-02T12:00:00.000Z' });
  });

  test('is polled until it is confirmed, though the later notifications never come', async () => {
    captureLogs();
    const world = detectionWorld({ transfers: [transfer({ state: 'UNCONFIRMED' })], operation: {} });
    await world.notified();
    await world.pass(13 * DAY);
    world.custodian.transfers = [transfer()];
    await world.pass(DAY);
    expect(world.confirmed).toEqual([OPERATION]);
  });

  test('and is confirmed after two weeks is still credited when it is notified again', async () => {
    captureLogs();
    const world = detectionWorld({ transfers: [], operation: {} });
    await world.notified();
    await world.pass(30 * DAY);
    world.custodian.transfers = [transfer()];
    await world.notified();
    expect(world.confirmed).toEqual([OPERATION]);
  });
});

describe('decisions 9, still not final after 14 days: never final', () => {
  const waited = async (transfers: Parameters<typeof detectionWorld>[0] & object, fault?: Error) => {
    const lines = captureLogs();
    const world = detectionWorld(transfers);
    await world.notified();
    world.custodian.fault = fault;
    await world.pass(16 * DAY);
    return { world, errors: () => lines.filter(({ level }) => level === 'error').map(({ code }) => code) };
  };

  const nowhere = { state: 'UNCONFIRMED', toAddress: '', fromAddress: '', amount: '0' } as const;

  test.each<Pick<CustodianTransfer, 'state'> & Partial<CustodianTransfer>>([
    { state: 'HELD' },
    { state: 'UNCONFIRMED' },
    nowhere,
  ])(
    'a transfer that is still $state hinders nobody any more, with one alarm, and is polled daily for a year',
    async ({ state, ...facts }) => {
      const { world, errors } = await waited({ transfers: [transfer({ state, ...facts })], operation: {} });
      expect(world.kept(ID)).toMatchObject({ unmatched: 'UNMATCHED', arrivingAt: undefined, transfer: { state } });
      expect(depositStatusOf(world.kept(ID))).toBe(state === 'HELD' ? 'HELD' : 'DETECTED');
      const before = world.asked.length;
      await world.pass(10 * DAY);
      expect(world.asked.length).toBe(before + 10);
      await world.pass(400 * DAY);
      expect(Date.parse(world.asked.at(-1)?.at ?? '') - Date.parse(CREATED_AT)).toBe(364 * DAY * 1000);
      expect(world.kept(ID)).toMatchObject({ nextPollAt: undefined, dueAt: undefined });
      expect(errors()).toEqual(['DEPOSIT_NEVER_CONFIRMED']);
    },
  );

  test('has its last poll as the year ends, although a late one has moved the others to another time of the day', async () => {
    captureLogs();
    const world = detectionWorld({ transfers: [transfer({ state: 'UNCONFIRMED' })], operation: {} });
    await world.notified();
    await world.pass(20 * DAY);
    world.clock.advance(1.5 * DAY);
    await world.pass(400 * DAY);
    expect(Date.parse(world.asked.at(-1)?.at ?? '') - Date.parse(CREATED_AT)).toBe(364 * DAY * 1000);
  });

  test('until it is: an awaited deposit is credited months later, without a notification', async () => {
    const { world } = await waited({ transfers: [transfer({ state: 'HELD' })], operation: {} });
    await world.pass(100 * DAY);
    world.custodian.transfers = [transfer()];
    await world.pass(2 * DAY);
    expect(world.confirmed).toEqual([OPERATION]);
  });

  test('one that was written off is listed no more, and once it is final it is handled like any other', async () => {
    const { world, errors } = await waited({ transfers: [transfer({ state: 'HELD' })] });
    const { unmatched: _, unmatchedSince: __, ...rest } = world.kept(ID);
    const settled = { outcome: 'WRITTEN_OFF', by: 'a', confirmedBy: 'b', at: CREATED_AT, reason: 'why' } as const;
    world.put({ ...rest, ...NOTIFIED, firstNotifiedAt: CREATED_AT, lastNotifiedAt: CREATED_AT, settled });
    await world.pass(10 * DAY);
    expect(world.kept(ID)).toMatchObject({ settled, unmatchedSince: undefined });
    world.custodian.transfers = [transfer()];
    await world.pass(2 * DAY);
    expect([world.kept(ID).settled, world.kept(ID).unmatched]).toEqual([undefined, 'UNMATCHED']);
    expect(errors()).toEqual(['DEPOSIT_NEVER_CONFIRMED', 'DEPOSIT_UNMATCHED']);
  });

  test('finance operations see a deposit that was seen once, even if the custodian has not answered since', async () => {
    const outage = new CustodianUnavailable('timeout');
    const { world, errors } = await waited({ transfers: [transfer({ state: 'HELD' })] }, outage);
    expect(world.kept(ID)).toMatchObject({ unmatched: 'UNMATCHED', transfer: { state: 'HELD' } });
    expect(errors()).toEqual(['DEPOSIT_NEVER_CONFIRMED']);
  });

  test('one that the custodian does not know is listed for nobody, and polled no more', async () => {
    const { world, errors } = await waited({ transfers: [] });
    expect(world.kept(ID)).toMatchObject({ unmatched: undefined, nextPollAt: undefined });
    expect(errors()).toEqual(['DEPOSIT_NEVER_CONFIRMED']);
  });

  test.each([
    ['never found', []],
    ['held', [transfer({ state: 'HELD' })]],
  ])(
    'one that was %s, and whose custodian asks for a pause over their end, calls somebody, too',
    async (_, transfers) => {
      const { errors } = await waited({ transfers }, new CustodianUnavailable('429', { retryAfter: DAY }));
      expect(errors()).toEqual(['DEPOSIT_NEVER_CONFIRMED']);
    },
  );

  test('one that the custodian does not know calls somebody, also when the poll dies once that is written', async () => {
    const lines = captureLogs();
    const world = detectionWorld({ transfers: [] });
    await world.notified();
    await world.pass(14 * DAY - MINUTE);
    const { record } = world.polls;
    vi.spyOn(world.polls, 'record').mockImplementationOnce(async (...one) => {
      await record(...one);
      throw new Error('It is stopped.');
    });
    await world.pass(2 * DAY);
    expect(lines.map(({ code }) => code)).toEqual(['DEPOSIT_NEVER_CONFIRMED', 'DEPOSIT_NOT_POLLED']);
    expect(world.kept(ID).nextPollAt).toBeUndefined();
  });

  test.each([
    ['no longer known', []],
    ['left out of an answer that has others', [transfer({ custodianTransferId: 'transfer-2', amount: '7' })]],
  ])('one that was seen and is %s is listed for nobody, and polled daily', async (_, now) => {
    captureLogs();
    const world = detectionWorld({ transfers: [transfer({ state: 'UNCONFIRMED' })] });
    await world.notified();
    world.custodian.transfers = now;
    await world.pass(16 * DAY);
    expect(world.kept(ID)).toMatchObject({ unmatched: undefined, arrivingAt: undefined });
    expect(world.kept(ID).nextPollAt).toBe('2026-08-18T12:00:00.000Z');
  });

  test('a transfer that never had an address, and whose transaction has others by now, calls nobody and is polled no more', async () => {
    const lines = captureLogs();
    const world = detectionWorld({ transfers: [transfer(nowhere)] });
    await world.notified();
    await world.pass(60);
    world.custodian.transfers = [transfer({ custodianTransferId: `${ID}#1`, amount: '7' })];
    await world.pass(16 * DAY);
    expect(world.kept(`${ID}#1`).creditedAt).toBeDefined();
    expect(lines.filter(({ level }) => level === 'error')).toEqual([]);
    expect(world.kept(ID)).toMatchObject({ unmatched: undefined, nextPollAt: undefined });
  });

  test('one that failed has no alarm and no further poll', async () => {
    const { world, errors } = await waited({ transfers: [transfer({ state: 'FAILED' })] });
    world.custodian.fault = new CustodianUnavailable('timeout');
    await world.notified();
    await world.pass(16 * DAY);
    expect(world.kept(ID)).toMatchObject({ unmatched: undefined, nextPollAt: undefined });
    expect(errors()).toEqual([]);
  });
});

describe('decisions 4: a transfer that failed on chain', () => {
  test('said by an answer that is older than its notification: it is asked for once more, and credited', async () => {
    captureLogs();
    const world = detectionWorld({ transfers: [transfer({ state: 'FAILED' })], operation: {} });
    await world.notified();
    world.custodian.transfers = [transfer()];
    await world.pass(3600);
    expect(world.confirmed).toHaveLength(1);
  });

  test('credits nobody, arrives no more and is polled once more, an hour after it was notified', async () => {
    const lines = captureLogs();
    const world = detectionWorld({
      transfers: [transfer({ state: 'UNCONFIRMED' })],
      operation: {},
    });
    await world.notified();
    world.custodian.transfers = [transfer({ state: 'FAILED' })];
    await world.pass(DAY);
    expect(world.kept(ID)).toMatchObject({
      arrivingAt: undefined,
      nextPollAt: undefined,
      transfer: { state: 'FAILED' },
    });
    expect([world.confirmed, world.asked.length]).toEqual([[], 3]);
    expect(lines).toMatchObject([{ level: 'info', code: 'NOTIFIED_DEPOSIT_FAILED' }]);
  });

  test('decisions 12, searching: is gone: the same, without alarm, and credited if it comes back', async () => {
    const lines = captureLogs();
    const world = detectionWorld({ transfers: [transfer({ state: 'UNCONFIRMED' })], operation: {} });
    await world.notified();
    world.custodian.transfers = [];
    world.custodian.byId = (seen) => seen && { ...seen, state: 'GONE' };
    await world.pass(DAY);
    expect(depositStatusOf(world.kept(ID))).toBe('FAILED');
    expect(world.kept(ID)).toMatchObject({
      arrivingAt: undefined,
      nextPollAt: undefined,
      transfer: { amount: '100.5' },
    });
    expect([world.confirmed, lines.map(({ level }) => level)]).toEqual([[], ['info']]);
    world.custodian.byId = () => transfer();
    await world.notified();
    expect(world.confirmed).toEqual([OPERATION]);
  });

  test('is no longer unmatched, and its client is told: there is nothing to send back', async () => {
    captureLogs();
    const world = detectionWorld();
    await world.notified();
    await world.pass(4 * MINUTE);
    expect(world.kept(ID)).toMatchObject({ unmatched: 'UNMATCHED', transfer: { state: 'CONFIRMED' } });
    world.custodian.transfers = [transfer({ state: 'FAILED' })];
    await world.notified();
    expect(world.kept(ID)).toMatchObject({ unmatched: undefined, unmatchedSince: undefined });
    expect(world.kept(ID).transfer?.state).toBe('FAILED');
  });
});

test('a deposit that was queued but not stored is a fault of ours', async () => {
  const { matchDeposit } = detectionWorld();
  await expect(matchDeposit({ custodianTransferId: ID, nextPollAt: CREATED_AT })).rejects.toThrow(ID);
});
