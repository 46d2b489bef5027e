import { isDeepStrictEqual } from 'node:util';
import type * as z from 'zod/mini';
import { settleDepositContract, unsettleDepositContract } from '#shared/off-ramps/contract/operator-commands.ts';
import { isOwed, operationPayingFor } from '#shared/off-ramps/model/contradictions.ts';
import { type Deposit, depositStatusOf, operationOf } from '#shared/off-ramps/model/deposit.ts';
import { heldInWords } from '#shared/off-ramps/model/returns.ts';
import type { FindDeposit } from '#shared/off-ramps/store/deposit-repository.ts';
import type { OffRamps } from '#shared/off-ramps/store/off-ramp-repository.ts';
import type { SettleDeposit, UnsettleDeposit } from '#shared/off-ramps/transitions/settle-deposit.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { retryOnConflict, type TransactionLeg } from '#shared/platform/dynamodb/transaction.ts';
import type { Change } from '#shared/platform/operators/audited.ts';
import type { Proposals } from '#shared/platform/operators/proposal-repository.ts';
import type { Proposal } from '#shared/platform/operators/proposals.ts';
import type { Confirm } from './confirm-deposit.ts';
import { findExistingDeposit, findOperationOfAddress, statusConflict, statusInWords } from './existing-deposit.ts';

interface Dependencies {
  readonly findDeposit: FindDeposit;
  readonly operations: Pick<OffRamps, 'find'>;
  readonly settle: SettleDeposit;
  readonly unsettle: UnsettleDeposit;
  /** The time to which tables were restored, until the books have matched every movement out since then. */
  readonly heldSince: string | undefined;
  readonly proposals: Proposals;
  readonly clock: Clock;
}

/** Milliseconds for which a deposit must be owed before it is settled: its payout may still be reported. */
const OWED_FOR = 24 * 3600_000;

const settleInput = settleDepositContract.body.shape.arguments;

type Outcome = z.infer<typeof settleInput>['outcome'];

/** Proposes to settle a listed deposit as kept or written off. */
export function settleDeposit(deps: Dependencies): Change<typeof settleDepositContract> {
  return async (input, asked) => {
    const { deposit } = await findListed(deps, input.custodianTransferId, input.outcome);
    const of = { command: settleDepositContract.name, about: deposit.custodianTransferId, arguments: input };
    return proposed(deposit, await deps.proposals.propose({ ...of, seen: seenOf(deposit) }, asked));
  };
}

/** Settles a deposit as another person proposed, if it is still as that person saw it. */
export function confirmSettlement(deps: Dependencies): Confirm {
  return async ({ about, arguments: input, seen, proposedBy: by, reason }, also, { who: confirmedBy }) => {
    const { outcome } = settleInput.parse(input);
    const { deposit, offRamp } = await findListed(deps, about, outcome);
    if (!isDeepStrictEqual(seen, seenOf(deposit))) throw deps.proposals.changed();
    const at = deps.clock.now().toISOString();
    const settled = { outcome: outcomes[outcome], by, confirmedBy, at, reason };
    await deps.settle(deposit, settled, offRamp?.operationId, also);
    return answer({ ...deposit, settled });
  };
}

/** Undoes a settlement, by two persons; by one if the settlement is from when one was enough. */
export function unsettleDeposit(deps: Dependencies): Change<typeof unsettleDepositContract> {
  return ({ custodianTransferId }, asked) =>
    retryOnConflict(deps.clock, async () => {
      const deposit = await findSettled(deps, custodianTransferId);
      if (deposit.settled?.confirmedBy === undefined) return answer(await unsettle(deps, deposit));
      const of = {
        command: unsettleDepositContract.name,
        about: custodianTransferId,
        arguments: { custodianTransferId },
      };
      return proposed(deposit, await deps.proposals.propose({ ...of, seen: seenOf(deposit) }, asked));
    });
}

export function confirmUnsettling(deps: Dependencies): Confirm {
  return async ({ about, seen }, also) => {
    const deposit = await findSettled(deps, about);
    if (!isDeepStrictEqual(seen, seenOf(deposit))) throw deps.proposals.changed();
    return answer(await unsettle(deps, deposit, also));
  };
}

