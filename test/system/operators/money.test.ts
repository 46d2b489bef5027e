import { expect, test } from 'vitest';
import type { RequestOf } from '#sdk/routes.ts';
import { pollDepositContract } from '#shared/off-ramps/contract/operator-commands.ts';
import { readDepositContract } from '#shared/operators/deposit-lookup.ts';
import { listMismatchedContract } from '#shared/operators/lists.ts';
import { readPayinContract } from '#shared/operators/pay-in-lookup.ts';
import { endPayinContract, pollPayinContract } from '#shared/pay-ins/pay-in-commands.ts';
import { changePayment } from '#test/support/change-payment.ts';
import { connectedAs } from '#test/support/connected.ts';
import { eventually } from '#test/support/eventually.ts';
import { newHash, OffRampUser } from '#test/support/http-client.ts';
import { operate } from '#test/support/operator-client.ts';
import { newTenant } from '#test/support/tenant.ts';

/** Seconds: two rounds of a sweep. */
const SWEPT = 150;

test('decisions 5, ending a mismatch: an operator has the rail asked, and ends a pay-in of which another amount was paid', async () => {
  const client = await newTenant('mismatched');
  const user_id = client.users[0]?.userId ?? '';
  const call = connectedAs(client);
  const order = { amount: 15_000, currency: 'COP', paymentMethod: 'NEQUI', phone: '3107654321' } as const;
  const created = await call('POST /api/v1/admin/fiats/{user_id}/payin', { path: { user_id }, body: order });
  const payinId = created.body.id;
  expect(await operate(endPayinContract, { payinId, paidAmount: '14000', outcome: 'kept' })).toMatchObject({
    status: 409,
    body: { code: 'PAYIN_STATUS_CONFLICT' },
  });

  await changePayment(payinId, { status: 'COMPLETED', amount: '14000' });
  expect((await operate(pollPayinContract, { payinId })).status).toBe(200);
  const settlementMismatch = { amount: '14000', currency: 'COP', at: expect.any(String) };
  const found = await eventually(
    async () => (await operate(readPayinContract, { payin: payinId })).body,
    (payin) => payin.settlementMismatch !== undefined,
    SWEPT,
  );
  expect(found).toMatchObject({ status: 'PENDING', next: { who: 'FINANCE' }, settlementMismatch });

  const ending = { outcome: 'refunded', reference: `TRF-${payinId}` };
  const reason = 'The client has given the money back';
  const ended = await operate(endPayinContract, { payinId, paidAmount: '14000', ...ending }, reason);
  const became = { amount: '14000', currency: 'COP', ...ending };
  expect([ended.status, ended.body]).toEqual([200, { payinId, status: 'FAILED', settlementMismatch, ...became }]);
  const { changes } = (await operate(readPayinContract, { payin: payinId })).body;
  const results = changes.map(({ command, result }: Record<string, string>) => `${command} ${result}`);
  expect(results).toEqual(['end-payin PAYIN_STATUS_CONFLICT', 'poll-payin DONE', 'end-payin DONE']);
  expect(changes[2]).toMatchObject({
    who: expect.stringMatching(/^arn:aws:/),
    reason: 'The client has given the money back',
  });
  const path = { user_id, payin_id: payinId };
  const read = await call('GET /api/v1/admin/fiats/{user_id}/payin/{payin_id}', { path });
  expect(read.body.statusHistory.map(({ status }) => status)).toEqual(['PENDING', 'FAILED']);
});

test('decisions 5: each thing that can happen to the money of a pay-in can be shown, is heard of, and is ended', async () => {
  const since = new Date().toISOString();
  const client = await newTenant('reversed');
  const user_id = client.users[0]?.userId ?? '';
  const call = connectedAs(client);
  const order = { amount: 15_000, currency: 'COP', paymentMethod: 'NEQUI', phone: '3107654321' } as const;
  const created = await call('POST /api/v1/admin/fiats/{user_id}/payin', { path: { user_id }, body: order });
  const payinId = created.body.id;
  type Said = NonNullable<RequestOf<'POST /api/sandbox/payins/{payin_id}'>['body']>;
  const say = async (body: Said) =>
    (await call('POST /api/sandbox/payins/{payin_id}', { path: { payin_id: payinId }, body })).body;
  const look = async () => (await operate(readPayinContract, { payin: payinId })).body;
  const read = async () =>
    (await call('GET /api/v1/admin/fiats/{user_id}/payin/{payin_id}', { path: { user_id, payin_id: payinId } })).body;
  const row = async () => {
    const { items } = (await operate(listMismatchedContract, { since })).body;
    return items.find((one: Record<string, unknown>) => one['payinId'] === payinId);
  };

  expect(await say({ status: 'COMPLETED', paidAmount: 14_000 })).toEqual({ id: payinId, status: 'COMPLETED' });
  expect(await eventually(row, (found) => found !== undefined)).toMatchObject({ paid: '14000 COP', status: 'PENDING' });
  expect((await read()).status).toBe('PENDING');

  await say({ status: 'COMPLETED' });
  expect(await read()).toMatchObject({ status: 'COMPLETED' });
  await eventually(row, (found) => found === undefined);

  await say({ status: 'COMPLETED', paidAmount: 20_000 });
  expect(await read()).not.toHaveProperty('reversedAt');
  expect(await eventually(row, (found) => found !== undefined)).toMatchObject({
    paid: '20000 COP',
    status: 'COMPLETED',
  });
  const paidTwice = { payinId, paidAmount: '20000', outcome: 'refunded', reference: `TRF-${payinId}` };
  expect((await operate(endPayinContract, { ...paidTwice, paidAmount: '15000' })).status).toBe(409);
  expect((await operate(endPayinContract, paidTwice)).status).toBe(200);
  await eventually(row, (found) => found === undefined);

  expect(await say({ reversed: true })).toEqual({ id: payinId, status: 'COMPLETED', reversed: true });
  expect(await read()).toMatchObject({ status: 'COMPLETED', reversedAt: expect.any(String) });
  expect(await eventually(row, (found) => found !== undefined)).toMatchObject({ paid: '0 COP', who: 'FINANCE' });
  await say({ status: 'COMPLETED', paidAmount: 5000 });
  expect((await look()).next.what).toContain('5000 COP is there of 15000 COP');
  await say({ reversed: false });
  expect(await read()).not.toHaveProperty('reversedAt');
  expect((await look()).next).toMatchObject({ who: 'NOBODY', what: expect.stringContaining('It was paid.') });

  const { events } = await look();
  const types = events.map(({ type }: Record<string, string>) => type);
  expect(types.filter((type: string) => type === 'ramp.payin.reversed')).toHaveLength(3);
});

test('decisions 11, putting right: an operator has the custodian asked for a deposit that nobody asks for any more', async () => {
  const user = new OffRampUser('POLYGON', await newTenant('asked'));
  const operation = await user.create('12.5');
  const txHash = newHash();
  const look = async () => (await operate(readDepositContract, { deposit: txHash })).body;
  await user.deposit(operation, txHash, { state: 'FAILED', notify: true });
  const failed = await eventually(look, ({ status, nextPollAt }) => status === 'FAILED' && nextPollAt === undefined);
  await user.deposit(operation, txHash);
  const { custodianTransferId } = failed;
  const asked = await operate(pollDepositContract, { custodianTransferId });
  expect([asked.status, asked.body]).toMatchObject([200, { custodianTransferId, operationId: operation.id }]);
  await eventually(look, ({ status }) => status === 'CREDITED', SWEPT);
});
