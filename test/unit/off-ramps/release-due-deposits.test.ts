import { describe, expect, test } from 'vitest';
import { releaseDueDeposits } from '#functions/off-ramps/release-due-deposits/release-due-deposits.ts';
import { stageNamed } from '#infra/stage/stages.ts';
import { networks } from '#shared/networks/network.ts';
import { depositShards, dueShardOf } from '#shared/off-ramps/store/deposit-polls.ts';
import { messageLostAt } from '#shared/platform/dynamodb/due-queue.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { depositsInMemory } from '#test/support/deposits-in-memory.ts';
import { detectionWorld, NOTIFIED } from '#test/support/detection-world.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { CLIENT, OPERATION } from '#test/support/ids.ts';
import { CREATED_AT, transfer } from '#test/support/off-ramp.ts';

const ID = NOTIFIED.custodianTransferId;
const DAY = 24 * 3600;

/** Seconds after which the function of the sweep is stopped (infra/off-ramps/deposit-detection.ts). */
const STOPPED_AFTER = 55;

/** Seconds after which a message counts as lost: the first and the longest time. */
const MESSAGE_LOST_AFTER = 300;
const MESSAGE_LOST_AT_LAST = 1800;

const unconfirmed = transfer({ state: 'UNCONFIRMED', confirmations: 0 });

describe('decisions 4: a notified deposit is polled through 14 days', () => {
  test('waits of up to 15 minutes are messages; longer ones are only in the table', async () => {
    const world = detectionWorld({ transfers: [unconfirmed], finalitySeconds: 901 });
    await world.notified();
    expect([world.kept(ID).nextPollAt, world.sent]).toEqual(['2026-08-01T12:15:01.000Z', []]);
    expect(world.kept(ID).dueAt).toBe(world.kept(ID).nextPollAt);
    await world.pass(15 * 60 + 1);
    expect(world.sent.map(({ by }) => by)).toEqual(['SWEEP', 'POLL']);
    expect(world.sent[1]?.delaySeconds).toBeLessThanOrEqual(900);
    expect(world.kept(ID).dueAt).toBe(messageLostAt(new Date(world.kept(ID).nextPollAt ?? '')));
  });

  test('a notification makes it polled at once although a message waits, which is then ignored', async () => {
    const world = detectionWorld({ transfers: [unconfirmed], finalitySeconds: 900 });
    await world.notified();
    await world.pass(10 * 60);
    await world.notified();
    const times = world.asked.map(({ at }) => at);
    expect(times).toEqual([CREATED_AT, '2026-08-01T12:10:00.000Z']);
    await world.pass(10 * 60);
    expect(world.asked).toHaveLength(2);
  });

  const { networkRules } = stageNamed('prod');

  test.each(networks)(
    'on %s to the last minute, then daily, and never in a chain of messages that AWS would stop',
    async (network) => {
      captureLogs();
      const { finalitySeconds } = networkRules[network];
      const world = detectionWorld({ transfers: [unconfirmed], finalitySeconds });
      await world.notified();
      await world.pass(17 * DAY);
      const days = world.asked.map(({ at }) => (Date.parse(at) - Date.parse(CREATED_AT)) / 1000 / DAY);
      expect(days.filter((day) => day >= 14)).toEqual([14, 15, 16, 17]);
      // A message of the sweep begins a new chain; Lambda takes a chain of 16 for a loop.
      const chains = world.sent
        .map(({ by }) => (by === 'SWEEP' ? '|' : 'p'))
        .join('')
        .split('|');
      expect(world.asked.length).toBeGreaterThan(50);
      expect(Math.max(...chains.map(({ length }) => length))).toBeLessThan(15);
    },
  );

  test('many notifications of one deposit are one chain of polls', async () => {
    const often = detectionWorld({ transfers: [unconfirmed] });
    for (let notification = 0; notification < 20; notification += 1) await often.notified();
    const before = often.asked.length;
    await often.pass(DAY);
    const once = detectionWorld({ transfers: [unconfirmed] });
    await once.notified();
    await once.pass(DAY);
    expect(often.asked.length - before).toBe(once.asked.length - 1);
  });

  test.each([
    ['whose notification was stored and not queued', (world: ReturnType<typeof detectionWorld>) => world.stored()],
    [
      'whose message was lost',
      async (world: ReturnType<typeof detectionWorld>) => {
        await world.notified();
        await world.pass(150);
        world.loseMessages();
      },
    ],
  ])('one %s is polled some minutes later all the same', async (_, lose) => {
    captureLogs();
    const world = detectionWorld({ transfers: [unconfirmed], operation: {} });
    await lose(world);
    world.custodian.transfers = [transfer()];
    await world.pass(MESSAGE_LOST_AFTER + 240);
    expect(world.confirmed).toEqual([OPERATION]);
  });
});

/** Deposits that are due this many seconds after the start, all in one shard or in those of their ids. */
function due(count: number, seconds: number, shard?: string) {
  const dueAt = new Date(Date.parse(CREATED_AT) + seconds * 1000).toISOString();
  const times = { firstNotifiedAt: CREATED_AT, lastNotifiedAt: CREATED_AT, nextPollAt: dueAt, dueAt };
  const ids = Array.from({ length: 20 * count }, (_, index) => `transfer-${index}`);
  const wanted = ids.filter((id) => shard === undefined || dueShardOf(id) === shard).slice(0, count);
  return wanted.map((custodianTransferId) => ({ ...NOTIFIED, ...times, custodianTransferId }));
}

