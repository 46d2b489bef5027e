import { describe, expect, test } from 'vitest';
import { reconcileCustodian } from '#functions/off-ramps/reconcile-custodian/reconcile-custodian.ts';
import { type CustodianTransfer, CustodianUnavailable } from '#shared/off-ramps/custodians/custodian.ts';
import { createCustodianLists } from '#shared/off-ramps/store/custodian-lists.ts';
import { createDepositRepository } from '#shared/off-ramps/store/deposit-repository.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { CREATED_AT, HASH, onEveryNetwork, transfer } from '#test/support/off-ramp.ts';
import { tablesInMemory } from '#test/support/tables-in-memory.ts';

const HOUR = 3600;
const at = (seconds: number) => new Date(Date.parse(CREATED_AT) + seconds * 1000).toISOString();

/** A custodian with pages of two transfers and without notifications; each hand-over takes this many seconds. */
function world(seconds = 0) {
  const lines = captureLogs();
  const clock = fakeClock(CREATED_AT);
  const { dynamo, table } = tablesInMemory();
  const lists = createCustodianLists(dynamo, 'deposits');
  const deposits = createDepositRepository(dynamo, 'deposits', clock);
  const all: unknown[] = [];
  const asked: (readonly [since: string, until: string, cursor: string | undefined])[] = [];
  const queued: string[] = [];
  const faults: (() => void)[] = [];
  const custodian = {
    name: 'one',
    async listTransfers({
      createdSince,
      until,
      cursor,
    }: {
      createdSince: string;
      until: string;
      cursor?: string | undefined;
    }) {
      asked.push([createdSince, until, cursor]);
      faults.shift()?.();
      const start = Number(cursor ?? 0);
      const transfers: readonly CustodianTransfer[] = JSON.parse(JSON.stringify(all.slice(start, start + 2)));
      return { transfers, cursor: start + 2 < all.length ? String(start + 2) : undefined };
    },
  };
  const run = reconcileCustodian({
    custodians: onEveryNetwork(custodian),
    chains: new Map(),
    lists,
    deposits,
    dustBelow: {},
    sendPoll: async ({ custodianTransferId }) => {
      queued.push(custodianTransferId);
      clock.advance(seconds);
    },
    clock,
  });
  const send = (...numbers: readonly number[]) => {
    all.push(...numbers.map((number) => transfer({ custodianTransferId: `${number}`, createdAt: at(0) })));
  };
  return { lines, clock, table, deposits, lists, all, asked, queued, faults, run, send };
}

const refuse = () => {
  throw new CustodianUnavailable('429', { retryAfter: 60 });
};

