import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Payin } from '#shared/pay-ins/pay-in.ts';
import { paymentMethod } from '#shared/pay-ins/payment-methods.ts';
import {
  type Payment,
  type PaymentRail,
  PaymentUnreadable,
  RailRejected,
  RailUnavailable,
} from '#shared/pay-ins/rails/payment-rail.ts';
import { paymentRails } from '#shared/pay-ins/rails/payment-rails.ts';
import {
  createFindPayment,
  createListPayments,
  createListRailBanks,
  createOrderPayment,
  createPrepareOrder,
} from '#shared/pay-ins/rails/rail-boundary.ts';
import { compareAmounts } from '#shared/platform/amount.ts';
import { BadSignature } from '#shared/platform/aws/kms.ts';
import { type FakeClock, fakeClock } from '#test/support/fake-clock.ts';
import { answers, faults, leavesOf, replaced, silent, startServer, wrongKinds } from '#test/support/faulty-server.ts';
import { CREATED_AT } from '#test/support/off-ramp.ts';
import { PAYIN, payinOf } from '#test/support/pay-ins-in-memory.ts';
import type { RailFixture } from '#test/support/rails/rail-fixture.ts';
import { simulatedFixture } from '#test/support/rails/simulated-fixture.ts';
import { wompiFixture } from '#test/support/rails/wompi-fixture.ts';

const payer = {
  ...{ fullName: 'Ana Gómez', email: 'ana@example.com', phone: '3001234567', personType: 'NATURAL' },
  ...{ documentType: 'CC', documentNumber: '1020304050', acceptedTermsAt: '2026-07-01T00:00:00Z' },
};

/** The service's calls to an adapter through the boundary: tests check the answer as the boundary returns it. */
function asking(name: string, rail: PaymentRail, clock: FakeClock) {
  const rails = new Map([[name, rail]]);
  const [find, order] = [createFindPayment(rails, clock), createOrderPayment(rails, clock)];
  const prepare = createPrepareOrder(rails, clock);
  const list = createListPayments(rail, clock);
  return {
    find,
    list,
    prepare,
    banks: rail.listBanks && createListRailBanks(rail.listBanks, clock),
    order: async (payin: Payin, differences: object = {}, from = prepare) => {
      const prepared = await from(payin);
      return order({ payin, payer: { ...payer, ...differences }, ...(prepared && { prepared }) });
    },
    listed: async (createdSince: string, until: string) => {
      const pages: (readonly string[])[] = [];
      let cursor: string | undefined;
      do {
        const page: Awaited<ReturnType<typeof list>> = await list({ createdSince, until, ...(cursor && { cursor }) });
        pages.push(page.payments.map(({ payment }) => `${payment?.reference} ${payment?.status}`));
        cursor = page.cursor;
      } while (cursor !== undefined);
      return pages;
    },
  };
}

const orFailure = (asked: Promise<unknown>) => asked.catch((error: unknown) => error);

const fixtures: readonly RailFixture[] = [simulatedFixture, wompiFixture];

