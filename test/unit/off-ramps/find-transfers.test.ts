import { describe, expect, test } from 'vitest';
import { CustodianUnavailable, type FindTransfers } from '#shared/off-ramps/custodians/custodian.ts';
import { createFindTransfer, createFindTransfers, endOfPause } from '#shared/off-ramps/custodians/find-transfers.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { CREATED_AT, HASH, onEveryNetwork, transfer } from '#test/support/off-ramp.ts';

const query = { network: 'ETHEREUM', txHash: HASH, since: CREATED_AT } as const;

function failing(times: number, failure: Error, random = 0.5) {
  const clock = fakeClock(CREATED_AT, () => random);
  let asked = 0;
  const findTransfers = async () => {
    asked += 1;
    if (asked <= times) throw failure;
    return [transfer()];
  };
  const find = createFindTransfers(onEveryNetwork({ name: 'one', findTransfers }), clock);
  return { find, clock, count: () => asked };
}

describe('decisions 4, polling schedule: a short outage of the custodian costs no poll', () => {
  test.each([0, 1, 2, 3])('%d failures are outlasted', async (times) => {
    const { find, clock } = failing(times, new CustodianUnavailable('timeout'));
    expect(await find(query)).toEqual([transfer({ custodianTransferId: 'one:transfer-1' })]);
    expect(clock.pauses).toHaveLength(times);
  });

  test('a longer outage is told to the caller, after pauses that double', async () => {
    const failure = new CustodianUnavailable('timeout');
    const { find, clock, count } = failing(100, failure);
    await expect(find(query)).rejects.toBe(failure);
    expect(count()).toBe(4);
    expect(clock.pauses).toEqual([100, 200, 400]);
  });

  test('a transaction that the custodian did not know at the last poll is asked for in one try', async () => {
    const { find, count } = failing(100, new CustodianUnavailable('timeout'));
    await expect(find({ ...query, wasUnknown: true })).rejects.toThrow(CustodianUnavailable);
    expect(count()).toBe(1);
  });

  test('a custodian that says when to come again is not asked before, and its caller is told', async () => {
    const limited = new CustodianUnavailable('429', { retryAfter: 30 });
    const { find, clock, count } = failing(100, limited);
    await expect(find(query)).rejects.toBe(limited);
    expect([count(), clock.pauses]).toEqual([1, []]);
    expect(endOfPause(limited, new Date(CREATED_AT))).toBe(Date.parse(CREATED_AT) / 1000 + 30);
  });

  test.each([
    [undefined, -Date.parse(CREATED_AT) / 1000],
    [-5, 0],
    [365 * 86_400, 86_400],
  ])('a pause of %s seconds is one of %s: no mistake of the custodian stops deposits', (retryAfter, pause) => {
    const limited = new CustodianUnavailable('429', retryAfter === undefined ? {} : { retryAfter });
    expect(endOfPause(limited, new Date(CREATED_AT)) - Date.parse(CREATED_AT) / 1000).toBe(pause);
  });

  test.each([null, {}, 'none'])('an answer that is no list counts as none: %j', async (answer) => {
    const custodian = { name: 'one', findTransfers: async () => JSON.parse(JSON.stringify(answer)) };
    const find = createFindTransfers(onEveryNetwork(custodian), fakeClock(CREATED_AT));
    await expect(find(query)).rejects.toBeInstanceOf(CustodianUnavailable);
  });

  test('decisions 12, searching: it is asked with a margin of a day', async () => {
    const asked: string[] = [];
    const findTransfers: FindTransfers = async ({ since }) => {
      asked.push(since);
      return [];
    };
    await createFindTransfers(onEveryNetwork({ name: 'one', findTransfers }), fakeClock(CREATED_AT))(query);
    expect(asked).toEqual(['2026-07-31T12:00:00.000Z']);
  });

  test('any other failure is thrown at once', async () => {
    const failure = new Error('bad item');
    const { find, clock } = failing(100, failure);
    await expect(find(query)).rejects.toBe(failure);
    expect(clock.pauses).toEqual([]);
  });
});

describe('decisions 12, registry: each network has its custodian', () => {
  const asked: string[] = [];
  const custodian = (name: string) => ({
    name,
    async findTransfers() {
      asked.push(name);
      return [transfer()];
    },
    async findTransfer({ custodianTransferId }: { readonly custodianTransferId: string }) {
      asked.push(`${name} ${custodianTransferId}`);
      return transfer({ custodianTransferId: custodianTransferId.replace('other', 'another') });
    },
  });
  const custodians = new Map([
    ['ETHEREUM', custodian('one')],
    ['BASE', custodian('two')],
  ] as const);
  const clock = fakeClock(CREATED_AT);

  test('a transaction is searched at that of its network, and nowhere on a network without one', async () => {
    const find = createFindTransfers(custodians, clock);
    expect(await find({ ...query, network: 'BASE' })).toMatchObject([{ custodianTransferId: 'two:transfer-1' }]);
    await expect(find({ ...query, network: 'SUI' })).rejects.toBeInstanceOf(CustodianUnavailable);
    expect(asked.splice(0)).toEqual(['two']);
  });

  test('a transfer is asked for at that of its id, by the id that this one gave; another one is no answer', async () => {
    const find = createFindTransfer(custodians, clock);
    const custodianTransferId = 'two:7';
    expect(await find({ custodianTransferId })).toMatchObject({ custodianTransferId });
    const unreadableFields = 'custodianTransferId';
    expect(await find({ custodianTransferId: 'one:other' })).toEqual({
      custodianTransferId: 'one:other',
      unreadableFields,
    });
    await expect(find({ custodianTransferId: 'three:7' })).rejects.toBeInstanceOf(CustodianUnavailable);
    expect(asked.splice(0)).toEqual(['two 7', 'one other']);
  });
});
