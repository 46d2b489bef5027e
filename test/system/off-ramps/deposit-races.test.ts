import { expect, test } from 'vitest';
import type { CustodianTransfer } from '#shared/off-ramps/custodians/custodian-transfer.ts';
import { depositIdOf } from '#shared/off-ramps/deposit-id.ts';
import { ConflictPersists } from '#shared/platform/dynamodb/retry-on-conflict.ts';
import { WriteConflict } from '#shared/platform/dynamodb/transaction.ts';
import { depositScenarios } from '#test/support/deposit-scenarios.ts';
import { eventually } from '#test/support/eventually.ts';
import { newHash, OffRampUser } from '#test/support/http-client.ts';

/** What may happen to one deposit in one moment, on the deployed tables: it has one status, and its client heard of each. */

const user = new OffRampUser();
const scenarios = depositScenarios();

const LIST = 'GET /api/v1/admin/operation/{user_id}/withdrawal/{operation_id}/deposits';

interface Subject {
  readonly id: string;
  readonly transfer: CustodianTransfer;
}

/** What a message or an execution does when another write has won: it comes again. */
async function untilDone(move: () => Promise<unknown>): Promise<void> {
  try {
    await move();
  } catch (error) {
    if (!(error instanceof WriteConflict || error instanceof ConflictPersists)) throw error;
    await untilDone(move);
  }
}

const moves = {
  'a confirmation': ({ id, transfer }: Subject) => scenarios.confirmDeposit(id, transfer),
  'a second notification': ({ transfer }: Subject) => scenarios.notified(transfer),
  'a poll that finds it unmatched': ({ transfer }: Subject) => scenarios.notified({ ...transfer, amount: '1' }),
  'a poll that finds it held': ({ transfer }: Subject) => scenarios.notified({ ...transfer, state: 'HELD' }),
  'a reversal': ({ transfer }: Subject) => scenarios.notified({ ...transfer, state: 'FAILED', confirmations: 0 }),
  'a cancellation': ({ id }: Subject) => scenarios.cancel(id),
  'a poll of its hash': async ({ id, transfer }: Subject) => {
    const { operation, verification } = await scenarios.state(id);
    const isOpen = operation.status === 'AWAITING_DEPOSIT' && verification === undefined;
    const attempt = isOpen ? await scenarios.declare(id, transfer.txHash) : verification;
    if (attempt !== undefined) await scenarios.poll(attempt, async () => [transfer]);
  },
} as const;

type Move = keyof typeof moves;

/** What the client of a deposit reads of it, and what it heard. */
async function storyOf({ id, transfer }: Subject) {
  const depositId = depositIdOf(transfer.custodianTransferId);
  const path = { user_id: user.userId, operation_id: id };
  const { operation } = await scenarios.state(id);
  const told = (await scenarios.eventsOf(operation)).filter(({ data }) => data['depositId'] === depositId);
  const { status, sequence } = await eventually(
    async () => (await user.call(LIST, { path })).body.deposits.find((deposit) => deposit.id === depositId),
    // A confirmation that finds the operation cancelled writes nothing: there is nothing to read then, and nothing was heard.
    (deposit) => (deposit?.sequence ?? 0) === told.length,
  ).then((deposit) => deposit ?? { status: undefined, sequence: 0 });
  return {
    read: { status, sequence },
    heard: told.map(({ data }) => ({ sequence: data.sequence, from: data['previousStatus'], to: data['status'] })),
    operation,
  };
}

const races: readonly (readonly Move[])[] = [
  ['a confirmation', 'a poll that finds it unmatched'],
  ['a confirmation', 'a reversal'],
  ['a confirmation', 'a cancellation'],
  ['a confirmation', 'a second notification'],
  ['a confirmation', 'a poll of its hash'],
  ['a second notification', 'a second notification', 'a poll that finds it held'],
  ['a poll that finds it unmatched', 'a reversal', 'a poll that finds it held'],
  ['a poll of its hash', 'a poll that finds it unmatched', 'a cancellation'],
  [
    'a confirmation',
    'a poll that finds it unmatched',
    'a reversal',
    'a cancellation',
    'a second notification',
    'a poll of its hash',
  ],
];

test.each(races.map((race) => [race.join(', '), race] as const))(
  'decisions 9, who moves what: of %s at once, one status comes, and an event of each change',
  async (_, race) => {
    for (let round = 0; round < 5; round += 1) {
      const { id } = await user.create();
      const subject = { id, transfer: await scenarios.transferFor(id, newHash()) };
      // Half of the races find the deposit on its way, the others nothing.
      if (round % 2 === 1) await scenarios.notified({ ...subject.transfer, state: 'UNCONFIRMED', confirmations: 0 });
      await Promise.all(race.map((move) => untilDone(async () => moves[move](subject))));
      const { read, heard, operation } = await storyOf(subject);
      expect(heard.map(({ sequence }) => sequence)).toEqual(heard.map((_entry, index) => index + 1));
      expect(heard.map(({ from }) => from)).toEqual([null, ...heard.map(({ to }) => to)].slice(0, heard.length));
      expect(read).toEqual({ status: heard.at(-1)?.to, sequence: heard.length });
      const credits = heard.filter(({ to, from }) => to === 'CREDITED' && from !== 'REVERSED').length;
      const isFunded = operation.verifiedTxHash !== undefined;
      expect(credits).toBe(isFunded ? 1 : 0);
      expect(operation.statusHistory.filter(({ status }) => status === 'PENDING')).toHaveLength(credits);
      expect(await scenarios.claimant('FUNDED', subject.transfer.txHash)).toBe(isFunded ? id : undefined);
      const item = await scenarios.depositItem(subject.transfer.custodianTransferId);
      expect(item?.['creditedTo']).toBe(isFunded ? id : undefined);
    }
  },
);
