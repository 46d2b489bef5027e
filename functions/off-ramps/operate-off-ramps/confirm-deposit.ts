import type * as z from 'zod/mini';
import type { confirmDepositContract } from '#shared/off-ramps/contract/operator-commands.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { retryOnConflict, type TransactionLeg } from '#shared/platform/dynamodb/transaction.ts';
import type { Fields } from '#shared/platform/logger.ts';
import type { Change, ChangeRequest } from '#shared/platform/operators/audited.ts';
import type { Proposals } from '#shared/platform/operators/proposal-repository.ts';
import type { Proposal } from '#shared/platform/operators/proposals.ts';

/**
 * Carries out a proposal, in one transaction with the leg `also`, which marks the proposal as done.
 *
 * @throws the error of `proposals.changed` when the deposit has changed since the proposal was made
 */
export type Confirm = (
  proposal: Proposal,
  also: { readonly proposal: TransactionLeg },
  asked: ChangeRequest,
) => Promise<{
  readonly body: z.infer<(typeof confirmDepositContract)['success']['body']>;
  readonly ids: Fields;
}>;

interface Dependencies {
  readonly proposals: Proposals;
  /** The key is the name of the command that made the proposal. */
  readonly confirms: Readonly<Record<string, Confirm>>;
  readonly clock: Clock;
}

/** Changes a deposit as another person proposed. */
export function confirmDeposit({ proposals, confirms, clock }: Dependencies): Change<typeof confirmDepositContract> {
  return ({ proposalId }, asked) =>
    retryOnConflict(clock, async () => {
      const proposal = await proposals.findToConfirm(proposalId, asked);
      const confirm = confirms[proposal.command];
      if (confirm === undefined) throw new Error(`Nobody confirms ${proposal.command}.`);
      return confirm(proposal, { proposal: proposals.confirm(proposal, asked) }, asked);
    });
}
