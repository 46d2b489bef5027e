import { describe, expect, test } from 'vitest';
import type { Payin } from '#shared/pay-ins/pay-in.ts';
import type { Payment } from '#shared/pay-ins/rails/payment-rail.ts';
import { createSettlePayin } from '#shared/pay-ins/settle-pay-in.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { logged } from '#test/support/logged.ts';
import { CREATED_AT } from '#test/support/off-ramp.ts';
import { PAYIN, payinOf, payinsInMemory } from '#test/support/pay-ins-in-memory.ts';

const HOUR = 3600;

function world(payin: Partial<Payin> = {}) {
  const clock = fakeClock(CREATED_AT);
  const payins = payinsInMemory(payinOf(payin));
  const settle = createSettlePayin(payins, clock);
  const told = (status: Payment['status'], differences: Partial<Payment> = {}) =>
    settle(PAYIN, { reference: PAYIN, status, amount: '150000.5', currency: 'COP', ...differences });
  return { clock, payins, settle, told, stored: () => payins.kept.get(PAYIN), lines: logged() };
}

describe('decisions 5: the rail is the truth', () => {
  test.each(['COMPLETED', 'FAILED', 'EXPIRED'] as const)('what it says is %s becomes so', async (status) => {
    const { told, stored, lines } = world();
    await told(status);
    expect(stored()).toMatchObject({ status, sequence: 2 });
    expect(stored()?.statusHistory.map((change) => change.status)).toEqual(['CASHININIT', status]);
    expect(lines).toEqual([]);
  });

  test.each(['FAILED', 'EXPIRED'] as const)('money that arrives after %s completes it', async (status) => {
    const { told, stored, payins } = world();
    await told(status);
    expect(payins.dueAt.has(PAYIN)).toBe(true);
    await told('COMPLETED');
    expect(stored()?.statusHistory.map((change) => change.status)).toEqual(['CASHININIT', status, 'COMPLETED']);
    expect(payins.dueAt.has(PAYIN)).toBe(false);
  });

  test('the same again, or another end without money, changes nothing and alarms nobody', async () => {
    const { told, stored, lines } = world();
    for (const status of ['FAILED', 'FAILED', 'EXPIRED', 'PENDING'] as const) await told(status);
    expect(stored()).toMatchObject({ status: 'FAILED', sequence: 2 });
    expect(lines).toEqual([]);
  });

  test.each(['FAILED', 'EXPIRED'] as const)(
    'that a completed payment is %s is refused, with an alarm',
    async (outcome) => {
      const { told, stored, lines } = world();
      await told('COMPLETED');
      await told('PENDING');
      expect((await told(outcome))?.status).toBe('COMPLETED');
      expect(stored()?.sequence).toBe(2);
      expect(lines).toEqual([{ level: 'error', code: 'PAYIN_OUTCOME_REFUSED', fields: { payinId: PAYIN, outcome } }]);
    },
  );

  test.each([undefined, 'PENDING', 'FAILED'] as const)(
    'a pay-in that does not exist is none, and no alarm while the rail says %s of it',
    async (status) => {
      const { settle, lines } = world();
      const payment = status && { reference: 'other', amount: '1', currency: 'COP', status };
      expect([await settle('other', payment), lines]).toEqual([undefined, []]);
    },
  );

  test('money for a pay-in that does not exist raises an alarm', async () => {
    const { settle, lines } = world();
    const payment = { reference: 'other', amount: '1', currency: 'COP', status: 'COMPLETED' } as const;
    expect(await settle('other', payment)).toBeUndefined();
    expect(lines).toEqual([{ level: 'error', code: 'PAYIN_UNKNOWN', fields: { payinId: 'other' } }]);
  });
});

describe('the link of a pay-in whose creation did not wait for it', () => {
  test('is kept when the rail tells it, so that its client reads it', async () => {
    const { told, stored } = world();
    expect(await told('PENDING', { link: 'https://pse.example/p' })).toMatchObject({
      pseLink: 'https://pse.example/p',
    });
    expect(stored()).toMatchObject({ status: 'CASHININIT', pseLink: 'https://pse.example/p' });
  });

  test('stays the first that the rail told', async () => {
    const { told, stored } = world();
    await told('PENDING', { link: 'https://pse.example/1' });
    expect((await told('PENDING', { link: 'https://pse.example/2' }))?.pseLink).toBe('https://pse.example/1');
    expect(stored()?.pseLink).toBe('https://pse.example/1');
  });

  test.each(['FAILED', 'EXPIRED', 'COMPLETED'] as const)('is not kept when the pay-in is %s', async (status) => {
    const { told, stored } = world({ status });
    await told('PENDING', { link: 'https://pse.example/p' });
    expect(stored()).not.toHaveProperty('pseLink');
  });
});

describe('decisions 5: another amount never completes a pay-in', () => {
  const short = { amount: '100000', currency: 'COP' };

  test.each(['CASHININIT', 'FAILED', 'EXPIRED', 'COMPLETED'] as const)(
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

  test('whatever the rail says of it later holds', async () => {
    const { told, stored } = world();
    await told('COMPLETED', short);
    await told('COMPLETED');
    expect(stored()?.status).toBe('COMPLETED');
  });

  test('two who learn it at the same time keep what the first one says', async () => {
    const { told, stored, lines, clock } = world();
    const one = told('COMPLETED', short);
    clock.advance(1);
    await Promise.all([one, told('COMPLETED', { ...short, amount: '1' })]);
    expect(stored()).toMatchObject({ sequence: 2, settlementMismatch: { ...short, at: CREATED_AT } });
    expect(new Set(lines.map(({ code }) => code))).toEqual(new Set(['PAYIN_SETTLEMENT_MISMATCH']));
  });

  test.each([1, 4])('the alarm is raised though the answer to the write was lost for %i s', async (seconds) => {
    const { payins, stored, lines, clock } = world();
    const keepMismatch: typeof payins.keepMismatch = async (seen, mismatch) => {
      await payins.keepMismatch(seen, mismatch);
      clock.advance(seconds);
      // The SDK sends the write again.
      return payins.keepMismatch(seen, mismatch);
    };
    const settle = createSettlePayin({ ...payins, keepMismatch }, clock);
    const payment = { reference: PAYIN, status: 'COMPLETED', ...short } as const;
    await settle(PAYIN, payment).catch(() => {});
    await settle(PAYIN, payment);
    expect(stored()?.settlementMismatch).toMatchObject(short);
    expect(lines.map(({ code }) => code)).toEqual(['PAYIN_SETTLEMENT_MISMATCH']);
  });
});

describe('what is concluded holds for the pay-in as it is when it is written', () => {
  test('an order that begins while "unknown" is looked up is not called failed', async () => {
    const { payins, clock, stored } = world();
    clock.advance(HOUR);
    const changeStatus: typeof payins.changeStatus = async (seen, to, at) => {
      if (stored()?.orderingSince === undefined) await payins.beginOrdering(payinOf(), at);
      return payins.changeStatus(seen, to, at);
    };
    await createSettlePayin({ ...payins, changeStatus }, clock)(PAYIN, undefined);
    expect(stored()).toMatchObject({ status: 'CASHININIT', sequence: 2 });
  });

  test('one that was completed while it was looked up is left alone, without an alarm', async () => {
    const { told, settle, stored, lines, clock } = world();
    clock.advance(HOUR);
    await told('COMPLETED');
    await settle(PAYIN, undefined);
    expect([stored()?.status, lines]).toEqual(['COMPLETED', []]);
  });
});
