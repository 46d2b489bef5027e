import { describe, expect, test } from 'vitest';
import { readDepositContract } from '#shared/off-ramps/contract/operator-lookups.ts';
import type { Deposit } from '#shared/off-ramps/model/deposit.ts';
import { readPayinContract } from '#shared/operators/lookups.ts';
import type { Payin } from '#shared/pay-ins/pay-in.ts';
import { readDeliveryContract } from '#shared/webhooks/contract/webhook-lookups.ts';
import type { Delivery } from '#shared/webhooks/model/delivery.ts';
import type { Webhook } from '#shared/webhooks/model/webhook.ts';
import { CLIENT, OPERATION, WEBHOOK } from '#test/support/ids.ts';
import { lookUpWorld } from '#test/support/look-up-world.ts';
import { transfer } from '#test/support/off-ramp.ts';
import { payinOf } from '#test/support/pay-ins-in-memory.ts';
import { webhookOf } from '#test/support/webhooks-in-memory.ts';

const AT = '2026-08-01T12:00:00.000Z';
const NEXT = '2026-08-01T12:31:00.000Z';
const MONTH_AGO = '2026-07-01T12:00:00.000Z';
const LONG_AGO = { orderingSince: MONTH_AGO, statusHistory: [{ status: 'PENDING', at: MONTH_AGO }] } as const;
const PAYIN = '77777777-7777-4777-8777-777777777777';

describe('decisions 11, one look: a pay-in', () => {
  const payin = payinOf({ payinId: PAYIN, amount: '50000', phone: '3001234567', orderingSince: AT, createdAt: AT });
  const mismatch = { amount: '40000', currency: 'COP', at: AT };

  test.each<[string, Partial<Payin>, string | undefined, string, string]>([
    ['the user while it is open', {}, NEXT, 'USER', 'Pays 50000 COP by PSE'],
    [
      'finance when another amount was paid',
      { settlementMismatch: mismatch },
      NEXT,
      'FINANCE',
      '40000 COP was paid instead of 50000 COP',
    ],
    ['the client when the rail was never asked', { orderingSince: undefined }, NEXT, 'CLIENT', 'Idempotency-Key'],
    ['finance when it is open 30 days after its last day', LONG_AGO, NEXT, 'FINANCE', 'Asks the rail'],
    ['nobody when it expired', { status: 'EXPIRED' }, NEXT, 'NOBODY', 'still arrives'],
    ['nobody when it was paid', { status: 'COMPLETED' }, undefined, 'NOBODY', 'It was paid'],
    [
      'finance when all of it was taken back',
      { status: 'COMPLETED', reversedAt: AT, mismatchedAt: AT },
      NEXT,
      'FINANCE',
      'It was paid, and the rail took all 50000 COP back.',
    ],
    [
      'finance when some of it was taken back',
      { status: 'COMPLETED', reversedAt: AT, settlementMismatch: mismatch, mismatchedAt: AT },
      NEXT,
      'FINANCE',
      'the rail took some of it back: it has 40000 COP of 50000 COP.',
    ],
    [
      'finance when too much is there',
      {
        ...{ status: 'COMPLETED', settlementMismatch: { ...mismatch, amount: '90000' }, mismatchedAt: AT },
        otherPayments: { 'payment-2': '40000' },
      },
      NEXT,
      'FINANCE',
      'has 90000 COP instead of 50000 COP: too much. Beside the payment that completed it there is payment-2.',
    ],
    [
      'nobody when that was kept',
      { status: 'COMPLETED', reversedAt: AT, mismatchEnds: [{ ...mismatch, amount: '0', outcome: 'kept' }] },
      NEXT,
      'NOBODY',
      'It is ended: kept.',
    ],
    [
      'nobody when another amount was kept',
      { status: 'FAILED', settlementMismatch: mismatch, mismatchEnds: [{ ...mismatch, outcome: 'kept' }] },
      NEXT,
      'NOBODY',
      'It is completed once the rail has the ordered amount in place of this one.',
    ],
    ['finance when nothing of it can be read', { unreadableSince: AT }, NEXT, 'FINANCE', 'cannot be read'],
  ])('waits for %s', async (_, differences, nextPollAt, who, what) => {
    const { table, lookAt } = lookUpWorld();
    table('payins').put({ ...payin, ...differences, record: 'PAYIN', nextPollAt });
    const { body } = await lookAt(readPayinContract, { payin: PAYIN });
    expect(body.next).toMatchObject({ who, what: expect.stringContaining(what) });
    expect(body.next.at).toBe(nextPollAt);
    expect(JSON.stringify(body)).not.toContain('3001234567');
  });

  test('is found by its reference, too, and says which others have the same', async () => {
    const { table, lookAt } = lookUpWorld();
    const newer = { ...payin, payinId: OPERATION, createdAt: NEXT };
    for (const one of [payin, newer]) {
      table('payins').put({ ...one, externalReference: 'order 17', record: 'PAYIN' });
    }
    const { body } = await lookAt(readPayinContract, { payin: ' order 17 ' });
    expect([body.payinId, body.othersOfReference]).toMatchObject([OPERATION, [{ payinId: PAYIN, clientId: CLIENT }]]);
    expect((await lookAt(readPayinContract, { payin: 'order' })).status).toBe(404);
  });

  test('that does not exist is 404', async () => {
    expect(await lookUpWorld().lookAt(readPayinContract, { payin: PAYIN })).toMatchObject({
      status: 404,
      body: { code: 'PAYIN_NOT_FOUND' },
    });
  });
});

