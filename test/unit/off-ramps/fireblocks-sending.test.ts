import { expect, test } from 'vitest';
import { CustodianUnavailable, type ReturnOrder, SendingRefused } from '#shared/off-ramps/custodians/custodian.ts';
import { createFireblocksDouble } from '#test/doubles/fireblocks/double.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { callOfDouble, fireblocksOver } from '#test/support/custodians/fireblocks-fixture.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { CREATED_AT, SENDER_ADDRESS } from '#test/support/off-ramp.ts';

const networks = {
  POLYGON: { baseAsset: 'MATIC_POLYGON', assets: ['USDC_POLYGON_NXTB'] },
  ETHEREUM: { baseAsset: 'ETH', assets: ['USDC'] },
  STELLAR: { baseAsset: 'XLM', assets: ['XLM_USDC_5F3T'] },
};
const order: ReturnOrder = {
  externalId: 'd-1',
  network: 'POLYGON',
  assetId: 'USDC_POLYGON_NXTB',
  amount: '1.5',
  from: '0',
  to: { address: SENDER_ADDRESS },
};

function world() {
  const clock = fakeClock(CREATED_AT);
  const double = createFireblocksDouble({ clock });
  const honest = callOfDouble(double, 'Signer');
  const sent: unknown[] = [];
  const { send, findSending, listMovements } = fireblocksOver({
    clock,
    networks,
    call: async (request) => {
      if (request.method === 'POST') sent.push({ ...request, body: JSON.parse(request.body ?? '') });
      return honest(request);
    },
  });
  const become = (externalId: string, what: Parameters<typeof double.change>[1]) =>
    double.change(double.orderOf(externalId) ?? '', what);
  const find = (externalId = order.externalId) => findSending({ network: 'POLYGON', externalId });
  return { clock, double, send, find, become, sent, listMovements };
}

