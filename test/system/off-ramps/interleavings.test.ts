import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { ApiProblem } from '#sdk/api-problem.ts';
import { createOperation } from '#shared/off-ramps/create-operation.ts';
import { CustodianUnavailable } from '#shared/off-ramps/custodians/custodian.ts';
import { unmatched } from '#shared/off-ramps/deposit-changes.ts';
import { systemClock } from '#shared/platform/clock.ts';
import { WriteConflict } from '#shared/platform/dynamodb/transaction.ts';
import { depositScenarios } from '#test/support/deposit-scenarios.ts';
import { eventually } from '#test/support/eventually.ts';
import { newHash, OffRampUser } from '#test/support/http-client.ts';

/** The races of off-ramps, on the deployed tables; those of webhooks are beside their deliveries. */

const user = new OffRampUser();
const other = new OffRampUser('POLYGON', 'second');
const scenarios = depositScenarios();

/** Seconds in which a sweep runs, and what it hands out is done. */
const A_SWEEP = 120;

describe('decisions 4, one transaction funds one operation: crediting', () => {
  test('one transaction that pays two operations, confirmed for both at once, credits exactly one', async () => {
    const two = [(await user.create()).id, (await user.create()).id];
    const txHash = newHash();
    const outcomes = await Promise.all(
      two.map(async (id) => {
        const transfer = { ...(await scenarios.transferFor(id, txHash)), custodianTransferId: `test:${txHash}:${id}` };
        return scenarios.confirmDeposit(id, transfer);
      }),
    );
    expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(['CREDITED', 'FUNDS_ANOTHER_OPERATION']);
    const funded = await scenarios.claimant('FUNDED', txHash);
    expect(two).toContain(funded);
    expect((await scenarios.depositItem(`test:${txHash}:${funded}`))?.['creditedTo']).toBe(funded);
  });

  test('a stranger who declares the hash of somebody else’s deposit blocks nothing and gains nothing', async () => {
    const [mine, strangers] = [await user.create(), await other.create()];
    const txHash = newHash();
    expect((await other.submit(strangers.id, txHash)).status).toBe(202);
    await user.deposit(mine, txHash, { notify: true });
    await user.readUntil(mine.id, ({ status }) => status === 'VERIFIED');
    expect(await other.read(strangers.id)).toMatchObject({ operationStatus: 'AWAITING_DEPOSIT', verifiedTxHash: null });
  });

  test('a stale execution that finds its old hash confirmed after a correction credits it', async () => {
    const { id } = await user.create();
    const [old, corrected] = [newHash(), newHash()];
    const stale = await scenarios.declare(id, old);
    await scenarios.declare(id, corrected);
    const transfer = await scenarios.transferFor(id, old);
    expect(await scenarios.poll(stale, async () => [transfer])).toMatchObject({ outcome: 'DEPOSIT_VERIFIED' });
    expect(await user.read(id)).toMatchObject({
      txHash: corrected,
      verifiedTxHash: old,
      verification: { source: 'DETECTED' },
    });
    expect(await scenarios.claimant('DECLARED', corrected)).toBeUndefined();
  });

  test('a detected hash that differs from the reported one is credited, and the reported one is free again', async () => {
    const [operation, next] = [await user.create(), await user.create()];
    const [reported, detected] = [newHash(), newHash()];
    await user.submit(operation.id, reported);
    await user.deposit(operation, detected, { notify: true });
    const verified = await user.readUntil(operation.id, ({ status }) => status === 'VERIFIED');
    expect(verified).toMatchObject({
      txHash: reported,
      verifiedTxHash: detected,
      verification: { source: 'DETECTED' },
    });
    expect((await user.submit(next.id, reported)).status).toBe(202);
  });

  test('cancel against confirm: one wins, and a cancelled operation has funded nothing', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { id } = await user.create();
      const transfer = await scenarios.transferFor(id, newHash());
      const [cancelled, confirmed] = await Promise.all([
        scenarios.cancel(id).catch((error: unknown) => {
          if (error instanceof WriteConflict) return false;
          throw error;
        }),
        scenarios.confirmDeposit(id, transfer),
      ]);
      expect(confirmed.outcome).toBe(cancelled ? 'NOT_AWAITING' : 'CREDITED');
      // A verified operation goes on by itself: what it became first is what the race decided.
      const { statusHistory } = (await scenarios.state(id)).operation;
      expect(statusHistory[1]?.status).toBe(cancelled ? 'CANCELLED' : 'PENDING');
      expect(await scenarios.claimant('FUNDED', transfer.txHash)).toBe(cancelled ? undefined : id);
    }
  });

  test('a deposit credited by an execution is not filed as unmatched by its notification', async () => {
    const { id } = await user.create();
    const transfer = await scenarios.transferFor(id, newHash());
    const poll = await scenarios.deposits.remember(transfer, new Date());
    await scenarios.confirmDeposit(id, transfer);
    expect(await scenarios.polls.record(poll, unmatched({}, transfer, new Date(), ['WRONG_AMOUNT']))).toBe(false);
    expect(await scenarios.depositItem(transfer.custodianTransferId)).not.toHaveProperty('unmatched');
  });

  test('an unmatched deposit that is credited later, because its hash is reported, is unmatched no longer', async () => {
    const { id } = await user.create();
    const txHash = newHash();
    const transfer = await scenarios.transferFor(id, txHash);
    const poll = await scenarios.deposits.remember(transfer, new Date());
    expect(await scenarios.polls.record(poll, unmatched({}, transfer, new Date(), ['WRONG_AMOUNT']))).toBe(true);
    expect(await scenarios.depositItem(transfer.custodianTransferId)).toHaveProperty('unmatched');
    expect(await scenarios.confirmDeposit(id, transfer)).toMatchObject({ outcome: 'UNMATCHED' });
    await user.submit(id, txHash);
    expect(await scenarios.confirmDeposit(id, transfer)).toMatchObject({ outcome: 'CREDITED' });
    const item = await scenarios.depositItem(transfer.custodianTransferId);
    expect(item).toMatchObject({ creditedTo: id });
    expect(item).not.toHaveProperty('unmatched');
  });

  test('a notification that was stored but not queued is handled when the custodian sends it again', async () => {
    const operation = await user.create();
    const txHash = newHash();
    const custodianTransferId = `simulated:sim:POLYGON:${txHash}`;
    await scenarios.deposits.remember({ custodianTransferId, network: 'POLYGON', txHash }, new Date());
    await user.deposit(operation, txHash, { notify: true });
    await user.readUntil(operation.id, ({ status }) => status === 'VERIFIED');
  });

  test('a notification that was stored but not queued is handled without another: the sweep finds it', async () => {
    const operation = await user.create();
    const txHash = newHash();
    await user.deposit(operation, txHash);
    const tenMinutesAgo = new Date(Date.now() - 600_000);
    const notified = { custodianTransferId: `simulated:sim:POLYGON:${txHash}`, network: 'POLYGON', txHash } as const;
    await scenarios.deposits.remember(notified, tenMinutesAgo);
    const verified = await user.readUntil(operation.id, ({ status }) => status === 'VERIFIED', A_SWEEP);
    expect(verified).toMatchObject({ txHash: null, verifiedTxHash: txHash });
  });

  test('a notification with too few confirmations, and none later, is polled again', async () => {
    const operation = await user.create();
    const txHash = newHash();
    await user.deposit(operation, txHash, { state: 'UNCONFIRMED', notify: true });
    await user.deposit(operation, txHash, { state: 'CONFIRMED' });
    const verified = await user.readUntil(operation.id, ({ status }) => status === 'VERIFIED');
    expect(verified).toMatchObject({ txHash: null, verifiedTxHash: txHash });
  });

  test('a custodian outage over the end of the window: the last poll counts once it has been answered', async () => {
    const { id } = await user.create();
    const verification = await scenarios.declare(id, newHash());
    const transfer = await scenarios.transferFor(id, verification.txHash);
    const end = Date.parse(verification.windowEndsAt);
    const at = (time: number) => ({ ...systemClock, now: () => new Date(time) });
    const outage = async () => {
      throw new CustodianUnavailable('no answer');
    };
    const first = await scenarios.poll(verification, outage, at(end));
    expect(first).toMatchObject({ outcome: 'LOOK_AGAIN', reason: 'CUSTODIAN_UNAVAILABLE' });
    const again = Date.parse(first.nextCheckAt ?? '');
    expect(again).toBeGreaterThan(end);
    expect(await scenarios.poll(verification, async () => [transfer], at(again))).toMatchObject({
      outcome: 'DEPOSIT_VERIFIED',
    });
  });

  test('no transaction funds two operations, whoever asks, however often', async () => {
    const operations = await Promise.all([1, 2, 3, 4].map(() => user.create()));
    const txHash = newHash();
    const paid = await Promise.all(
      operations.map(async ({ id }) => ({
        id,
        transfer: { ...(await scenarios.transferFor(id, txHash)), custodianTransferId: `test:${txHash}:${id}` },
      })),
    );
    await Promise.all([
      ...paid.map(({ id, transfer }) => scenarios.confirmDeposit(id, transfer)),
      ...paid.map(({ transfer }) => scenarios.notified(transfer)),
    ]);
    const states = await Promise.all(paid.map(({ id }) => scenarios.state(id)));
    const credited = states.filter(({ operation }) => operation.verifiedTxHash !== undefined);
    expect(credited.map(({ operation }) => operation.statusHistory[1]?.status)).toEqual(['PENDING']);
    expect(states.filter(({ operation }) => operation.status === 'AWAITING_DEPOSIT')).toHaveLength(paid.length - 1);
  });

  test('correction against confirmation: the deposit is credited, and no claim is left behind', async () => {
    const operation = await user.create();
    const [right, wrong] = [newHash(), newHash()];
    await user.deposit(operation, right);
    await user.submit(operation.id, right);
    const corrected = await user.submit(operation.id, wrong).then(
      ({ status }) => status,
      (error: unknown) => {
        if (error instanceof ApiProblem) return error.status;
        throw error;
      },
    );
    expect([202, 409]).toContain(corrected);
    const read = await user.readUntil(operation.id, ({ status }) => status === 'VERIFIED');
    expect(read.verifiedTxHash).toBe(right);
    await eventually(
      () => scenarios.claimant('DECLARED', wrong),
      (holder) => holder === undefined,
    );
  });
});