describe('decisions 11, one look: a deposit', () => {
  test('is found by its id at the custodian, with its operation and what happens next', async () => {
    const { putDeposit, lookAt } = lookUpWorld();
    putDeposit(
      { custodianTransferId: 'sim:1', state: 'UNCONFIRMED', confirmations: 3 },
      { nextPollAt: NEXT, clientId: CLIENT },
    );
    const { body } = await lookAt(readDepositContract, { deposit: 'sim:1' });
    expect(body).toMatchObject({
      operationId: OPERATION,
      clientId: CLIENT,
      status: 'DETECTED',
      amount: '100.5',
      next: { who: 'SERVICE', what: 'Waits until it is final; it has 3 of 12 confirmations.', at: NEXT },
    });
  });

  test('is found by the hash of its transaction, too, in any spelling', async () => {
    const { putDeposit, lookAt } = lookUpWorld();
    putDeposit(
      { custodianTransferId: 'sim:1' },
      { operationId: undefined, ignoredReason: 'TOO_MANY', leftOutOf: OPERATION },
    );
    const { body } = await lookAt(readDepositContract, {
      deposit: transfer().txHash.toUpperCase().replace('0X', '0x'),
    });
    expect(body).toMatchObject({ custodianTransferId: 'sim:1', operationId: OPERATION });
  });

  test('says which others are in the transaction by whose hash it was found, and none by its own id', async () => {
    const { putDeposit, lookAt } = lookUpWorld();
    putDeposit({ custodianTransferId: 'sim:1', amount: '0.000001' }, { operationId: undefined });
    putDeposit({ custodianTransferId: 'sim:2' }, { firstNotifiedAt: '2026-08-01T12:10:00.000Z' });
    const { body } = await lookAt(readDepositContract, { deposit: transfer().txHash });
    expect(body).toMatchObject({ custodianTransferId: 'sim:1', othersOfHash: ['sim:2'] });
    expect((await lookAt(readDepositContract, { deposit: 'sim:2' })).body).not.toHaveProperty('othersOfHash');
  });

  test('whose item cannot be read is not said to be unknown', async () => {
    const { table, putDeposit, lookAt } = lookUpWorld();
    putDeposit({ custodianTransferId: 'sim:1' });
    table('deposits').put({ ...table('deposits').find({ custodianTransferId: 'sim:1' }), detectedAt: 1 });
    const { status, body } = await lookAt(readDepositContract, { deposit: transfer().txHash });
    expect([status, body.detail]).toEqual([404, expect.stringMatching(/cannot be read: sim:1\./)]);
    putDeposit({ custodianTransferId: 'sim:2' });
    const other = await lookAt(readDepositContract, { deposit: transfer().txHash });
    expect(other.body).toMatchObject({ custodianTransferId: 'sim:2', othersOfHash: ['sim:1'] });
  });

  test('that is one too many of its address waits for the custodian until it is final', async () => {
    const { putDeposit, lookAt } = lookUpWorld();
    const tooMany = { operationId: undefined, ignoredReason: 'TOO_MANY', leftOutOf: OPERATION } as const;
    putDeposit({ custodianTransferId: 'sim:1', state: 'HELD' }, tooMany);
    expect((await lookAt(readDepositContract, { deposit: 'sim:1' })).body.next.who).toBe('CUSTODIAN');
  });

  test('that is not final for too long waits for finance', async () => {
    const { putDeposit, lookAt } = lookUpWorld();
    putDeposit({ custodianTransferId: 'sim:1', state: 'UNCONFIRMED' }, { unmatched: 'UNMATCHED' });
    expect((await lookAt(readDepositContract, { deposit: 'sim:1' })).body.next.who).toBe('FINANCE');
  });

  test.each<[string, Partial<Deposit>]>([
    ['has so many other deposits', { operationId: undefined, ignoredReason: 'TOO_MANY' }],
    ['without a known tag', { operationId: undefined }],
    ['funds an operation of another client', {}],
    ['WRONG_AMOUNT, WRONG_SENDER', { reasons: ['WRONG_AMOUNT', 'WRONG_SENDER'] }],
  ])('that is unmatched without an operation or a reason says why: %s', async (why, kept) => {
    const { putDeposit, lookAt } = lookUpWorld();
    putDeposit({ custodianTransferId: 'sim:1' }, { unmatched: 'UNMATCHED', reasons: [], ...kept });
    const { next } = (await lookAt(readDepositContract, { deposit: 'sim:1' })).body;
    expect(next).toEqual({ who: 'FINANCE', what: expect.stringContaining(why) });
  });

  test('is not the record of a hash that is searched for', async () => {
    const { table, lookAt } = lookUpWorld();
    table('deposits').put({ custodianTransferId: 'HASH#ETHEREUM#0x1' });
    expect((await lookAt(readDepositContract, { deposit: 'HASH#ETHEREUM#0x1' })).status).toBe(404);
  });
});

