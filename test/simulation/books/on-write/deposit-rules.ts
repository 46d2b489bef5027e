import type { Item } from '#test/simulation/aws/dynamodb/attribute-values.ts';
import type { Change } from '../change.ts';
import { depositStatusOf, differing, expiry, has, hasAllOrNone, number, text } from '../items.ts';
import { must } from '../violation.ts';
import type { Revision, Written } from '../written.ts';

const poll = ['nextPollAt', 'dueAt', 'dueShard'];

/** docs/lives.md, A deposit. What was first told is anything but what was taken back. */
const lives: Readonly<Record<string, readonly string[]>> = {
  '': ['DETECTED', 'HELD', 'CREDITED', 'UNMATCHED', 'FAILED'],
  DETECTED: ['HELD', 'CREDITED', 'UNMATCHED', 'FAILED'],
  HELD: ['DETECTED', 'CREDITED', 'UNMATCHED', 'FAILED'],
  FAILED: ['DETECTED', 'HELD', 'CREDITED', 'UNMATCHED'],
  UNMATCHED: ['HELD', 'FAILED', 'CREDITED'],
  CREDITED: ['REVERSED'],
  REVERSED: ['CREDITED'],
};

const owner = ['operationId', 'userId', 'clientId', 'detectedAt'];

/** What holds of one write of a deposit. */
export function checkDeposit({ before, after }: Revision, written: Written): void {
  checkCredit({ before, after }, written);
  checkStatus({ before, after }, written);
  const [id, creditedTo, kept] = [
    text(after, 'custodianTransferId'),
    text(after, 'creditedTo'),
    text(after, 'unmatched'),
  ];
  const isCredited = creditedTo !== '';
  must('what arrives has a poll to come', !has(after, 'arrivingAt') || has(after, 'nextPollAt'), { id });
  must('a poll of a deposit that is to come is due', hasAllOrNone(after, poll), { id });
  must('only what was credited is taken back', kept !== 'REVERSED' || isCredited, { id, kept });
  must('what is credited is not unmatched', !isCredited || (kept !== 'UNMATCHED' && !has(after, 'arrivingAt')), {
    id,
    kept,
  });
  must('what finance has to see says since when', hasAllOrNone(after, ['unmatched', 'unmatchedSince']), { id, kept });
  if (before === undefined) return;
  const isKept = !has(before, 'creditedTo') || text(before, 'creditedTo') === creditedTo;
  must('a deposit is credited once and for ever', isKept, { id, from: text(before, 'creditedTo'), to: creditedTo });
  const changed = differing(before, after, ['network', 'txHash', 'firstNotifiedAt']);
  must('a deposit keeps its hash and since when it is known', changed.length === 0, { id, changed });
}

/** Clients read of a deposit what they are told of it, and it stays whose it is. */
function checkStatus({ before, after }: Revision, { ledger }: Written): void {
  const id = text(after, 'custodianTransferId');
  const [from, to] = [depositStatusOf(before), depositStatusOf(after)];
  must('a deposit goes only along its life', from === to || lives[from]?.includes(to) === true, { id, from, to });
  const next = number(before, 'sequence') + (from === to ? 0 : 1);
  must('the sequence of a deposit counts its statuses', number(after, 'sequence') === next, { id, from, to });
  must('a deposit has all of an owner, or none', hasAllOrNone(after, owner), { id });
  const operation = ledger.operations.get(text(after, 'operationId'));
  const isOfOperation = ['userId', 'clientId'].every((name) => text(operation, name) === text(after, name));
  must('a deposit is of the user of its operation', isOfOperation, { id });
  const isKept = before === undefined || !has(before, 'operationId') || differing(before, after, owner).length === 0;
  must('a deposit stays its operation’s', isKept, { id });
}

/** What holds of a deposit and the operation that it funds, in the transaction that credits it. */
function checkCredit({ before, after }: Revision, { ledger, transaction }: Written): void {
  if (has(before, 'creditedTo') || !has(after, 'creditedTo')) return;
  const [id, creditedTo] = [text(after, 'custodianTransferId'), text(after, 'creditedTo')];
  const operation = ledger.operations.get(creditedTo);
  const isMoved = transaction.some(
    ({ after: to }) => to !== undefined && to === operation && text(to, 'status') === 'PENDING',
  );
  must('a deposit is credited with the operation that it funds', isMoved, { id, creditedTo });
  const verified = text(operation, 'verifiedTxHash');
  must('a deposit funds by its own hash', verified === text(after, 'txHash'), { id, creditedTo, verified });
  // By whoever it was: what another has declared its own client cannot report.
  const isReported = [...ledger.hashes.values()].some((hashes) => hashes.has(text(after, 'txHash')));
  const isLeftToPeople = depositStatusOf(before) === 'UNMATCHED' && !isReported;
  must('what is unmatched is credited only by a reported hash', !isLeftToPeople, { id, creditedTo });
  const transfer = after['transfer']?.M;
  must('only what is confirmed is credited', text(transfer, 'state') === 'CONFIRMED', {
    id,
    state: text(transfer, 'state'),
  });
}

/** What holds of one write of a hash that is looked for. */
export function checkSearch({ before, after }: Change, { now, skew }: Written): void {
  const id = text(after ?? before, 'custodianTransferId');
  if (after === undefined) {
    must('a search ends by its time', isOver(before, now + skew), { id });
    return;
  }
  must('a poll of a search that is to come is due', hasAllOrNone(after, poll), { id });
  const isNamed = id === `HASH#${text(after, 'network')}#${text(after, 'txHash')}`;
  must('a search is for the hash in its key', isNamed, { id, txHash: text(after, 'txHash') });
}

function isOver(item: Item | undefined, now: number): boolean {
  return expiry(item) <= now;
}
