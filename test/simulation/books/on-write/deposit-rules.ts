import { Big } from 'big.js';
import { keysOf } from '#shared/platform/collections.ts';
import type { Item } from '#test/simulation/aws/dynamodb/attribute-values.ts';
import type { Change } from '../change.ts';
import { factsOf, isSameAddress } from '../fits.ts';
import { depositStatusOf, differing, expiry, has, hasAllOrNone, instant, number, text } from '../items.ts';
import { personOf } from '../persons.ts';
import { must } from '../violation.ts';
import type { Revision, Written } from '../written.ts';
import { checkReturn, isMovementOf } from './return-rules.ts';

/** Milliseconds. */
const DAY = 24 * 3600 * 1000;
const LONGEST_WAIT = 14 * DAY;
const LONGEST_WATCH = 363 * DAY;

const poll = ['nextPollAt', 'dueAt', 'dueShard'];

/**
 * docs/lives.md, A deposit. The first status is never REVERSED. For a deposit without an operation only its return is
 * known. A deposit whose return is declined may have been held or have failed meanwhile.
 */
export const lives: Readonly<Record<string, readonly string[]>> = {
  '': ['DETECTED', 'HELD', 'CREDITED', 'UNMATCHED', 'FAILED', 'RETURN_REQUESTED'],
  DETECTED: ['HELD', 'CREDITED', 'UNMATCHED', 'FAILED'],
  HELD: ['DETECTED', 'CREDITED', 'UNMATCHED', 'FAILED'],
  FAILED: ['DETECTED', 'HELD', 'CREDITED', 'UNMATCHED'],
  UNMATCHED: ['HELD', 'FAILED', 'CREDITED', 'RETURN_REQUESTED'],
  CREDITED: ['REVERSED', 'RETURN_REQUESTED'],
  REVERSED: ['CREDITED'],
  RETURN_REQUESTED: ['', 'UNMATCHED', 'CREDITED', 'HELD', 'FAILED', 'RETURNED'],
  RETURNED: ['RETURN_REQUESTED'],
};

const owner = ['operationId', 'userId', 'clientId', 'detectedAt'];

/** Checks a write of a deposit. */
export function checkDeposit({ before, after }: Revision, written: Written): void {
  checkCredit({ before, after }, written);
  checkStatus({ before, after }, written);
  checkReturn({ before, after }, written);
  const [id, kept] = [text(after, 'custodianTransferId'), text(after, 'unmatched')];
  const isCredited = has(after, 'creditedAt');
  must('what arrives has a poll to come', !has(after, 'arrivingAt') || has(after, 'nextPollAt'), { id });
  must('a poll of a deposit that is to come is due', hasAllOrNone(after, poll), { id });
  must('only what was credited is taken back', kept !== 'REVERSED' || isCredited, { id, kept });
  must('what is credited is not unmatched', !isCredited || (kept !== 'UNMATCHED' && !has(after, 'arrivingAt')), {
    id,
    kept,
  });
  const isSettled = has(after, 'settled');
  const isListed = isSettled ? !has(after, 'unmatchedSince') : hasAllOrNone(after, ['unmatched', 'unmatchedSince']);
  // An owed deposit keeps `owedSince` while it is being returned.
  const isOwedSince = has(after, 'owed') === has(after, 'owedSince') || (!has(after, 'owed') && has(after, 'return'));
  must('what finance has to see says since when', isListed && isOwedSince, { id, kept });
  checkWait({ before, after }, written);
  checkReasons({ before, after }, written);
  if (before === undefined) return;
  const isSince =
    isSettled !== has(before, 'settled') ||
    text(before, 'unmatched') !== kept ||
    text(before, 'unmatchedSince') === text(after, 'unmatchedSince');
  must('finance sees since when a deposit waits for it', kept === '' || isSince, { id, kept });
  const moved = has(before, 'creditedAt') ? differing(before, after, ['creditedAt', 'operationId']) : [];
  must('a deposit is credited once and for ever', moved.length === 0, { id, moved });
  const changed = differing(before, after, ['network', 'txHash', 'firstNotifiedAt']);
  must('a deposit keeps its hash and since when it is known', changed.length === 0, { id, changed });
}

/** A deposit on its way is polled: often for two weeks, and then daily until nearly a year has passed. */
function checkWait({ before, after }: Revision, { now, skew }: Written): void {
  const [id, status] = [text(after, 'custodianTransferId'), depositStatusOf(after)];
  if (status !== 'DETECTED' && status !== 'HELD') return;
  const waited = now + skew - instant(after, 'lastNotifiedAt');
  // A deposit that was unmatched before it was held returns to the list when its return or settlement is undone.
  const isPutBack = has(before, 'return') || has(before, 'settled');
  const isGivenUp = has(after, 'unmatched') && !has(before, 'unmatched') && !isPutBack;
  must('a deposit is on its way for two weeks', !isGivenUp || waited >= LONGEST_WAIT, { id, status });
  const isPolled = has(after, 'nextPollAt') || waited >= LONGEST_WATCH;
  must('a deposit that is on its way has a poll to come', isPolled, { id, status });
}