describe('decisions 12, reconciliation: a transfer that a custodian has and did not notify', () => {
  test('is found within an hour, once, on all pages, by lists that overlap by an hour', async () => {
    const { send, run, asked, queued, clock } = world();
    send(1, 2, 3);
    expect(await run()).toBe(3);
    expect(queued).toEqual(['one:1', 'one:2', 'one:3']);
    clock.advance(HOUR - 1);
    await run();
    clock.advance(1);
    send(4);
    expect(await run()).toBe(1);
    expect(asked.map(([since, until]) => [since, until])).toEqual([
      [at(-24 * HOUR), at(0)],
      [at(-24 * HOUR), at(0)],
      [at(-HOUR), at(HOUR)],
      [at(-HOUR), at(HOUR)],
    ]);
    expect(queued).toHaveLength(4);
  });

  test('is not asked for again if it was notified since: it has its own polls', async () => {
    const { send, run, queued, deposits, clock } = world();
    send(1, 2);
    await deposits.remember({ custodianTransferId: 'one:1', network: 'ETHEREUM', txHash: HASH }, clock.now());
    expect([await run(), queued]).toEqual([1, ['one:2']]);
  });

  test('is read on from the page that had no answer, with the same list, and nothing of it is left out', async () => {
    const { send, run, asked, queued, faults, clock, lines } = world();
    send(1, 2, 3, 4, 5);
    faults.push(() => undefined, refuse);
    await run();
    clock.advance(60);
    await run();
    expect(queued).toEqual([1, 2, 3, 4, 5].map((number) => `one:${number}`));
    expect(asked.map(([, until, cursor]) => [until, cursor])).toEqual(
      [undefined, '2', '2', '4'].map((cursor) => [at(0), cursor]),
    );
    expect(lines.filter(({ level }) => level === 'warn')).toMatchObject([{ code: 'CUSTODIAN_UNAVAILABLE' }]);
  });

  test('is read from the beginning once its cursor is an hour old and has no answer: nothing says how long it is good', async () => {
    const { send, run, asked, queued, faults, clock } = world();
    send(1, 2, 3);
    const gone = () => {
      throw new CustodianUnavailable('The cursor has ended.');
    };
    faults.push(() => undefined, gone, gone, gone, gone);
    await run();
    clock.set(at(HOUR));
    faults.push(refuse);
    await run();
    faults.push(gone, gone, gone, gone);
    await run();
    expect(queued).toEqual(['one:1', 'one:2']);
    expect(await run()).toBe(1);
    // Not while the list is younger, nor because the custodian asked for a pause.
    const kept = Array.from({ length: 9 }, () => '2');
    expect(asked.map(([, until, cursor]) => [until, cursor])).toEqual(
      [undefined, ...kept, undefined, '2'].map((cursor) => [at(0), cursor]),
    );
    expect(queued).toEqual(['one:1', 'one:2', 'one:3']);
  });

  test('is not passed over when the time of a run is over before its page is handed over', async () => {
    const { send, run, queued, faults, clock } = world(15);
    send(1, 2, 3);
    faults.push(
      () => undefined,
      () => clock.advance(11),
    );
    expect([await run(), await run()]).toEqual([2, 1]);
    expect(queued).toEqual(['one:1', 'one:2', 'one:3']);
  });

  test('is not read because of a fault of ours, which is thrown', async () => {
    const { run, faults } = world();
    faults.push(() => {
      throw new TypeError('ours');
    });
    await expect(run()).rejects.toThrow('ours');
  });

  test('is read by one run at a time: the one that moves the list goes on, and the other stops', async () => {
    const { send, run, asked, faults, lists, queued } = world();
    send(1, 2, 3);
    let other: Promise<number> | undefined;
    faults.push(() => {
      other = run();
    });
    await Promise.all([run(), other]);
    await other;
    expect(new Set(queued)).toEqual(new Set(['one:1', 'one:2', 'one:3']));
    expect(asked).toHaveLength(3);
    expect(await lists.find('one')).toMatchObject({ isRead: true, until: at(0), version: 3 });
  });

  test('decisions 12, boundary: hides nothing beside it when it cannot be read', async () => {
    const { send, run, all, queued, lines, table } = world();
    all.push({ ...transfer(), custodianTransferId: null }, { ...transfer({ custodianTransferId: 'odd' }), amount: 7 });
    send(1);
    expect([await run(), queued]).toEqual([1, ['one:1']]);
    expect(lines).toContainEqual({
      level: 'error',
      code: 'TRANSFER_UNREADABLE',
      fields: { custodianTransferId: 'one:odd', fields: 'amount' },
    });
    expect(table('deposits').find({ custodianTransferId: 'one:odd' })).toMatchObject({ unreadable: 'UNREADABLE' });
  });

  test('decisions 12, notifications: on a network that is none of ours is counted, and nobody has to look', async () => {
    const { run, all, deposits, lines } = world();
    all.push({ ...transfer({ custodianTransferId: 'doge' }), network: 'DOGE' });
    expect([await run(), await deposits.find('one:doge')]).toEqual([0, undefined]);
    const fields = { custodianTransferId: 'one:doge', network: 'DOGE' };
    expect(lines).toEqual([{ level: 'warn', code: 'ASSET_NOT_SERVED', fields }]);
  });
});

