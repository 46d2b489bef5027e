import type { Item } from '#test/simulation/aws/dynamodb/attribute-values.ts';
import { contradictionsOf, has, instant, text } from '../items.ts';
import type { Payout } from '../truth.ts';
import { must } from '../violation.ts';
import { type Aftermath, LATE } from './aftermath.ts';

/** Only credited off-ramps are paid out, and each payout is recorded, so that its deposit is not returned. */
export function checkPayoutEnds(aftermath: Aftermath): void {
  const { ledger, truth, skew } = aftermath;
  for (const { at, operationId, reference } of truth.payouts) {
    const isCredited = instant(ledger.operations.get(operationId), 'creditedAt') <= at + skew;
    must('only what was credited is paid out', isCredited, { operationId, reference });
  }
  checkPayoutsKnown(aftermath);
}

export function checkPayoutsKnown({ ledger, truth, remains, now }: Aftermath): void {
  const undelivered = remains.undelivered.join();
  const ofOperation = Map.groupBy(truth.payouts, ({ operationId }) => operationId);
  for (const { at, operationId, reference } of truth.payouts) {
    const operation = ledger.operations.get(operationId);
    const isTold = at < now - LATE && !undelivered.includes(`"${reference}"`);
    must('what was paid out is known by its reference', !isTold || isKnown(operation, reference), {
      operationId,
      reference,
    });
  }
  for (const [operationId, payouts] of ofOperation) {
    if (payouts.some(({ reference, at }) => undelivered.includes(`"${reference}"`) || at >= now - LATE)) continue;
    checkGivenBack(ledger.operations.get(operationId), payouts);
  }
}

/** True if the payout is recorded as the operation's payout, or as a contradiction. */
function isKnown(operation: Item | undefined, reference: string): boolean {
  const references = [operation, ...contradictionsOf(operation)].map((one) => text(one?.['payout']?.M, 'reference'));
  return references.includes(reference) || has(operation, 'contradictionsNotKept');
}

/** A deposit that was paid out is not returned, unless the payout came back or a person has decided. */
function checkGivenBack(operation: Item | undefined, payouts: readonly Payout[]): void {
  const operationId = text(operation, 'operationId');
  const paid = payouts.filter(({ isBack }) => !isBack);
  const isContradicted = has(operation, 'contradictedSince');
  const isPaidOut = text(operation, 'status') === 'COMPLETED' || operation?.['paidOut']?.BOOL === true;
  must('what was paid out is not given back', paid.length === 0 || isContradicted || isPaidOut, { operationId, paid });
  must('what was paid out twice contradicts', paid.length < 2 || isContradicted || has(operation, 'paidOut'), {
    operationId,
    paid,
  });
  const isMissed = paid.length === 0 && !isContradicted && operation?.['paidOut']?.BOOL !== false;
  must('a payout that came back is not counted as paid', !isMissed, { operationId });
}
