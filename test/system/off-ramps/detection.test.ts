import { describe, expect, test } from 'vitest';
import { deployedParts } from '#test/support/deployed.ts';
import { eventually } from '#test/support/eventually.ts';
import { callAs, newHash, OffRampUser, problemOf, withdrawalPath } from '#test/support/http-client.ts';

/** Seconds within which a sweep runs, and the work that it starts is done. */
const A_SWEEP = 120;

const victim = new OffRampUser('POLYGON', 'second');
const squatter = new OffRampUser();
const { depositItem } = deployedParts();

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
      expect(item).toMatchObject({ txHash, transfer: { amount: '250.5' } });
    },
  );
});
