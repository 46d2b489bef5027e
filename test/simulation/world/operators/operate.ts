import * as z from 'zod/mini';
import { confirmation } from '#shared/platform/operators/proposals.ts';
import { codeOf } from '#test/simulation/world/clients/session.ts';
import type { Outside } from '#test/simulation/world/outside.ts';
import { MINUTE } from '#test/simulation/world/script/moments.ts';
import type { OperatorScript } from '#test/simulation/world/script/script.ts';
import { type Console, type Row, SECOND_OPERATOR } from './console.ts';

type Deed = (outside: Outside, operator: Console, script: OperatorScript) => Promise<void>;

const proposing = z.object({ proposal: z.optional(z.object(confirmation.shape)) });

/** An operator handles an off-ramp or a pay-in that its client knows. */
export const operate: Readonly<Record<OperatorScript['does'], Deed>> = {
  async POLL_DEPOSITS({ chain, memory }, operator, { about }) {
    const address = memory.offRamps.find(({ script }) => script.name === about)?.address;
    const sent = chain.all.filter(({ facts }) => address !== undefined && facts.toAddress === address);
    for (const { facts } of sent) {
      await operator.change('poll-deposit', { custodianTransferId: facts.custodianTransferId });
    }
  },

  async RESOLVE(outside, operator, { about }) {
    const operationId = outside.memory.offRamps.find(({ script }) => script.name === about)?.operationId;
    const row = (await operator.list('contradictions'))?.find((one) => one['operationId'] === operationId);
    if (row !== undefined) await resolveContradiction(outside, operator, row);
  },

  async POLL_PAYIN({ memory }, operator, { about }) {
    const payinId = memory.payins.find(({ script }) => script.name === about)?.payinId;
    if (payinId !== undefined) await operator.change('poll-payin', { payinId });
  },

  /** Two calls, at least a minute apart; a wrong operator undoes the first one in between. */
  async ERASE_USER({ host, memory }, operator, { about, isWrong }) {
    const known = [...memory.offRamps, ...memory.payins].find(({ script }) => script.name === about);
    if (known === undefined) return;
    const { userId } = known.script;
    await operator.change('erase-user', { userId });
    await host.schedule.clock.sleep(host.random.below(3 * MINUTE));
    if (isWrong) await operator.change('erase-user', { userId, undo: true });
    await host.schedule.clock.sleep(host.random.below(2 * MINUTE));
    await operator.change('erase-user', { userId });
  },

  /** Ends every listed pay-in with its amount as read; a wrong operator first tries another amount. */
  async END_PAYIN({ host }, operator, { isWrong }) {
    for (const row of (await operator.list('mismatched')) ?? []) {
      const [payinId, [amount = '', currency = '']] = [String(row['payinId']), String(row['paid']).split(' ')];
      const refund = { outcome: 'refunded', reference: `transfer for ${payinId} of ${amount}` };
      const ending = { payinId, currency, ...(amount === '0' ? { outcome: 'kept' } : refund) };
      const answer = isWrong ? await operator.change('end-payin', { ...ending, paidAmount: `${amount}7` }) : undefined;
      if (answer !== undefined && codeOf(answer) === '') {
        host.schedule.fail(new Error(`Another amount was taken for ${amount} of ${payinId}.`));
      }
      const ended = await operator.change('end-payin', { ...ending, paidAmount: amount });
      const { proposal } = proposing.parse(JSON.parse(ended?.body ?? '{}'));
      if (proposal !== undefined) await operator.change('confirm-payin', proposal, SECOND_OPERATOR);
    }
  },
};

/** Resolves a contradiction by what the payout service has really paid. */
export async function resolveContradiction({ memory }: Outside, operator: Console, row: Row): Promise<void> {
  const operationId = String(row['operationId']);
  const isPaid = memory.payouts.some((payout) => payout.operationId === operationId && !payout.isBack);
  const [outcome, sequence] = [isPaid ? 'paid' : 'not-paid', String(row['sequence'])];
  await operator.change('resolve-contradiction', { operationId, outcome, sequence });
}
