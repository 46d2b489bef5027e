import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createAskForMovements,
  createFindOutgoing,
  createFindSending,
  createReadBalances,
  createSend,
} from '#shared/off-ramps/custodians/ask-sendings.ts';
import {
  CustodianUnavailable,
  type FoundTransfer,
  isReadable,
  SendingRefused,
} from '#shared/off-ramps/custodians/custodian.ts';
import {
  createAskForPage,
  createFindTransfer,
  createFindTransfers,
} from '#shared/off-ramps/custodians/find-transfers.ts';
import { describeOnChain } from '#test/support/chain.ts';
import type { Adapter, CustodianFixture, Payment, Sender } from '#test/support/custodians/custodian-fixture.ts';
import { evmFixture } from '#test/support/custodians/evm-fixture.ts';
import { fireblocksFixture } from '#test/support/custodians/fireblocks-fixture.ts';
import { simulatedFixture } from '#test/support/custodians/simulated-fixture.ts';
import { type FakeClock, fakeClock } from '#test/support/fake-clock.ts';
import { answers, faults, leavesOf, replaced, silent, startServer, wrongKinds } from '#test/support/faulty-server.ts';
import { CREATED_AT, HASH, OTHER_HASH, onEveryNetwork } from '#test/support/off-ramp.ts';

type Named = Pick<FoundTransfer, 'network' | 'txHash'>;

/** The service's calls to an adapter, through the boundary: the parsed answers are compared. */
function asking(adapter: Adapter, clock: FakeClock) {
  const custodians = onEveryNetwork(adapter);
  const find = createFindTransfers(custodians, clock);
  const findOne = createFindTransfer(custodians, clock);
  return {
    find: ({ network, txHash }: Named) => find({ network, txHash, since: CREATED_AT }),
    again: (seen: FoundTransfer) => findOne({ ...seen, seen: isReadable(seen) ? seen : undefined }),
    byId: (custodianTransferId: string) => findOne({ custodianTransferId }),
  };
}

const orFailure = (asked: Promise<unknown>) => asked.catch((error: unknown) => error);

const DEPOSIT_ID = '4a1e7c92-0d3b-8f56-9b28-c6e5f1a7d093';

const isNoAnswer = (one: unknown) => one instanceof CustodianUnavailable || 'unreadableFields' in Object(one);

const adapters: readonly (readonly [CustodianFixture, typeof describeOnChain])[] = [
  [simulatedFixture, describe],
  [evmFixture, describeOnChain],
  [fireblocksFixture, describe],
];

