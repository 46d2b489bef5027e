import { describe, expect, test } from 'vitest';
import { CustodianUnavailable, type FoundTransfer } from '#shared/off-ramps/custodians/custodian.ts';
import {
  createAskForPage,
  createFindTransfer,
  createFindTransfers,
} from '#shared/off-ramps/custodians/find-transfers.ts';
import { createFireblocksDouble, type DoubleOptions } from '#test/doubles/fireblocks/double.ts';
import type { Deposit, Movement } from '#test/doubles/fireblocks/transaction-record.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { callOfDouble, fireblocksOver } from '#test/support/custodians/fireblocks-fixture.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { CLIENT, STRANGER } from '#test/support/ids.ts';
import { CREATED_AT, onEveryNetwork } from '#test/support/off-ramp.ts';

const [OURS, OTHER, FROM] = [
  '0xA1A1a1a1A1A1A1A1A1a1a1a1a1a1A1A1a1A1a1a1',
  '0xa2A2a2A2A2A2A2a2a2a2a2A2A2A2A2a2A2A2a2a2',
  '0xb2b2b2b2b2B2b2B2B2b2b2B2B2b2B2B2b2b2b2b2',
];
const USDC = 'USDC_POLYGON_NXTB';

const networks = {
  POLYGON: { baseAsset: 'MATIC_POLYGON', assets: [USDC] },
  STELLAR: { baseAsset: 'XLM', assets: ['XLM_USDC_5F3T'] },
};

function world(options: Partial<DoubleOptions> & { readonly callsPerMinute?: number } = {}) {
  const clock = fakeClock(CREATED_AT);
  const double = createFireblocksDouble({ clock, ...options });
  const { callsPerMinute = 300 } = options;
  const adapter = fireblocksOver({ call: callOfDouble(double), clock, networks, callsPerMinute });
  const custodians = onEveryNetwork(adapter);
  const find = createFindTransfers(custodians, clock);
  const findOne = createFindTransfer(custodians, clock);
  /** Puts a transaction on Polygon; returns what is found of it. */
  const put = async (differences: Partial<Deposit> = {}, movement: Partial<Movement> = {}) => {
    const movements = [{ assetId: USDC, amount: '250.5', to: OURS, from: FROM, ...movement }] as const;
    const deposit = { network: 'POLYGON', movements, status: 'COMPLETED', screening: 'COMPLETED' } as const;
    const [record = expect.fail()] = double.deposit({ ...deposit, ...differences });
    return find({ network: record.network, txHash: record.txHash, since: CREATED_AT });
  };
  const ask = (txHash: string, about: Partial<Parameters<typeof adapter.findTransfers>[0]> = {}) =>
    find({ network: 'POLYGON', txHash, since: CREATED_AT, ...about });
  const list = createAskForPage(adapter, clock);
  return { clock, double, adapter, put, ask, findOne, list };
}

const states = (found: readonly FoundTransfer[]) => found.map(({ state }) => state);

