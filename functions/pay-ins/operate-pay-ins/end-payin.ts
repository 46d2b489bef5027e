import { type EndMismatch, TransferTaken } from '#shared/pay-ins/end-mismatch.ts';
import { noPayin } from '#shared/pay-ins/no-pay-in.ts';
import { isMismatched, type MismatchEnd, moneyOf, type Payin } from '#shared/pay-ins/pay-in.ts';
import type { endPayinContract } from '#shared/pay-ins/pay-in-commands.ts';
import { payinErrors } from '#shared/pay-ins/pay-in-errors.ts';
import { compareMoney, plainMoney } from '#shared/pay-ins/pay-in-outcome.ts';
import type { FindPayin } from '#shared/pay-ins/pay-in-repository.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { retryOnConflict } from '#shared/platform/dynamodb/transaction.ts';
import { ApiError, invalid } from '#shared/platform/http/api-error.ts';
import type { Change } from '#shared/platform/operators/audited.ts';

interface Dependencies {
  readonly findPayin: FindPayin;
  readonly endMismatch: EndMismatch;
  readonly clock: Clock;
}

type Ending = Pick<MismatchEnd, 'amount' | 'currency' | 'outcome' | 'reference'>;

/** A repeat changes nothing. An amount that the operator has not seen is rejected: it arrived since. */
export function endPayin({ findPayin, endMismatch, clock }: Dependencies): Change<typeof endPayinContract> {
  return async ({ payinId, paidAmount, outcome, reference, currency = 'COP' }) => {
    if ((outcome === 'refunded') !== (reference !== undefined)) throw mustFit(outcome);
    const ending = { ...plainMoney({ amount: paidAmount, currency }), outcome, ...(reference && { reference }) };
    const ended = await retryOnConflict(clock, async () => {
      const seen = await findPayin(payinId);
      if (seen === undefined) throw noPayin();
      return isToEnd(seen, ending) ? end(endMismatch, seen, { ...ending, at: clock.now().toISOString() }) : seen;
    });
    const { status, settlementMismatch, reversedAt, clientId, userId } = ended;
    return { body: { payinId, status, settlementMismatch, reversedAt, ...ending }, ids: { payinId, clientId, userId } };
  };
}

async function end(endMismatch: EndMismatch, seen: Payin, ending: MismatchEnd): Promise<Payin> {
  try {
    return await endMismatch(seen, ending);
  } catch (error) {
    if (error instanceof TransferTaken) throw conflict(`The transfer ${ending.reference} has ended another pay-in.`);
    throw error;
  }
}

/** False if it is already ended in this way. @throws {ApiError} */
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

const NOTHING_TO_END = 'As far as is known, the rail has the ordered amount: poll-payin asks it once more.';

function conflict(detail: string): ApiError {
  return new ApiError(payinErrors.PAYIN_STATUS_CONFLICT, { detail });
}

function mustFit(outcome: MismatchEnd['outcome']): ApiError {
  const path = 'body.arguments.reference';
  return outcome === 'refunded'
    ? invalid({ path, code: 'REQUIRED', message: "is required: the reference of the refund's transfer" })
    : invalid({ path, code: 'NOT_ALLOWED', message: 'is only of what was refunded' });
}
