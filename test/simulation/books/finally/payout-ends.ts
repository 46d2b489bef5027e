import { instant, text } from '../items.ts';
import { must } from '../violation.ts';
import type { Aftermath } from './aftermath.ts';

/** What was paid out was there before. */
export function checkPayoutEnds({ ledger, truth, skew }: Aftermath): void {
  for (const { at, operationId, reference } of truth.payouts) {
    const operation = ledger.operations.get(operationId);
    const pending = operation?.['statusHistory']?.L?.find((entry) => text(entry.M, 'status') === 'PENDING');
    must('only what was credited is paid out', instant(pending?.M, 'at') <= at + skew, { operationId, reference });
  }
}
