import { describe, expect, test } from 'vitest';
import { listOperations } from '#functions/off-ramps/list-operations/list-operations.ts';
import { listOperationsContract } from '#shared/off-ramps/contract/off-ramp-contract.ts';
import type { OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import type { ListedOffRamps } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { expectApiError } from '#test/support/expect-api-error.ts';
import { OTHER_USER, USER } from '#test/support/ids.ts';
import { offRamp } from '#test/support/off-ramp.ts';
import { routeCall } from '#test/support/route-call.ts';
import { usersInMemory } from '#test/support/users-in-memory.ts';

const idOf = (place: number) => `33333333-3333-4333-8333-${String(place).padStart(12, '0')}`;

/** A user with this many operations, the newest first, and what a list of them reads. */
function world(count: number, differences: (place: number) => Partial<OffRamp> = () => ({})) {
  const listed = Array.from({ length: count }, (_, place) =>
    offRamp({ operationId: idOf(place), ...differences(place) }),
  );
  const reads: number[] = [];
  const operations: Pick<ListedOffRamps, 'idsOfUser' | 'getReadable'> = {
    async *idsOfUser({ externalReference }, after) {
      const rest = listed.slice(after === undefined ? 0 : listed.indexOf(after) + 1);
      const found = listed.filter((one) => one.externalReference === externalReference);
      for (const one of rest) {
        if (externalReference === undefined || found.includes(one) || found.length > 1000) yield one.operationId;
      }
    },
    async getReadable(ids) {
      reads.push(ids.length);
      return ids.map((id) => listed.find(({ operationId }) => operationId === id));
    },
  };
  const useCase = listOperations({ findUser: usersInMemory(USER), operations });

  async function list(query: Record<string, string>, path = { user_id: USER }) {
    reads.length = 0;
    const { body } = await useCase(routeCall(listOperationsContract, path, {}, { query }));
    return { ids: body.operations.map(({ id }) => id), nextCursor: body.nextCursor, reads: [...reads] };
  }

  return { list };
}

describe('decisions 4, reading an operation: the cost of a list does not grow with the number of operations', () => {
  test.each([1000, 6000, 50_000])('of %i operations of which the oldest fits, a call reads 300', async (count) => {
    const { list } = world(count, (place) => ({ status: place === count - 1 ? 'AWAITING_DEPOSIT' : 'COMPLETED' }));
    expect(await list({ status: 'AWAITING_DEPOSIT' })).toEqual({
      ids: [],
      nextCursor: idOf(299),
      reads: [100, 100, 100],
    });
  });

  test('following nextCursor leads to the oldest, which fits', async () => {
    const { list } = world(1000, (place) => ({ status: place === 999 ? 'AWAITING_DEPOSIT' : 'COMPLETED' }));
    const query = { status: 'AWAITING_DEPOSIT' };
    const pages = [await list(query)];
    for (let cursor = pages[0]?.nextCursor; cursor !== undefined; cursor = pages.at(-1)?.nextCursor) {
      pages.push(await list({ ...query, cursor }));
    }
    expect(pages.map(({ ids }) => ids)).toEqual([[], [], [], [idOf(999)]]);
  });

  test('a reference has an index, so that nothing else is read', async () => {
    const { list } = world(6000, (place) => (place % 2000 === 1999 ? { externalReference: 'invoice-7' } : {}));
    const { reads: [read] = [], ...page } = await list({ externalReference: 'invoice-7' });
    expect(page).toEqual({ ids: [idOf(1999), idOf(3999), idOf(5999)], nextCursor: undefined });
    expect(read).toBe(3);
    expect(await list({ externalReference: 'invoice-8' })).toEqual({ ids: [], nextCursor: undefined, reads: [] });
  });

  test('records with another reference are left out, even beside very many with the right one', async () => {
    const { list } = world(4000, (place) => ({ externalReference: place === 350 ? 'other' : 'same' }));
    expect((await list({ externalReference: 'same' })).ids).toHaveLength(20);
    expect(await list({ externalReference: 'same', cursor: idOf(349), limit: '1' })).toMatchObject({
      ids: [idOf(351)],
    });
  });

  test('a reference and a status filter together', async () => {
    const { list } = world(600, (place) => ({
      externalReference: place % 2 === 0 ? 'even' : 'odd',
      status: place % 3 === 0 ? 'FAILED' : 'PENDING',
    }));
    const { ids } = await list({ externalReference: 'odd', status: 'FAILED', limit: '3' });
    expect(ids).toEqual([idOf(3), idOf(9), idOf(15)]);
  });
});

describe('decisions 4, reading an operation: a cursor', () => {
  test('stays valid where its record does not fit the filter, or has ended since', async () => {
    const { list } = world(50, (place) => ({
      status: place < 10 ? 'CANCELLED' : 'PENDING',
      ...(place > 40 && { externalReference: 'invoice-7' }),
    }));
    const cursor = idOf(4);
    expect((await list({ cursor, status: 'PENDING', limit: '2' })).ids).toEqual([idOf(10), idOf(11)]);
    expect((await list({ cursor, externalReference: 'invoice-7', limit: '2' })).ids).toEqual([idOf(41), idOf(42)]);
  });

  test('of another user is refused', async () => {
    const { list } = world(2, (place) => (place === 1 ? { userId: OTHER_USER } : {}));
    expect(await expectApiError(() => list({ cursor: idOf(1) }))).toMatchObject({
      status: 422,
      errors: [{ path: 'query.cursor', code: 'INVALID_CURSOR' }],
    });
  });
});

describe('decisions 4, reading an operation: a list', () => {
  test('of a user that is not the client’s does not exist, whatever else is wrong', async () => {
    const { list } = world(0);
    expect((await expectApiError(() => list({ limit: 'x' }, { user_id: OTHER_USER }))).code).toBe('USER_NOT_FOUND');
  });

  test.each([
    ['', 422],
    ['x'.repeat(256), 422],
    ['x'.repeat(9000), 422],
    ['😀'.repeat(256), 422],
  ])('by an impossible reference is refused', async (externalReference, status) => {
    const error = await expectApiError(() => world(1).list({ externalReference }));
    expect(error).toMatchObject({ status, errors: [{ path: 'query.externalReference', code: 'OUT_OF_RANGE' }] });
  });

  test('by any possible reference is answered', async () => {
    expect((await world(1).list({ externalReference: '😀'.repeat(255) })).ids).toEqual([]);
  });
});
