import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { CustodianTransfer } from '#shared/off-ramps/custodians/custodian-transfer.ts';
import { arriving, unmatched } from '#shared/off-ramps/model/deposit-changes.ts';
import { dueShardOf } from '#shared/off-ramps/store/deposit-polls.ts';
import { deployedParts } from '#test/support/deployed.ts';
import { eventually } from '#test/support/eventually.ts';
import { callAs, newHash, OffRampUser, problemOf, withdrawalPath } from '#test/support/http-client.ts';
import { offRamp, transfer } from '#test/support/off-ramp.ts';

/** Seconds in which a sweep runs, and what it hands out is done. */
const A_SWEEP = 120;

const victim = new OffRampUser('POLYGON', 'second');
const squatter = new OffRampUser();
const { deposits, polls, hashSearches, depositItem } = deployedParts();

const depositOf = (txHash: string, holds: (item: Record<string, unknown> | undefined) => boolean) =>
  eventually(() => depositItem(`simulated:sim:POLYGON:${txHash}`), holds, A_SWEEP);

describe('decisions 4, a report that loses', () => {
  test('whoever declares a hash first gains nothing, even when the notification is lost', async () => {
    const [theirs, mine] = [await squatter.create(), await victim.create()];
    const txHash = newHash();
    expect((await squatter.submit(theirs.id, txHash)).status).toBe(202);
    await victim.deposit(mine, txHash);
    const lost = await victim.submitAsIs(mine.id, txHash);
    expect(problemOf(lost)).toMatchObject({ status: 409, code: 'TX_HASH_ALREADY_DECLARED' });
    const verified = await victim.readUntil(mine.id, ({ status }) => status === 'VERIFIED', A_SWEEP);
    expect(verified).toMatchObject({ txHash: null, verifiedTxHash: txHash, verification: { source: 'DETECTED' } });
    expect(verified.verification?.checks?.map(({ passed }) => passed)).toEqual([true, true, true, true, true]);
    expect(await squatter.read(theirs.id)).toMatchObject({ operationStatus: 'AWAITING_DEPOSIT', verifiedTxHash: null });
    const late = await victim.submitAsIs((await victim.create()).id, txHash);
    expect(problemOf(late)).toMatchObject({ status: 409, code: 'TX_HASH_ALREADY_DECLARED' });
  });

  test('a hash that is reported before its transaction is there is found when it is', async () => {
    const [theirs, mine] = [await squatter.create(), await victim.create()];
    const txHash = newHash();
    await squatter.submit(theirs.id, txHash);
    expect((await victim.submitAsIs(mine.id, txHash)).status).toBe(409);
    await eventually(
      () => depositItem(`HASH#${victim.client.clientId}#POLYGON#${txHash}`),
      (item) => item?.['lastDueAt'] !== item?.['startsAt'],
      A_SWEEP,
    );
    await victim.deposit(mine, txHash);
    await victim.readUntil(mine.id, ({ status }) => status === 'VERIFIED', A_SWEEP);
  });
});

describe('decisions 4, an operation that ends without a deposit', () => {
  test.each([
    [
      'cancelled by its client',
      (id: string) => callAs(victim.client, 'POST', `${withdrawalPath(victim.userId)}/${id}/cancel`),
      200,
    ],
    [
      'failed by another service',
      (id: string) => callAs(victim.client, 'POST', `/api/sandbox/operations/${id}`, { status: 'FAILED' }),
      202,
    ],
  ])(
    '%s: a deposit that still comes with the hash it had declared is known of, without a notification',
    async (_, end, status) => {
      const operation = await victim.create();
      const txHash = newHash();
      await victim.submit(operation.id, txHash);
      expect((await end(operation.id)).status).toBe(status);
      await victim.readUntil(operation.id, (read) => read.status === 'NOT_VERIFIED', A_SWEEP);
      await victim.deposit(operation, txHash);
      const item = await depositOf(txHash, (found) => found?.['unmatched'] === 'UNMATCHED');
      expect(item).toMatchObject({ transfer: { txHash, amount: '250.5' } });
    },
  );
});

test('decisions 4, a credited deposit that is taken back: finance ops see it, nothing moves, and it is cleared', async () => {
  const operation = await victim.create();
  const txHash = newHash();
  await victim.deposit(operation, txHash, { notify: true });
  await victim.readUntil(operation.id, ({ status }) => status === 'VERIFIED');
  await victim.deposit(operation, txHash, { state: 'HELD', notify: true });
  const held = await depositOf(txHash, (item) => item?.['unmatched'] !== undefined);
  expect(held).toMatchObject({ creditedTo: operation.id, unmatched: 'REVERSED', transfer: { state: 'HELD' } });
  expect(await victim.read(operation.id)).toMatchObject({ status: 'VERIFIED', verifiedTxHash: txHash });
  await victim.deposit(operation, txHash, { state: 'CONFIRMED', notify: true });
  const isCleared = (item: Record<string, unknown> | undefined) => item?.['unmatched'] === undefined;
  const cleared = await depositOf(txHash, isCleared);
  expect(cleared).toMatchObject({ creditedTo: operation.id, transfer: { state: 'CONFIRMED' } });
});

test('decisions 4: an unmatched deposit that fails on chain is unmatched no more, and says why', async () => {
  const operation = await victim.create();
  const txHash = newHash();
  await victim.deposit(operation, txHash, { amount: '1', notify: true });
  await depositOf(txHash, (item) => item?.['unmatched'] === 'UNMATCHED');
  await victim.deposit(operation, txHash, { amount: '1', state: 'FAILED', notify: true });
  const failed = await depositOf(txHash, (item) => item?.['unmatched'] === undefined);
  expect(failed).toMatchObject({ transfer: { state: 'FAILED' } });
  for (const gone of ['unmatchedSince', 'arrivingAt', 'nextPollAt', 'dueAt', 'dueShard']) {
    expect(failed).not.toHaveProperty(gone);
  }
});

