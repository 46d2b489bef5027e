import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { simulatedAccount } from '#shared/off-ramps/custodians/simulated/simulated-custodian-deployment.ts';
import {
  confirmDifferenceContract,
  custodianListContract,
  explainDifferenceContract,
  readBooksContract,
  reportMovementsContract,
  runBooksContract,
} from '#shared/operators/book-contracts.ts';
import { eventually } from '#test/support/eventually.ts';
import { newHash, OffRampUser } from '#test/support/http-client.ts';
import { operate } from '#test/support/operator-client.ts';
import { newTenant } from '#test/support/tenant.ts';

/** Seconds to open the book, for a run, and for another run with the movements created meanwhile. */
const RUN = 220;

interface Difference {
  readonly kind: string;
  readonly id: string;
}

test('decisions 9, books: a run reports an outgoing movement, which two persons explain, and no credited deposit; the export and the bytes of the custodian have both', async () => {
  const user = new OffRampUser('POLYGON', await newTenant('books'));
  const day = new Date().toISOString().slice(0, 10);
  const credited = await user.create();
  const [came, left] = [newHash(), newHash()];
  await user.deposit(credited, came, { notify: true });
  await eventually(
    () => user.read(credited.id),
    ({ status }) => status === 'VERIFIED',
  );
  const account = simulatedAccount('POLYGON');
  await user.deposit(credited, left, { fromAddress: account, toAddress: `0x${'05'.repeat(20)}` });

  const idOf = (txHash: string) => `simulated:sim:POLYGON:${txHash}`;
  const books = await eventually(
    async () => {
      await operate(runBooksContract, { book: 'all' });
      return (await operate(readBooksContract, { day })).body;
    },
    ({ differences = [], books: read = [] }) =>
      differences.some(({ id }: Difference) => id === idOf(left)) &&
      read.some(({ book }: { book: string }) => book === 'payments of simulated'),
    RUN,
  );
  expect(books.differences).toContainEqual(
    expect.objectContaining({ book: 'deposits of simulated', kind: 'MONEY_WENT_OUT', id: idOf(left) }),
  );
  expect(books.differences.map(({ id }: Difference) => id)).not.toContain(idOf(came));
  const line = books.lines.find(({ asset }: { asset: string }) => asset === 'POLYGON:USDC');
  expect(line).toMatchObject({ in: expect.any(String), credited: expect.any(String), unknown: expect.any(String) });

  const [reason, difference] = ['Sent by this test', { book: 'deposits of simulated', kind: 'MONEY_WENT_OUT' }];
  const proposed = await operate(explainDifferenceContract, { ...difference, id: idOf(left), day }, reason, 'alice');
  const { proposalId } = proposed.body.proposal;
  expect((await operate(confirmDifferenceContract, { proposalId }, 'Seen', 'alice')).status).toBe(409);
  expect((await operate(confirmDifferenceContract, { proposalId }, 'Seen', 'bea')).status).toBe(200);
  const { differences } = (await operate(readBooksContract, { day })).body;
  const explained = differences.find(({ id }: Difference) => id === idOf(left))?.explained;
  expect(explained).toMatchObject({ reason, confirmedBy: expect.stringContaining('bea') });

  const lines: Readonly<Record<string, string>>[] = [];
  for (let cursor: string | undefined = `${day}T00:00:00.000Z`; cursor !== undefined; ) {
    const asked = { from: day, to: day, zone: 'UTC', cursor };
    const { body }: Awaited<ReturnType<typeof operate>> = await operate(reportMovementsContract, asked);
    lines.push(...body.items);
    cursor = body.nextCursor;
  }
  // Detection may have seen the account's own transfer by now. Between accounts it is not a deposit.
  const ours = lines.filter(({ txHash = '', term }) => [came, left].includes(txHash) && term !== 'own');
  expect(ours.map(({ direction, term }) => [direction, term])).toEqual([
    ['in', 'credited'],
    ['out', 'unknown'],
  ]);
  let answers = '';
  for (let cursor: object | undefined = {}; cursor !== undefined; ) {
    const { body }: Awaited<ReturnType<typeof operate>> = await operate(custodianListContract, { day, ...cursor });
    expect(createHash('sha256').update(body.answer).digest('hex')).toBe(body.sha256);
    answers += body.answer;
    cursor = body.nextCursor === undefined ? undefined : { cursor: body.nextCursor };
  }
  expect([answers.includes(came), answers.includes(left)]).toEqual([true, true]);
});