describe('decisions 4, end of the window', () => {
  const WINDOW_ENDED = 'ramp.deposit_hash.window_ended';
  const atTheEnd = ({ windowEndsAt }: { windowEndsAt: string }) => ({
    ...systemClock,
    now: () => new Date(windowEndsAt),
  });

  test('is told once, however often and by whomever the last poll is made', async () => {
    const { id } = await user.create();
    const attempt = await scenarios.declare(id, newHash());
    const lastPoll = () => scenarios.poll(attempt, async () => [], atTheEnd(attempt));
    const polls = [...(await Promise.all([lastPoll(), lastPoll(), lastPoll()])), await lastPoll()];
    for (const poll of polls) expect(poll).toMatchObject({ outcome: 'WINDOW_ENDED', reason: 'NOT_FOUND' });
    const { operation, verification } = await scenarios.state(id);
    const told = await scenarios.eventsOf(operation);
    expect(told.filter(({ type }) => type === WINDOW_ENDED)).toEqual([
      {
        type: WINDOW_ENDED,
        data: {
          operationId: id,
          userId: user.userId,
          attempt: 1,
          txHash: attempt.txHash,
          reason: 'NOT_FOUND',
          windowEndsAt: attempt.windowEndsAt,
          status: 'VERIFYING',
          previousStatus: 'VERIFYING',
          sequence: operation.sequence,
        },
      },
    ]);
    expect(verification).not.toHaveProperty('nextCheckAt');
    expect((await user.read(id)).verification).toMatchObject({ state: 'WINDOW_ENDED', reason: 'NOT_FOUND' });
  });

  test('is not told of a superseded attempt', async () => {
    const { id } = await user.create();
    const attempt = await scenarios.declare(id, newHash());
    await scenarios.declare(id, newHash());
    const poll = await scenarios.poll(attempt, async () => [], atTheEnd(attempt));
    expect(poll.outcome).toBe('SUPERSEDED');
    const { operation, verification } = await scenarios.state(id);
    expect(verification?.nextCheckAt).toBeDefined();
    expect((await scenarios.eventsOf(operation)).map(({ type }) => type)).not.toContain(WINDOW_ENDED);
  });

  test('is not undone by a poll that the custodian did not answer, and that comes late', async () => {
    const { id } = await user.create();
    const attempt = await scenarios.declare(id, newHash());
    await scenarios.poll(attempt, async () => [], atTheEnd(attempt));
    const outage = async () => {
      throw new CustodianUnavailable('no answer');
    };
    expect(await scenarios.poll(attempt, outage, atTheEnd(attempt))).toMatchObject({ outcome: 'WINDOW_ENDED' });
    expect((await scenarios.state(id)).verification).not.toHaveProperty('nextCheckAt');
  });

  test('that races a confirmation does not keep the deposit from being credited, and an end that is told was before it', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id } = await user.create();
      const attempt = await scenarios.declare(id, newHash());
      const transfer = await scenarios.transferFor(id, attempt.txHash);
      const [poll, confirmation] = await Promise.all([
        scenarios.poll(attempt, async () => [], atTheEnd(attempt)),
        scenarios.confirmDeposit(id, transfer),
      ]);
      expect(confirmation.outcome).toBe('CREDITED');
      expect(['WINDOW_ENDED', 'DEPOSIT_VERIFIED']).toContain(poll.outcome);
      const told = (await scenarios.eventsOf((await scenarios.state(id)).operation)).map(({ type }) => type);
      expect(told.filter((type) => type === WINDOW_ENDED)).toHaveLength(poll.outcome === 'WINDOW_ENDED' ? 1 : 0);
      const confirmed = told.lastIndexOf('ramp.deposit_hash.status_changed');
      expect(told.indexOf(WINDOW_ENDED)).toBeLessThan(confirmed);
    }
  });
});