describe('decisions 12, finality: a transfer of Fireblocks is', () => {
  test.each<readonly [string, string | undefined, string]>([
    ...['', 'CONFIRMED', '3RD_PARTY_COMPLETED'].map((one) => ['COMPLETED', one, 'CONFIRMED'] as const),
    ...['COMPLETED_BUT_3RD_PARTY_FAILED', 'COMPLETED_BUT_3RD_PARTY_REJECTED', 'AUTO_FREEZE', 'NEW_WORD'].map(
      (one) => ['COMPLETED', one, 'HELD'] as const,
    ),
    ...['AUTO_FREEZE', 'FROZEN_MANUALLY', 'REJECTED_AML_SCREENING', '', 'NEW_WORD'].map(
      (one) => ['REJECTED', one, 'HELD'] as const,
    ),
    ['BLOCKED', 'BLOCKED_BY_POLICY', 'HELD'],
    ['FAILED', 'DROPPED_BY_BLOCKCHAIN', 'FAILED'],
    ['CANCELLED', undefined, 'FAILED'],
    ['CONFIRMING', 'PENDING_BLOCKCHAIN_CONFIRMATIONS', 'UNCONFIRMED'],
    ...['SUBMITTED', 'PENDING_AML_SCREENING', 'PENDING_ENRICHMENT', 'QUEUED', 'BROADCASTING', 'CANCELLING'].map(
      (one) => [one, undefined, 'UNCONFIRMED'] as const,
    ),
  ])('%s with %s: %s', async (status, subStatus, state) => {
    const lines = captureLogs();
    const { put } = world();
    expect(states(await put({ status, ...(subStatus !== undefined && { subStatus }) }))).toEqual([state]);
    expect(lines).toEqual([]);
  });

  test('UNCONFIRMED with a word that is not known, of which there is one notice', async () => {
    const lines = captureLogs();
    const { put } = world();
    const found = [await put({ status: 'PARTIALLY_DONE' }), await put({ status: 'PARTIALLY_DONE' })];
    expect(found.flatMap(states)).toEqual(['UNCONFIRMED', 'UNCONFIRMED']);
    expect(lines).toMatchObject([
      { level: 'warn', code: 'CUSTODIAN_STATUS_UNKNOWN', fields: { status: 'PARTIALLY_DONE' } },
    ]);
  });

  test.each<[Partial<Deposit>, string]>([
    [{ screening: 'COMPLETED' }, 'CONFIRMED'],
    [{ screening: 'BYPASSED' }, 'CONFIRMED'],
    [{ fields: { complianceResults: undefined } }, 'CONFIRMED'],
    [{ fields: { complianceResults: { status: 'IncomingCompleted' } } }, 'CONFIRMED'],
    [{ screening: 'PENDING' }, 'UNCONFIRMED'],
    [{ screening: 'FAILED' }, 'UNCONFIRMED'],
    [{ fields: { complianceResults: { status: 'AMLIncomingInBackground' } } }, 'UNCONFIRMED'],
    [{ fields: { amlScreeningResult: { screeningStatus: 'PENDING' } } }, 'UNCONFIRMED'],
    [{ fields: { complianceResults: { amlList: [{ screeningStatus: 'PENDING' }] } } }, 'UNCONFIRMED'],
    [{ fields: { complianceResults: { tr: { screeningStatus: 'LATER' } } } }, 'UNCONFIRMED'],
    // Screened again after the transfer was frozen, or its screening had failed: the list keeps earlier results.
    ...['FROZEN', 'FAILED'].map((earlier): [Partial<Deposit>, string] => {
      const amlList = [earlier, 'COMPLETED'].map((screeningStatus) => ({ screeningStatus }));
      return [{ fields: { complianceResults: { aml: amlList[1], amlList } } }, 'CONFIRMED'];
    }),
    [
      { fields: { complianceResults: { status: 'TRIncomingStarted', aml: { screeningStatus: 'COMPLETED' } } } },
      'UNCONFIRMED',
    ],
    // Their own library has lists where the documentation has one result.
    [{ fields: { complianceResults: { aml: [{ screeningStatus: 'COMPLETED' }], tr: [] } } }, 'CONFIRMED'],
    [
      { fields: { complianceResults: { aml: [{ screeningStatus: 'BYPASSED' }, { screeningStatus: 'PENDING' }] } } },
      'UNCONFIRMED',
    ],
    [{ fields: { complianceResults: { tr: [{ screeningStatus: 'FROZEN' }] } } }, 'HELD'],
    [{ screening: 'FROZEN' }, 'HELD'],
    [{ fields: { complianceResults: 'unreadable' } }, 'UNREADABLE'],
  ])('COMPLETED, with a screening like %j: %s', async (differences, state) => {
    const { put } = world();
    expect(states(await put(differences))).toEqual([state]);
  });

  test('decided by its custodian alone: the counted confirmations are evidence only', async () => {
    const { double, ask, put } = world({ policies: { POLYGON: 32 } });
    const [{ txHash = '' } = {}] = await put({ status: 'CONFIRMING', confirmations: 3 });
    expect(await ask(txHash)).toMatchObject([{ state: 'UNCONFIRMED', confirmations: 3 }]);
    double.confirm(txHash, 40);
    expect(await ask(txHash)).toMatchObject([{ state: 'CONFIRMED', confirmations: 32 }]);
    double.reorganise(txHash);
    expect(states(await ask(txHash))).toEqual(['FAILED']);
  });
});

