import { describe, expect, test } from 'vitest';
import { createDepositPolls } from '#shared/off-ramps/store/deposit-polls.ts';
import { createHashSearches } from '#shared/off-ramps/store/hash-searches.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { CLIENT, STRANGER } from '#test/support/ids.ts';
import { CREATED_AT, EXPIRES_AT, HASH } from '#test/support/off-ramp.ts';
import { tablesInMemory } from '#test/support/tables-in-memory.ts';

const ID = `HASH#${CLIENT}#ETHEREUM#${HASH}`;

function world() {
  const { dynamo, table, beforeNextWrite } = tablesInMemory();
  const { start, find } = createHashSearches(dynamo, 'deposits', fakeClock(CREATED_AT));
  const reportBy =
    (clientId: string) =>
    async (time: string, day = 1) => {
      await start({ clientId, network: 'ETHEREUM', txHash: HASH }, new Date(`2026-08-0${day}T${time}Z`));
    };
  const change = (differences: Readonly<Record<string, unknown>>) => {
    table('deposits').put({ ...table('deposits').find({ custodianTransferId: ID }), ...differences });
  };
  return {
    dynamo,
    beforeNextWrite,
    find: () => find(ID),
    /** Stores the next poll as a poll plans it; `over` stores that there is none, as the last poll does. */
    planned: (time: string) => change({ nextPollAt: `2026-08-01T${time}Z`, dueAt: `2026-08-01T${time}Z` }),
    over: () => change({ nextPollAt: undefined, dueAt: undefined, dueShard: undefined }),
    stored: () => table('deposits').find({ custodianTransferId: ID }),
    /** Reports the hash at this time in August, on the first if no day is given. */
    report: reportBy(CLIENT),
    ofStranger: reportBy(STRANGER),
  };
}

describe('decisions 4, a report that loses: the search for a hash', () => {
  test('is due at once, and lasts for 24 hours', async () => {
    const { report, find, stored } = world();
    await report('12:00:00.000');
    expect(await find()).toEqual({
      custodianTransferId: ID,
      network: 'ETHEREUM',
      txHash: HASH,
      startsAt: CREATED_AT,
      endsAt: '2026-08-02T12:00:00.000Z',
      nextPollAt: CREATED_AT,
      lastDueAt: CREATED_AT,
    });
    expect(stored()).toMatchObject({ dueAt: CREATED_AT, dueShard: `HASH#${CLIENT}` });
  });

  test('expires two days after its end: after the last poll, even one that an outage has delayed for a day', async () => {
    const { report, stored } = world();
    await report('12:00:00.000');
    expect(stored()).toMatchObject({ expiresAt: Date.parse('2026-08-04T12:00:00Z') / 1000 });
  });

  test('goes on for a day after each report, for seven at most, from when it began', async () => {
    const { report, find, stored } = world();
    await report('12:00:00.000');
    await report('18:00:00.000');
    expect(await find()).toMatchObject({ startsAt: CREATED_AT, endsAt: '2026-08-02T18:00:00.000Z' });
    expect(stored()).toMatchObject({ expiresAt: Date.parse('2026-08-04T18:00:00Z') / 1000 });
    await report('12:00:00.000', 7);
    expect(await find()).toMatchObject({ startsAt: CREATED_AT, endsAt: '2026-08-08T12:00:00.000Z' });
    await report('12:00:00.000', 8);
    expect(await find()).toMatchObject({ startsAt: '2026-08-08T12:00:00.000Z', endsAt: '2026-08-09T12:00:00.000Z' });
  });

  test('is polled at once after a report, five times, if its next poll is more than a minute away', async () => {
    const { report, find, planned } = world();
    await report('12:00:00.000');
    for (const minute of [11, 21, 31, 41, 51]) {
      await planned(`12:${minute + 1}:00.000`);
      await report(`12:${minute}:00.000`);
      expect((await find())?.nextPollAt).toBe(`2026-08-01T12:${minute + 1}:00.000Z`);
      await report(`12:${minute - 1}:59.999`);
      expect((await find())?.nextPollAt).toBe(`2026-08-01T12:${minute - 1}:59.999Z`);
    }
    await planned('15:00:00.000');
    await report('13:00:00.000');
    expect((await find())?.nextPollAt).toBe('2026-08-01T15:00:00.000Z');
  });

  test('belongs to one client: no client changes the search of another', async () => {
    const { report, find, ofStranger } = world();
    await report('12:00:00.000');
    const before = await find();
    await ofStranger('18:00:00.000');
    expect(await find()).toEqual(before);
  });

  test('that is polled while it is renewed is decided again: no report is lost', async () => {
    const { dynamo, find, report, beforeNextWrite, planned, stored } = world();
    await report('12:00:00.000');
    beforeNextWrite('deposits', () => planned('12:02:00.000'));
    await report('18:00:00.000');
    expect(await find()).toMatchObject({ endsAt: '2026-08-02T18:00:00.000Z', nextPollAt: '2026-08-01T12:02:00.000Z' });
    const seen = { custodianTransferId: ID, nextPollAt: String(stored()?.['nextPollAt']), endsAt: EXPIRES_AT };
    expect(await createDepositPolls(dynamo, 'deposits', fakeClock(CREATED_AT)).record(seen, {})).toBe(false);
    expect((await find())?.nextPollAt).toBeDefined();
  });

  test('whose last poll is made while it is renewed begins anew: no report is lost', async () => {
    const { find, report, beforeNextWrite, over } = world();
    await report('12:00:00.000');
    beforeNextWrite('deposits', over);
    await report('18:00:00.000');
    const again = '2026-08-01T18:00:00.000Z';
    expect(await find()).toMatchObject({ startsAt: again, nextPollAt: again });
  });
});
