import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { type Item, isSame } from '#test/simulation/aws/dynamodb/attribute-values.ts';
import { instant, number, text } from '../items.ts';
import { must } from '../violation.ts';

/** Polls that a verification keeps when its next run begins. */
const MOST_KEPT = 200;

/** Checks the polls of an attempt: `[time, result, time of the next poll]`, in milliseconds since 1970. */
export function checkPolls(before: Item, after: Item): void {
  const id = text(after, 'operationId');
  const [known, now] = [pollsOf(before), pollsOf(after)];
  if (number(after, 'attempt') !== number(before, 'attempt')) {
    must('an attempt begins without polls', now.length === 0, { id });
    return;
  }
  const isNextRun = number(after, 'run') !== number(before, 'run');
  const kept = isNextRun ? known.slice(-MOST_KEPT) : known;
  const isKept = kept.every((poll, position) => isStillThere(poll, now[position]));
  must('no poll of an attempt is lost or rewritten', isKept, { id, kept: kept.length, now: now.length });
  const added = now.slice(kept.length);
  must('a write adds one poll at most', added.length <= (isNextRun ? 0 : 1), { id, added: added.length });
  const [at, code, next] = added[0]?.L ?? [];
  if (at === undefined || code?.S === 'SUPERSEDED') return;
  must('a poll is told as it is kept', Number(at.N) === instant(after, 'lastCheckedAt'), { id, at: at.N });
  const isPlanned = next === undefined ? !('nextCheckAt' in after) : Number(next.N) === instant(after, 'nextCheckAt');
  must('the next poll is told as it is planned', isPlanned, { id, next: next?.N });
}

function pollsOf(verification: Item): readonly AttributeValue[] {
  return verification['polls']?.L ?? [];
}

function isStillThere(one: AttributeValue, other: AttributeValue | undefined): boolean {
  return other !== undefined && isSame(one, other);
}
