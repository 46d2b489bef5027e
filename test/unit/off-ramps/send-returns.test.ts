import { describe, expect, test } from 'vitest';
import { confirmDepositContract, resolveContradictionContract } from '#shared/off-ramps/contract/operator-commands.ts';
import {
  abortReturnContract,
  approveReturnContract,
  declineReturnContract,
  recordReturnContract,
  requestReturnContract,
  startReturnContract,
} from '#shared/off-ramps/contract/return-commands.ts';
import type { OutgoingTransfer } from '#shared/off-ramps/custodians/outgoing.ts';
import { depositIdOf } from '#shared/off-ramps/model/deposit.ts';
import { returnNextStep } from '#shared/off-ramps/model/return-next-step.ts';
import { fitsFrozenReturn } from '#shared/off-ramps/model/returns.ts';
import { OPERATION } from '#test/support/ids.ts';
import { CREATED_AT, OTHER_HASH, SENDER_ADDRESS, TREASURY, transfer } from '#test/support/off-ramp.ts';
import { ALICE, BEA, CARL, CREDITED, ID, type ReturnWorld, returnWorld } from '#test/support/return-world.ts';

const SENDING = depositIdOf(ID);

/** A return that its client has requested and that one person has approved. */
async function approved(given: Parameters<typeof returnWorld>[0] = {}) {
  const w = await returnWorld(given);
  await w.ask();
  expect((await w.operate(approveReturnContract)).status).toBe(200);
  return w;
}

/** A return that is requested again, after the last id of its refused request was sent late, with this result. */
async function sentAfterItsEnd(result: 'COMPLETED' | 'MAY_ARRIVE') {
  const w = await approved();
  w.custodian.answer = 'REFUSED';
  await w.pass(120);
  await w.operate(declineReturnContract);
  w.custodian.answer = 'COMPLETED';
  w.say(`${SENDING}-5`, result);
  await w.ask();
  await w.operate(approveReturnContract);
  await w.pass(2);
  return w;
}