describe('decisions 4, deposit address', () => {
  test('is never another user’s once it is a user’s', async () => {
    const { id } = await user.create();
    await scenarios.cancel(id);
    await expect(scenarios.atAddressOf(id, { userId: randomUUID() })).rejects.toThrow('belongs to another user');
  });

  test('is never that of two operations that await a deposit', async () => {
    const { id } = await user.create();
    await expect(scenarios.atAddressOf(id)).rejects.toThrow('awaits its deposit');
  });

  test('is one operation’s when two creations take it at once', async () => {
    const { id } = await user.create();
    await scenarios.cancel(id);
    const two = await Promise.allSettled([scenarios.atAddressOf(id), scenarios.atAddressOf(id)]);
    const made = two.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(made).toHaveLength(1);
    const transfer = await scenarios.transferFor(id, newHash());
    await scenarios.notified(transfer);
    expect((await scenarios.state(made[0]?.operationId ?? '')).operation.verifiedTxHash).toBe(transfer.txHash);
  });

  test('creating the same operation again is no conflict', async () => {
    const { operation } = await scenarios.state((await user.create()).id);
    expect(await createOperation(scenarios.dynamo, scenarios.tables, operation, randomUUID)).toBe(false);
  });

  test('a transaction that funds an operation of another client is not told of, whoever it also pays', async () => {
    const [mine, strangers] = [await user.create(), await other.create()];
    const transfer = await scenarios.transferFor(mine.id, newHash());
    const theirs = await scenarios.transferFor(strangers.id, transfer.txHash);
    const next = await other.create();
    await scenarios.confirmDeposit(strangers.id, { ...theirs, custodianTransferId: `${transfer.txHash}:2` });
    const attempt = { ...(await scenarios.declare(mine.id, newHash())), txHash: transfer.txHash };
    expect(await scenarios.poll(attempt, async () => [transfer, theirs])).toMatchObject({ reason: 'NOT_FOUND' });
    expect(await scenarios.confirmDeposit(next.id, { ...theirs, custodianTransferId: randomUUID() })).toMatchObject({
      outcome: 'FUNDS_ANOTHER_OPERATION',
      otherClientId: (await scenarios.state(strangers.id)).operation.clientId,
    });
  });
});

