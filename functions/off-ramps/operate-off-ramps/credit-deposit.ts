import { isDeepStrictEqual } from 'node:util';
import { creditDepositContract } from '#shared/off-ramps/contract/operator-commands.ts';
import type { CustodianTransfer } from '#shared/off-ramps/custodians/custodian.ts';
import type { AskForTransfer } from '#shared/off-ramps/custodians/find-transfers.ts';
import { mayPayFor } from '#shared/off-ramps/model/contradictions.ts';
import { type Deposit, depositStatusOf, operationOf, transferOf } from '#shared/off-ramps/model/deposit.ts';
import { isFinal, mismatchedFacts } from '#shared/off-ramps/model/deposit-match.ts';
import type { OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import { heldInWords } from '#shared/off-ramps/model/returns.ts';
import type { FindDeposit } from '#shared/off-ramps/store/deposit-repository.ts';
import type { FindAwaiting } from '#shared/off-ramps/store/off-ramp-lists.ts';
import type { OffRamps } from '#shared/off-ramps/store/off-ramp-repository.ts';
import type { CreditByHand, ManualCredit } from '#shared/off-ramps/transitions/credit-by-hand.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { retryOnConflict, type TransactionLeg } from '#shared/platform/dynamodb/transaction.ts';
import type { Change } from '#shared/platform/operators/audited.ts';
import type { Proposals } from '#shared/platform/operators/proposal-repository.ts';
import type { Confirm } from './confirm-deposit.ts';
import { findExistingDeposit, statusConflict } from './existing-deposit.ts';
import { refuseUnlessUnchanged } from './refuse-unless-unchanged.ts';

interface Dependencies {
  readonly findDeposit: FindDeposit;
  readonly findTransfer: AskForTransfer;
  readonly operations: Pick<OffRamps, 'find'>;
  readonly findAwaiting: FindAwaiting;
  /** Returns the id of the off-ramp that a transaction funds. */
  readonly fundedBy: (txHash: string) => Promise<string | undefined>;
  readonly credit: CreditByHand;
  /** The time to which tables were restored, until the books have matched every movement out since then. */
  readonly heldSince: string | undefined;
  readonly proposals: Proposals;
  readonly clock: Clock;
}

/** The most off-ramps that an answer names when several await the same transfer. */
const MOST_NAMED = 5;

/** A credit that decisions.md 9, Credit by hand, allows, and the number of persons that it takes. */
interface Fit extends ManualCredit {
  readonly persons: 1 | 2;
}

/** Credits a deposit at once if at most its address differs from the awaited one. Otherwise proposes the credit. */
export function creditDeposit(deps: Dependencies): Change<typeof creditDepositContract> {
  return ({ custodianTransferId, operation: named }, asked) =>
    retryOnConflict(deps.clock, async () => {
      const fit = await findFit(deps, custodianTransferId, named);
      if (fit.persons === 1) return answer(fit, await credit(deps, fit));
      const { operationId } = fit.operation;
      const proposal = await deps.proposals.propose(
        {
          ...{ command: creditDepositContract.name, about: custodianTransferId, seen: seenOf(fit) },
          arguments: { custodianTransferId, operation: operationId },
        },
        asked,
      );
      const { body, ids } = answer(fit, fit.operation);
      return { body: { ...body, status: depositStatusOf(fit.deposit), proposal }, ids, isProposed: true };
    });
}

/** Credits a deposit as another person proposed, if nothing that person relied on has changed. */
export function confirmCredit(deps: Dependencies): Confirm {
  return async (proposal, also) => {
    const { custodianTransferId, operation } = creditDepositContract.body.shape.arguments.parse(proposal.arguments);
    const fit = await findFit(deps, custodianTransferId, operation);
    if (!isDeepStrictEqual(proposal.seen, seenOf(fit))) throw deps.proposals.changed();
    return answer(fit, await credit(deps, fit, also));
  };
}

async function credit(
  deps: Dependencies,
  fit: Fit,
  confirmed?: { readonly proposal: TransactionLeg },
): Promise<OffRamp> {
  await refuseUnlessUnchanged(deps, fit.transfer);
  return deps.credit(fit, confirmed);
}

function answer({ deposit: { custodianTransferId } }: Fit, { operationId, clientId, userId }: OffRamp) {
  return {
    body: { custodianTransferId, operationId, status: 'CREDITED' as const },
    ids: { custodianTransferId, operationId, clientId, userId },
  };
}

/** The facts that a proposal relies on: the status and the owner. A deposit without an operation has no sequence. */
function seenOf({ deposit, transfer, operation }: Fit) {
  const { fromAddress, toAddress, assetId, amount } = transfer;
  return {
    ...{ sequence: deposit.sequence ?? 0, operationId: operation.operationId },
    ...{ fromAddress, toAddress, assetId, amount },
  };
}

/** Finds the operation that gets the deposit. @throws {ApiError} that names the rule against the credit */
async function findFit(deps: Dependencies, custodianTransferId: string, named: string | undefined): Promise<Fit> {
  if (deps.heldSince !== undefined)
    throw statusConflict(`${heldInWords(deps.heldSince)} It may have been sent back: nothing is credited by hand.`);
  const deposit = await findExistingDeposit(deps, custodianTransferId);
  const transfer = creditable(deposit);
  if ((await deps.fundedBy(transfer.txHash)) !== undefined) throw alreadyFunding();
  const ownId = operationOf(deposit);
  if (ownId === undefined) {
    const operation = await awaitingFromSender(deps, transfer, named);
    refuseIfContradicted(operation);
    return { deposit, transfer, operation, persons: 2 };
  }
  const own = await deps.operations.find(ownId);
  const operation = named === undefined || named === ownId ? own : await deps.operations.find(named);
  if (own === undefined || operation === undefined || !isOfSameUser(own, operation))
    throw statusConflict('The user of its address has no such off-ramp: a deposit is credited to nobody else.');
  if (operation.status !== 'AWAITING_DEPOSIT')
    throw statusConflict(
      `The off-ramp ${operation.operationId} is ${operation.status}: name another one with --operation.`,
    );
  const missed = mismatchedFacts(operation, transfer);
  if (missed.includes('WRONG_TOKEN') || missed.includes('WRONG_AMOUNT'))
    throw statusConflict(notAwaited(operation, transfer));
  refuseIfContradicted(operation);
  const paidFor = own !== operation && mayPayFor(own, deposit) ? own : undefined;
  if (paidFor !== undefined) refuseIfPaidOut(paidFor);
  return { deposit, transfer, operation, paidFor, persons: missed.includes('WRONG_SENDER') ? 2 : 1 };
}

/** The transfer of a deposit that is UNMATCHED, final and readable, and that nobody has settled. @throws {ApiError} */
function creditable(deposit: Deposit): CustodianTransfer {
  const { settled, unmatched, unreadable } = deposit;
  const [status, transfer] = [depositStatusOf(deposit), transferOf(deposit)];
  if (settled !== undefined)
    throw statusConflict(`It is settled: ${settled.outcome}, at ${settled.at}. See unsettle-deposit.`);
  if (status !== 'UNMATCHED' || unmatched !== 'UNMATCHED' || transfer === undefined)
    throw statusConflict(`It is ${status ?? 'not seen yet'}: only an UNMATCHED deposit is credited by hand.`);
  if (!isFinal(transfer)) throw statusConflict('It is not final: the custodian has taken that back.');
  if (unreadable !== undefined) throw statusConflict("The custodian's answers about it cannot be read.");
  return transfer;
}

/**
 * Finds the owner of a deposit without a user, because its tag is missing: the only off-ramp that awaits this amount
 * and token from this wallet. @throws {ApiError} if there is none or more than one
 */
async function awaitingFromSender(
  { findAwaiting, operations }: Dependencies,
  transfer: CustodianTransfer,
  named: string | undefined,
): Promise<OffRamp> {
  const { found, unreadableIds } = await findAwaiting(transfer);
  const [only, ...others] = found;
  const what = `${transfer.amount} ${transfer.assetId} from the wallet ${transfer.fromAddress}`;
  if (only === undefined) throw statusConflict(`It has no user, and no off-ramp awaits ${what}.`);
  const some = found.slice(0, MOST_NAMED).map(({ operationId }) => operationId);
  if (others.length > 0)
    throw statusConflict(`It has no user, and ${found.length} off-ramps await ${what}, such as ${some.join(', ')}.`);
  if (unreadableIds.length > 0)
    throw statusConflict(`It has no user, and may be awaited by what cannot be read: ${unreadableIds.join(', ')}.`);
  if (named !== undefined && named !== only.operationId)
    throw statusConflict(`It has no user: only ${only.operationId} awaits ${what}.`);
  const operation = await operations.find(only.operationId);
  if (operation?.status === 'AWAITING_DEPOSIT') return operation;
  throw statusConflict(`The off-ramp ${only.operationId} awaits no deposit any more.`);
}

function isOfSameUser(one: OffRamp, other: OffRamp): boolean {
  return one.userId === other.userId && one.clientId === other.clientId;
}

function notAwaited({ operationId, amount, token, network }: OffRamp, transfer: CustodianTransfer): string {
  const sent = `${transfer.amount} of ${transfer.assetId} on ${transfer.network}`;
  return `The off-ramp ${operationId} awaits ${amount} ${token} on ${network}, and this is ${sent}.`;
}

function refuseIfContradicted({ operationId, contradictedSince }: OffRamp): void {
  if (contradictedSince === undefined) return;
  throw statusConflict(
    `The reports of the payout of ${operationId} contradict each other: resolve-contradiction comes first.`,
  );
}

/** The off-ramp of the deposit's address has no credited deposit, but may have been paid out for this one. */
function refuseIfPaidOut(operation: OffRamp): void {
  refuseIfContradicted(operation);
  if (operation.paidOut === true) throw statusConflict(`Its own off-ramp, ${operation.operationId}, was paid out.`);
}

const alreadyFunding = () => statusConflict('Its transaction funds an off-ramp already.');