for (const { name, cannot, start } of fixtures) {
  /** Declares a test of a feature that some rails lack: such a rail skips it, with its reason in the title. */
  const testOf = (trial: string, title: string, tried: () => Promise<void>) => {
    const reason = new Map(Object.entries(cannot)).get(trial);
    return reason === undefined ? test(title, tried) : test.skip(`${title}: not here, ${reason}`, tried);
  };

  const world = async () => {
    const clock = fakeClock(CREATED_AT);
    const started = await start(clock);
    const payinAt = (differences: Partial<Payin> = {}) =>
      payinOf({ rail: name, phone: '3107654321', orderingSince: CREATED_AT, ...started.of, ...differences });
    const of = (rail: PaymentRail) => asking(name, rail, clock);
    return { ...started, ...of(started.rail()), asked: of, clock, payinAt };
  };

  describe(`decisions 12: the rail ${name}`, () => {
    test.each(['1500', '1500.01', '20000.1', '150000.5', '50000000'])(
      'takes and has exactly %s pesos',
      async (amount) => {
        const { order, find, payinAt } = await world();
        const payin = payinAt({ amount });
        for (const payment of [await order(payin), await find(payin)]) {
          expect(payment).toMatchObject({ reference: PAYIN, status: 'PENDING', currency: 'COP' });
          expect(compareAmounts(payment?.amount ?? '', amount)).toBe(0);
        }
      },
    );

    test.each(paymentMethod.options)(
      'takes %s, and makes a page of the payer where the method has one',
      async (method) => {
        const { order, find, payinAt, clock } = await world();
        const payin = payinAt({ paymentMethod: method });
        await order(payin, {});
        clock.advance(60);
        const found = await find(payin);
        const { hasPage } = paymentRails[name].methods[method];
        expect([found?.status, found?.link !== undefined]).toEqual(['PENDING', hasPage]);
      },
    );

    test('has no payment for an unknown reference, and only for that', async () => {
      const { order, find, payinAt } = await world();
      await order(payinAt());
      expect(await find(payinAt({ payinId: PAYIN.replace('5', '6') }))).toBeUndefined();
    });

    test('never has a second payment of a reference, which is ordered again and again, and at the same time', async () => {
      const { order, payinAt, count, become } = await world();
      const first = await order(payinAt());
      const again = await Promise.all([order(payinAt()), order(payinAt())]);
      expect([again, count()]).toEqual([[first, first], 1]);
      await become(PAYIN, { status: 'FAILED', amount: '150000.5' });
      expect([(await order(payinAt())).status, count()]).toEqual(['FAILED', 1]);
    });

    test('is found by its reference when the answer to its order was lost, and ordered again it is the same', async () => {
      const { order, find, payinAt, unanswered, count, of } = await world();
      const payin = payinAt(unanswered());
      await expect(order(payin)).rejects.toThrow(RailUnavailable);
      const found = await find(payin);
      expect(found).toMatchObject({ reference: PAYIN, status: 'PENDING' });
      const { railPaymentId } = await order(payinAt(of));
      expect([railPaymentId, count()]).toEqual([found?.railPaymentId, 1]);
    });

    test('rejects an order that it never takes', async () => {
      const { order, find, payinAt, refused, count } = await world();
      const payin = payinAt(refused.payin);
      const failure = await orFailure(order(payin, refused.payer));
      expect(failure).toBeInstanceOf(RailRejected);
      expect([await find(payin), count()]).toEqual([undefined, 0]);
    });

    testOf('no second refusal', 'does not reject what it has taken before', async () => {
      const { order, payinAt, refused } = await world();
      const taken = await order(payinAt());
      expect(await order(payinAt(refused.payin), refused.payer)).toEqual(taken);
    });

    test.each(['by its reference', 'by its id'])('has a payment as it is, %s', async (how) => {
      const { order, find, payinAt, become, takeBack } = await world();
      const { railPaymentId = '' } = await order(payinAt());
      const payin = payinAt(how === 'by its id' ? { railPaymentId } : {});
      const said: Pick<Payment, 'status' | 'amount'>[] = [
        { status: 'FAILED', amount: '150000.5' },
        { status: 'COMPLETED', amount: '150000.51' },
      ];
      for (const one of said) {
        await become(PAYIN, one);
        expect(await find(payin)).toMatchObject({ railPaymentId, ...one });
      }
      await takeBack(PAYIN);
      expect((await find(payin))?.status).toBe('FAILED');
    });

    test('lists payments of every status over pages, each once, from any page on, and none of another time', async () => {
      const { order, payinAt, become, listed, list, clock } = await world();
      const made: string[] = [];
      const statuses = ['PENDING', 'COMPLETED', 'FAILED'] as const;
      const times: string[] = [];
      for (let place = 0; place < 230; place += 1) {
        const payinId = PAYIN.replace(/.{3}$/, String(place).padStart(3, '0'));
        await order(payinAt({ payinId, paymentMethod: 'NEQUI' }));
        const status = statuses[place % 3] ?? 'PENDING';
        if (status !== 'PENDING') await become(payinId, { status, amount: '150000.5' });
        made.push(`${payinId} ${status}`);
        times.push(clock.now().toISOString());
        clock.advance(place % 100 === 50 ? 86_400 : 60);
      }
      const [first = '', last = ''] = [times[0], times.at(-1)];
      const pages = await listed(first, last);
      expect([pages.length > 1, pages.flat().toSorted()]).toEqual([true, made.toSorted()]);
      const [since = '', until = ''] = [times[7], times[199]];
      expect((await listed(since, until)).flat().toSorted()).toEqual(made.slice(7, 200).toSorted());
      const { cursor = '' } = await list({ createdSince: first, until: last });
      const rest = await list({ createdSince: first, until: last, cursor });
      expect(rest.payments.map(({ payment }) => `${payment?.reference} ${payment?.status}`)).toEqual(pages[1]);
    }, 20_000);

    testOf('banks', 'has banks, and each of them takes an order', async () => {
      const { banks, order, payinAt } = await world();
      const all = (await banks?.()) ?? [];
      expect(all.length).toBeGreaterThan(0);
      for (const [place, { code }] of all.entries()) {
        const payin = payinAt({ payinId: PAYIN.replace(/.$/, String(place)), bank: code });
        expect((await order(payin)).status).toBe('PENDING');
      }
    });

    testOf('a preparation', 'says what an order accepts for the payer, and takes no order without it', async () => {
      const { prepare, order, payinAt, count } = await world();
      const { acceptedTerms = [] } = (await prepare(payinAt())) ?? {};
      expect(acceptedTerms.length).toBeGreaterThan(0);
      await expect(order(payinAt(), {}, async () => undefined)).rejects.toThrow(RailUnavailable);
      expect(count()).toBe(0);
    });

    test('says by which reference it notifies, or that it is about nothing of ours', async () => {
      const { order, payinAt, rail, notifications } = await world();
      await order(payinAt());
      const { ours, others } = await notifications(PAYIN);
      const { readNotification } = rail();
      expect([await readNotification(ours), await readNotification(others)]).toEqual([[PAYIN], []]);
    });

    test('takes no notification that is not its own', async () => {
      const { order, payinAt, rail, notifications, forged } = await world();
      await order(payinAt());
      const { ours } = await notifications(PAYIN);
      const { readNotification } = rail();
      const nonsense = ['', '{}', 'null', '[]', '<xml/>', '{"event":'].map((text) => ({
        ...ours,
        rawBody: Buffer.from(text),
      }));
      for (const one of [
        ...forged(ours),
        ...nonsense,
        { ...ours, headers: new Map([...ours.headers].map(([key]) => [key, 'x'])) },
      ]) {
        await expect(readNotification(one), String(one.rawBody)).rejects.toThrow(BadSignature);
      }
    });

    describe('is unavailable, and has not nothing, when its server', () => {
      for (const [fault, answer] of Object.entries({ ...faults, 'a 422': answers(422, '{}') })) {
        testOf(fault, `answers with ${fault}; and the error quotes neither its URL nor a key`, async () => {
          const { order, prepare, payinAt, at, asked, secrets, clock } = await world();
          const { railPaymentId = '' } = await order(payinAt());
          const faulty = asked(at(`${await startServer(answer)}/path`));
          const now = clock.now().toISOString();
          const failures = [
            await orFailure(faulty.order(payinAt(), {}, prepare)),
            await orFailure(faulty.find(payinAt())),
            await orFailure(faulty.find(payinAt({ railPaymentId }))),
            await orFailure(faulty.list({ createdSince: CREATED_AT, until: now })),
            ...(faulty.banks ? [await orFailure(faulty.banks())] : []),
          ];
          for (const failure of failures) {
            expect(failure).toBeInstanceOf(RailUnavailable);
            for (const secret of ['/path', ...secrets]) expect(String(Object(failure).stack)).not.toContain(secret);
          }
        });
      }

      test('is not there', async () => {
        const { payinAt, at, asked } = await world();
        await expect(asked(at('http://127.0.0.1:1')).find(payinAt())).rejects.toThrow(RailUnavailable);
      });

      for (const [fault, answer] of Object.entries(silent)) {
        test(`gives ${fault}, within the time that the functions have who ask`, async () => {
          const { payinAt, at, asked, prepare, clock } = await world();
          const { order, find } = asked(at(await startServer(answer)));
          const began = clock.now().getTime();
          let failures: readonly unknown[] | undefined;
          void Promise.all([orFailure(order(payinAt(), {}, prepare)), orFailure(find(payinAt()))]).then((both) => {
            failures = both;
          });
          while (failures === undefined && clock.now().getTime() < began + 60_000) {
            clock.advance(1);
            await new Promise((resolve) => setTimeout(resolve, 20));
          }
          expect(failures).toEqual([expect.any(RailUnavailable), expect.any(RailUnavailable)]);
          expect(clock.now().getTime() - began).toBeLessThanOrEqual(9000);
        });
      }

      for (const [header, status] of [
        ['17', 429],
        ['17', 503],
        [new Date(Date.parse(CREATED_AT) + 17_000).toUTCString(), 429],
      ] as const) {
        testOf('a pause', `requests a pause with ${status}, retry-after: ${header}, which it passes on`, async () => {
          const { payinAt, at, asked } = await world();
          const server = await startServer(answers(status, '{}', { 'retry-after': header }));
          expect(await orFailure(asked(at(server)).find(payinAt()))).toMatchObject({ retryAfter: 17 });
        });
      }
    });

    describe('is unavailable, or has a payment unreadable, when its server', () => {
      test('answers about another payment', async () => {
        const { order, payinAt, changed, asked } = await world();
        const { railPaymentId = '' } = await order(payinAt());
        const ofOther = (honest: unknown) =>
          JSON.parse(JSON.stringify(honest ?? null).replaceAll(PAYIN, PAYIN.replace('5', '6')));
        const { find } = asked(await changed(ofOther));
        for (const payin of [payinAt(), payinAt({ railPaymentId })])
          expect(await orFailure(find(payin))).toBeInstanceOf(PaymentUnreadable);
      });

      test('has a value of another kind anywhere in its answers; or that value does not count', async () => {
        const { order, payinAt, become, changed, asked } = await world();
        const { railPaymentId = '' } = await order(payinAt());
        await become(PAYIN, { status: 'COMPLETED', amount: '150000.5' });
        const ask = async (change: (value: unknown) => unknown) => {
          const { find } = asked(await changed(change));
          const found = [await orFailure(find(payinAt())), await orFailure(find(payinAt({ railPaymentId })))];
          for (const one of found) {
            if (one instanceof RailUnavailable) continue;
            expect(one).toMatchObject({ reference: PAYIN, status: 'COMPLETED', currency: 'COP' });
            expect(compareAmounts(String(Object(one).amount), '150000.5')).toBe(0);
          }
        };
        const said: unknown[] = [];
        await ask((value) => {
          said.push(value);
          return value;
        });
        const leaves = said.flatMap((value, place) => leavesOf(value).map((path) => ({ place, path })));
        expect(leaves.length).toBeGreaterThan(10);
        await fc.assert(
          fc.asyncProperty(
            fc.constantFrom(...leaves),
            fc.constantFrom(...wrongKinds),
            async ({ place, path }, wrong) => {
              let answered = 0;
              await ask((value) => {
                answered += 1;
                return answered === place + 1 ? replaced(value, path, wrong) : value;
              });
            },
          ),
          { numRuns: 100 },
        );
      });
    });
  });
}
