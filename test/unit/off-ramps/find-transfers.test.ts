import { describe, expect, test } from 'vitest';
import { CustodianUnavailable } from '#shared/off-ramps/custodians/custodian.ts';
import { createFindTransfers } from '#shared/off-ramps/custodians/find-transfers.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { CREATED_AT, HASH, transfer } from '#test/support/off-ramp.ts';

const query = { network: 'ETHEREUM', txHash: HASH, since: CREATED_AT } as const;

function failing(times: number, failure: Error, random = 0.5) {
  const clock = fakeClock(CREATED_AT, () => random);
  let asked = 0;
  const findTransfers = async () => {
    asked += 1;
    if (asked <= times) throw failure;
    return [transfer()];
  };
  const find = createFindTransfers({ name: 'one', findTransfers }, clock);
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

  test('any other failure is thrown at once', async () => {
    const failure = new Error('bad item');
    const { find, clock } = failing(100, failure);
    await expect(find(query)).rejects.toBe(failure);
    expect(clock.pauses).toEqual([]);
  });
});