/** What the conditions of the table let through; all in a future in which no sweep of the service is. */
describe('the deposits table', () => {
  const NOON = new Date(Date.now() + 24 * 3600 * 1000);
  const later = (seconds: number) => new Date(NOON.getTime() + seconds * 1000);
  const notification = () =>
    ({ custodianTransferId: `test:${randomUUID()}`, network: 'POLYGON', txHash: newHash() }) as const;

  async function dueAt(custodianTransferId: string): Promise<string | undefined> {
    for await (const due of polls.dueBefore(dueShardOf(custodianTransferId), '9')) {
      if (due.custodianTransferId === custodianTransferId) return due.dueAt;
    }
    return undefined;
  }

  test('of sweeps that find one poll due, one takes it on', async () => {
    const notified = notification();
    const poll = await deposits.remember(notified, NOON);
    const due = { custodianTransferId: poll.custodianTransferId, dueAt: later(300).toISOString() };
    expect(await dueAt(poll.custodianTransferId)).toBe(due.dueAt);
    const sweeps = await Promise.all([1, 2, 3, 4].map(() => polls.reserve(due, later(600).toISOString())));
    expect(sweeps.filter((one) => one !== undefined)).toEqual([poll]);
    expect(await dueAt(poll.custodianTransferId)).toBe(later(600).toISOString());
  });

  test('what a poll found is kept once, and not when another was planned or the deposit credited meanwhile', async () => {
    const notified = notification();
    const first = await deposits.remember(notified, NOON);
    const second = await deposits.remember(notified, later(1));
    const seen = { ...transfer(), ...notified };
    const next = { nextPollAt: later(60).toISOString(), dueAt: later(360).toISOString() };
    expect(await polls.record(first, arriving(seen), next)).toBe(false);
    expect(await polls.record(second, arriving(seen), next)).toBe(true);
    expect(await polls.record(second, unmatched({}, seen, NOON, []))).toBe(false);
    const found = await deposits.find(first.custodianTransferId);
    expect(found).toMatchObject({ firstNotifiedAt: NOON.toISOString(), lastNotifiedAt: later(1).toISOString() });
    expect(found).toMatchObject({ nextPollAt: next.nextPollAt, transfer: seen });
    const third = { ...first, nextPollAt: next.nextPollAt };
    expect(await polls.record(third, unmatched({}, seen, NOON, []))).toBe(true);
    expect(await depositItem(first.custodianTransferId)).not.toHaveProperty('dueShard');
    expect(await depositItem(first.custodianTransferId)).not.toHaveProperty('expiresAt');
  });

  test('a transfer that is found by its hash is handled once in a search', async () => {
    const found = notification();
    const since = NOON.toISOString();
    const both = [1, 2].map(() => deposits.rememberFound(since, found, later(10)));
    expect((await Promise.all(both)).filter((poll) => poll !== undefined)).toHaveLength(1);
    expect(await deposits.rememberFound(later(11).toISOString(), found, later(20))).toBeDefined();
  });

  test('a hash that is reported again while it is looked for is looked for longer, and once more now', async () => {
    const hash = { clientId: 'tests', network: 'POLYGON', txHash: newHash() } as const;
    const id = `HASH#tests#POLYGON#${hash.txHash}`;
    await hashSearches.start(hash, NOON);
    await hashSearches.start(hash, later(59));
    const [startsAt, endsAt] = [NOON.toISOString(), later(86_459).toISOString()];
    expect(await hashSearches.find(id)).toMatchObject({ startsAt, endsAt, nextPollAt: startsAt });
    const polled = { custodianTransferId: id, nextPollAt: startsAt };
    const next = { nextPollAt: later(210).toISOString(), dueAt: later(510).toISOString() };
    const change = { lastDueAt: later(100).toISOString() };
    expect(await polls.record({ ...polled, endsAt: later(86_400).toISOString() }, change, next)).toBe(false);
    expect(await polls.record({ ...polled, endsAt }, change, next)).toBe(true);
    await hashSearches.start(hash, later(110));
    expect(await hashSearches.find(id)).toMatchObject({ startsAt, nextPollAt: later(110).toISOString(), hurried: 1 });
    const forgotten = Number((await depositItem(id))?.['expiresAt']);
    expect(forgotten * 1000).toBeGreaterThan(Date.parse((await hashSearches.find(id))?.endsAt ?? ''));
  });

  test('what strangers send to an operation’s address is not read when the operation asks what is on its way', async () => {
    const operation = offRamp({ address: `0x${randomUUID().replaceAll('-', '')}00000000` });
    const send = async (differences: Partial<CustodianTransfer>) => {
      const seen = transfer({ ...notification(), network: 'ETHEREUM', toAddress: operation.address, ...differences });
      const poll = await deposits.remember(seen, NOON);
      const next = { nextPollAt: later(60).toISOString(), dueAt: later(60).toISOString() };
      expect(await polls.record(poll, arriving(seen), next)).toBe(true);
      return seen.custodianTransferId;
    };
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => send({ fromAddress: `0x${'0'.repeat(38)}${10 + index}` })),
    );
    expect(await deposits.isArrivingFor(operation)).toBe(false);
    const id = await send({});
    expect(await deposits.isArrivingFor(operation)).toBe(true);
    const { nextPollAt = '' } = (await deposits.find(id)) ?? {};
    await polls.record({ custodianTransferId: id, nextPollAt }, { arrivingAt: undefined });
    expect(await deposits.isArrivingFor(operation)).toBe(false);
  });
});
