import { describe, expect, test } from 'vitest';
import { type CustodianTransfer, CustodianUnavailable } from '#shared/off-ramps/custodians/custodian.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { detectionWorld, NOTIFIED } from '#test/support/detection-world.ts';
import { OPERATION } from '#test/support/ids.ts';
import { CREATED_AT, transfer } from '#test/support/off-ramp.ts';

const ID = NOTIFIED.custodianTransferId;
const DAY = 24 * 3600;

/** A network on which operations share accounts by tags. */
const ON_STELLAR = { network: 'STELLAR', txHash: NOTIFIED.txHash.slice(2) } as const;
const TO_STELLAR = { ...ON_STELLAR, toAddress: 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ' };

type Given = Parameters<typeof detectionWorld>[0];

const finals = ['CONFIRMED', 'FAILED'] as const;
const others = ['UNCONFIRMED', 'HELD'] as const;

/** The result of a transfer that the custodian notifies twice. */
async function notifiedTwice(given: Given, sent: Partial<CustodianTransfer>) {
  const lines = captureLogs();
  const world = detectionWorld({ transfers: [transfer(sent)], ...given });
  await world.notified();
  await world.notified();
  return { world, kept: world.kept(ID), lines };
}

describe('decisions 9, what is no deposit: it is counted, no client is told, and no person has to look', () => {
  const cases: readonly [string, string, Given, Partial<CustodianTransfer>][] = [
    ['from an account of the custodian itself', 'FROM_CUSTODIAN', { operation: {} }, { isFromCustodian: true }],
    ['to no address of ours', 'NOT_OURS', { isNobodys: true }, {}],
    ['of less than the token’s minimum', 'BELOW_MINIMUM', { operation: {} }, { amount: '0.99' }],
    [
      'of less, without a known tag',
      'BELOW_MINIMUM',
      { isNobodys: true, about: ON_STELLAR },
      { ...TO_STELLAR, amount: '0.99' },
    ],
    ['of nothing', 'BELOW_MINIMUM', { operation: {} }, { amount: '0.00' }],
    ['of as many places as its token has', 'BELOW_MINIMUM', { operation: {} }, { amount: '0.000001' }],
  ];

  test.each(cases.flatMap(([name, ...rest]) => finals.map((state) => [name, state, ...rest] as const)))(
    'a transfer %s that is %s',
    async (_, state, ignoredReason, given, sent) => {
      const { world, kept, lines } = await notifiedTwice(given, { ...sent, state });
      expect(kept).toMatchObject({ ignoredReason, unmatched: undefined, arrivingAt: undefined, nextPollAt: undefined });
      expect(kept).not.toHaveProperty('operationId');
      expect(kept).not.toHaveProperty('sequence');
      const fields = { custodianTransferId: ID, why: ignoredReason };
      expect(lines).toEqual([{ level: 'info', code: 'TRANSFER_LEFT_OUT', fields }]);
      await world.pass(16 * DAY);
      expect([world.confirmed, world.asked.length]).toEqual([[], 2]);
    },
  );

  test('decisions 12, notifications: operators are told once of an unknown asset that was sent to an unknown address', async () => {
    const { kept, lines } = await notifiedTwice({ isNobodys: true }, { assetId: 'SCAM_POLYGON' });
    expect([kept['ignoredReason'], kept['unmatched']]).toEqual(['NOT_OURS', undefined]);
    const { network } = transfer();
    const fields = { custodianTransferId: ID, network, assetId: 'SCAM_POLYGON' };
    expect(lines.filter(({ level }) => level !== 'info')).toEqual([
      { level: 'warn', code: 'ASSET_NOT_SERVED', fields },
    ]);
  });

  const open = cases.flatMap(([name, ...rest]) => others.map((state) => [name, state, ...rest] as const));

  test.each(open)('a transfer %s that is %s, and stays so, for as long as it may become final', async (...given) => {
    const [, state, ignoredReason, settings, sent] = given;
    const { world, kept, lines } = await notifiedTwice(settings, { ...sent, state });
    expect(kept).toMatchObject({ ignoredReason, unmatched: undefined, nextPollAt: expect.any(String) });
    await world.pass(16 * DAY);
    const ended = { ignoredReason, unmatched: undefined, arrivingAt: undefined, nextPollAt: undefined };
    expect(world.kept(ID)).toMatchObject(ended);
    expect(world.kept(ID)).not.toHaveProperty('sequence');
    expect([world.confirmed, lines.map(({ code }) => code)]).toEqual([[], ['TRANSFER_LEFT_OUT']]);
  });
});

describe('decisions 9, what is no deposit: it is one', () => {
  test('what is awaited, however little it is', async () => {
    const { world } = await notifiedTwice({ operation: { amount: '0.5' } }, { amount: '0.50' });
    expect(world.confirmed).toEqual([OPERATION]);
  });

  test('what is awaited, however many came before it', async () => {
    const { world } = await notifiedTwice({ operation: {}, deposits: 100 }, {});
    expect(world.confirmed).toEqual([OPERATION]);
  });

  test('decisions 12, Boundary: what has more places than its token, however little it is, and somebody is called', async () => {
    const { kept, lines } = await notifiedTwice({ operation: {} }, { amount: '0.0000001' });
    expect(kept).toMatchObject({ operationId: OPERATION, unmatched: 'UNMATCHED', reasons: ['WRONG_AMOUNT'] });
    expect(lines).toMatchObject([{ level: 'error', code: 'DEPOSIT_UNMATCHED' }]);
  });

  test.each([{ assetId: 'ETHEREUM:USDC.e', amount: '0.1' }, { amount: '1' }])(
    'what is not below the minimum of its own token: %j',
    async (sent) => {
      const { kept } = await notifiedTwice({ operation: {} }, sent);
      expect(kept).toMatchObject({ operationId: OPERATION, unmatched: 'UNMATCHED' });
    },
  );

  test.each<Partial<CustodianTransfer>>([{ amount: '0' }, { amount: '0.1' }, { isFromCustodian: true }])(
    'what the custodian corrects to that before it is final, without another notification: %j',
    async (said) => {
      captureLogs();
      const world = detectionWorld({
        operation: {},
        transfers: [transfer({ ...said, state: 'UNCONFIRMED', confirmations: 0 })],
      });
      await world.notified();
      world.custodian.transfers = [transfer()];
      await world.pass(3600);
      expect(world.confirmed).toEqual([OPERATION]);
    },
  );

  test('what the custodian corrects to more, also where it is nobody’s: once that has failed, it is in no list', async () => {
    const sent = { ...ON_STELLAR, ...TO_STELLAR };
    const little = transfer({ ...sent, amount: '0.1', state: 'UNCONFIRMED' });
    const { world, kept } = await notifiedTwice({ isNobodys: true, about: ON_STELLAR, transfers: [little] }, {});
    expect(kept['ignoredReason']).toBe('BELOW_MINIMUM');
    world.custodian.transfers = [transfer(sent)];
    await world.notified();
    expect([world.kept(ID).unmatched, world.kept(ID)['ignoredReason']]).toEqual(['UNMATCHED', undefined]);
    world.custodian.transfers = [transfer({ ...sent, state: 'FAILED' })];
    await world.notified();
    expect(world.kept(ID).unmatched).toBeUndefined();
  });

  test('what the custodian corrects to that', async () => {
    const { world } = await notifiedTwice({ operation: {} }, { amount: '0.1' });
    world.custodian.transfers = [transfer()];
    await world.notified();
    expect(world.confirmed).toEqual([OPERATION]);
  });
});

test.each<[string, Given, Partial<CustodianTransfer>]>([
  ['an account that operations share, without a known tag', { isNobodys: true, about: ON_STELLAR }, TO_STELLAR],
  ['an address that cannot be read', {}, { toAddress: 'unreadable' }],
])('decisions 9, what is no deposit: at %s it is for finance alone', async (_, given, sent) => {
  const { kept, lines } = await notifiedTwice(given, sent);
  expect(kept).toMatchObject({ unmatched: 'UNMATCHED', reasons: [] });
  expect(kept).not.toHaveProperty('operationId');
  expect(lines).toMatchObject([{ level: 'error', code: 'DEPOSIT_UNMATCHED' }]);
});

test('decisions 9, what is no deposit: of other assets that strangers send to a shared account without a known tag nobody is called', async () => {
  const given = { isNobodys: true, about: ON_STELLAR } as const;
  const { kept, lines } = await notifiedTwice(given, { ...TO_STELLAR, assetId: 'XLM', amount: '0.0000001' });
  expect(kept).toMatchObject({ unmatched: 'UNMATCHED', reasons: [] });
  expect(lines).toEqual([]);
});

test('decisions 9, still not final after 14 days: of an off-ramp’s own deposit somebody is called, of whatever asset, also while the custodian is silent', async () => {
  const lines = captureLogs();
  const transfers = [transfer({ assetId: 'ETHEREUM:FREE', state: 'HELD' })];
  const world = detectionWorld({ operation: {}, transfers });
  await world.notified();
  world.custodian.fault = new CustodianUnavailable('Silent.');
  await world.pass(16 * DAY);
  expect(lines.filter(({ level }) => level === 'error')).toMatchObject([{ code: 'DEPOSIT_NEVER_CONFIRMED' }]);
});

test('decisions 9, after a restore: how little it is says nothing of what came to a tag whose off-ramp may be lost', async () => {
  const given = { isNobodys: true, about: ON_STELLAR, restoredAt: CREATED_AT } as const;
  const { kept } = await notifiedTwice(given, { ...TO_STELLAR, amount: '0.5' });
  expect(kept).toMatchObject({ unmatched: 'UNMATCHED', reasons: [] });
});

describe('decisions 9, whose it is: what was decided when it was filed stays so', () => {
  test.each([
    ['nobody’s, when its address is an operation’s later', { isNobodys: true, about: ON_STELLAR }, TO_STELLAR, {}],
    [
      'one too many, when there are fewer later',
      { operation: {}, deposits: 100 },
      { amount: '7' },
      { ignoredReason: 'TOO_MANY', leftOutOf: OPERATION },
    ],
  ] as const)('%s', async (_, first, sent, filed) => {
    captureLogs();
    const given: Given & { isNobodys?: true; deposits?: number; restoredAt?: string } = {
      transfers: [transfer(sent)],
      ...first,
    };
    const world = detectionWorld(given);
    await world.notified();
    delete given.isNobodys;
    given.deposits = 0;
    await world.notified();
    expect(world.kept(ID)).toMatchObject({ unmatched: 'UNMATCHED', ...filed });
    expect(world.kept(ID)).not.toHaveProperty('operationId');
    // The off-ramp of its tag may have been put back; a limit has nothing to do with the restore.
    given.restoredAt = CREATED_AT;
    await world.notified();
    expect(world.kept(ID).operationId).toBe('leftOutOf' in filed ? undefined : OPERATION);
  });
});

describe('decisions 9, what is no deposit: one deposit too many', () => {
  const unknown = { assetId: 'ETHEREUM:FREE' };

  test('no client hears, but finance operations find it and its operation, and are called', async () => {
    const { kept, lines } = await notifiedTwice({ operation: {}, deposits: 100 }, { amount: '7' });
    const found = { ignoredReason: 'TOO_MANY', leftOutOf: OPERATION, unmatched: 'UNMATCHED', nextPollAt: undefined };
    expect(kept).toMatchObject(found);
    expect(kept).not.toHaveProperty('operationId');
    expect(lines).toMatchObject([
      { level: 'info', code: 'TRANSFER_LEFT_OUT' },
      { level: 'error', code: 'DEPOSIT_UNMATCHED' },
    ]);
  });

  test('of an asset that the stage does not know nobody is called, because it may cost nothing to send', async () => {
    const { kept, lines } = await notifiedTwice({ operation: {}, deposits: 100 }, unknown);
    expect(kept).toMatchObject({ ignoredReason: 'TOO_MANY', leftOutOf: OPERATION, unmatched: 'UNMATCHED' });
    expect(lines).toMatchObject([{ level: 'info', code: 'TRANSFER_LEFT_OUT' }]);
  });

  test('such assets take no more than half of what a client hears of', async () => {
    const hears = async (deposits: number, sent: Partial<CustodianTransfer>) =>
      (await notifiedTwice({ operation: {}, deposits }, sent)).kept['operationId'] !== undefined;
    expect([await hears(49, unknown), await hears(50, unknown)]).toEqual([true, false]);
    expect([await hears(99, { amount: '7' }), await hears(100, { amount: '7' })]).toEqual([true, false]);
  });

  test.each<[number, Partial<CustodianTransfer>]>([
    [1, { amount: '7' }],
    [0, unknown],
  ])('that is never final, %i person is called for: %j', async (called, sent) => {
    const lines = captureLogs();
    const given = { operation: {}, deposits: 100, transfers: [transfer({ ...sent, state: 'HELD' })] } as const;
    const world = detectionWorld(given);
    await world.notified();
    await world.pass(16 * DAY);
    expect(lines.filter(({ level }) => level === 'error')).toHaveLength(called);
  });

  test('it is not known whether it is one before its sender is known', async () => {
    const unknown = transfer({ state: 'UNCONFIRMED', fromAddress: '' });
    const world = detectionWorld({ operation: {}, deposits: 100, transfers: [unknown] });
    await world.notified();
    expect(world.kept(ID)).not.toHaveProperty('ignoredReason');
    world.custodian.transfers = [transfer()];
    await world.pass(3600);
    expect(world.confirmed).toEqual([OPERATION]);
  });
});
