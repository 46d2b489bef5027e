import type * as z from 'zod/mini';
import type { confirmDepositContract } from '#shared/off-ramps/contract/operator-commands.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { retryOnConflict, type TransactionLeg } from '#shared/platform/dynamodb/transaction.ts';
import type { Fields } from '#shared/platform/logger.ts';
import type { Asked, Change } from '#shared/platform/operators/audited.ts';
import type { Proposals } from '#shared/platform/operators/proposal-repository.ts';
import type { Proposal } from '#shared/platform/operators/proposals.ts';

/**
 * Does what was proposed, with the leg that marks the proposal as done in its transaction.
 *
 * @throws what `proposals.changed` makes when the deposit is not as its author saw it
 */
export type Confirm = (
  proposal: Proposal,
  also: { readonly proposal: TransactionLeg },
  asked: Asked,
) => Promise<{
  readonly body: z.infer<(typeof confirmDepositContract)['success']['body']>;
  readonly ids: Fields;
}>;

interface Dependencies {
  readonly proposals: Proposals;
  /** By the command that proposes. */
  readonly confirms: Readonly<Record<string, Confirm>>;
  readonly clock: Clock;
}

/** Changes a deposit as another person has proposed. */
export function confirmDeposit({ proposals, confirms, clock }: Dependencies): Change<typeof confirmDepositContract> {
  return ({ proposalId }, asked) =>
    retryOnConflict(clock, async () => {
      const proposal = await proposals.findToConfirm(proposalId, asked);
      const confirm = confirms[proposal.command];
      if (confirm === undefined) throw new Error(`Nobody confirms ${proposal.command}.`);
      return confirm(proposal, { proposal: proposals.confirm(proposal, asked) }, asked);
    });
}