/** The reasons why a deposit funds nothing are written when it is filed, and do not change. */
function checkReasons({ before, after }: Revision, { ledger }: Written): void {
  const operation = ledger.operations.get(text(after, 'operationId'));
  if (operation === undefined || has(before, 'reasons') || !has(after, 'reasons')) return;
  const facts = factsOf(after);
  if (facts.amount === '') return;
  const isTrue = {
    WRONG_TOKEN: facts.network !== text(operation, 'network') || facts.assetId !== text(operation, 'custodianAssetId'),
    WRONG_AMOUNT: !new Big(facts.amount).eq(text(operation, 'amount')),
    WRONG_SENDER: !isSameAddress(facts.fromAddress, text(operation, 'senderAddress')),
  };
  const expected = keysOf(isTrue).filter((reason) => isTrue[reason]);
  const said = (after['reasons']?.L ?? []).map(({ S }) => S ?? '').filter((reason) => reason in isTrue);
  const id = text(after, 'custodianTransferId');
  must('a deposit is unmatched for the reasons that hold', said.join() === expected.join(), { id, said, expected });
}

/** Clients read the status that their events tell, and a deposit keeps its owner. */
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
  must('a deposit stays its operation’s, unless a person credits it to another', isKept || to === 'CREDITED', { id });
}

/** Checks a deposit and the operation that it funds, in the transaction that credits it. */
function checkCredit({ before, after }: Revision, written: Written): void {
  const { ledger, transaction } = written;
  if (has(before, 'creditedAt') || !has(after, 'creditedAt')) return;
  const [id, creditedTo] = [text(after, 'custodianTransferId'), text(after, 'operationId')];
  const operation = ledger.operations.get(creditedTo);
  const isMoved = transaction.some(
    ({ after: to }) => to !== undefined && to === operation && text(to, 'status') === 'PENDING',
  );
  must('a deposit is credited with the operation that it funds', isMoved, { id, creditedTo });
  const verified = text(operation, 'verifiedTxHash');
  const isClaimed = [...ledger.claims].some(([claim, item]) => isMovementOf(claim, item, after));
  must('what is credited has its movement, so that no other record of it is sent back', isClaimed, { id });
  must('a deposit funds by its own hash', verified === text(after, 'txHash'), { id, creditedTo, verified });
  // Reported by any client: a client cannot report a hash that another one has declared.
  const isReported = [...ledger.hashes.values()].some((hashes) => hashes.has(text(after, 'txHash')));
  const isLeftToPeople = depositStatusOf(before) === 'UNMATCHED' || ledger.filed.has(id);
  const byHand = isLeftToPeople && !isReported ? personsOfCredit(before, after, written) : 0;
  must(
    'what is unmatched is credited only by a reported hash, or by people of the audit',
    !isLeftToPeople || isReported || byHand > 0,
    { id, creditedTo },
  );
  const transfer = after['transfer']?.M;
  must('only what is confirmed is credited', text(transfer, 'state') === 'CONFIRMED', {
    id,
    state: text(transfer, 'state'),
  });
}

/** Returns how many persons in the audit credit by hand; 0 if it takes two and there is only one. */
function personsOfCredit(before: Item | undefined, after: Item, { ledger, transaction }: Written): number {
  const id = text(after, 'custodianTransferId');
  const operation = ledger.operations.get(text(after, 'operationId'));
  const isOne =
    has(before, 'operationId') && isSameAddress(factsOf(after).fromAddress, text(operation, 'senderAddress'));
  const proposal = transaction.find(({ table, after: to }) => table === 'proposals' && has(to, 'doneAt'))?.after;
  const [first, second] = ['proposedBy', 'doneBy'].map((name) => personOf(text(proposal, name)));
  const isTwo =
    first !== second &&
    ledger.asked.get(id)?.has(`credit-deposit ${first}`) === true &&
    ledger.asked.get(text(proposal, 'proposalId'))?.has(`confirm-deposit ${second}`) === true;
  if (isTwo) return 2;
  const isAsked = [...(ledger.asked.get(id) ?? [])].some((one) => one.startsWith('credit-deposit '));
  return isOne && isAsked ? 1 : 0;
}

/** Checks a write of a hash that is searched for. */
export function checkSearch({ before, after }: Change, { now, skew }: Written): void {
  const id = text(after ?? before, 'custodianTransferId');
  if (after === undefined) {
    must('a search ends by its time', isOver(before, now + skew), { id });
    return;
  }
  must('a poll of a search that is to come is due', hasAllOrNone(after, poll), { id });
  const [startsAt, endsAt] = [instant(after, 'startsAt'), instant(after, 'endsAt')];
  const isDay = endsAt - startsAt >= DAY && endsAt - startsAt <= 7 * DAY;
  must('a hash is looked for for a day, and for a week at most', isDay, { id, endsAt: text(after, 'endsAt') });
  const isKept = expiry(after) >= endsAt + DAY && expiry(after) <= endsAt + 7 * DAY;
  must('a search is kept for some days', isKept, { id, expiresAt: number(after, 'expiresAt') });
  const isNamed = id.startsWith('HASH#') && id.endsWith(`#${text(after, 'network')}#${text(after, 'txHash')}`);
  must('a search is for the hash in its key', isNamed, { id, txHash: text(after, 'txHash') });
}

function isOver(item: Item | undefined, now: number): boolean {
  return expiry(item) <= now;
}