describe('decisions 12: a network that is scanned', () => {
  /** A scan of two parts; every 25 transfers that are handed over take this many seconds. */
  function scannedWorld(parts: readonly [readonly CustodianTransfer[], readonly CustodianTransfer[]], seconds = 0) {
    const { clock, lists, deposits } = world();
    const queued: string[] = [];
    const cursors: (string | undefined)[] = [];
    const chain = {
      name: 'evm',
      async scanTransfers({ cursor }: { cursor?: string | undefined }) {
        cursors.push(cursor);
        const transfers = cursor === undefined ? parts[0] : parts[1];
        return { transfers, cursor: 'the next', isAtEnd: cursor !== undefined };
      },
    };
    const run = reconcileCustodian({
      custodians: new Map(),
      chains: new Map([['POLYGON', chain]]),
      lists,
      deposits,
      dustBelow: { 'ETHEREUM:USDC': '1' },
      sendPoll: async ({ custodianTransferId }) => {
        queued.push(custodianTransferId);
        if (queued.length % 25 === 0) clock.advance(seconds);
      },
      clock,
    });
    return { run, queued, cursors, clock, lists, deposits };
  }

  test('hands over any number of strangers’ transfers, in several runs, each once, and moves on after the last', async () => {
    const many = Array.from({ length: 100 }, (_, number) =>
      transfer({ custodianTransferId: `${number}`, createdAt: at(0) }),
    );
    const { run, queued, cursors, clock } = scannedWorld([many, []], 20);
    expect([await run(), await run(), await run()]).toEqual([50, 50, 0]);
    expect(new Set(queued).size).toBe(queued.length);
    clock.advance(60);
    await run();
    expect(cursors).toEqual([undefined, undefined, 'the next', 'the next']);
  });

  test('reports all transfers of a part at once, so that no poll of one reports another again', async () => {
    const many = Array.from({ length: 50 }, (_, number) => transfer({ custodianTransferId: `${number}` }));
    const { run, queued, deposits } = scannedWorld([many, []], 1);
    await run();
    const told = await Promise.all(queued.map(deposits.find));
    expect(new Set(told.map((one) => one?.lastNotifiedAt)).size).toBe(1);
  });

  test('hands over what was reported before only once it is final, and has a cursor of its own', async () => {
    const states = { new: 'UNCONFIRMED', reported: 'UNCONFIRMED', final: 'CONFIRMED' } as const;
    const found = Object.entries(states).map(([custodianTransferId, state]) =>
      transfer({ custodianTransferId, state, createdAt: at(-10) }),
    );
    const { run, queued, clock, deposits, lists } = scannedWorld([[], found]);
    for (const custodianTransferId of ['evm:reported', 'evm:final'])
      await deposits.remember({ custodianTransferId, network: 'ETHEREUM', txHash: HASH }, clock.now());
    await run();
    expect(queued).toEqual(['evm:new', 'evm:final']);
    expect(await lists.find('evm:POLYGON')).toMatchObject({ cursor: 'the next', isRead: true, version: 2 });
  });

  test('hands over dust once, when it is final: what may be awaited, or is of another asset, at once', async () => {
    const of = (custodianTransferId: string, given: object) => transfer({ custodianTransferId, ...given });
    const { run, queued } = scannedWorld([
      [],
      [
        of('dust', { state: 'UNCONFIRMED', amount: '0.999999' }),
        of('least', { state: 'UNCONFIRMED', amount: '1' }),
        of('other', { state: 'UNCONFIRMED', amount: '0.1', assetId: 'ETHEREUM:OTHER' }),
        of('final', { state: 'CONFIRMED', amount: '0.999999' }),
      ],
    ]);
    await run();
    expect(queued).toEqual(['evm:least', 'evm:other', 'evm:final']);
  });
});
