import { describe, expect, test } from 'vitest';
import { createHashSearches } from '#shared/off-ramps/hash-searches.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { CREATED_AT, HASH } from '#test/support/off-ramp.ts';
import { tablesInMemory } from '#test/support/tables-in-memory.ts';

const ID = `HASH#ETHEREUM#${HASH}`;

function world() {
  const { dynamo, table } = tablesInMemory();
  const { start, find } = createHashSearches(dynamo, 'deposits', fakeClock(CREATED_AT));
  return {
    find: () => find(ID),
    stored: () => table('deposits').find({ custodianTransferId: ID }),
    /** Reports the hash at this time of the first of August. */
    report: (time: string) => start({ network: 'ETHEREUM', txHash: HASH }, new Date(`2026-08-01T${time}Z`)),
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
    });
    expect(stored()).toMatchObject({ dueAt: CREATED_AT, dueShard: expect.stringMatching(/^HASH#\d$/) });
  });

  test('expires two days after its end: after the last poll, even one that an outage has delayed for a day', async () => {
    const { report, stored } = world();
    await report('12:00:00.000');
    expect(stored()).toMatchObject({ expiresAt: Date.parse('2026-08-04T12:00:00Z') / 1000 });
  });

  test.each([
    ['12:00:59.999', '12:00:00.000'],
    ['12:01:00.000', '12:01:00.000'],
  ])(
    'is started again once a minute, however often the hash is reported: at %s it is the one of %s',
    async (again, of) => {
      const { report, find } = world();
      await report('12:00:00.000');
      await report(again);
      expect((await find())?.startsAt).toBe(`2026-08-01T${of}Z`);
    },
  );
});