describe('decisions 9, sending', () => {
  test('sends an approved return to the sender, less the fee, and tells the client of each status once', async () => {
    const w = await approved();
    await w.pass(2);
    expect([...w.orders.values()]).toMatchObject([
      {
        order: {
          ...{ externalId: `${SENDING}-1`, network: 'ETHEREUM', assetId: 'ETHEREUM:USDC', amount: '97.5' },
          ...{ from: TREASURY, to: { address: SENDER_ADDRESS } },
        },
      },
    ]);
    expect(w.kept()).toMatchObject({ return: { txHash: OTHER_HASH }, sequence: 3, returnState: 'WATCHED' });
    expect(w.told()).toEqual([
      [2, 'UNMATCHED', 'RETURN_REQUESTED'],
      [3, 'RETURN_REQUESTED', 'RETURNED'],
    ]);
    expect(w.table('hashes').find({ claim: `RETURN#${OTHER_HASH}#${SENDING}-1` })).toMatchObject({
      custodianTransferId: ID,
    });
    expect(w.errors()).toEqual([]);
    expect(w.lines.find(({ code }) => code === 'RETURN_SENT')?.fields).toEqual({
      ...{ custodianTransferId: ID, operationId: OPERATION, sending: `${SENDING}-1` },
    });
  });

  test('sends no return that its custodian has never had, once the off-ramp is reported as paid out: it can be declined then', async () => {
    const w = await returnWorld(CREDITED);
    await w.operate(requestReturnContract, { payoutNeverMade: 'yes' }, CARL);
    await w.operate(approveReturnContract);
    w.custodian.answer = 'UNAVAILABLE';
    await w.pass(3);
    await w.tellPaid();
    const paid = { operationId: OPERATION, outcome: 'paid', custodianTransferId: undefined };
    await w.operate(resolveContradictionContract, { ...paid, sequence: String(w.operation()?.['sequence']) });
    w.custodian.answer = 'COMPLETED';
    await w.pass(10);
    expect([w.moved(), w.orders.size, w.operation()?.['paidOut']]).toEqual([[], 0, true]);
    expect((await w.operate(declineReturnContract)).status).toBe(200);
  });

  test('sends no return that its custodian has never had, once the deposit is taken back', async () => {
    const w = await approved();
    w.custodian.answer = 'UNAVAILABLE';
    await w.pass(2);
    w.custodian.transfer = transfer({ amount: '99', state: 'GONE' });
    w.custodian.answer = 'COMPLETED';
    await w.pass(10);
    expect([w.moved(), w.kept().return, w.status()]).toEqual([[], undefined, 'FAILED']);
    expect(w.lines.map(({ code }) => code)).toContain('RETURN_HINDERED');
  });

  test('waits with a return that its custodian has never had while the deposit is not final', async () => {
    const w = await approved();
    w.custodian.answer = 'UNAVAILABLE';
    await w.pass(2);
    w.custodian.transfer = transfer({ amount: '99', state: 'UNCONFIRMED' });
    w.custodian.answer = 'COMPLETED';
    await w.pass(10);
    expect(w.orders.size).toBe(0);
    w.custodian.transfer = transfer({ amount: '99' });
    await w.pass(10);
    expect([w.moved(), w.status()]).toEqual([[`${SENDING}-1`], 'RETURNED']);
  });

  test('calls a person while an approved return cannot be read', async () => {
    const w = await approved();
    w.table('deposits').put({ ...w.kept(), sequence: 'none' });
    await w.pass(1);
    expect([w.orders.size, w.errors()]).toEqual([0, ['RETURN_NOT_HANDLED']]);
  });

  test('sends nothing without its approvals, and nothing after it was declined', async () => {
    const w = await returnWorld();
    await w.ask();
    await w.pass(3);
    await w.operate(declineReturnContract);
    await w.pass(3);
    expect([w.orders.size, w.status()]).toEqual([0, 'UNMATCHED']);
  });

  test.each([
    ['HELD', 'HELD'],
    ['FAILED', 'FAILED'],
    ['GONE', 'FAILED'],
  ] as const)('drops the request when the deposit is %s right before it is sent', async (state, status) => {
    // The off-ramp owes another deposit, which funded it.
    const operation = { status: 'CANCELLED', verifiedTxHash: OTHER_HASH, endedAt: CREATED_AT } as const;
    const w = await approved({ operation });
    w.custodian.transfer = transfer({ amount: '99', state });
    await w.pass(2);
    expect([w.orders.size, w.status(), w.kept().return, w.kept().returnState]).toEqual([
      0,
      status,
      undefined,
      undefined,
    ]);
    expect([w.kept().unmatched, w.kept().owed]).toEqual([state === 'HELD' ? 'UNMATCHED' : undefined, undefined]);
    expect(w.kept().nextPollAt).toBeDefined();
    expect(w.lines.map(({ code }) => code)).toContain('RETURN_DROPPED');
  });

  test('drops the request when the custodian has corrected the deposit since', async () => {
    const w = await approved();
    w.custodian.transfer = transfer({ amount: '9' });
    await w.pass(1);
    expect([w.orders.size, w.status(), w.kept().transfer?.amount]).toEqual([0, 'UNMATCHED', '9']);
  });

  test('a credited deposit whose request is dropped is owed again', async () => {
    const w = await returnWorld(CREDITED);
    await w.operate(requestReturnContract, { payoutNeverMade: 'yes' }, CARL);
    await w.operate(approveReturnContract);
    w.custodian.transfer = transfer({ amount: '9' });
    await w.pass(1);
    expect(w.lines.map(({ code }) => code)).toContain('RETURN_DROPPED');
    expect([w.kept().return, w.kept().owed, w.kept().unmatched]).toEqual([undefined, 'OWED', undefined]);
  });

  test('a credited deposit whose request is dropped is not owed once its off-ramp is said to be paid out', async () => {
    const w = await returnWorld(CREDITED);
    await w.operate(requestReturnContract, { payoutNeverMade: 'yes' }, CARL);
    await w.operate(approveReturnContract);
    await w.tellPaid();
    const paid = { operationId: OPERATION, outcome: 'paid', custodianTransferId: undefined };
    await w.operate(resolveContradictionContract, { ...paid, sequence: String(w.operation()?.['sequence']) });
    w.custodian.transfer = transfer({ state: 'GONE' });
    await w.pass(1);
    expect([w.kept().return, w.kept().owed]).toEqual([undefined, undefined]);
  });

  test('a fault of tables or custodian drops no request and puts it off by no hour, whichever call it meets', async () => {
    for (let call = 1, isMet = true; isMet; call += 1) {
      const w = await approved();
      let calls = 0;
      const { work } = w.parts(async () => {
        calls += 1;
        if (calls === call) throw new Error('Out of order.');
      });
      for (let minute = 0; minute < 3; minute += 1) {
        w.clock.advance(60);
        await work().catch(() => undefined);
      }
      isMet = calls >= call;
      await w.pass(6);
      expect([call, w.status(), w.orders.size, w.kept().lastSending]).toEqual([call, 'RETURNED', 1, 1]);
    }
  });

  test.each<[string, (w: ReturnWorld) => unknown]>([
    ['not final', (w) => Object.assign(w.custodian, { transfer: undefined })],
    ['held after a restore', (w) => Object.assign(w.terms, { heldSince: CREATED_AT })],
    ['may arrive', (w) => Object.assign(w.custodian, { answer: 'MAY_ARRIVE' })],
    [
      'not final any more, and begun',
      async (w) => {
        w.custodian.answer = 'UNAVAILABLE';
        await w.pass(2);
        Object.assign(w.custodian, { answer: 'COMPLETED', transfer: undefined });
      },
    ],
  ])('polls every five minutes a return that only others can move on: %s', async (_, given) => {
    const w = await approved();
    await given(w);
    await w.pass(5);
    const dues = new Set<string | undefined>();
    for (let minute = 0; minute < 20; minute += 1) {
      await w.pass(1);
      dues.add(w.kept().returnDueAt);
    }
    expect([4, 5]).toContain(dues.size);
  });

  test('a return that is FAILED and may still arrive has not ended: nothing is sent under another id', async () => {
    const w = await approved();
    w.custodian.answer = 'FAILED';
    await w.pass(2);
    w.say(`${SENDING}-1`, 'MAY_ARRIVE');
    w.custodian.answer = 'COMPLETED';
    await w.pass(30);
    expect([w.orders.size, w.kept().lastSending, w.kept().return?.mayStillArrive]).toEqual([1, 1, true]);
    expect(w.errors()).toEqual(['RETURN_NOT_SENT', 'RETURN_MAY_STILL_ARRIVE']);
  });

  test('a return that two persons have given up is not sent again when the custodian no longer knows it', async () => {
    const w = await approved();
    w.custodian.answer = 'MAY_ARRIVE';
    await w.pass(3);
    const { proposalId } = (await w.operate(abortReturnContract)).body.proposal;
    expect((await w.operate(confirmDepositContract, { proposalId }, BEA)).status).toBe(200);
    w.orders.clear();
    w.custodian.answer = 'COMPLETED';
    await w.pass(30);
    expect([w.orders.size, w.status()]).toEqual([0, 'RETURN_REQUESTED']);
    w.clock.advance(24 * 3600);
    await w.pass(1);
    expect(w.lines.map(({ code }) => code)).toContain('RETURN_WAITS');
  });

  test('a movement that is recorded for another deposit ends no return: it calls somebody, and is looked at each hour', async () => {
    const w = await approved();
    const claim = `RETURN#${OTHER_HASH}#${SENDING}-1`;
    w.table('hashes').put({ claim, custodianTransferId: 'custodian:another' });
    await w.pass(70);
    expect([w.status(), w.orders.size, w.table('hashes').find({ claim })?.['custodianTransferId']]).toEqual([
      ...['RETURN_REQUESTED', 1, 'custodian:another'],
    ]);
    expect(w.errors()).toEqual(['RETURN_RECORDED_FOR_ANOTHER', 'RETURN_RECORDED_FOR_ANOTHER']);
  });

  test.each([undefined, transfer({ amount: '99', state: 'UNCONFIRMED' })])(
    'waits while the deposit is not said to be final: %o',
    async (said) => {
      const w = await approved();
      w.custodian.transfer = said;
      await w.pass(3);
      expect([w.orders.size, w.status()]).toEqual([0, 'RETURN_REQUESTED']);
      w.custodian.transfer = transfer({ amount: '99' });
      await w.pass(6);
      expect([w.moved(), w.status()]).toEqual([[`${SENDING}-1`], 'RETURNED']);
    },
  );

  test('asks again under the same id, whatever the custodian does not answer', async () => {
    const w = await approved();
    w.custodian.answer = 'UNAVAILABLE';
    await w.pass(3);
    expect(w.lines.map(({ code }) => code)).toContain('CUSTODIAN_UNAVAILABLE');
    w.custodian.answer = 'LOST';
    await w.pass(3);
    expect([w.moved(), w.status(), w.kept().lastSending]).toEqual([[`${SENDING}-1`], 'RETURNED', 1]);
  });

  test('a return that is under way for hours, such as one that waits for a signature, is polled less and less often', async () => {
    const w = await approved();
    w.custodian.answer = 'PENDING';
    const lookedAtIn = async (minutes: number) => {
      const dues = new Set<string | undefined>();
      for (let minute = 0; minute < minutes; minute += 1) {
        await w.pass(1);
        dues.add(w.kept().returnDueAt);
      }
      return dues.size;
    };
    await w.pass(1);
    // The order is looked up each minute in its first hour, and every six minutes at the end.
    expect([await lookedAtIn(30), await lookedAtIn(300)]).toEqual([30, 112]);
  });

  test.each(['PENDING', 'MAY_ARRIVE'] as const)(
    'a return that the custodian has not ended for a day is a notice: %s',
    async (said) => {
      const w = await approved();
      w.custodian.answer = said;
      await w.pass(2);
      w.clock.advance(24 * 3600 - 300);
      await w.pass(1);
      const waits = () => w.lines.filter(({ code }) => code === 'RETURN_WAITS');
      expect(waits()).toEqual([]);
      w.clock.advance(3600);
      await w.pass(1);
      expect(waits()).toMatchObject([{ level: 'warn', fields: { sending: `${SENDING}-1` } }]);
      // An order that has ended does not wait.
      w.say(`${SENDING}-1`, 'FAILED');
      w.clock.advance(3600);
      await w.pass(1);
      expect(waits()).toHaveLength(1);
    },
  );

  test.each(['UNCONFIRMED', undefined] as const)(
    'what is approved, and of which the custodian has said for a day that it is %s, is a notice, and can be declined',
    async (state) => {
      const w = await approved();
      w.custodian.transfer = state && transfer({ amount: '99', state });
      await w.pass(1);
      w.clock.advance(24 * 3600 - 300);
      await w.pass(1);
      const waits = () => w.lines.filter(({ code }) => code === 'RETURN_WAITS');
      expect(waits()).toEqual([]);
      w.clock.advance(3600);
      await w.pass(1);
      expect(waits()).toMatchObject([{ level: 'warn', fields: { state: 'UNKNOWN' } }]);
      expect((await w.operate(declineReturnContract)).status).toBe(200);
    },
  );

  test.each(['FAILED', 'REFUSED'] as const)(
    'sends a return under the next id that was %s, after pauses that double, at most five times, and then a person gives it up',
    async (answer) => {
      const w = await approved();
      w.custodian.answer = answer;
      await w.pass(6);
      expect([w.kept().lastSending, w.kept().return?.failed]).toEqual([2, 2]);
      await w.pass(120);
      expect([w.kept().lastSending, w.kept().return?.failed, w.kept().returnState]).toEqual([5, 5, 'WAITING']);
      expect(w.errors().filter((code) => code === 'RETURN_NOT_SENT')).toHaveLength(5);
      expect(w.errors().filter((code) => code === 'RETURN_STOPPED')).toHaveLength(1);
      expect(w.errors().at(-1)).toBe('RETURN_STOPPED');
      expect((await w.operate(declineReturnContract)).status).toBe(200);
      expect([w.status(), w.kept().lastSending]).toEqual(['UNMATCHED', 5]);
      w.custodian.answer = 'COMPLETED';
      await w.ask();
      await w.operate(approveReturnContract);
      await w.pass(2);
      expect([w.moved(), w.status()]).toEqual([[`${SENDING}-6`], 'RETURNED']);
    },
  );

  test('cannot be declined while it is being sent, and pays twice in no order of a late answer: one that was said to have ended completes', async () => {
    const w = await approved();
    w.custodian.answer = 'FAILED';
    await w.pass(2);
    expect(w.kept().return?.endedAt).toBeDefined();
    expect((await w.operate(declineReturnContract)).status).toBe(409);
    w.say(`${SENDING}-1`, 'COMPLETED');
    await w.pass(5);
    // The return could never be sent under another id, nor declined.
    expect([w.moved(), w.status(), w.errors()]).toEqual([[`${SENDING}-1`], 'RETURNED', ['RETURN_NOT_SENT']]);
  });

  test('an id that was sent after its return was given up is found before the next one, which is not sent', async () => {
    const w = await sentAfterItsEnd('COMPLETED');
    expect([w.moved(), w.status(), w.errors()]).toEqual([
      [`${SENDING}-5`],
      'RETURNED',
      expect.arrayContaining(['RETURN_SENT_BEFORE']),
    ]);
  });

  test('two persons end what the custodian has given up and its chain may still take', async () => {
    const w = await approved();
    w.custodian.answer = 'MAY_ARRIVE';
    await w.pass(200);
    expect([w.kept().lastSending, w.kept().return?.mayStillArrive]).toEqual([1, true]);
    expect(w.errors()).toEqual(['RETURN_MAY_STILL_ARRIVE']);
    const { proposalId } = (await w.operate(abortReturnContract)).body.proposal;
    expect((await w.operate(confirmDepositContract, { proposalId }, ALICE)).status).toBe(409);
    expect((await w.operate(confirmDepositContract, { proposalId }, BEA)).body).toMatchObject({
      status: 'RETURN_REQUESTED',
      awaits: expect.stringContaining('It has not ended yet'),
    });
    expect(w.table('proposals').items()).toMatchObject([{ proposalId, doneBy: BEA, doneAt: expect.any(String) }]);
    expect((await w.operate(abortReturnContract)).body.detail).toContain('Two persons have given it up');
    await w.pass(1);
    expect([w.status(), w.kept().return, w.orders.size]).toEqual(['UNMATCHED', undefined, 1]);
    // They have decided: a new return is sent, although the custodian still says so of the first one.
    w.custodian.answer = 'COMPLETED';
    await w.ask();
    await w.operate(approveReturnContract);
    await w.pass(2);
    expect([w.status(), w.orders.size]).toEqual(['RETURNED', 2]);
  });

  test('a deposit whose sending was given up and has arrived after all is not sent back again', async () => {
    const w = await approved();
    w.custodian.answer = 'MAY_ARRIVE';
    await w.pass(2);
    const { proposalId } = (await w.operate(abortReturnContract)).body.proposal;
    await w.operate(confirmDepositContract, { proposalId }, BEA);
    await w.pass(1);
    w.say(`${SENDING}-1`, 'COMPLETED');
    await w.ask();
    await w.operate(approveReturnContract);
    await w.pass(2);
    expect([w.status(), w.orders.size]).toEqual(['RETURNED', 1]);
  });

  test('the first of two sendings that were given up has arrived after all: no third one is sent', async () => {
    const w = await approved();
    w.custodian.answer = 'MAY_ARRIVE';
    for (const sent of [1, 2]) {
      await w.pass(3);
      expect(w.orders.size).toBe(sent);
      const { proposalId } = (await w.operate(abortReturnContract)).body.proposal;
      await w.operate(confirmDepositContract, { proposalId }, BEA);
      await w.pass(1);
      await w.ask();
      await w.operate(approveReturnContract);
    }
    w.say(`${SENDING}-1`, 'COMPLETED');
    await w.pass(2);
    expect([w.status(), w.kept().lastSending, w.orders.size]).toEqual(['RETURNED', 1, 2]);
  });

  test.each([
    ['has failed', 'FAILED'],
    ['has not reached its custodian', 'UNAVAILABLE'],
  ] as const)(
    'a sending that was given up and arrives after the next one %s is found before more is sent',
    async (_, next) => {
      const w = await approved();
      w.custodian.answer = 'MAY_ARRIVE';
      await w.pass(2);
      const { proposalId } = (await w.operate(abortReturnContract)).body.proposal;
      await w.operate(confirmDepositContract, { proposalId }, BEA);
      await w.pass(1);
      w.custodian.answer = next;
      await w.ask();
      await w.operate(approveReturnContract);
      await w.pass(2);
      expect(w.kept().lastSending).toBe(2);
      w.custodian.answer = 'COMPLETED';
      w.say(`${SENDING}-1`, 'COMPLETED');
      await w.pass(20);
      expect([w.status(), w.moved(), w.kept().lastSending]).toEqual(['RETURNED', [`${SENDING}-1`], 1]);
    },
  );

  test('an id that was sent after its return had ended, and may still arrive, is not followed by another', async () => {
    const w = await sentAfterItsEnd('MAY_ARRIVE');
    expect([w.orders.size, w.status(), w.kept().return?.mayStillArrive]).toEqual([1, 'RETURN_REQUESTED', true]);
  });

  test('ends with the outcome of its chain if the chain has taken it by the time that two persons give it up', async () => {
    const w = await approved();
    w.custodian.answer = 'MAY_ARRIVE';
    await w.pass(3);
    const { proposalId } = (await w.operate(abortReturnContract)).body.proposal;
    w.say(`${SENDING}-1`, 'COMPLETED');
    expect((await w.operate(confirmDepositContract, { proposalId }, BEA)).status).toBe(200);
    await w.pass(1);
    expect([w.moved(), w.status(), w.kept().return?.givenUpAt]).toEqual([[`${SENDING}-1`], 'RETURNED', undefined]);
  });

  test('is not begun on a network whose returns are sent by hand by now: it is declined, and asked for again', async () => {
    const w = await approved();
    const said = () => returnNextStep(w.kept(), undefined, undefined).what;
    expect(said()).not.toContain('decline-return');
    w.terms.routes.ETHEREUM.isByHand = true;
    w.custodian.answer = 'UNAVAILABLE';
    await w.pass(3);
    expect(said()).toContain('send returns on ETHEREUM any more: decline-return.');
    expect([(await w.operate(declineReturnContract)).status, w.status()]).toEqual([200, 'UNMATCHED']);
  });

  test('is not begun on a network that sends nothing back any more', async () => {
    const w = await approved();
    Reflect.deleteProperty(w.terms.routes, 'ETHEREUM');
    await w.pass(3);
    expect([w.orders.size, w.kept().lastSending]).toEqual([0, undefined]);
    expect(w.lines.map(({ code }) => code)).toContain('RETURN_HINDERED');
  });

  test('nobody can give up a return that the custodian has resumed', async () => {
    const w = await approved();
    w.custodian.answer = 'MAY_ARRIVE';
    await w.pass(2);
    const { proposalId } = (await w.operate(abortReturnContract)).body.proposal;
    w.say(`${SENDING}-1`, 'PENDING');
    await w.pass(61);
    expect((await w.operate(abortReturnContract)).status).toBe(409);
    expect((await w.operate(confirmDepositContract, { proposalId }, BEA)).status).toBe(409);
    w.say(`${SENDING}-1`, 'COMPLETED');
    await w.pass(61);
    expect([w.moved(), w.status()]).toEqual([[`${SENDING}-1`], 'RETURNED']);
  });

  test('nobody can give up a later sending than the one that the first person named', async () => {
    const w = await approved();
    w.custodian.answer = 'MAY_ARRIVE';
    await w.pass(3);
    const { proposalId } = (await w.operate(abortReturnContract)).body.proposal;
    w.say(`${SENDING}-1`, 'FAILED');
    await w.pass(10);
    expect([w.kept().lastSending, w.kept().return?.mayStillArrive]).toEqual([2, true]);
    expect((await w.operate(confirmDepositContract, { proposalId }, BEA)).status).toBe(409);
    expect(w.kept().return).not.toHaveProperty('givenUpAt');
  });

  test('a return that a person has sent in the place of a failed one is not sent again, and is undone only by its own transaction', async () => {
    const w = await approved();
    w.custodian.answer = 'MAY_ARRIVE';
    await w.pass(2);
    const left: OutgoingTransfer = {
      ...{ movementId: 'custodian:out-1', network: 'ETHEREUM', txHash: OTHER_HASH, state: 'CONFIRMED', from: TREASURY },
      ...{ toAddress: SENDER_ADDRESS, assetId: 'ETHEREUM:USDC', amount: '97.5', createdAt: CREATED_AT },
    };
    w.custodian.outgoing = [left];
    expect((await w.operate(recordReturnContract, { hash: OTHER_HASH }, BEA)).body).toMatchObject({
      status: 'RETURNED',
    });
    // The person's transaction has used up the nonce.
    w.say(`${SENDING}-1`, 'FAILED');
    w.custodian.answer = 'COMPLETED';
    await w.pass(90);
    expect([w.moved(), w.status(), w.kept().lastSending]).toEqual([[], 'RETURNED', 1]);
    w.custodian.outgoing = [{ ...left, state: 'GONE' }];
    w.clock.advance(24 * 3600);
    await w.pass(30);
    expect([w.moved(), w.status(), w.kept().returnState]).toEqual([[], 'RETURN_REQUESTED', 'WAITING']);
    expect((await w.operate(startReturnContract)).status).toBe(409);
  });

  test.each([
    ['COMPLETED', [`${SENDING}-1`], 'RETURNED'],
    ['MAY_ARRIVE', [`${SENDING}-1`], 'UNMATCHED'],
    ['FAILED', [], 'UNMATCHED'],
  ] as const)(
    'two persons who give up what was recorded in the place of a sending, and undone, have its custodian asked: %s',
    async (answer, moved, status) => {
      const w = await approved();
      w.custodian.answer = 'MAY_ARRIVE';
      await w.pass(2);
      const left: OutgoingTransfer = {
        ...{
          movementId: 'custodian:out-1',
          network: 'ETHEREUM',
          txHash: OTHER_HASH,
          state: 'CONFIRMED',
          from: TREASURY,
        },
        ...{ toAddress: SENDER_ADDRESS, assetId: 'ETHEREUM:USDC', amount: '97.5', createdAt: CREATED_AT },
      };
      w.custodian.outgoing = [left];
      await w.operate(recordReturnContract, { hash: OTHER_HASH }, BEA);
      w.custodian.outgoing = [{ ...left, state: 'GONE' }];
      w.clock.advance(24 * 3600);
      await w.pass(1);
      expect(returnNextStep(w.kept(), undefined, undefined).what).toContain(
        `${OTHER_HASH}, which was recorded in the place of ${SENDING}-1. Either`,
      );
      const { proposalId } = (await w.operate(abortReturnContract)).body.proposal;
      expect((await w.operate(confirmDepositContract, { proposalId }, BEA)).body.awaits).toContain(
        'It has not ended yet',
      );
      w.say(`${SENDING}-1`, answer);
      await w.pass(10);
      expect([w.moved(), w.status(), w.orders.size]).toEqual([moved, status, 1]);
    },
  );

  test('the next step of a deposit that was being sent before names the last id: the custodian may have had it after its return had ended', async () => {
    const w = await approved({ isByHand: true, deposit: { lastSending: 5 } });
    const before = `Before that, looks for ${SENDING}-5 and those before it at the custodian`;
    expect(returnNextStep(w.kept(), undefined, undefined).what).toContain(before);
  });

  test('a return that a person has sent counts as being sent again only when the final chain no longer has its transaction', async () => {
    const w = await approved({ isByHand: true });
    await w.operate(startReturnContract, {}, BEA);
    const left: OutgoingTransfer = {
      ...{ movementId: 'custodian:out-1', network: 'ETHEREUM', txHash: OTHER_HASH, state: 'CONFIRMED', from: TREASURY },
      ...{ toAddress: SENDER_ADDRESS, assetId: 'ETHEREUM:USDC', amount: '97.5', createdAt: CREATED_AT, block: 7 },
    };
    w.custodian.outgoing = [left];
    expect((await w.operate(recordReturnContract, { hash: OTHER_HASH }, BEA)).body.status).toBe('RETURNED');
    // One of the transaction's two movements is there.
    w.custodian.outgoing = [{ ...left, movementId: 'custodian:out-2', state: 'FAILED' }, left];
    await w.pass(30);
    w.custodian.outgoing = [];
    await w.pass(40);
    expect([w.status(), w.errors()]).toEqual(['RETURNED', []]);
    w.custodian.isGone = true;
    w.clock.advance(24 * 3600);
    await w.pass(1);
    expect([w.status(), w.kept().returnState, w.errors()]).toEqual(['RETURN_REQUESTED', 'WAITING', ['RETURN_UNDONE']]);
    const { what } = returnNextStep(w.kept(), undefined, undefined);
    expect(what).toMatch(/may still arrive, .*undone: abort-return/);
    expect(what).toContain(`undone ${OTHER_HASH}, which may still arrive: this one uses its nonce or sequence`);
    w.custodian.outgoing = [{ ...left, block: 9 }];
    expect((await w.operate(recordReturnContract, { hash: OTHER_HASH }, BEA)).body.status).toBe('RETURNED');
  });

  test('drops the request when the custodian has corrected who sent it', async () => {
    const w = await approved();
    w.custodian.transfer = transfer({ amount: '99', fromAddress: `0x${'5e'.repeat(20)}` });
    await w.pass(3);
    expect([w.orders.size, w.status()]).toEqual([0, 'UNMATCHED']);
  });

  test.each([
    ['MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUQ', true],
    ['MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVAAAAAAAAAAAAAJLK', false],
  ])(
    'fits no more when the custodian has corrected which user of the sending account sent it: %s',
    (fromAddress, fits) => {
      const address = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ';
      const frozen = { assetId: transfer().assetId, amount: '97.5', fee: '1.5', from: TREASURY, address, tag: '0' };
      const asked = { requestedAt: CREATED_AT, requestedBy: 'client', approvals: [], approversNeeded: 2 };
      const found = transfer({ network: 'STELLAR', amount: '99', fromAddress });
      expect(fitsFrozenReturn('STELLAR', found, { ...frozen, ...asked })).toBe(fits);
    },
  );

  test('is looked at again at finality, after an hour and after a day, and is being sent again when its transaction is undone', async () => {
    const w = await approved();
    await w.pass(2);
    await w.pass(70);
    expect([w.status(), w.kept().returnState]).toEqual(['RETURNED', 'WATCHED']);
    w.clock.advance(23 * 3600);
    w.say(`${SENDING}-1`, 'MAY_ARRIVE');
    await w.pass(1);
    expect([w.status(), w.kept().return?.txHash, w.errors()]).toEqual([
      'RETURN_REQUESTED',
      undefined,
      ['RETURN_UNDONE'],
    ]);
    w.say(`${SENDING}-1`, 'COMPLETED');
    await w.pass(61);
    w.clock.advance(25 * 3600);
    await w.pass(1);
    expect([w.status(), w.kept().returnState, w.told().at(-1)]).toEqual([
      'RETURNED',
      undefined,
      [5, 'RETURN_REQUESTED', 'RETURNED'],
    ]);
  });

  test('a return is sent once even if the worker dies at any await', async () => {
    for (let at = 0; ; at += 1) {
      const w = await approved();
      let calls = 0;
      const died = new Error('It has died.');
      const dying = w.parts(async () => {
        calls += 1;
        if (calls > at) throw died;
      });
      w.clock.advance(60);
      await dying.work().catch(() => undefined);
      await w.pass(4);
      expect([at, w.moved(), w.status(), w.told().length]).toEqual([at, [`${SENDING}-1`], 'RETURNED', 2]);
      if (calls <= at) break;
    }
  });
});