describe('decisions 4, detected without a report: what nobody awaits', () => {
  test('a deposit that matches no operation is kept as unmatched', async () => {
    const operation = await user.create();
    const txHash = newHash();
    await user.deposit(operation, txHash, { amount: '1', notify: true });
    const item = await eventually(
      () => scenarios.depositItem(`simulated:sim:POLYGON:${txHash}`),
      (found) => found?.['unmatched'] !== undefined,
    );
    expect(item).toMatchObject({ transfer: { txHash, amount: '1' } });
    expect((await user.read(operation.id)).status).toBe('NOT_SUBMITTED');
  });

  test('a deposit that arrives after its operation was cancelled is kept as unmatched', async () => {
    const operation = await user.create();
    await scenarios.cancel(operation.id);
    const txHash = newHash();
    await user.deposit(operation, txHash, { notify: true });
    await eventually(
      () => scenarios.depositItem(`simulated:sim:POLYGON:${txHash}`),
      (found) => found?.['unmatched'] !== undefined,
    );
  });

  test('the same notification twice credits once', async () => {
    const operation = await user.create();
    const txHash = newHash();
    await user.deposit(operation, txHash, { notify: true });
    await user.deposit(operation, txHash, { notify: true });
    await user.readUntil(operation.id, ({ status }) => status === 'VERIFIED');
    expect(await scenarios.claimant('FUNDED', txHash)).toBe(operation.id);
  });

  test('an operation that does not exist has no state', async () => {
    expect(await scenarios.operations.findWithVerification(randomUUID())).toBeUndefined();
  });
});
