import { expect, test } from 'vitest';
import { readPayinContract } from '#shared/operators/lookups.ts';
import { confirmPayinContract, endPayinContract, pollPayinContract } from '#shared/pay-ins/pay-in-commands.ts';
import { listProposalsContract } from '#shared/platform/operators/proposals.ts';
import { changePayment } from '#test/support/change-payment.ts';
import { connectedAs } from '#test/support/connected.ts';
import { eventually } from '#test/support/eventually.ts';
import { operate } from '#test/support/operator-client.ts';
import { newTenant } from '#test/support/tenant.ts';

/** Seconds: two rounds of a sweep. */
const SWEPT = 150;

test('decisions 5, ending a mismatch: an operator polls the rail, and ends a pay-in that was paid with another amount, once another operator has confirmed it', async () => {
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
  const offered = await operate(endPayinContract, { payinId, paidAmount: '14000', ...ending }, reason, 'alice');
  const { proposalId } = offered.body.proposal;
  expect(offered).toMatchObject({ status: 200, auditId: proposalId, body: { status: 'PENDING' } });
  const { items } = (await operate(listProposalsContract, { proposal: proposalId })).body;
  expect(items).toMatchObject([{ command: 'end-payin', proposedBy: expect.stringMatching(/\/alice$/), reason }]);
  const seen = 'The bank has the transfer';
  expect((await operate(confirmPayinContract, { proposalId }, seen, 'alice')).status).toBe(409);
  const ended = await operate(confirmPayinContract, { proposalId }, seen, 'bea');
  const became = { amount: '14000', currency: 'COP', ...ending };
  expect([ended.status, ended.body]).toEqual([200, { payinId, status: 'FAILED', settlementMismatch, ...became }]);
  const { changes } = (await operate(readPayinContract, { payin: payinId })).body;
  const results = changes.map(({ command, result }: Record<string, string>) => `${command} ${result}`);
  expect(results).toEqual([
    'end-payin PAYIN_STATUS_CONFLICT',
    'poll-payin DONE',
    'end-payin PROPOSED',
    'confirm-payin DONE',
  ]);
  expect(changes[2]).toMatchObject({
    who: expect.stringMatching(/^arn:aws:.*\/alice$/),
    reason: 'The client has given the money back',
  });
  const path = { user_id, payin_id: payinId };
  const read = await call('GET /api/v1/admin/fiats/{user_id}/payin/{payin_id}', { path });
  expect(read.body.statusHistory.map(({ status }) => status)).toEqual(['PENDING', 'FAILED']);
});