async function unsettle(
  deps: Dependencies,
  deposit: Deposit,
  also?: { readonly proposal: TransactionLeg },
): Promise<Deposit> {
  const operation = await operationCredited(deps, deposit);
  await deps.unsettle(deposit, operation && isOwed(operation) ? operation : undefined, deps.clock.now(), also);
  return { ...deposit, settled: undefined };
}

const outcomes = { kept: 'KEPT', 'written-off': 'WRITTEN_OFF' } as const;

async function findListed(deps: Dependencies, custodianTransferId: string, outcome: Outcome) {
  const deposit = await findExistingDeposit(deps, custodianTransferId);
  refuseUnlessListed(deposit, outcome, deps.clock.now());
  if (deps.heldSince !== undefined && deposit.ignoredReason !== 'NOT_OURS')
    throw statusConflict(`${heldInWords(deps.heldSince)} It may have been sent back: it is not known to be here.`);
  const offRamp = operationPayingFor(await findOperationOfAddress(deps, deposit), deposit);
  if (offRamp?.contradictedSince !== undefined)
    throw statusConflict('The reports of its payout contradict each other: resolve-contradiction comes first.');
  if (outcome === 'written-off' && offRamp?.status === 'PENDING')
    throw statusConflict(
      'Its off-ramp may still be paid out: it ends when payouts says FAILED. Write it off after that.',
    );
  return { deposit, offRamp };
}

async function findSettled(deps: Dependencies, custodianTransferId: string): Promise<Deposit> {
  const deposit = await findExistingDeposit(deps, custodianTransferId);
  if (deposit.settled === undefined) throw statusConflict('It is not settled.');
  if (deposit.settled.outcome === 'RETURNED') throw statusConflict('It was sent back: nothing undoes that.');
  return deposit;
}

/** The facts that a proposal relies on. */
function seenOf(deposit: Deposit) {
  const { sequence = 0, transfer, settled, owedSince } = deposit;
  const status = depositStatusOf(deposit);
  return {
    ...{ sequence, status, amount: transfer?.amount ?? '' },
    ...(settled && { settledAt: settled.at }),
    ...(owedSince !== undefined && { owedSince }),
  };
}

async function operationCredited({ operations }: Dependencies, { creditedAt, operationId }: Deposit) {
  return creditedAt === undefined || operationId === undefined ? undefined : operations.find(operationId);
}

function answer(deposit: Deposit) {
  const { custodianTransferId, settled, clientId, userId } = deposit;
  const operationId = operationOf(deposit);
  return {
    body: { custodianTransferId, operationId, status: depositStatusOf(deposit), settled },
    ids: { custodianTransferId, operationId, clientId, userId },
  };
}

function proposed(deposit: Deposit, proposal: Proposal) {
  const { body, ids } = answer(deposit);
  return { body: { ...body, proposal }, ids, isProposed: true as const };
}

/** Only a listed deposit can leave a list. */
function refuseUnlessListed(deposit: Deposit, outcome: Outcome, now: Date): void {
  const { settled, owedSince, unmatched, ignoredReason } = deposit;
  if (settled !== undefined) throw statusConflict(`It is already settled: ${settled.outcome}, at ${settled.at}.`);
  const status = statusInWords(deposit);
  const isListed = unmatched === 'UNMATCHED';
  const isNotOurs = isListed && ignoredReason === 'NOT_OURS';
  // A deposit in the list `unmatched` may no longer be final.
  const isMissing = status === 'REVERSED' || (isListed && !isNotOurs && deposit.transfer?.state !== 'CONFIRMED');
  if (outcome === 'written-off') {
    if (isMissing) return;
    throw statusConflict(
      `It is ${status}: only what was taken back, or is in the list unmatched and not final, is written off.`,
    );
  }
  if (isMissing) throw statusConflict(`It is ${status}, so nothing is there to keep: it is written off, or waits.`);
  if (isListed && (status === 'UNMATCHED' || isNotOurs)) return;
  if (status !== 'CREDITED' || owedSince === undefined)
    throw statusConflict(`It is ${status}, and neither unmatched nor owed: it does not wait for finance operations.`);
  if (now.getTime() < Date.parse(owedSince) + OWED_FOR)
    throw statusConflict(
      `It has been owed since ${owedSince}: wait for 24 hours, because its payout may still be reported.`,
    );
}
