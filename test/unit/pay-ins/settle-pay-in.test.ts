import { describe, expect, test } from 'vitest';
import type { Payin } from '#shared/pay-ins/pay-in.ts';
import type { Payment } from '#shared/pay-ins/rails/payment-rail.ts';
import { createSettlePayin } from '#shared/pay-ins/settle-pay-in.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { CREATED_AT } from '#test/support/off-ramp.ts';
import { PAYIN, payinOf, payinsInMemory } from '#test/support/pay-ins-in-memory.ts';

const HOUR = 3600;

function world(payin: Partial<Payin> = {}) {
  const clock = fakeClock(CREATED_AT);
  const payins = payinsInMemory(payinOf(payin));
  const rail: { payment: Payment | undefined; asked: number } = { payment: undefined, asked: 0 };
  const find = async () => {
    rail.asked += 1;
    return rail.payment;
  };
  const settle = createSettlePayin(payins, find, clock);
  const stored = () => payins.kept.get(PAYIN);
  /** The rail answers this from now on, and is polled once. */
  const told = (status: Payment['status'], differences: Partial<Payment> = {}) => {
    rail.payment = { reference: PAYIN, status, amount: '150000.5', currency: 'COP', ...differences };
    return settle(PAYIN, { asked: stored(), payment: rail.payment });
  };
  return { clock, payins, rail, find, settle, told, stored, lines: captureLogs() };
}

describe('decisions 5: the rail is the truth', () => {
  test.each(['COMPLETED', 'FAILED', 'EXPIRED'] as const)(
    'a pay-in that it calls %s gets that status',
    async (status) => {
      const { told, stored, lines } = world();
      await told(status);
      expect(stored()).toMatchObject({ status, sequence: 2 });
      expect(stored()?.statusHistory.map((change) => change.status)).toEqual(['CASHININIT', status]);
      expect(lines).toEqual([]);
    },
  );

  test('its own id of a payment stays from its first answer, and when it was paid from the answer that completes it', async () => {
    const { told, stored } = world();
    const railPaymentId = 'rail-1';
    await told('PENDING', { railPaymentId, paidAt: CREATED_AT });
    expect(stored()).toEqual(payinOf({ railPaymentId }));
    const paidAt = '2026-08-01T12:00:07.000Z';
    await told('COMPLETED', { railPaymentId: 'rail-2', paidAt });
    expect(stored()).toMatchObject({ status: 'COMPLETED', railPaymentId: 'rail-2', paidAt });
  });

  test('a payment that has ended when its page appears has its page, as in a sandbox: pseLink is in the answer', async () => {
    const { told } = world();
    const link = 'https://pse.example/1';
    expect(await told('COMPLETED', { link })).toMatchObject({ status: 'COMPLETED', paymentUrl: link });
  });

  test.each(['FAILED', 'EXPIRED'] as const)(
    'money that arrives after %s completes it, without a reason',
    async (status) => {
      const { told, stored, payins } = world();
      await told(status, { failureReason: ' Fondos\ninsuficientes ' });
      expect(stored()?.failureReason).toBe(status === 'FAILED' ? 'Fondos insuficientes' : undefined);
      expect(payins.dueAt.has(PAYIN)).toBe(true);
      await told('COMPLETED');
      expect(stored()?.statusHistory.map((change) => change.status)).toEqual(['CASHININIT', status, 'COMPLETED']);
      expect(stored()).not.toHaveProperty('failureReason');
      expect(payins.dueAt.get(PAYIN)).toBe('2026-08-01T13:00:00.000Z');
    },
  );

  test('the same again, or another end without money, changes nothing and alarms nobody', async () => {
    const { told, stored, lines } = world();
    for (const status of ['FAILED', 'FAILED', 'EXPIRED', 'PENDING'] as const) await told(status);
    expect(stored()).toMatchObject({ status: 'FAILED', sequence: 2 });
    expect(lines).toEqual([]);
  });

  test.each([undefined, 'PENDING', 'FAILED'] as const)(
    'a pay-in that does not exist is none, and no alarm while the rail says %s of it',
    async (status) => {
      const { settle, lines } = world();
      const payment = status && { reference: 'other', amount: '1', currency: 'COP', status };
      expect([await settle('other', { asked: undefined, payment }), lines]).toEqual([undefined, []]);
    },
  );

  test('money for a pay-in that does not exist raises an alarm', async () => {
    const { settle, lines } = world();
    const payment = { reference: 'other', amount: '1', currency: 'COP', status: 'COMPLETED' } as const;
    expect(await settle('other', { asked: undefined, payment })).toBeUndefined();
    expect(lines).toEqual([{ level: 'error', code: 'PAYIN_UNKNOWN', fields: { payinId: 'other' } }]);
  });
});

test('an answer without news is not applied: nothing is read again, and a pay-in that changed meanwhile stays as it is', async () => {
  const { payins, clock, find, stored, rail } = world({ paymentUrl: 'https://pse.example/p' });
  const asked = stored();
  if (asked !== undefined) await payins.changeStatus(asked, 'COMPLETED', CREATED_AT);
  const reads: string[] = [];
  const settle = createSettlePayin({ ...payins, find: async (id) => void reads.push(id) }, find, clock);
  const payment = { reference: PAYIN, status: 'PENDING', amount: '150000.5', currency: 'COP' } as const;
  expect(await settle(PAYIN, { asked, payment })).toEqual(asked);
  expect([reads, rail.asked, stored()?.status]).toEqual([[], 0, 'COMPLETED']);
});

