import type { Change } from '../change.ts';
import { expiry, text } from '../items.ts';
import { must } from '../violation.ts';
import type { Written } from '../written.ts';

/** What holds of one write of an attempt. */
export function checkAttempt({ before, after }: Change, { now, skew, ledger }: Written): void {
  const id = text(after ?? before, 'deliveryId');
  const isOver = after !== undefined || expiry(before) <= now + skew;
  must('an attempt is kept until its time is over', isOver, { id });
  if (after === undefined) return;
  must('an attempt is written once', before === undefined, { id, record: text(after, 'record') });
  must('an attempt is of a delivery', ledger.deliveries.has(id), { id });
}
