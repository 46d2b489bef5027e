import type { Item } from '#test/simulation/aws/dynamodb/attribute-values.ts';
import { differing, has, instant, number, text } from '../items.ts';
import { must } from '../violation.ts';
import { changesOf, type Revision, type Written } from '../written.ts';
import { checkPolls } from './poll-rules.ts';

/** Milliseconds by which a wait may end before its time. */
const EARLY = 1000;

/** Frozen with an attempt, because its execution was started with these values. */
const frozen = ['txHash', 'network', 'windowStartsAt', 'windowEndsAt'];

/** Checks a write of a verification. */
export function checkVerification({ before, after }: Revision): void {
  const id = text(after, 'operationId');
  must('a next poll is due', has(after, 'nextCheckAt') === has(after, 'dueShard'), { id });
  if (before === undefined) return;
  checkPolls(before, after);
  const [from, to] = [number(before, 'attempt'), number(after, 'attempt')];
  const isNext = to === from + 1;
  must('one attempt follows another', to === from || isNext, { id, from, to });
  const [run, next] = [number(before, 'run'), number(after, 'run')];
  must('one run of an attempt follows another', isNext ? next === 1 : next === run || next === run + 1, {
    id,
    run,
    next,
  });
  if (isNext) return;
  const changed = differing(before, after, frozen);
  must('an attempt keeps what it was started with', changed.length === 0, { id, changed });
  const isReopened = !has(before, 'nextCheckAt') && has(after, 'nextCheckAt');
  must('an attempt that is over is not opened again', !isReopened, { id, attempt: to });
}

/** Checks an operation and its verification after every transaction that wrote either. */
export function checkVerificationOf(operation: Item, written: Written): void {
  const { ledger, events, now, skew } = written;
  const id = text(operation, 'operationId');
  const verification = ledger.verifications.get(id);
  const attempt = number(operation, 'attempt');
  must('the verification is of the last attempt', number(verification, 'attempt') === attempt, { id, attempt });
  if (verification === undefined) return;
  checkTold(operation, verification);
  if (text(operation, 'status') !== 'AWAITING_DEPOSIT') return;
  const [declared, verifies] = [text(operation, 'txHash'), text(verification, 'txHash')];
  must('the verification looks for the declared hash', declared === verifies, { id, declared, verifies });
  const isPublished = ledger.windowsEnded.get(id)?.has(String(attempt)) ?? false;
  const hasNext = has(verification, 'nextCheckAt');
  must('an attempt has a next poll, or its end was published', hasNext !== isPublished, { id, attempt, hasNext });
  for (const { type, data } of events) {
    if (type !== 'ramp.deposit_hash.window_ended' || data.operationId !== id) continue;
    must('the end of a window is that of the last attempt', data.attempt === attempt, {
      id,
      attempt,
      ended: data.attempt,
    });
    const isOver = now >= instant(verification, 'windowEndsAt') - EARLY - skew;
    must('an open window is not ended', isOver, { id, attempt, windowEndsAt: text(verification, 'windowEndsAt') });
    const isFirst = changesOf(written, 'VERIFICATION').some(
      ({ key, before }) => text(key, 'operationId') === id && has(before, 'nextCheckAt'),
    );
    must('a window ends once', isFirst, { id, attempt });
  }
}

/** The polls report exactly the verified hash as verified (decisions.md 4, Superseded). */
function checkTold(operation: Item, verification: Item): void {
  const told = verification['polls']?.L?.at(-1)?.L?.[1]?.S;
  const isVerified = text(operation, 'verifiedTxHash') === text(verification, 'txHash');
  const isTrue = told === 'DEPOSIT_VERIFIED' ? isVerified : told !== 'SUPERSEDED' || !isVerified;
  must('a hash is told as verified exactly if it was', isTrue, { id: text(operation, 'operationId'), told });
}