/** The sweep of these deposits; each message takes this many seconds to send. */
function sweeping(deposits: ReturnType<typeof due>, secondsPerMessage = 0) {
  const clock = fakeClock(CREATED_AT);
  const { polls } = depositsInMemory(...deposits);
  const sent: string[] = [];
  const broken = new Set<string>();
  const sweep = releaseDueDeposits({
    polls,
    listClientIds: async () => ['a', 'b'],
    async sendPoll({ custodianTransferId }) {
      clock.advance(secondsPerMessage);
      if (broken.has(custodianTransferId)) throw new Error('The queue says no.');
      sent.push(custodianTransferId);
    },
    clock,
  });
  return { polls, clock, sent, broken, sweep };
}

describe('decisions 4, detected without a report: the sweep of deposits that are due', () => {
  test('hands out what is due within a minute, once, whichever sweep gets there first', async () => {
    const lines = captureLogs();
    const [soon, later] = [due(3, 59.999), due(6, 60).slice(3)];
    const { sweep, sent } = sweeping([...soon, ...later]);
    await Promise.all([sweep(), sweep()]);
    expect(sent.toSorted()).toEqual(soon.map(({ custodianTransferId }) => custodianTransferId));
    expect(lines).toEqual([]);
  });

  test.each([
    ['that is overdue a moment, from now on', -1, MESSAGE_LOST_AFTER],
    ['that is overdue ten minutes, from now on', -600, 600],
    ['that is overdue for an hour, from now on', -3600, MESSAGE_LOST_AT_LAST],
    ['that is not due yet, from its time on', 50, 50 + MESSAGE_LOST_AFTER],
  ])('hands a poll %s, out again once its message counts as lost', async (_, seconds, lostAfterSeconds) => {
    const { sweep, sent, clock } = sweeping(due(1, seconds));
    await sweep();
    clock.advance(lostAfterSeconds - 60);
    await sweep();
    expect(sent).toHaveLength(1);
    clock.advance(0.001);
    await sweep();
    expect(sent).toHaveLength(2);
  });

  test('stops by itself before it is stopped, and the next one does the rest', async () => {
    const deposits = due(3000, -60);
    const { sweep, sent, clock } = sweeping(deposits, 0.04);
    await sweep();
    expect((clock.now().getTime() - Date.parse(CREATED_AT)) / 1000).toBeLessThan(STOPPED_AFTER);
    expect(sent.length).toBeLessThan(deposits.length / 2);
    await sweep();
    await sweep();
    expect(new Set(sent).size).toBe(deposits.length);
  });

  test('is not stopped by a deposit that cannot be handed out, which comes again soon however long it is overdue', async () => {
    const lines = captureLogs();
    const deposits = due(20, -3600, depositShards[3]);
    const { sweep, sent, broken, clock } = sweeping(deposits);
    const [bad = '', ...others] = deposits.map(({ custodianTransferId }) => custodianTransferId);
    broken.add(bad);
    await sweep();
    expect(sent).toEqual(others.toSorted());
    expect(lines).toMatchObject([
      { level: 'error', code: 'DEPOSIT_NOT_RELEASED', fields: { custodianTransferId: bad } },
    ]);
    broken.clear();
    clock.advance(MESSAGE_LOST_AFTER);
    await sweep();
    expect(sent).toContain(bad);
  });

  test('a deposit whose poll fails is reported, and comes again after pauses that double, up to half an hour', async () => {
    const lines = captureLogs();
    const world = detectionWorld();
    world.custodian.fault = new Error('This transfer cannot be read.');
    const { nextPollAt } = await world.stored();
    await world.pass(3 * 3600);
    const minutes = world.asked.map(({ at }) => (Date.parse(at) - Date.parse(nextPollAt)) / 60_000);
    expect(minutes).toEqual([5, 10, 20, 40, 70, 100, 130, 160]);
    expect(lines.map(({ level, code }) => `${level} ${code}`)).toEqual(
      world.asked.map(() => 'error DEPOSIT_NOT_POLLED'),
    );
    expect(world.kept(ID)).toMatchObject({ nextPollAt });
    world.custodian.fault = undefined;
    await world.pass(MESSAGE_LOST_AT_LAST);
    expect(world.kept(ID).unmatched).toBe('UNMATCHED');
  });

  test('lets no deposit wait behind hashes that were reported', () => {
    expect(depositShards).not.toContain(dueShardOf(`HASH#${CLIENT}#ETHEREUM#${ID}`));
  });

  test("a run that has no time for one client's thousands of searches has sent all of another's, and every deposit's", async () => {
    const searches = (clientId: string, count: number) =>
      due(count, -60).map((one, index) => ({ ...one, custodianTransferId: `HASH#${clientId}#ETHEREUM#${index}` }));
    const [much, little, deposits] = [searches('a', 5000), searches('b', 20), due(50, -60)];
    const { sweep, sent } = sweeping([...much, ...little, ...deposits], 0.04);
    await sweep();
    expect(sent.length).toBeLessThan(much.length / 2);
    const others = [...little, ...deposits].map(({ custodianTransferId }) => custodianTransferId);
    expect(sent).toEqual(expect.arrayContaining(others));
  });

  test('finds ids of any form, which are spread over all shards', () => {
    const ids = Array.from({ length: 1000 }, (_, index) => [`0x${index}`, `dep_${index.toString(36)}zzXY`]).flat();
    expect(new Set(ids.map(dueShardOf))).toEqual(new Set(depositShards));
  });
});