test('decisions 9, sending: the order names vault, one-time address, tag and amount as texts, and its id as externalTxId', async () => {
  const { send, sent } = world();
  const to = { address: 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ', tag: '007' };
  await send({ ...order, network: 'STELLAR', assetId: 'XLM_USDC_5F3T', amount: '0.0000001', to });
  expect(sent).toEqual([
    {
      method: 'POST',
      path: '/v1/transactions',
      body: {
        operation: 'TRANSFER',
        assetId: 'XLM_USDC_5F3T',
        source: { type: 'VAULT_ACCOUNT', id: '0' },
        destination: { type: 'ONE_TIME_ADDRESS', oneTimeAddress: to },
        amount: '0.0000001',
        externalTxId: 'd-1',
        note: 'Return of a deposit',
      },
    },
  ]);
});

test.each([
  ['SUBMITTED', undefined, 'PENDING'],
  ['PENDING_AUTHORIZATION', undefined, 'PENDING'],
  ['PENDING_SIGNATURE', undefined, 'PENDING'],
  ['BROADCASTING', undefined, 'PENDING'],
  ['CONFIRMING', undefined, 'PENDING'],
  ['CANCELLING', undefined, 'PENDING'],
  ['A_WORD_OF_NEXT_YEAR', undefined, 'PENDING'],
  ['COMPLETED', 'COMPLETED_BUT_3RD_PARTY_FAILED', 'PENDING'],
  ['COMPLETED', 'CONFIRMED', 'COMPLETED'],
  ['CANCELLED', 'CANCELLED_BY_USER', 'FAILED'],
  ['REJECTED', 'REJECTED_BY_USER', 'FAILED'],
  ['BLOCKED', 'BLOCKED_BY_POLICY', 'FAILED'],
  ['FAILED', 'INSUFFICIENT_FUNDS', 'FAILED'],
])(
  'decisions 9, sending: an order that is %s (%s) is %s, however long it stays so',
  async (status, subStatus, state) => {
    captureLogs();
    const { send, find, become, clock } = world();
    await send(order);
    become('d-1', { status, ...(subStatus !== undefined && { subStatus }) });
    clock.advance(90 * 24 * 3600);
    expect(await find()).toMatchObject({ state });
  },
);

test('decisions 9, sending: a transaction that failed with a hash may still arrive, until another one of its vault and network is final with its nonce', async () => {
  const { send, find, become } = world();
  for (const [externalId, of] of [
    ['d-1', order],
    ['d-2', { ...order, network: 'ETHEREUM', assetId: 'USDC' }],
    ['d-3', order],
    ['d-4', { ...order, to: { address: `0x${'5e'.repeat(20)}` } }],
    ['boost', order],
  ] as const)
    await send({ ...of, externalId });
  const failed = { status: 'FAILED', subStatus: 'DROPPED_BY_BLOCKCHAIN' };
  become('d-1', { ...failed, fields: { nonce: '7' } });
  expect(await find()).toMatchObject({ state: 'FAILED', txHash: expect.any(String), mayStillArrive: true });
  // On another network, with another nonce, or not final; or it pays the same, as a boosted transaction does.
  become('d-2', { status: 'COMPLETED', fields: { nonce: '7' } });
  become('d-3', { status: 'COMPLETED', fields: { nonce: '8' } });
  become('d-4', { status: 'CONFIRMING', fields: { nonce: '7' } });
  become('boost', { status: 'COMPLETED', fields: { nonce: '7' } });
  expect(await find()).toMatchObject({ mayStillArrive: true });
  become('d-4', { status: 'COMPLETED', fields: { nonce: '7' } });
  expect(await find()).not.toHaveProperty('mayStillArrive');
});

test('decisions 9, sending: a transaction that failed while it was broadcast, with a signature and no hash yet, may still arrive', async () => {
  const { send, find, become } = world();
  await send(order);
  const failed = { status: 'FAILED', subStatus: 'INTERNAL_ERROR' };
  become('d-1', { ...failed, fields: { txHash: '', signedBy: ['co-signer'] } });
  expect(await find()).toEqual({ state: 'FAILED', mayStillArrive: true });
  become('d-1', { ...failed, fields: { txHash: '', signedBy: [] } });
  expect(await find()).toEqual({ state: 'FAILED' });
});

test('decisions 9, sending: a transaction that was boosted before it was in a block, and so has no address, is not sent again', async () => {
  const { send, find, become } = world();
  for (const externalId of ['d-1', 'boost']) await send({ ...order, externalId });
  const dropped = { status: 'FAILED', subStatus: 'DROPPED_BY_BLOCKCHAIN' };
  become('d-1', { ...dropped, fields: { nonce: '7', destinationAddress: '' } });
  become('boost', { status: 'COMPLETED', fields: { nonce: '7' } });
  expect(await find()).toMatchObject({ state: 'FAILED', mayStillArrive: true });
});

test.each([401, 403, 404, 408, 500])(
  'decisions 9, sending: %i, with or without an order behind it, is no refusal',
  async (status) => {
    const { clock, double } = world();
    const honest = callOfDouble(double, 'Signer');
    const answer = { status, headers: {}, text: status === 404 ? '<html>' : '{"message":"no","code":1}' };
    const { send, findSending } = fireblocksOver({
      clock,
      networks,
      call: async (request) => {
        await honest(request);
        return answer;
      },
    });
    await expect(send(order)).rejects.toThrow(CustodianUnavailable);
    await expect(findSending({ network: 'POLYGON', externalId: 'd-1' })).rejects.toThrow(CustodianUnavailable);
  },
);

test('decisions 9, sending: an id that Fireblocks has, and does not find yet, is no refusal: nothing is sent by another one', async () => {
  const { clock, double, send } = world();
  await send(order);
  const honest = callOfDouble(double, 'Signer');
  const lags = fireblocksOver({
    clock,
    networks,
    call: (request) => honest({ ...request, path: request.path.replace('external_tx_id/d-1', 'external_tx_id/d-0') }),
  });
  expect(await lags.findSending({ network: 'POLYGON', externalId: 'd-1' })).toBeUndefined();
  await expect(lags.send(order)).rejects.toThrow(CustodianUnavailable);
});

test('decisions 9, sending: an order that is refused while it cannot be looked up may have been taken', async () => {
  const { send, double, find } = world();
  double.fail({ kind: 'POST /v1/transactions', what: '400' });
  double.fail({ kind: 'GET /v1/transactions/external_tx_id/:id', what: '500' });
  const refused = await send(order).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(CustodianUnavailable);
  expect(refused).not.toBeInstanceOf(SendingRefused);
  expect(await find()).toBeUndefined();
});

test('decisions 9, books: a movement between vaults is listed twice, coming in and going out, with the vault that it goes to', async () => {
  const { double, listMovements, clock } = world();
  double.deposit({
    network: 'POLYGON',
    status: 'COMPLETED',
    movements: [
      {
        ...{ assetId: 'USDC_POLYGON_NXTB', amount: '2', from: SENDER_ADDRESS, to: SENDER_ADDRESS },
        ...{ source: { type: 'VAULT_ACCOUNT', id: '4' }, destination: { type: 'VAULT_ACCOUNT', id: '0', name: '' } },
      },
    ],
  });
  const page = await listMovements({ createdSince: CREATED_AT, until: clock.now().toISOString() });
  expect(page).toMatchObject({
    incoming: [{ amount: '2', isFromCustodian: true }],
    outgoing: [{ amount: '2', from: '4', toAccount: '0', fee: { assetId: 'MATIC_POLYGON', amount: '0.0021' } }],
  });
  expect(JSON.parse(page.answer)).toHaveLength(1);
});

test.each([
  ['COMPLETED', {}, '0.0021'],
  ['FAILED', {}, '0.0021'],
  ['BROADCASTING', { blockInfo: { blockHash: null } }, '0.0021'],
  ['FAILED', { blockInfo: { blockHash: null } }, undefined],
  ['CANCELLED', {}, undefined],
  ['COMPLETED', { feeInfo: { networkFee: '0.0021', paidByRelay: true, relayType: 'LOCAL' } }, '0.0021'],
  ['COMPLETED', { feeInfo: { networkFee: '0.0021', paidByRelay: true, relayType: 'THIRD_PARTY' } }, undefined],
])('decisions 9, books: of what is %s with %j, the vaults have paid the fee %s', async (status, fields, amount) => {
  const { send, become, listMovements, clock } = world();
  await send(order);
  become('d-1', { status, fields });
  const { outgoing } = await listMovements({ createdSince: CREATED_AT, until: clock.now().toISOString() });
  expect(outgoing.map(({ fee }) => fee?.amount)).toEqual([amount]);
});

test('decisions 9, books: a contract’s movement between vaults goes to the vault in which the same record has it arrive', async () => {
  const { double, listMovements, clock } = world();
  const outside = { type: 'ONE_TIME_ADDRESS', id: null, name: 'N/A' };
  const vault = { type: 'VAULT_ACCOUNT', id: '0', name: '' };
  const moved = { assetId: 'USDC_POLYGON_NXTB', amount: '2', to: SENDER_ADDRESS };
  double.deposit({
    network: 'POLYGON',
    status: 'COMPLETED',
    shape: 'NETWORK_RECORDS',
    movements: [
      { ...moved, source: { type: 'UNKNOWN', id: '' }, destination: vault },
      { ...moved, source: { type: 'VAULT_ACCOUNT', id: '4' }, destination: outside },
      { ...moved, amount: '3', source: { type: 'VAULT_ACCOUNT', id: '4' }, destination: outside },
    ],
  });
  const { outgoing } = await listMovements({ createdSince: CREATED_AT, until: clock.now().toISOString() });
  expect(outgoing.map(({ amount, toAccount }) => [amount, toAccount])).toEqual([
    ['2', '0'],
    ['3', undefined],
  ]);
});

test.each([
  [{ total: '10.25', pending: '7', frozen: '3' }, '3.25'],
  [{ total: '10.25' }, '10.25'],
  [{ total: '10.25', pending: null }, '10.25'],
  [{ total: '10.25', pending: 7 }, ''],
  [{ total: 10.25, pending: '0' }, ''],
  [{ pending: '0' }, ''],
])('decisions 9, books: a balance is what has arrived, of %j: %s', async (said, amount) => {
  const text = JSON.stringify([{ id: 'USDC', ...said }]);
  const call = async () => ({ status: 200, headers: {}, text });
  const { readBalances } = fireblocksOver({ clock: fakeClock(CREATED_AT), networks, call });
  expect(await readBalances()).toEqual([{ assetId: 'USDC', amount }]);
});