describe('the link of a pay-in whose creation did not wait for it', () => {
  test('is kept when the rail tells it, so that its client reads it', async () => {
    const { told, stored } = world();
    expect(await told('PENDING', { link: 'https://pse.example/p' })).toMatchObject({
      paymentUrl: 'https://pse.example/p',
    });
    expect(stored()).toMatchObject({ status: 'CASHININIT', paymentUrl: 'https://pse.example/p' });
  });

  test('stays the first that the rail told', async () => {
    const { told, stored } = world();
    await told('PENDING', { link: 'https://pse.example/1' });
    expect((await told('PENDING', { link: 'https://pse.example/2' }))?.paymentUrl).toBe('https://pse.example/1');
    expect(stored()?.paymentUrl).toBe('https://pse.example/1');
  });

  test.each(['FAILED', 'EXPIRED', 'COMPLETED'] as const)('is not kept when the pay-in is %s', async (status) => {
    const { told, stored } = world({ status });
    await told('PENDING', { link: 'https://pse.example/p' });
    expect(stored()).not.toHaveProperty('paymentUrl');
  });
});

describe('decisions 5: another amount never completes a pay-in', () => {
  const short = { amount: '100000', currency: 'COP' };

  test.each(['CASHININIT', 'FAILED', 'EXPIRED'] as const)(
    'and of one that is %s it is kept beside the status, with one alarm',
    async (status) => {
      const { told, stored, lines, clock } = world({ status });
      await told('COMPLETED', short);
      clock.advance(HOUR);
      await told('COMPLETED', short);
      expect(stored()).toMatchObject({ status, settlementMismatch: { ...short, at: CREATED_AT } });
      expect(lines).toEqual([{ level: 'error', code: 'PAYIN_SETTLEMENT_MISMATCH', fields: { payinId: PAYIN } }]);
    },
  );

  test('a newer amount takes the place of the one that is kept, with an alarm, and waits since the first', async () => {
    const { told, stored, lines, clock } = world();
    await told('COMPLETED', short);
    clock.advance(HOUR);
    await told('COMPLETED', { amount: '140000' });
    const at = '2026-08-01T13:00:00.000Z';
    expect(stored()).toMatchObject({
      settlementMismatch: { amount: '140000', currency: 'COP', at },
      mismatchedAt: CREATED_AT,
    });
    expect(lines.map(({ code }) => code)).toEqual(['PAYIN_SETTLEMENT_MISMATCH', 'PAYIN_SETTLEMENT_MISMATCH']);
  });

  test.each([
    ['FAILED', 'CASHININIT', 'FAILED'],
    ['EXPIRED', 'CASHININIT', 'EXPIRED'],
    ['FAILED', 'EXPIRED', 'EXPIRED'],
    ['EXPIRED', 'FAILED', 'FAILED'],
  ] as const)('an end without money clears it: %s, of one that is %s', async (said, status, after) => {
    const { told, stored } = world({ status });
    await told('COMPLETED', short);
    await told(said);
    expect(stored()).toMatchObject({ status: after, sequence: 3 });
    expect(stored()).not.toHaveProperty('settlementMismatch');
    expect(stored()).not.toHaveProperty('mismatchedAt');
  });

  test('a mismatch of a payment that the rail no longer knows is kept: that is no end', async () => {
    const { told, settle, stored, clock } = world({ orderingSince: CREATED_AT });
    await told('COMPLETED', short);
    clock.advance(25 * HOUR);
    await settle(PAYIN, { asked: stored(), payment: undefined });
    expect(stored()).toMatchObject({ status: 'EXPIRED', settlementMismatch: short, mismatchedAt: CREATED_AT });
  });

  test('an older answer that comes after a newer one changes nothing: the rail is asked again', async () => {
    const { rail, settle, told, stored } = world();
    const asked = stored();
    await told('COMPLETED', { amount: '140000' });
    await settle(PAYIN, { asked, payment: { reference: PAYIN, status: 'COMPLETED', ...short } });
    expect([stored()?.settlementMismatch?.amount, stored()?.sequence, rail.asked]).toEqual(['140000', 2, 1]);
  });

  test.each([1, 4])('the alarm is raised though the answer to the write was lost for %i s', async (seconds) => {
    const { payins, stored, lines, clock, find, rail } = world();
    const recordMismatch: typeof payins.recordMismatch = async (...written) => {
      await payins.recordMismatch(...written);
      clock.advance(seconds);
      // The SDK sends the write again.
      return payins.recordMismatch(...written);
    };
    const settle = createSettlePayin({ ...payins, recordMismatch }, find, clock);
    rail.payment = { reference: PAYIN, status: 'COMPLETED', ...short };
    await settle(PAYIN, { asked: stored(), payment: rail.payment }).catch(() => {});
    await settle(PAYIN, { asked: stored(), payment: rail.payment });
    expect(stored()?.settlementMismatch).toMatchObject(short);
    expect(lines.map(({ code }) => code)).toEqual(['PAYIN_SETTLEMENT_MISMATCH']);
  });
});

describe('a conclusion holds for the pay-in as it is at the time of the write', () => {
  test('an order that begins while "unknown" is looked up is not called failed', async () => {
    const { payins, clock, find, stored } = world();
    clock.advance(HOUR);
    const changeStatus: typeof payins.changeStatus = async (seen, to, at) => {
      if (stored()?.orderingSince === undefined) await payins.beginOrdering(payinOf(), at);
      return payins.changeStatus(seen, to, at);
    };
    const settle = createSettlePayin({ ...payins, changeStatus }, find, clock);
    await settle(PAYIN, { asked: stored(), payment: undefined });
    expect(stored()).toMatchObject({ status: 'CASHININIT', sequence: 2 });
  });
});