describe('decisions 11, one look: a delivery', () => {
  const DELIVERY = `dlv_${'0'.repeat(32)}`;
  const webhook = webhookOf({
    url: 'https://user.example:8443/hooks/secret-path?token=secret-token',
    secrets: [{ ciphertext: 'ciphertext-secret' }],
  });
  const delivery: Delivery = {
    deliveryId: DELIVERY,
    eventId: 'evt_1',
    type: 'ramp.operation.status_changed',
    clientId: CLIENT,
    webhookId: WEBHOOK,
    status: 'PENDING',
    createdAt: AT,
    trigger: 'SCHEDULED',
    queuedAt: AT,
    attemptsMade: 1,
    attempts: [],
    nextAttemptAt: NEXT,
    claims: 0,
  };
  const expiresAt = Date.parse('2026-10-01T00:00:00.000Z') / 1000;
  const attempt = { at: AT, trigger: 'SCHEDULED', statusCode: 500, durationMs: 12 };

  async function looked(differences: Partial<Delivery>, otherwise: Partial<Webhook> = {}, parkedUntil?: string) {
    const { table, lookAt } = lookUpWorld();
    table('webhooks').put({ ...webhook, ...otherwise });
    table('deliveries').put({ ...delivery, ...differences, attempts: [[AT, 'SCHEDULED', 500, 12]], expiresAt });
    if (parkedUntil !== undefined) {
      const health = { version: 1, configuration: 1, failures: 5, parkedUntil, lastError: 'CONNECT' };
      table('webhookHealth').put({ webhookId: WEBHOOK, ...health });
    }
    return (await lookAt(readDeliveryContract, { delivery: DELIVERY })).body;
  }

  test.each<[string, Partial<Delivery>, Partial<Webhook>, string | undefined, string]>([
    ['the service before its next attempt', {}, {}, undefined, 'SERVICE'],
    ['the client while its endpoint fails', {}, {}, NEXT, 'CLIENT'],
    ['nobody once its webhook is inactive', {}, { status: false }, undefined, 'NOBODY'],
    ['nobody once it has arrived', { status: 'DELIVERED' }, {}, undefined, 'NOBODY'],
    ['the client once it was given up', { status: 'FAILED', reason: 'EXHAUSTED' }, {}, undefined, 'CLIENT'],
    [
      'the client once its endpoint is gone',
      { status: 'FAILED', reason: 'ENDPOINT_GONE' },
      { status: false },
      undefined,
      'CLIENT',
    ],
    ['people here when the service failed', { status: 'FAILED', reason: 'INTERNAL' }, {}, undefined, 'FINANCE'],
    ['the client when it was cancelled', { status: 'CANCELLED', reason: 'WEBHOOK_INACTIVE' }, {}, undefined, 'CLIENT'],
  ])('waits for %s', async (_, differences, otherwise, parkedUntil, who) => {
    const answer = await looked(differences, otherwise, parkedUntil);
    expect(answer).toMatchObject({ next: { who }, attempts: [attempt] });
  });

  test.each<[Partial<Delivery>, Partial<Webhook>, string]>([
    [{ status: 'CANCELLED', reason: 'WEBHOOK_INACTIVE' }, {}, 'If it wants the event, requests a resend'],
    [{ status: 'CANCELLED', reason: 'WEBHOOK_INACTIVE' }, { status: false }, 'reactivates the webhook and requests'],
    [{ status: 'FAILED', reason: 'ENDPOINT_GONE' }, { status: false }, 'reactivates the webhook and requests a resend'],
    [{ status: 'FAILED', reason: 'EXHAUSTED' }, {}, 'Repairs its endpoint, then requests a resend.'],
    [{ status: 'FAILED', reason: 'BLOCKED' }, {}, 'Changes the webhook to an allowed address'],
    [{ status: 'FAILED', reason: 'EXHAUSTED' }, { webhookId: OPERATION }, 'Its webhook was removed'],
    [{ status: 'FAILED', reason: 'INTERNAL' }, {}, 'then resends it.'],
    [{ status: 'FAILED', reason: 'INTERNAL' }, { status: false }, 'resends it once the client has reactivated'],
  ])('that is over is made again by a resend, to an active webhook: %j to %j', async (over, otherwise, what) => {
    const answer = await looked({ ...over, nextAttemptAt: undefined }, otherwise);
    expect(answer.next.what).toContain(what);
  });

  test('is next attempted when the parking of its webhook ends, or at its own later time', async () => {
    const end = '2026-08-01T12:45:00.000Z';
    const parked = await looked({}, {}, end);
    expect([parked.nextAttemptAt, parked.next]).toMatchObject([end, { who: 'CLIENT', at: end }]);
    const nextAttemptAt = '2026-08-01T14:00:00.000Z';
    const later = await looked({ nextAttemptAt }, {}, end);
    expect([later.nextAttemptAt, later.next.at]).toEqual([nextAttemptAt, nextAttemptAt]);
    const byHand = await looked({ trigger: 'MANUAL', attemptsMade: 0 }, {}, end);
    expect([byHand.nextAttemptAt, byHand.next]).toMatchObject([NEXT, { who: 'SERVICE', at: NEXT }]);
  });
});
