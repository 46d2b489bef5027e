import { codeOf } from '#test/simulation/world/clients/session.ts';
import type { Outside } from '#test/simulation/world/outside.ts';
import type { OperatorScript } from '#test/simulation/world/script/script.ts';
import type { Console } from './console.ts';

type Deed = (outside: Outside, operator: Console, script: OperatorScript) => Promise<void>;

/** An operator does something about an off-ramp or a pay-in, as far as its client knows of it. */
export const operate: Readonly<Record<OperatorScript['does'], Deed>> = {
  async POLL_DEPOSITS({ chain, memory }, operator, { about }) {
    const address = memory.offRamps.find(({ script }) => script.name === about)?.address;
    const sent = chain.all.filter(({ facts }) => address !== undefined && facts.toAddress === address);
    for (const { facts } of sent) {
      await operator.change('poll-deposit', { custodianTransferId: facts.custodianTransferId });
    }
  },

  /** The payout service's own books are asked what was paid. */
  async RESOLVE({ memory }, operator, { about }) {
    const operationId = memory.offRamps.find(({ script }) => script.name === about)?.operationId;
    if (operationId === undefined) return;
    const isPaid = memory.payouts.some((payout) => payout.operationId === operationId && !payout.isBack);
    await operator.change('resolve-contradiction', { operationId, outcome: isPaid ? 'paid' : 'not-paid' });
  },

  async POLL_PAYIN({ memory }, operator, { about }) {
    const payinId = memory.payins.find(({ script }) => script.name === about)?.payinId;
    if (payinId !== undefined) await operator.change('poll-payin', { payinId });
  },

  /** What is on the list is settled with the client, and ended as it was read. */
  async END_PAYIN({ host, memory }, operator, { about, isWrong }) {
    const payinId = memory.payins.find(({ script }) => script.name === about)?.payinId;
    const row = (await operator.list('mismatched'))?.find((one) => one['payinId'] === payinId);
    const [amount = ''] = String(row?.['paid'] ?? '').split(' ');
    if (payinId === undefined || row === undefined) return;
    const ending = { outcome: 'refunded', reference: `transfer for ${payinId} of ${amount}` };
    const paidAmount = isWrong ? `${amount}7` : amount;
    const currency = String(row['paid']).split(' ')[1] ?? 'COP';
    const answer = await operator.change('end-payin', { payinId, paidAmount, currency, ...ending });
    if (isWrong && answer !== undefined && codeOf(answer) === '') {
      host.schedule.fail(new Error(`${paidAmount} was taken for ${amount} of ${payinId}.`));
    }
  },
};
