import { describe, expect, test, vi } from 'vitest';
import { CustodianUnavailable } from '#shared/off-ramps/custodians/custodian.ts';
import type { HashSearch } from '#shared/off-ramps/store/hash-searches.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { detectionWorld, NOTIFIED } from '#test/support/detection-world.ts';
import { CLIENT, OPERATION } from '#test/support/ids.ts';
import { CREATED_AT, HASH, transfer } from '#test/support/off-ramp.ts';

const ID = `HASH#${CLIENT}#ETHEREUM#${HASH}`;
const MINUTE = 60;
const DAY = 24 * 3600;

/** A hash that was handed over at noon, and the custodian's answers about its transfers. */
function searching(given: Parameters<typeof detectionWorld>[0] = {}, custodianTransferId = ID) {
  const lines = captureLogs();
  const world = detectionWorld(given);
  const search: HashSearch & { readonly dueAt: string } = {
    custodianTransferId,
    network: 'ETHEREUM',
    txHash: HASH,
    startsAt: CREATED_AT,
    endsAt: '2026-08-02T12:00:00.000Z',
    lastDueAt: CREATED_AT,
    nextPollAt: CREATED_AT,
    dueAt: CREATED_AT,
  };
  world.put(search);
  return { ...world, lines };
}

const seconds = (at: string) => (Date.parse(at) - Date.parse(CREATED_AT)) / 1000;

