import { expect, onTestFinished, test, vi } from 'vitest';
import {
  createAskForMovements,
  createFindOutgoing,
  createFindSending,
  createReadBalances,
} from '#shared/off-ramps/custodians/ask-sendings.ts';
import { CustodianUnavailable } from '#shared/off-ramps/custodians/custodian.ts';
import { bookedCustodians, outgoingCustodians, sendingCustodians } from '#shared/off-ramps/custodians/custodians.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { CREATED_AT, DEPOSIT_ADDRESS, HASH, onEveryNetwork, SENDER_ADDRESS } from '#test/support/off-ramp.ts';

const network = 'ETHEREUM';
const left = {
  ...{ movementId: '1', network, txHash: HASH, state: 'CONFIRMED', from: '7', toAddress: SENDER_ADDRESS },
  ...{ assetId: 'USDC', amount: '1.50', fee: { assetId: 'ETH', amount: '0.10' }, createdAt: CREATED_AT },
};
const read = { ...left, movementId: 'one:1', amount: '1.5', fee: { assetId: 'ETH', amount: '0.1' } };
const clock = fakeClock(CREATED_AT);
/** An adapter with this answer, which may be any JSON. */
const saying = (answer: unknown) => async () => (answer === undefined ? answer : JSON.parse(JSON.stringify(answer)));
const findSending = (answer: unknown) =>
  createFindSending(onEveryNetwork({ name: 'one', findSending: saying(answer) }), clock)({ network, externalId: 'a' });
const findOutgoing = (answer: unknown) =>
  createFindOutgoing(
    onEveryNetwork({ name: 'one', findOutgoing: saying(answer) }),
    clock,
  )({ network, txHash: HASH, since: CREATED_AT });
const readBalances = (answer: unknown) => createReadBalances({ name: 'one', readBalances: saying(answer) }, clock)();

test('decisions 12, boundary: answers about sendings, outgoing movements and balances are parsed into the service’s own form', async () => {
  const upper = `0x${HASH.slice(2).toUpperCase()}`;
  expect(await findSending({ state: 'COMPLETED', txHash: upper, movementId: '1' })).toEqual({
    ...{ state: 'COMPLETED', txHash: HASH, movementId: 'one:1' },
  });
  expect(await findSending(undefined)).toBeUndefined();
  const spelt = { ...left, txHash: upper, from: DEPOSIT_ADDRESS.toUpperCase().replace('X', 'x') };
  expect(await findOutgoing([left, spelt])).toEqual([read, { ...read, from: DEPOSIT_ADDRESS }]);
  expect(await readBalances([{ assetId: 'USDC', amount: '10.0', more: 1 }])).toEqual([
    { assetId: 'USDC', amount: '10.0' },
  ]);
});

test('decisions 9, sending by hand: a movement that left a day or more before a return was requested is not that return, whatever a chain answers', async () => {
  const hoursBefore = (hours: number) => new Date(Date.parse(CREATED_AT) - hours * 3600_000).toISOString();
  const before = { ...left, movementId: '2', createdAt: hoursBefore(25) };
  const ahead = { ...left, movementId: '3', createdAt: hoursBefore(23) };
  expect(await findOutgoing([left, before, ahead])).toMatchObject([{ movementId: 'one:1' }, { movementId: 'one:3' }]);
});

test.each([
  ['a sending without a state', () => findSending({ txHash: HASH })],
  ['a state of its own', () => findSending({ state: 'SENT' })],
  ['a completed sending without its hash', () => findSending({ state: 'COMPLETED', movementId: '1' })],
  ['a completed sending without its movement', () => findSending({ state: 'COMPLETED', txHash: HASH })],
  ['a hash that is none', () => findSending({ state: 'PENDING', txHash: 'pending' })],
  ['null', () => findSending(null)],
  ['an amount that is no decimal', () => findOutgoing([left, { ...left, amount: '1e3' }])],
  ['an amount that is a number', () => findOutgoing([{ ...left, amount: 1.5 }])],
  ['a fee that is no decimal', () => findOutgoing([{ ...left, fee: { assetId: 'ETH', amount: '-1' } }])],
  ['another transaction', () => findOutgoing([{ ...left, txHash: `0x${'1'.repeat(64)}` }])],
  ['another network', () => findOutgoing([{ ...left, network: 'BASE' }])],
  ['a balance that is a number', () => readBalances([{ assetId: 'USDC', amount: 10 }])],
])('decisions 12, boundary: %s is no answer, and an error is logged', async (_, ask) => {
  const lines = captureLogs();
  await expect(ask()).rejects.toThrow(CustodianUnavailable);
  expect(lines).toMatchObject([{ level: 'error', code: 'CUSTODIAN_ANSWER_UNREADABLE' }]);
});

test('decisions 9, books: a page names its unreadable entries beside the others, and has the original answer', async () => {
  const wrong = { ...left, amount: null };
  const page = { incoming: [{}], outgoing: [left, wrong], answer: '[…]' };
  const ask = createAskForMovements({ name: 'one', listMovements: saying(page) }, clock);
  expect(await ask({ createdSince: CREATED_AT, until: CREATED_AT })).toMatchObject({
    incoming: [{ unreadableFields: expect.stringContaining('amount') }],
    outgoing: [read, { unreadableFields: 'amount' }],
    answer: '[…]',
  });
});

test('decisions 9, sending: a network on which a person sends has no sender, and a function no settings of its custodian', () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  const route = { from: 'account', treasury: [] };
  const returns = { POLYGON: { ...route, isByHand: false }, BASE: { ...route, isByHand: true } };
  vi.stubEnv('CUSTODIANS', JSON.stringify({ POLYGON: 'simulated', BASE: 'fireblocks', TRON: 'fireblocks' }));
  vi.stubEnv('SIMULATED_TRANSACTIONS_TABLE', 'simulatedTransactions');
  vi.stubEnv('RETURNS', JSON.stringify(returns));
  expect([...sendingCustodians(clock).keys()]).toEqual(['POLYGON']);
  vi.stubEnv('CUSTODIANS', JSON.stringify({ POLYGON: 'simulated', BASE: 'simulated' }));
  for (const part of [outgoingCustodians, bookedCustodians])
    expect([...part(clock).keys()]).toEqual(['POLYGON', 'BASE']);
});
