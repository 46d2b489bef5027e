import { describe, expect, test } from 'vitest';
import { pollDepositContract } from '#shared/off-ramps/contract/operator-commands.ts';
import { readDepositContract } from '#shared/off-ramps/contract/operator-lookups.ts';
import { readPayinContract } from '#shared/operators/lookups.ts';
import { endPayinContract, pollPayinContract } from '#shared/pay-ins/pay-in-commands.ts';
import { payinItem } from '#shared/pay-ins/pay-in-records.ts';
import { resendContract } from '#shared/webhooks/contract/webhook-commands.ts';
import { readDeliveryContract } from '#shared/webhooks/contract/webhook-lookups.ts';
import { deliveryExpiry, newDelivery } from '#shared/webhooks/model/delivery.ts';
import { eventOf } from '#test/support/events-in-memory.ts';
import { USER } from '#test/support/ids.ts';
import { lookUpWorld } from '#test/support/look-up-world.ts';
import { CREATED_AT, offRamp } from '#test/support/off-ramp.ts';
import { OPERATOR } from '#test/support/operators-world.ts';
import { PAYIN, payinOf } from '#test/support/pay-ins-in-memory.ts';
import { webhookOf } from '#test/support/webhooks-in-memory.ts';

const NOW = '2026-08-01T12:30:00.000Z';
const custodianTransferId = 'simulated:1';

describe('decisions 11, one look: the answer shows who changed', () => {
  test('a pay-in: each change of it with who, why and what came of it, and those of no other', async () => {
    const { change, lookAt, table, clock } = lookUpWorld();
    table('payins').put(payinItem(payinOf(), CREATED_AT));
    table('payins').put(payinItem(payinOf({ payinId: USER }), CREATED_AT));
    await change(pollPayinContract, { payinId: PAYIN }, 'The client has asked');
    clock.advance(60);
    await change(endPayinContract, { payinId: PAYIN, paidAmount: '1', outcome: 'kept' }, 'By mistake');
    await change(pollPayinContract, { payinId: USER });
    const { body } = await lookAt(readPayinContract, { payin: PAYIN });
    const who = { who: OPERATOR, auditId: expect.any(String) };
    expect(body.changes).toEqual([
      { ...who, at: NOW, command: 'poll-payin', result: 'DONE', reason: 'The client has asked' },
      {
        ...{ ...who, at: '2026-08-01T12:31:00.000Z' },
        ...{ command: 'end-payin', result: 'PAYIN_STATUS_CONFLICT', reason: 'By mistake' },
      },
    ]);
  });

  test('an operation: those of its deposits, and so does the deposit', async () => {
    const { change, look, lookAt, put, putDeposit } = lookUpWorld();
    put(offRamp());
    putDeposit({ custodianTransferId });
    expect((await look()).changes).toEqual([]);
    await change(pollDepositContract, { custodianTransferId }, 'The client has asked');
    const line = { command: 'poll-deposit', result: 'DONE', who: OPERATOR, reason: 'The client has asked' };
    expect((await look()).changes).toMatchObject([line]);
    expect((await lookAt(readDepositContract, { deposit: custodianTransferId })).body.changes).toMatchObject([line]);
  });

  test('a delivery', async () => {
    const { change, lookAt, table } = lookUpWorld();
    const delivery = newDelivery(eventOf('evt_1'), webhookOf(), 'SCHEDULED', new Date(CREATED_AT));
    const { deliveryId } = delivery;
    table('webhooks').put({ ...webhookOf() });
    table('deliveries').put({ ...delivery, expiresAt: deliveryExpiry(new Date(CREATED_AT)) });
    await change(resendContract, { deliveryId }, 'It is mended');
    const { body } = await lookAt(readDeliveryContract, { delivery: deliveryId });
    expect(body.changes).toMatchObject([{ command: 'resend', result: 'DONE', reason: 'It is mended' }]);
  });

  test('something by a call that broke off, without a result', async () => {
    const { change, lookAt, table, beforeNextWrite } = lookUpWorld();
    table('payins').put(payinItem(payinOf(), CREATED_AT));
    beforeNextWrite('payins', () =>
      beforeNextWrite('audit', () => {
        throw new Error('The table is out.');
      }),
    );
    expect((await change(pollPayinContract, { payinId: PAYIN })).status).toBe(200);
    const { body } = await lookAt(readPayinContract, { payin: PAYIN });
    expect(body.changes).toMatchObject([{ command: 'poll-payin', who: OPERATOR }]);
    expect(body.changes[0]).not.toHaveProperty('result');
  });

  test('something often: the newest fifty changes', async () => {
    const { change, lookAt, table, clock } = lookUpWorld();
    table('payins').put(payinItem(payinOf(), CREATED_AT));
    for (let made = 1; made <= 51; made += 1) {
      clock.advance(1);
      await change(pollPayinContract, { payinId: PAYIN }, `Time ${made}`);
    }
    const { changes } = (await lookAt(readPayinContract, { payin: PAYIN })).body;
    expect([changes.length, changes[0].reason, changes.at(-1).reason]).toEqual([50, 'Time 2', 'Time 51']);
  });
});