describe('decisions 12: an amount of Fireblocks is a text', () => {
  test.each([
    ['250.5', '250.5'],
    ['250.500000', '250.5'],
    ['0.000000000000000001', '0.000000000000000001'],
    ['123456789012345678901.123456789012345678', '123456789012345678901.123456789012345678'],
  ])('%s is %s, whatever the number beside it is', async (given, amount) => {
    const { put } = world();
    const fields = { amount: 0.1 + 0.2, netAmount: 1e21 };
    expect(await put({ fields }, { amount: given })).toMatchObject([{ state: 'CONFIRMED', amount }]);
  });

  test.each(['2.505e2', '-1', ' 1', '1,5', '', 250.5, null, undefined])(
    '%j is unreadable, for it alone',
    async (amount) => {
      const { put, double, ask } = world();
      const [{ txHash = '' } = {}] = await put();
      const movement = { assetId: USDC, amount: '7', to: OTHER, from: FROM };
      double.deposit({ network: 'POLYGON', txHash, movements: [movement], fields: { amountInfo: { amount } } });
      expect(await ask(txHash)).toMatchObject([
        { state: 'UNREADABLE', unreadableFields: 'amount' },
        { state: 'CONFIRMED', amount: '250.5' },
      ]);
    },
  );
});

describe('decisions 12: of a transaction of Fireblocks', () => {
  test('each record into a vault is a transfer, and none that leaves one', async () => {
    const { put, double, ask } = world();
    const [{ txHash = '' } = {}] = await put();
    const movement = { assetId: USDC, amount: '7', to: OTHER, from: OURS };
    const outgoing = { fields: { destination: { type: 'ONE_TIME_ADDRESS' } } };
    double.deposit({ network: 'POLYGON', txHash, movements: [movement], ...outgoing });
    double.deposit({ network: 'STELLAR', txHash, movements: [{ ...movement, assetId: 'XLM' }] });
    expect(await ask(txHash)).toMatchObject([{ toAddress: OURS, fromAddress: FROM, assetId: USDC }]);
  });

  test.each([
    ['UNKNOWN', undefined],
    ['INTERNAL_WALLET', undefined],
    ['EXTERNAL_WALLET', undefined],
    ['VAULT_ACCOUNT', true],
    ['GAS_STATION', true],
  ])('what %s has sent is from the custodian: %s', async (type, isFromCustodian) => {
    const { put } = world();
    const [found] = await put({}, { source: { type, id: '1' } });
    expect(found).toMatchObject({ state: 'CONFIRMED', isFromCustodian });
  });

  test('between our vaults nothing has arrived before it is on its chain', async () => {
    const { double, findOne, list } = world();
    const movement = { assetId: USDC, amount: '1', to: OURS, from: OTHER, source: { type: 'VAULT_ACCOUNT', id: '1' } };
    const [{ id } = expect.fail()] = double.deposit({ network: 'POLYGON', movements: [movement], status: 'SUBMITTED' });
    const found = () => findOne({ custodianTransferId: `fireblocks:${id}` });
    expect([await found(), await list({ createdSince: CREATED_AT, until: CREATED_AT })]).toMatchObject([
      undefined,
      { transfers: [] },
    ]);
    double.change(id, { status: 'CONFIRMING' });
    expect(await found()).toMatchObject({ state: 'UNCONFIRMED', isFromCustodian: true });
  });

  test('each movement of a contract call is a transfer, whose id stays the same whatever comes, goes or moves', async () => {
    const { double, ask, findOne } = world();
    const usdc = (to: string, amount: string) => ({ assetId: USDC, amount, to, from: FROM });
    const movements = [usdc(OTHER, '1'), usdc(OURS, '2'), usdc(OURS, '2'), usdc(OURS, '3')] as const;
    const about = { network: 'POLYGON', shape: 'NETWORK_RECORDS', status: 'COMPLETED' } as const;
    const [{ id, txHash, text } = expect.fail()] = double.deposit({ ...about, movements });
    const found = await ask(txHash);
    const ids = found.map(({ custodianTransferId }) => custodianTransferId);
    expect(found).toMatchObject(movements.map(({ to, amount }) => ({ toAddress: to, amount, fromAddress: FROM })));
    expect([new Set(ids).size, ids.every((one) => one.startsWith(`fireblocks:${id}#`))]).toEqual([4, true]);
    const [one, alike, twin, three] = JSON.parse(text).networkRecords;
    const idsOf = async (networkRecords: readonly unknown[]) => {
      double.change(id, { fields: { networkRecords } });
      return (await ask(txHash)).map(({ custodianTransferId }) => custodianTransferId);
    };
    const [ofOne, ofAlike, ofTwin, ofThree] = ids;
    expect(await idsOf([three, twin, alike, one])).toEqual([ofThree, ofAlike, ofTwin, ofOne]);
    expect(await idsOf([three])).toEqual([ofThree]);
    expect(await idsOf([{ ...alike, isDropped: true }, twin])).toEqual([ofAlike]);
    expect(await idsOf([{ ...three, destination: { type: 'EXTERNAL_WALLET' } }, one])).toEqual([ofOne]);
    expect([
      await findOne({ custodianTransferId: ofOne ?? '' }),
      await findOne({ custodianTransferId: `fireblocks:${id}` }),
    ]).toEqual([found[0], undefined]);
    await idsOf([{ ...three, isDropped: 'no' }]);
    expect(await ask(txHash)).toMatchObject([{ state: 'UNREADABLE', unreadableFields: 'amount' }]);
  });

  test('that is COMPLETED before its movements are told nothing is final, and it is no deposit of nobody', async () => {
    const { double, ask } = world();
    const movements = [{ assetId: USDC, amount: '2', to: OURS, from: FROM }] as const;
    const about = { network: 'POLYGON', shape: 'NETWORK_RECORDS', status: 'COMPLETED' } as const;
    const [{ id, txHash, text } = expect.fail()] = double.deposit({ ...about, movements });
    double.change(id, { fields: { networkRecords: [] } });
    expect(await ask(txHash)).toMatchObject([{ state: 'UNCONFIRMED', toAddress: '' }]);
    double.change(id, { fields: { networkRecords: JSON.parse(text).networkRecords } });
    expect(await ask(txHash)).toMatchObject([{ state: 'CONFIRMED', toAddress: OURS, amount: '2' }]);
  });

  test('the movement that was the only one keeps its id when movements are told later, and it is credited once', async () => {
    const { put, double, ask } = world();
    const [{ txHash = '', custodianTransferId = '' } = {}] = await put();
    const id = custodianTransferId.replace('fireblocks:', '');
    const moved = { destination: { type: 'VAULT_ACCOUNT', id: '1' }, assetId: USDC, txHash, isDropped: false };
    const same = { ...moved, destinationAddress: OURS.toLowerCase(), netAmount: '250.500' };
    const idsOf = async (...networkRecords: readonly object[]) => {
      double.change(id, { fields: { networkRecords } });
      return (await ask(txHash)).map((one) => one.custodianTransferId);
    };
    expect(await idsOf(same)).toEqual([custodianTransferId]);
    const other = { ...same, destinationAddress: OTHER };
    const [ofOther, ...ofSame] = await idsOf(other, same, same);
    expect(ofSame).toEqual([custodianTransferId, expect.stringMatching(/#[0-9a-f]{16}\.1$/)]);
    expect(await idsOf(other, { ...same, isDropped: true }, same)).toEqual([ofOther, custodianTransferId]);
    expect(await idsOf()).toEqual([custodianTransferId]);
  });

  test('the amount that arrives counts, not the ordered one: it is one deposit even if its movement is named later', async () => {
    const { put, double, ask, adapter } = world();
    const amountInfo = { amount: '100', requestedAmount: '100', netAmount: '99.5' };
    const [{ txHash = '', custodianTransferId = '' } = {}] = await put({ fields: { amountInfo } });
    const about = { custodianTransferId, state: 'CONFIRMED', amount: '99.5' };
    expect(await ask(txHash)).toMatchObject([about]);
    const moved = { destination: { type: 'VAULT_ACCOUNT', id: '1' }, assetId: USDC, txHash, isDropped: false };
    const networkRecords = [{ ...moved, destinationAddress: OURS, netAmount: '99.5' }];
    const id = custodianTransferId.replace('fireblocks:', '');
    double.change(id, { fields: { amountInfo, networkRecords } });
    expect(await ask(txHash)).toMatchObject([about]);
    const source = { type: 'VAULT_ACCOUNT', id: '1' };
    double.change(id, { fields: { amountInfo, source } });
    const { incoming, outgoing } = await adapter.listMovements({ createdSince: CREATED_AT, until: CREATED_AT });
    expect([...incoming, ...outgoing].map(({ amount }) => amount)).toEqual(['99.5', '99.5']);
  });

  test.each([undefined, null, '0', '-1', 'unknown'])(
    'while it is %j what arrives, the ordered amount counts',
    async (netAmount) => {
      const { put } = world();
      expect(await put({ fields: { amountInfo: { amount: '100', netAmount } } })).toMatchObject([{ amount: '100' }]);
    },
  );

  test('the sender of a movement is its own, where the record names one', async () => {
    const { double, ask } = world();
    const movements = [{ assetId: USDC, amount: '2', to: OURS, from: FROM }] as const;
    const about = { network: 'POLYGON', shape: 'NETWORK_RECORDS', status: 'COMPLETED' } as const;
    const [{ id, txHash, text } = expect.fail()] = double.deposit({ ...about, movements });
    const [moved] = JSON.parse(text).networkRecords;
    const sent = async (differences: object) => {
      double.change(id, { fields: { networkRecords: [{ ...moved, ...differences }] } });
      return ask(txHash);
    };
    expect(await sent({ sourceAddress: OTHER })).toMatchObject([{ fromAddress: OTHER }]);
    expect(await sent({ sourceAddress: '' })).toMatchObject([{ fromAddress: FROM }]);
    expect(await sent({ source: { type: 'VAULT_ACCOUNT', id: '2' } })).toMatchObject([{ isFromCustodian: true }]);
  });

  test('a movement with another hash is that one’s, and is not unreadable beside it', async () => {
    const { double, ask, findOne } = world();
    const usdc = (to: string) => ({ assetId: USDC, amount: '2', to, from: FROM });
    const about = { network: 'POLYGON', shape: 'NETWORK_RECORDS', status: 'COMPLETED' } as const;
    const [{ id, txHash, text } = expect.fail()] = double.deposit({ ...about, movements: [usdc(OURS), usdc(OTHER)] });
    const [one, other] = JSON.parse(text).networkRecords;
    const otherHash = `0x${'0f'.repeat(32)}`;
    const [, { custodianTransferId = '' } = {}] = await ask(txHash);
    double.change(id, { fields: { networkRecords: [one, { ...other, txHash: otherHash }] } });
    expect(await ask(txHash)).toMatchObject([{ state: 'CONFIRMED', toAddress: OURS }]);
    expect(await findOne({ custodianTransferId })).toMatchObject({ state: 'CONFIRMED', txHash: otherHash });
  });

  test('that names several destinations there is one transfer, to no address', async () => {
    const { double, ask } = world();
    const movement = { assetId: USDC, amount: '1', to: OURS, from: FROM };
    const movements = [movement, { ...movement, to: OTHER }] as const;
    const [{ txHash } = expect.fail()] = double.deposit({ network: 'POLYGON', shape: 'DESTINATIONS', movements });
    expect(await ask(txHash)).toMatchObject([{ state: 'UNCONFIRMED', toAddress: '', amount: '2' }]);
  });

  test('the network is that of its asset, also where no setting names it; the catalogue is asked once', async () => {
    const { put, double } = world();
    const found = [await put({}, { assetId: 'USDT_POLYGON' }), await put({}, { assetId: 'USDT_POLYGON' })].flat();
    expect(found).toMatchObject(Array(2).fill({ state: 'CONFIRMED', network: 'POLYGON', assetId: 'USDT_POLYGON' }));
    expect(double.calls()['GET /v1/assets/:id']).toBe(2);
  });

  test('the network is asked for again while the catalogue does not have the asset: it may be listed a moment later', async () => {
    const { double, clock } = world();
    const honest = callOfDouble(double);
    let isListed = false;
    const call: typeof honest = async (request) =>
      isListed || !request.path.startsWith('/v1/assets/')
        ? honest(request)
        : { status: 404, headers: {}, text: '{"message":"Asset not found","code":1504}' };
    const find = createFindTransfers(onEveryNetwork(fireblocksOver({ call, clock, networks })), clock);
    const movements = [{ assetId: 'USDT_POLYGON', amount: '1', to: OURS, from: FROM }] as const;
    const [{ txHash } = expect.fail()] = double.deposit({ network: 'POLYGON', movements, status: 'COMPLETED' });
    const ask = () => find({ network: 'POLYGON', txHash, since: CREATED_AT });
    expect(states(await ask())).toEqual(['UNREADABLE']);
    isListed = true;
    expect(await ask()).toMatchObject([{ state: 'CONFIRMED', network: 'POLYGON', assetId: 'USDT_POLYGON' }]);
  });

  test('on a network that is not served the transfer says so, and one of an asset that nobody knows is unreadable', async () => {
    const { double, findOne } = world();
    const movement = { amount: '1', to: OURS, from: FROM };
    const [elsewhere, nowhere] = ['USDC_BASECHAIN_ETH_5I5C', 'NOT_LISTED'].map(
      (assetId) => double.deposit({ network: 'BASE', movements: [{ ...movement, assetId }] })[0]?.id,
    );
    expect(await findOne({ custodianTransferId: `fireblocks:${elsewhere}` })).toMatchObject({
      unreadableFields: 'network',
      unknownNetwork: 'blockchain:BASECHAIN_ETH',
    });
    const unreadable = await findOne({ custodianTransferId: `fireblocks:${nowhere}` });
    expect(unreadable).toMatchObject({ custodianTransferId: `fireblocks:${nowhere}`, unreadableFields: 'network' });
    expect(unreadable).not.toHaveProperty('unknownNetwork');
  });

  test.each(['CURSOR', 'URL'] as const)('all pages count, by a %s', async (pageHeaders) => {
    const { put, double, ask, list, clock } = world({ pageHeaders });
    const [{ txHash = '' } = {}] = await put();
    const movement = { assetId: USDC, amount: '1', to: OURS, from: FROM };
    double.deposit({ network: 'POLYGON', txHash, movements: [movement, ...Array(1000).fill(movement)] });
    expect(new Set((await ask(txHash)).map(({ custodianTransferId }) => custodianTransferId)).size).toBe(1002);
    clock.advance(1);
    const range = { createdSince: CREATED_AT, until: clock.now().toISOString() };
    const second = await list({ ...range, cursor: (await list(range)).cursor });
    expect([second.transfers.length, (await list({ ...range, cursor: second.cursor })).transfers.length]).toEqual([
      500, 2,
    ]);
  });

  describe('Fireblocks tells nothing of a next page of what is asked for in an order', () => {
    const many = (count: number, atOnce: number) => {
      const { double, adapter, clock } = world({ pageHeaders: 'NONE_IF_ORDERED' });
      for (let put = 0; put < count; put += atOnce) {
        const movements = Array<Movement>(atOnce).fill({ assetId: USDC, amount: '1', to: OURS, from: FROM });
        double.deposit({ network: 'POLYGON', movements: [movements[0] ?? expect.fail(), ...movements.slice(1)] });
        clock.advance(0.001);
      }
      const range = { createdSince: CREATED_AT, until: clock.now().toISOString() };
      const ofAllPages = async (cursor?: string): Promise<readonly string[]> => {
        const { incoming, cursor: next } = await adapter.listMovements({ ...range, cursor });
        const ids = incoming.map(({ custodianTransferId: id }) => String(id));
        return next === undefined ? ids : [...ids, ...(await ofAllPages(next))];
      };
      return { ofAllPages, double };
    };

    test.each([
      [499, 1],
      [500, 1],
      [501, 1],
      [1200, 3],
      [1800, 450],
    ])('every one of %i is listed, once, where %i are created in one millisecond', async (count, atOnce) => {
      const ids = await many(count, atOnce).ofAllPages();
      expect([ids.length, new Set(ids).size]).toEqual([count, count]);
    });

    test('more of one millisecond than a page has room for are no list', async () => {
      await expect(many(501, 501).ofAllPages()).rejects.toThrow(CustodianUnavailable);
    });
  });
});

describe('decisions 12: hashes that clients report use no more than their share of a minute', () => {
  const unknown = `0x${'00'.repeat(32)}`;

  test.each([
    ['unknown', { wasUnknown: true }, 6, 'UNKNOWN_HASHES'],
    ['reported', { isReported: true }, 2, 'REPORTED_HASHES'],
    ['cancelled', { cancelledBy: CLIENT }, 1, 'CANCELS'],
  ])('%s ones, so that any other question is still asked', async (_, about, share, declinedFor) => {
    const { ask, double, clock, findOne } = world({ callsPerMinute: 12 });
    clock.advance(15);
    for (let times = 0; times < share; times += 1) expect(await ask(unknown, about)).toEqual([]);
    const failure: unknown = await ask(unknown, about).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(CustodianUnavailable);
    // The retry is in the next minute; there is no alarm.
    expect(failure).toMatchObject({ retryAfter: 75, declinedFor });
    expect([await ask(unknown), await findOne({ custodianTransferId: 'fireblocks:none' })]).toEqual([[], undefined]);
    expect(double.calls()['GET /v1/transactions']).toBe(share + 1);
    clock.advance(75);
    expect(await ask(unknown, about)).toEqual([]);
  });

  test('hashes that were just reported do not wait for unknown ones, and cancels wait for neither', async () => {
    const { ask } = world({ callsPerMinute: 12 });
    for (let times = 0; times < 6; times += 1) await ask(unknown, { wasUnknown: true });
    for (let times = 0; times < 2; times += 1) expect(await ask(unknown, { isReported: true })).toEqual([]);
    expect(await ask(unknown, { cancelledBy: CLIENT })).toEqual([]);
  });

  test.each([
    ['cancels', 48, (client: string) => ({ cancelledBy: client })],
    ['reports', 24, (client: string) => ({ isReported: true, reportedBy: client })],
    ['waits for unknown hashes', 8, (client: string) => ({ wasUnknown: true, reportedBy: client })],
  ])('one client %s for at most half of what all clients may', async (_, callsPerMinute, of) => {
    const { ask } = world({ callsPerMinute });
    const outcome = (client: string) =>
      ask(unknown, of(client)).then(
        () => 'asked',
        () => 'put off',
      );
    const made: string[] = [];
    for (const client of [CLIENT, CLIENT, CLIENT, STRANGER, STRANGER]) made.push(await outcome(client));
    expect(made).toEqual(['asked', 'asked', 'put off', 'asked', 'asked']);
  });
});
