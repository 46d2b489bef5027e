import { describe, expect, test } from 'vitest';
import { CustodianUnavailable } from '#shared/off-ramps/custodians/custodian.ts';
import { RailUnavailable } from '#shared/pay-ins/rails/payment-rail.ts';
import { BadSignature } from '#shared/platform/aws/detached-jws.ts';
import { createTestHost, START } from '#test/simulation/aws/test-host.ts';
import { createChain } from '#test/simulation/world/chain/chain.ts';
import { OPERATION, STRANGER } from '#test/support/ids.ts';
import { transfer } from '#test/support/off-ramp.ts';
import { PAYIN, payinOf } from '#test/support/pay-ins-in-memory.ts';
import { createCustodian, custodianNotification, custodianSignature } from './custodian.ts';
import { notify } from './notify.ts';
import { createRail, railNotification, railSignature } from './rail.ts';

const NO_MANNERS = { otherSpelling: 0, sharedAccount: 0, wholeAccount: 0 };

const WELL = {
  unavailable: 0,
  slow: 0,
  stale: 0,
  lostAnswer: 0,
  lateToFind: 0,
  notFound: 0,
  silence: 0,
};

/** Does the work in the time of a host; what it throws is thrown. */
async function within<Result>(host: ReturnType<typeof createTestHost>, work: () => Promise<Result>): Promise<Result> {
  const results: Result[] = [];
  host.schedule.start('test', async () => {
    results.push(await work());
  });
  await host.schedule.run();
  const [result] = results;
  if (result === undefined) throw new Error('Nothing came of it.');
  return result;
}

const ours = { operationId: OPERATION, network: 'POLYGON', custodianAssetId: 'POLYGON:USDC' } as const;
const since = new Date(START).toISOString();

describe('the custodian of the simulation', () => {
  test('gives an operation one address, however often it is asked, and no other operation the same', async () => {
    const host = createTestHost();
    const custodian = createCustodian(host, createChain(), WELL, NO_MANNERS);
    const [first, again, other] = await within(host, async () => [
      await custodian.assignDepositAddress(ours),
      await custodian.assignDepositAddress(ours),
      await custodian.assignDepositAddress({ ...ours, operationId: STRANGER }),
    ]);
    expect(again).toEqual(first);
    expect(other).not.toEqual(first);
  });

  test('says what is so of a transfer at each time, and nothing of one that goes elsewhere', async () => {
    const host = createTestHost();
    const chain = createChain();
    const custodian = createCustodian(host, chain, WELL, NO_MANNERS);
    const { state: _, confirmations: __, ...facts } = transfer({ network: 'POLYGON' });
    const query = { network: 'POLYGON', txHash: facts.txHash, since } as const;
    const [before, first, later] = await within(host, async () => {
      const { address } = await custodian.assignDepositAddress(ours);
      const phases = [
        { after: 1000, state: 'UNCONFIRMED', confirmations: 0, isKnown: false },
        { after: 60_000, state: 'CONFIRMED', confirmations: 32, isKnown: true },
      ] as const;
      const sentAt = host.schedule.clock.now().getTime();
      chain.send({ ...facts, toAddress: address }, sentAt, phases);
      chain.send({ ...facts, toAddress: '0x1111111111111111111111111111111111111111' }, sentAt, phases);
      const found = [await custodian.findTransfers(query)];
      await host.schedule.clock.sleep(2000);
      found.push(await custodian.findTransfers(query));
      await host.schedule.clock.sleep(60_000);
      found.push(await custodian.findTransfers(query));
      return found;
    });
    expect(before).toEqual([]);
    expect(first).toMatchObject([{ state: 'UNCONFIRMED', toAddress: '', fromAddress: '' }]);
    expect(later).toMatchObject([{ state: 'CONFIRMED', confirmations: 32, fromAddress: facts.fromAddress }]);
    expect(custodian.calls.get(facts.txHash)).toBe(3);
  });

  test('does not answer while that fault is certain', async () => {
    const host = createTestHost();
    const custodian = createCustodian(host, createChain(), { ...WELL, unavailable: 1 }, NO_MANNERS);
    await expect(within(host, () => custodian.assignDepositAddress(ours))).rejects.toThrow(CustodianUnavailable);
  });

  test('reads what it has signed, and nothing else', async () => {
    const { readNotification } = createCustodian(createTestHost(), createChain(), WELL, NO_MANNERS);
    const body = custodianNotification(transfer());
    const read = (headers: Readonly<Record<string, string>>) =>
      readNotification({ rawBody: Buffer.from(body), headers: new Map(Object.entries(headers)) });
    expect(await read(custodianSignature.headers(body))).toMatchObject({ txHash: transfer().txHash });
    await expect(read(custodianSignature.forgedHeaders(body))).rejects.toThrow(BadSignature);
  });
});

describe('the rail of the simulation', () => {
  test('takes a reference once, even when its answer gets lost', async () => {
    const host = createTestHost();
    const rail = createRail(host, { ...WELL, lostAnswer: 1 });
    await expect(within(host, () => rail.order({ payin: payinOf(), payer: {} }))).rejects.toThrow(RailUnavailable);
    const taken = rail.payments.get(PAYIN);
    await expect(within(host, () => rail.order({ payin: payinOf(), payer: {} }))).rejects.toThrow(RailUnavailable);
    expect(rail.payments.get(PAYIN)).toBe(taken);
    expect(rail.payments.size).toBe(1);
    expect(rail.calls.get(PAYIN)).toBe(2);
  });

  test('makes the link of a payment a moment later, and knows no other reference', async () => {
    const host = createTestHost();
    const rail = createRail(host, WELL);
    const payment = await within(host, async () => {
      await rail.order({ payin: payinOf(), payer: {} });
      await host.schedule.clock.sleep(5000);
      return rail.find(PAYIN);
    });
    expect(payment).toMatchObject({ status: 'PENDING', link: expect.stringContaining(PAYIN) });
    expect(await within(host, async () => [await rail.find(STRANGER)])).toEqual([undefined]);
  });

  test('reads what it has signed, and nothing else', async () => {
    const { readNotification } = createRail(createTestHost(), WELL);
    const body = railNotification(PAYIN);
    const read = (headers: Readonly<Record<string, string>>) =>
      readNotification({ rawBody: Buffer.from(body), headers: new Map(Object.entries(headers)) });
    expect(await read(railSignature.headers(body))).toEqual({ reference: PAYIN });
    await expect(read(railSignature.forgedHeaders(body))).rejects.toThrow(BadSignature);
  });
});

/** What is sent until a call is answered 200 with this body, and when it counts as taken in. */
async function notified(body: string) {
  const host = createTestHost();
  const takenAt: number[] = [];
  const sent: number[] = [];
  await within(host, async () => {
    const notification = { path: '/', body: '', headers: {}, forgedHeaders: {} };
    await notify(host, async () => answer(sent.push(host.seconds()), body), NONE, notification, takenAt);
    return takenAt;
  });
  return { sent, takenAt };
}

test('a notification that is not taken is sent again, until it is', async () => {
  expect(await notified('{"received":true}')).toEqual({ sent: [0, 5, 20], takenAt: [START + 20_000] });
});

test('one of which the service can make nothing is not sent again, and nobody counts on it', async () => {
  expect(await notified('{"received":false}')).toEqual({ sent: [0, 5, 20], takenAt: [] });
});

const NONE = { lost: 0, repeated: 0, late: 0, forged: 0 };

/** Nobody answers the first call, and the second one badly. */
function answer(calls: number, body: string) {
  if (calls === 1) return undefined;
  return { status: calls === 2 ? 503 : 200, headers: {}, body };
}