describe('decisions 4, a report that loses: the hash', () => {
  test("is looked up at once, at the network's finality, then on the schedule, for 24 hours", async () => {
    const world = searching({ transfers: [] });
    await world.pass(3 * DAY);
    const at = world.asked.map((asked) => seconds(asked.at));
    expect(at[0]).toBeLessThanOrEqual(MINUTE);
    expect(at[1]).toBe(180);
    expect(at.at(-1)).toBe(DAY);
    expect(at.length).toBeLessThanOrEqual(45);
    // decisions.md 12, Searching: at the first poll the custodian may know it.
    expect(world.asked.map(({ wasUnknown }) => wasUnknown)).toEqual(at.map((_, poll) => poll > 0));
    expect(world.asked.map(({ isReported }) => isReported)).toEqual(at.map((_, poll) => poll === 0));
    expect(world.kept(ID)).toMatchObject({ nextPollAt: undefined, dueAt: undefined });
  });

  test('is looked up more often once its transaction is known', async () => {
    const [unknown, known] = [searching({ transfers: [] }), searching({ isNobodys: true })];
    await unknown.pass(2 * DAY);
    await known.pass(2 * DAY);
    const looks = ({ asked }: typeof known) => new Set(asked.map(({ at }) => at)).size;
    expect(looks(unknown)).toBeLessThan(20);
    expect(looks(known)).toBeGreaterThan(20);
  });

  test('whose search is gone is not looked up by its late message', async () => {
    const world = detectionWorld();
    await world.searchHash({ custodianTransferId: ID, nextPollAt: CREATED_AT });
    expect(world.asked).toEqual([]);
  });

  test('of a transaction that is not there yet is found when it is', async () => {
    const world = searching({ transfers: [], operation: {} });
    await world.pass(10 * MINUTE);
    world.custodian.transfers = [transfer()];
    await world.pass(DAY);
    expect(world.confirmed).toEqual([OPERATION]);
  });

  test('is looked up for longer when the custodian does not answer at the end', async () => {
    const world = searching({ transfers: [], operation: {} });
    await world.pass(DAY - MINUTE);
    world.custodian.fault = new CustodianUnavailable('timeout');
    await world.pass(10 * MINUTE);
    world.custodian.transfers = [transfer()];
    world.custodian.fault = undefined;
    await world.pass(DAY);
    expect(world.confirmed).toEqual([OPERATION]);
    expect(world.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });

  test('decisions 12, searching: is not looked up before its custodian wants to be asked again', async () => {
    const world = searching({ operation: {} });
    world.custodian.fault = new CustodianUnavailable('429', { retryAfter: 2 * 3600 });
    await world.sweep();
    await world.pass(MINUTE);
    world.custodian.fault = undefined;
    await world.pass(2 * 3600 - 2 * MINUTE);
    expect(world.asked).toHaveLength(1);
    await world.pass(2 * MINUTE);
    expect(world.confirmed).toEqual([OPERATION]);
  });

  test('that is reported on is looked up on, and once more at once', async () => {
    const world = searching({ transfers: [] });
    await world.pass(20 * 3600);
    await world.searches.start({ clientId: CLIENT, network: 'ETHEREUM', txHash: HASH }, world.clock.now());
    const before = world.asked.length;
    await world.pass(2 * MINUTE);
    expect(world.asked.length).toBe(before + 1);
    await world.pass(3 * DAY);
    expect(seconds(world.asked.at(-1)?.at ?? '')).toBe(20 * 3600 + DAY);
  });
});

describe('decisions 4, a report that loses: each transfer that is found', () => {
  test('is handled as a notified one: stored, and credited to its address’s operation if it fits', async () => {
    const other = transfer({ custodianTransferId: 'transfer-2', amount: '7' });
    const world = searching({ transfers: [transfer(), other], operation: {} });
    await world.pass(2 * MINUTE);
    expect(world.kept('transfer-1')).toMatchObject({ operationId: OPERATION, creditedAt: expect.any(String) });
    expect(world.kept('transfer-2')).toMatchObject({ unmatched: 'UNMATCHED' });
    expect(world.confirmed).toEqual([OPERATION]);
    const found = world.lines.filter(({ code }) => code === 'DEPOSIT_FOUND_BY_HASH');
    expect(found.map(({ fields }) => fields['custodianTransferId'])).toEqual(['transfer-1', 'transfer-2']);
  });

  test('is polled on its own when it is not final yet, for longer than the hash is looked for', async () => {
    const world = searching({ transfers: [transfer({ state: 'HELD' })], operation: {} });
    await world.pass(10 * DAY);
    expect(world.kept('transfer-1').arrivingAt).toBeDefined();
    world.custodian.transfers = [transfer()];
    await world.pass(DAY);
    expect(world.confirmed).toEqual([OPERATION]);
  });

  test('that nobody awaits is kept as unmatched, and is one alarm for all the polls of the search', async () => {
    const world = searching();
    await world.pass(2 * DAY);
    expect(world.kept('transfer-1').unmatched).toBe('UNMATCHED');
    expect(world.lines.filter(({ code }) => code === 'DEPOSIT_UNMATCHED')).toHaveLength(1);
  });

  test('that was notified before is handled once more by a search, and not by each of its polls', async () => {
    const world = searching({ transfers: [] });
    const dayBefore = '2026-07-31T12:00:00.000Z';
    const identity = { ...NOTIFIED, firstNotifiedAt: dayBefore, lastNotifiedAt: dayBefore };
    world.put({ ...identity, unmatched: 'UNMATCHED', unmatchedSince: dayBefore, transfer: transfer() });
    world.custodian.transfers = [transfer()];
    await world.pass(2 * DAY);
    const found = world.sent.filter((one) => one.custodianTransferId === 'transfer-1' && one.delaySeconds === 0);
    expect(found).toHaveLength(1);
    expect(new Set(world.sent.map((one) => one.custodianTransferId))).toEqual(new Set([ID, 'transfer-1']));
  });

  test.each([
    ['a custodian has named its transaction', 'custodian', true],
    ['a client has reported it', CLIENT, undefined],
  ] as const)('counts as notified where %s', async (_, reporter, isNotified) => {
    const world = searching({}, `HASH#${reporter}#ETHEREUM#${HASH}`);
    await world.pass(2 * MINUTE);
    expect(world.kept('transfer-1').isNotified).toBe(isNotified);
    // Only a hash that a client reported is asked for as reported.
    expect(world.asked[0]).toMatchObject(
      reporter === CLIENT ? { isReported: true, reportedBy: CLIENT } : { isReported: false, reportedBy: undefined },
    );
  });

  test('is written once: a poll of the search writes only what none before it has found', async () => {
    const many = Array.from({ length: 250 }, (_, index) => transfer({ custodianTransferId: `transfer-${index}` }));
    const world = searching({ transfers: many.slice(0, 200) });
    const written = vi.spyOn(world.deposits, 'rememberFound');
    await world.sweep();
    const poll = async () => {
      const message = world.sent.findLast((one) => one.custodianTransferId === ID);
      if (message === undefined) throw new Error('The hash is not looked for.');
      world.clock.set(message.nextPollAt);
      await world.searchHash(message);
    };
    await poll();
    world.custodian.transfers = many;
    await poll();
    await poll();
    expect(world.asked).toHaveLength(3);
    expect(written).toHaveBeenCalledTimes(250);
  });

  test('that is notified during the search is left to its own polls', async () => {
    const world = searching();
    world.clock.advance(1);
    await world.notified();
    await world.pass(MINUTE);
    expect(world.kept('transfer-1').lastNotifiedAt).toBe('2026-08-01T12:00:01.000Z');
  });
});

test('a poll whose message comes twice is made once', async () => {
  const world = searching({ transfers: [] });
  await world.sweep();
  const [message] = world.sent;
  if (message === undefined) throw new Error('The sweep handed nothing out.');
  await world.searchHash(message);
  await world.searchHash(message);
  expect(world.asked).toHaveLength(1);
});
