import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { type Deposit, deposit } from '#shared/off-ramps/model/deposit.ts';
import { transferFailed, transferNotFound, transferPending } from '#shared/off-ramps/model/deposit-changes.ts';
import { createDepositRepository } from '#shared/off-ramps/store/deposit-repository.ts';
import { systemClock } from '#shared/platform/clock.ts';
import { depositsInMemory } from '#test/support/deposits-in-memory.ts';
import { fakeDynamo } from '#test/support/fake-dynamo.ts';
import { CREATED_AT, offRamp, transfer } from '#test/support/off-ramp.ts';

const NOW = new Date(CREATED_AT);
const ACCOUNT = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ';
const SENDER = 'GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7';
const toAccount = { network: 'STELLAR', toAddress: ACCOUNT, fromAddress: SENDER } as const;

/** A store with a transfer that was seen before it was final. */
async function world(seen = transfer({ state: 'UNCONFIRMED' })) {
  const { deposits, polls } = depositsInMemory();
  const poll = await deposits.remember(seen, NOW);
  const next = { nextPollAt: '2026-08-01T12:03:00.000Z', dueAt: '2026-08-01T12:03:00.000Z' };
  await polls.record(poll, transferPending(seen), next);
  return { deposits, polls, poll: { ...poll, ...next }, seen };
}

describe('decisions 4, cancelling: a deposit on its way', () => {
  test('is found by the operation that awaits it', async () => {
    const { deposits } = await world();
    expect(await deposits.isArrivingFor(offRamp())).toBe(true);
  });

  test('is found by the operation that awaits its tag, and by no other', async () => {
    const { deposits } = await world(transfer({ ...toAccount, toTag: '1' }));
    const awaiting = (addressTag: string) =>
      offRamp({ network: 'STELLAR', address: ACCOUNT, addressTag, senderAddress: SENDER });
    expect(await deposits.isArrivingFor(awaiting('1'))).toBe(true);
    expect(await deposits.isArrivingFor(awaiting('2'))).toBe(false);
  });

  test.each<[string, Partial<Deposit>]>([
    ['has been unmatched before, and is held now', { firstUnmatchedAt: CREATED_AT, reasons: ['WRONG_AMOUNT'] }],
    ['is settled', { settled: { outcome: 'KEPT', by: 'someone', at: CREATED_AT, reason: 'because' } }],
    ['is credited to another', { creditedAt: CREATED_AT }],
  ])('decisions 4, cancelling: one that %s hinders nothing: nobody credits it by itself', async (_, known) => {
    const { deposits, put, kept } = depositsInMemory();
    const held = transfer({ state: 'HELD' });
    await deposits.remember(held, NOW);
    put({ ...deposit.parse(kept('transfer-1')), ...transferPending(held) });
    expect(await deposits.isArrivingFor(offRamp())).toBe(true);
    put({ ...deposit.parse(kept('transfer-1')), ...known });
    expect(await deposits.isArrivingFor(offRamp())).toBe(false);
  });

  test.each([
    ['unknown to the custodian', () => transferNotFound],
    ['failed', transferFailed],
  ])('is not on its way any more once it is %s', async (_, change) => {
    const { deposits, polls, poll, seen } = await world();
    await polls.record(poll, change(seen));
    expect(await deposits.isArrivingFor(offRamp())).toBe(false);
  });

  test.each([
    ['is gone', undefined],
    ['is not on its way any more', { transfer: transfer() }],
    ['has not been seen', { arrivingAt: 'key' }],
  ])('is read again by its id, because the index lags: one that %s is none', async (_, found) => {
    const notified = { ...transfer(), firstNotifiedAt: CREATED_AT, lastNotifiedAt: CREATED_AT };
    const query = z.object({ IndexName: z.string() });
    const { client } = fakeDynamo(async (input) =>
      query.safeParse(input).success
        ? { Items: [{ custodianTransferId: 'transfer-1' }] }
        : { Item: found && { ...notified, ...found } },
    );
    const deposits = createDepositRepository(client, 'deposits', systemClock);
    expect(await deposits.isArrivingFor(offRamp())).toBe(false);
  });
});

test('decisions 12, boundary: an unreadable notification changes nothing of a transfer that is known by then', async () => {
  const { deposits, kept } = depositsInMemory();
  await deposits.remember(transfer(), NOW);
  const known = kept('transfer-1');
  await deposits.rememberUnreadable('transfer-1', 'txHash', NOW);
  expect(kept('transfer-1')).toEqual(known);
});
