import type * as z from 'zod/mini';
import { type CheckTransfer, type EndMismatch, TransferAlreadyClaimed } from '#shared/pay-ins/end-mismatch.ts';
import { noPayin } from '#shared/pay-ins/no-pay-in.ts';
import { isMismatched, type MismatchEnd, moneyOf, type Payin } from '#shared/pay-ins/pay-in.ts';
import { type confirmPayinContract, endPayinContract } from '#shared/pay-ins/pay-in-commands.ts';
import { payinErrors } from '#shared/pay-ins/pay-in-errors.ts';
import { compareMoney, plainMoney } from '#shared/pay-ins/pay-in-outcome.ts';
import type { FindPayin } from '#shared/pay-ins/pay-in-repository.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { retryOnConflict, type TransactionLeg } from '#shared/platform/dynamodb/transaction.ts';
import { ApiError, invalid } from '#shared/platform/http/api-error.ts';
import type { Change } from '#shared/platform/operators/audited.ts';
import type { Proposals } from '#shared/platform/operators/proposal-repository.ts';
import { type Proposal, type TwoPersonsAbove, takesTwoPersons } from '#shared/platform/operators/proposals.ts';

interface Dependencies {
  readonly findPayin: FindPayin;
  readonly endMismatch: EndMismatch;
  readonly checkTransfer: CheckTransfer;
  readonly proposals: Proposals;
  readonly twoPersonsAbove: TwoPersonsAbove;
  readonly clock: Clock;
}

type Ending = Pick<MismatchEnd, 'amount' | 'currency' | 'outcome' | 'reference'>;

const endPayinInput = endPayinContract.body.shape.arguments;

/**
 * Ends a mismatch. A repeat changes nothing. If the rail has another amount than the operator names, it arrived since,
 * and the call is rejected. Above the limit of one person the end is only proposed.
 */
export function endPayin(deps: Dependencies): Change<typeof endPayinContract> {
  return async (input, asked) => {
    const ending = endingOf(input);
    return retryOnConflict(deps.clock, async () => {
      const seen = await existing(deps, input.payinId);
      if (!isToEnd(seen, ending)) return answer(seen, ending);
      if (!takesTwo(deps, seen)) return answer(await end(deps, seen, ending), ending);
      if (ending.reference !== undefined) await orConflict(deps.checkTransfer(ending.reference, seen.payinId));
      const of = { command: endPayinContract.name, about: seen.payinId, arguments: input, seen: seenOf(seen) };
      return answer(seen, ending, await deps.proposals.propose(of, asked));
    });
  };
}

/** Ends a mismatch as another person has proposed, if the pay-in has not changed since that person saw it. */
export function confirmPayin(deps: Dependencies): Change<typeof confirmPayinContract> {
  const { proposals } = deps;
  return ({ proposalId }, asked) =>
    retryOnConflict(deps.clock, async () => {
      const proposal = await proposals.findToConfirm(proposalId, asked);
      const input = endPayinInput.parse(proposal.arguments);
      const ending = endingOf(input);
      const seen = await existing(deps, input.payinId);
      if (proposal.seen['sequence'] !== seen.sequence) throw proposals.changed();
      return answer(await end(deps, seen, ending, proposals.confirm(proposal, asked)), ending);
    });
}

function endingOf({ paidAmount, outcome, reference, currency = 'COP' }: z.infer<typeof endPayinInput>): Ending {
  if ((outcome === 'refunded') !== (reference !== undefined)) throw mustFit(outcome);
  const money = plainMoney({ amount: paidAmount, currency });
  if (outcome === 'refunded' && money.amount === '0') throw nothingToRefund();
  return { ...money, outcome, ...(reference && { reference }) };
}

async function existing({ findPayin }: Dependencies, payinId: string): Promise<Payin> {
  const seen = await findPayin(payinId);
  if (seen === undefined) throw noPayin();
  return seen;
}

/** Every write that depends on the pay-in as it was read raises its sequence. */
const seenOf = ({ sequence }: Payin) => ({ sequence });

/** True if the amount at the rail or the ordered amount is above the limit: the end may give away either of them. */
function takesTwo({ twoPersonsAbove }: Dependencies, seen: Payin): boolean {
  return [moneyOf(seen), seen].some((money) => takesTwoPersons(twoPersonsAbove, money));
}

function end(
  { endMismatch, clock }: Dependencies,
  seen: Payin,
  ending: Ending,
  confirmed?: TransactionLeg,
): Promise<Payin> {
  return orConflict(endMismatch(seen, { ...ending, at: clock.now().toISOString() }, confirmed));
}

/** @throws {ApiError} when the transfer has ended another pay-in */
async function orConflict<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof TransferAlreadyClaimed)
      throw conflict(`${error.message}: end-payin takes the reference of this one's own transfer.`);
    throw error;
  }
}

function answer(payin: Payin, ending: Ending, proposal?: Proposal) {
  const { payinId, status, settlementMismatch, reversedAt, clientId, userId } = payin;
  return {
    body: { payinId, status, settlementMismatch, reversedAt, ...ending, ...(proposal && { proposal }) },
    ids: { payinId, clientId, userId },
    ...(proposal && { isProposed: true as const }),
  };
}

/** False if the mismatch is already ended in this way. @throws {ApiError} */
function isToEnd(seen: Payin, ending: Ending): boolean {
  if (!isMismatched(seen)) throw conflict(NOTHING_TO_END);
  const there = moneyOf(seen);
  if (compareMoney(there, ending) !== 0) {
    throw conflict(`The rail has ${there.amount} ${there.currency}: settle that first.`);
  }
  if (seen.mismatchedAt !== undefined) return true;
  const last = seen.mismatchEnds?.at(-1);
  if (last?.outcome === ending.outcome && last.reference === ending.reference) return false;
  throw conflict(`It is already ended: ${[last?.outcome, last?.reference].filter(Boolean).join(' ')}.`);
}

const NOTHING_TO_END =
  'As far as is known, the rail has no other amount than the ordered one: poll-payin asks it once more.';

export function conflict(detail: string): ApiError {
  return new ApiError(payinErrors.PAYIN_STATUS_CONFLICT, { detail });
}

function nothingToRefund(): ApiError {
  const path = 'body.arguments.outcome';
  return invalid({ path, code: 'NOT_ALLOWED', message: 'must be kept: the rail has nothing that could be refunded' });
}

function mustFit(outcome: MismatchEnd['outcome']): ApiError {
  const path = 'body.arguments.reference';
  return outcome === 'refunded'
    ? invalid({ path, code: 'REQUIRED', message: "is required: the reference of the refund's transfer" })
    : invalid({ path, code: 'NOT_ALLOWED', message: 'is allowed only with the outcome refunded' });
}