for (const [{ name, cannot, start }, describeIt] of adapters) {
  const reasons = new Map(Object.entries(cannot));
  /** A test of something that not every custodian has; a custodian without it gives the reason. */
  const testOf = (trial: string, title: string, tried: () => Promise<void>) => {
    const reason = reasons.get(trial);
    return reason === undefined ? test(title, tried) : test.skip(`${title}: not here, ${reason}`, tried);
  };

  const world = async () => {
    const clock = fakeClock(CREATED_AT);
    const started = await start(clock);
    const [to] = started.ours;
    const pay = (differences: Partial<Payment> = {}) =>
      started.pay({ to: [to], amount: '1.5', decimals: 6, state: 'CONFIRMED', ...differences });
    return { ...started, ...asking(started.adapter(), clock), clock, to, pay };
  };

  describeIt(`decisions 12: the custodian ${name}`, () => {
    test('has no transfer of an unknown transaction, and none with an id that it never gave', async () => {
      const { find, byId, pay } = await world();
      const paid = await pay();
      const [known] = await find(paid);
      expect(await find({ ...paid, txHash: paid.txHash.replace(/.$/, (end) => (end === '0' ? '1' : '0')) })).toEqual(
        [],
      );
      expect(await byId(`${known?.custodianTransferId}9`)).toBeUndefined();
      // NOT_FOUND tells clients so. The nodes of one chain have no other one to ask.
      const elsewhere = await orFailure(find({ ...paid, network: 'BASE' }));
      expect(elsewhere instanceof CustodianUnavailable ? [] : elsewhere).toEqual([]);
    });

    describe('has a transaction as it is', () => {
      for (const state of ['UNCONFIRMED', 'CONFIRMED', 'FAILED', 'HELD'] as const) {
        testOf(state, `${state}, by its hash and by the id of its transfer, the same each time`, async () => {
          const { find, again, pay, to } = await world();
          const paid = await pay({ state });
          const found = await find(paid);
          expect(found).toMatchObject([{ ...paid, state, toAddress: to, amount: '1.5' }]);
          expect(await Promise.all([find(paid), find(paid)])).toEqual([found, found]);
          expect(await Promise.all(found.map(again))).toEqual(found);
        });
      }

      testOf('GONE', 'GONE when it was seen and the final chain does not have it, and not before', async () => {
        const { find, again, byId, pay, takeBack, finalise } = await world();
        const paid = await pay({ state: 'UNCONFIRMED' });
        const found = await find(paid);
        await takeBack?.(paid.txHash);
        expect([await find(paid), ...(await Promise.all(found.map(again)))]).toEqual([[], undefined]);
        await finalise?.();
        expect([await find(paid), await byId(found[0]?.custodianTransferId ?? '')]).toEqual([[], undefined]);
        expect(await Promise.all(found.map(again))).toEqual([{ ...found[0], state: 'GONE' }]);
      });

      test('each of its transfers with an id of its own, also two that are alike', async () => {
        const { find, again, pay, ours } = await world();
        const [one, other] = ours;
        const found = await find(await pay({ to: [one, other, one] }));
        const to = found.flatMap((transfer) => (isReadable(transfer) ? transfer.toAddress : []));
        expect(to.toSorted()).toEqual([one, one, other].toSorted());
        expect(new Set(found.map(({ custodianTransferId }) => custodianTransferId)).size).toBe(3);
        expect(await Promise.all(found.map(again))).toEqual(found);
      });

      testOf('a tag', 'with its tag, digit by digit', async () => {
        const { find, pay } = await world();
        for (const tag of ['18446744073709551615', '007']) {
          expect(await find(await pay({ tag }))).toMatchObject([{ toTag: tag }]);
        }
      });

      test('with an exact amount, whatever the decimals of its token', async () => {
        const { pay, adapter, clock } = await world();
        for (let decimals = 0; decimals <= 18; decimals += 1) {
          const fraction = decimals === 0 ? '' : `.${'1'.padStart(decimals, '0')}`;
          for (const amount of ['0', `${'9'.repeat(20)}${fraction}`, `0${fraction}`]) {
            const paid = await pay({ amount, decimals });
            expect(await asking(adapter(), clock).find(paid)).toMatchObject([{ amount, assetId: paid.assetId }]);
          }
        }
      });

      test('however wrong our clock is', async () => {
        const { pay, find, again, clock } = await world();
        const paid = await pay();
        const found = await find(paid);
        for (const time of ['2020-01-01T00:00:00.000Z', '2035-01-01T00:00:00.000Z']) {
          clock.set(time);
          expect([await find(paid), await Promise.all(found.map(again))]).toEqual([found, found]);
        }
      });
    });

    testOf('a list', 'lists over pages, each transaction once, as they were created, from any page on', async () => {
      const { fill, adapter, find, clock } = await world();
      const listed = async (createdSince: string, until: string) => {
        const pages: (readonly string[])[] = [];
        let cursor: string | undefined;
        do {
          const query = { createdSince, until, cursor };
          // Each page is read twice, each time by a function that has just started.
          const ask = () => createAskForPage({ listTransfers: async () => expect.fail(), ...adapter() }, clock)(query);
          const page = await ask();
          expect(await ask()).toEqual(page);
          pages.push(page.transfers.map((transfer) => ('txHash' in transfer ? transfer.txHash : 'unreadable')));
          cursor = page.cursor;
        } while (cursor !== undefined);
        return pages;
      };
      const made = (await fill?.()) ?? [];
      const now = clock.now().toISOString();
      const all = await listed('2020-01-01T00:00:00.000Z', now);
      expect(all.flat()).toEqual(made);
      expect(all.filter(({ length }) => length > 0).length).toBeGreaterThan(2);
      const [transfer] = await find({ network: 'ETHEREUM', txHash: made[7] ?? '' });
      const createdAt = transfer && isReadable(transfer) ? transfer.createdAt : '';
      expect([(await listed(createdAt, createdAt)).flat(), (await listed(createdAt, now)).flat()]).toEqual([
        made.slice(7, 8),
        made.slice(7),
      ]);
      expect([await listed(now, createdAt), (await listed('2035-01-01T00:00:00.000Z', now)).flat()]).toEqual([
        [[]],
        [],
      ]);
    });

    describe('decisions 9, sending: an order', () => {
      const ID = `${DEPOSIT_ID}-1`;
      const sending = async () => {
        const { sending: of = expect.fail(), pay, clock } = await world();
        const asked = (sender: Sender) => {
          const senders = onEveryNetwork(sender);
          const [find, findOutgoing] = [createFindSending(senders, clock), createFindOutgoing(senders, clock)];
          return {
            send: createSend(senders, clock),
            find: (externalId: string) => find({ network: 'ETHEREUM', externalId }),
            left: (hash = '') => findOutgoing({ network: 'ETHEREUM', txHash: hash, since: CREATED_AT }),
          };
        };
        const list = createAskForMovements(of.books(), clock);
        const movements = async () => {
          const { incoming, outgoing } = await list({ createdSince: CREATED_AT, until: clock.now().toISOString() });
          return { incoming, outgoing };
        };
        return { ...of, ...asked(of.sender()), asked, movements, order: of.order(ID), pay, clock };
      };

      testOf('sending', 'is sent once, however often it is given, and arrives as it was given', async () => {
        const { send, find, left, end, movements, order } = await sending();
        await Promise.all([send(order), send(order)]);
        expect(await find(ID)).toMatchObject({ state: 'PENDING' });
        await send(order);
        await end(ID, 'COMPLETED');
        await send(order);
        const found = (await find(ID)) ?? expect.fail();
        expect(found).toMatchObject({ state: 'COMPLETED', movementId: expect.stringMatching(new RegExp(`^${name}:`)) });
        const { externalId, network, assetId, amount, from } = order;
        const { txHash, movementId } = found;
        const moved = { externalId, network, assetId, amount, from, toAddress: order.to.address, txHash, movementId };
        expect(await left(txHash)).toMatchObject([{ ...moved, state: 'CONFIRMED' }]);
        expect((await movements()).outgoing).toMatchObject([{ ...moved, state: 'CONFIRMED' }]);
      });

      testOf('sending', 'that was never given is none, and so is what left in an unknown transaction', async () => {
        const { find, left, send, order } = await sending();
        await send(order);
        expect([await find(`${DEPOSIT_ID}-2`), await left(OTHER_HASH)]).toEqual([undefined, []]);
      });

      testOf('sending', 'whose answer is lost is unavailable, is found, and is not sent again', async () => {
        const { losing, asked, find, send, movements, order, end } = await sending();
        const { send: sendLosing } = asked(await losing(ID));
        await expect(sendLosing(order)).rejects.toThrow(CustodianUnavailable);
        expect(await find(ID)).toMatchObject({ state: 'PENDING' });
        await send(order);
        await end(ID, 'COMPLETED');
        expect((await movements()).outgoing).toMatchObject([{ externalId: ID, state: 'CONFIRMED' }]);
      });

      testOf('sending', 'that is refused is none: the same id may be given later', async () => {
        const { find, send, end, order } = await sending();
        await end(ID, 'REFUSED');
        await expect(send(order)).rejects.toThrow(SendingRefused);
        expect(await find(ID)).toBeUndefined();
        await end(ID, 'COMPLETED');
        await send(order);
        expect(await find(ID)).toMatchObject({ state: 'PENDING' });
      });

      testOf('sending', 'that ends without a hash has failed, and cannot arrive any more', async () => {
        const { find, send, end, order } = await sending();
        await send(order);
        await end(ID, 'FAILED');
        const found = await find(ID);
        expect([found?.state, found?.txHash, found?.mayStillArrive ?? false]).toEqual(['FAILED', undefined, false]);
      });

      testOf('a failure after the hash', 'that failed after it had a hash may still arrive', async () => {
        const { find, send, end, order } = await sending();
        await send(order);
        await end(ID, 'FAILED_WITH_HASH');
        expect(await find(ID)).toMatchObject({ state: 'FAILED', txHash: expect.any(String), mayStillArrive: true });
      });

      testOf('sending', 'is unavailable, and not unknown, when its server answers anything else', async () => {
        const { at, asked, send, order } = await sending();
        await send(order);
        for (const answer of [...Object.entries(faults)].flatMap(([fault, one]) => (reasons.has(fault) ? [] : [one]))) {
          const { find, left, send: sendAgain } = asked(at(await startServer(answer)));
          for (const ask of [() => find(ID), () => left(HASH), () => sendAgain(order)])
            expect(await orFailure(ask())).toBeInstanceOf(CustodianUnavailable);
        }
      });

      const moved = async () => {
        const of = await sending();
        const { send, end, order, pay } = of;
        await pay({ amount: '10.25' });
        await pay({ amount: '7', state: 'UNCONFIRMED' });
        await send(order);
        await end(ID, 'COMPLETED');
        return of;
      };

      testOf('sending', 'is listed with what came in', async () => {
        const { movements, order } = await moved();
        const { incoming, outgoing } = await movements();
        const { assetId } = order;
        expect([incoming, outgoing]).toMatchObject([
          [
            { assetId, amount: '10.25', state: 'CONFIRMED' },
            { amount: '7', state: 'UNCONFIRMED' },
          ],
          [{ assetId, amount: '1.5', state: 'CONFIRMED' }],
        ]);
      });

      testOf('a balance', 'and what came in add up to the balance', async () => {
        const { books, clock, order } = await moved();
        const { name: of, readBalances = expect.fail() } = books();
        const balances = await createReadBalances({ name: of, readBalances }, clock)();
        expect(balances.find((one) => one.assetId === order.assetId)?.amount).toBe('8.75');
      });
    });

    describe('is unavailable, and has not nothing, when its server', () => {
      for (const [fault, answer] of Object.entries(faults)) {
        testOf(fault, `answers with ${fault}; and the error does not quote its URL`, async () => {
          const { pay, find, at, clock } = await world();
          const paid = await pay();
          const [seen = expect.fail()] = await find(paid);
          const adapter = asking(at(`${await startServer(answer)}/key`), clock);
          for (const failure of [await orFailure(adapter.find(paid)), await orFailure(adapter.again(seen))]) {
            expect(failure).toBeInstanceOf(CustodianUnavailable);
            expect(String(failure)).not.toContain('/key');
          }
        });
      }

      test('is not there', async () => {
        const { pay, at, clock } = await world();
        const { find } = asking(at('http://127.0.0.1:1'), clock);
        await expect(find(await pay())).rejects.toThrow(CustodianUnavailable);
      });

      for (const [fault, answer] of Object.entries(silent)) {
        test(`gives ${fault}, within the time that the functions have who ask`, async () => {
          const { pay, at, clock } = await world();
          const { find } = asking(at(await startServer(answer)), clock);
          const paid = await pay();
          const began = clock.now().getTime();
          let failure: unknown;
          void orFailure(find(paid)).then((error) => {
            failure = error;
          });
          while (failure === undefined && clock.now().getTime() < began + 60_000) {
            clock.advance(1);
            await new Promise((resolve) => setTimeout(resolve, 20));
          }
          expect(failure).toBeInstanceOf(CustodianUnavailable);
          // A poll may ask twice, and its function has 30 seconds.
          expect(clock.now().getTime() - began).toBeLessThanOrEqual(13_000);
        });
      }

      for (const [header, status] of [
        ['17', 429],
        ['17', 503],
        [new Date(Date.parse(CREATED_AT) + 17_000).toUTCString(), 429],
      ] as const) {
        testOf('a pause', `requests a pause with ${status}, retry-after: ${header}, which it passes on`, async () => {
          const { pay, at, clock } = await world();
          const paid = await pay();
          let asked = 0;
          const server = await startServer((response) => {
            asked += 1;
            answers(status, '{}', { 'retry-after': header })(response);
          });
          const failure = await orFailure(asking(at(server), clock).find(paid));
          expect(failure).toBeInstanceOf(CustodianUnavailable);
          expect([failure, asked]).toMatchObject([{ retryAfter: 17 }, 1]);
        });
      }
    });

    describe('is unavailable, or has a transaction unreadable, when its server', () => {
      test('answers about another transaction', async () => {
        const { pay, changed, clock } = await world();
        const paid = await pay();
        const other = paid.txHash.replace(/.{8}$/, 'eeeeeeee');
        const ofOther = (honest: unknown) => JSON.parse(JSON.stringify(honest ?? null).replaceAll(paid.txHash, other));
        const found = await orFailure(asking(await changed(ofOther), clock).find(paid));
        expect([found].flat().map(isNoAnswer)).toEqual([true]);
      });

      test('has a value of another kind anywhere in its answers; or that value does not count', async () => {
        const { pay, find, changed, clock } = await world();
        const paid = await pay();
        const [seen = expect.fail()] = await find(paid);
        const ask = async (change: (value: unknown) => unknown) => {
          const { find: findChanged, again } = asking(await changed(change), clock);
          const found = [await orFailure(findChanged(paid)), await orFailure(again(seen))].flat();
          expect(found.map((one) => (isNoAnswer(one) ? seen : one))).toEqual([seen, seen]);
        };
        const said: unknown[] = [];
        await ask((value) => {
          said.push(value);
          return value;
        });
        const leaves = said.flatMap((value, at) => leavesOf(value).map((path) => ({ at, path })));
        expect(leaves.length).toBeGreaterThan(10);
        await fc.assert(
          fc.asyncProperty(fc.constantFrom(...leaves), fc.constantFrom(...wrongKinds), async ({ at, path }, wrong) => {
            let answered = 0;
            await ask((value) => {
              answered += 1;
              return answered === at + 1 ? replaced(value, path, wrong) : value;
            });
          }),
          { numRuns: 100 },
        );
      });
    });
  });
}
