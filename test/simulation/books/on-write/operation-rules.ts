import { isDeepStrictEqual } from 'node:util';
import { keysOf } from '#shared/platform/collections.ts';
import type { Item } from '#test/simulation/aws/dynamodb/attribute-values.ts';
import { factsOf, fits, STALE } from '../fits.ts';
import { differing, has, instant, number, text } from '../items.ts';
import { must } from '../violation.ts';
import { changesOf, type Revision, type Written } from '../written.ts';

/** Milliseconds. */
const DAY = 24 * 3600 * 1000;

/** docs/lives.md, An off-ramp. */
const lives: Readonly<Record<string, readonly string[]>> = {
  AWAITING_DEPOSIT: ['PENDING', 'CANCELLED', 'FAILED'],
  PENDING: ['COMPLETED', 'FAILED', 'CANCELLED'],
};

const fixed = [
  'clientId',
  'userId',
  'network',
  'address',
  'addressTag',
  'custodianAssetId',
  'amount',
  'senderAddress',
  'createdAt',
];

/** Checks a write of an operation, independent of the rest of its transaction. */
export function checkOperation({ before, after }: Revision, written: Written): void {
  const id = text(after, 'operationId');
  if (before === undefined) {
    checkCreation(after);
    checkPlaces(after);
    return;
  }
  const changed = differing(before, after, fixed);
  must('what an operation awaits never changes', changed.length === 0, { id, changed });
  const [seen, sequence] = [number(before, 'sequence'), number(after, 'sequence')];
  must('the sequence of an operation grows by one with every write', sequence === seen + 1, { id, seen, sequence });
  checkStatus({ before, after });
  checkReason({ before, after }, written);
  checkCancellation({ before, after }, written);
  checkExpiry({ before, after }, written);
  checkPlaces(after);
}

/** An operation is in exactly the indexes of its state; sweeps, lists and alarms read these. */
function checkPlaces(after: Item): void {
  const [id, status] = [text(after, 'operationId'), text(after, 'status')];
  const places = {
    awaitingShard: status === 'AWAITING_DEPOSIT',
    pendingShard: status === 'PENDING',
    contradictedShard: has(after, 'contradictedSince'),
  };
  const wrong = keysOf(places).filter((place) => has(after, place) !== places[place]);
  must('an operation is in the indexes of what it is', wrong.length === 0, { id, status, wrong });
}

function checkCreation(after: Item): void {
  const facts = { id: text(after, 'operationId'), sequence: number(after, 'sequence'), status: text(after, 'status') };
  const isNew = facts.sequence === 1 && facts.status === 'AWAITING_DEPOSIT' && number(after, 'attempt') === 0;
  must('an operation begins as one that awaits its deposit', isNew, facts);
}

function checkStatus({ before, after }: { readonly before: Item; readonly after: Item }): void {
  const [id, from, to] = [text(after, 'operationId'), text(before, 'status'), text(after, 'status')];
  const isLegal = from === to || lives[from]?.includes(to) === true;
  must('an operation goes only along its life', isLegal, { id, from, to });
  const timed = differing(before, after, ['creditedAt', 'endedAt']);
  const expected = from === to ? '' : to === 'PENDING' ? 'creditedAt' : 'endedAt';
  const isTimed = timed.join() === expected && (expected === '' || (!has(before, expected) && has(after, expected)));
  must('an operation gets the time of each status with it, and keeps it', isTimed, { id, from, to, timed });
  const isVerified = has(before, 'verifiedTxHash') || to === 'PENDING';
  must('only a deposit leads to PENDING', has(after, 'verifiedTxHash') === isVerified, { id, from, to });
  const isKept = !has(before, 'verifiedTxHash') || text(before, 'verifiedTxHash') === text(after, 'verifiedTxHash');
  must('the verified hash of an operation never changes', isKept, { id });
}

/** Each write does exactly one thing. More, or nothing, means that it was decided on a state that it did not check. */
function checkReason({ before, after }: { readonly before: Item; readonly after: Item }, written: Written): void {
  const id = text(after, 'operationId');
  const attempts = number(after, 'attempt') - number(before, 'attempt');
  const hasChanged = text(before, 'status') !== text(after, 'status');
  const isExpired = text(before, 'expiresAt') !== text(after, 'expiresAt');
  const ended = written.events.filter(({ type, data }) => isWindowEnded(type) && data.operationId === id).length;
  const isContradicted = !hasChanged && !isDeepStrictEqual(saidOf(before), saidOf(after));
  // The erasure of its user erases the words of others about its end, and about contradictions.
  const isErased =
    written.ledger.erased.has(text(after, 'userId')) && has(before, 'endReason') && !has(after, 'endReason');
  const reasons = [hasChanged, isExpired, isContradicted || isErased].filter(Boolean).length;
  must(
    'a write of an operation changes its status, begins an attempt, ends a window, is about a contradiction or erases',
    attempts >= 0 && attempts + reasons + ended === 1,
    { id, attempts, hasChanged, isExpired, isContradicted, isErased, ended },
  );
  checkContradictions(after);
  const isReported = changesOf(written, 'VERIFICATION').some(
    ({ after: to }) => number(to, 'attempt') === number(after, 'attempt'),
  );
  must('an attempt begins with its verification', attempts === 0 || isReported, { id, attempts });
  const isGivenUp = hasChanged && text(before, 'status') === 'AWAITING_DEPOSIT' && text(after, 'status') !== 'PENDING';
  const key = ['clientId', 'network', 'txHash'].map((name) => text(after, name)).join('#');
  const search = written.ledger.searches.get(`HASH#${key}`);
  // A running search is extended, up to a week from its start.
  const [startsAt, endsAt] = [instant(search, 'startsAt'), instant(search, 'endsAt')];
  const endedAt = instant(after, 'endedAt');
  const isHandedOver = endsAt >= Math.min(endedAt + DAY, startsAt + 7 * DAY);
  const isToSearch = isGivenUp && has(after, 'txHash');
  must('the hash of an operation that ends without a deposit is looked for', isHandedOver || !isToSearch, { id });
  const isCredited = hasChanged && text(after, 'status') === 'PENDING';
  const isSameHash = attempts === 1 || text(after, 'txHash') === (isCredited ? '' : text(before, 'txHash'));
  must('another hash is another attempt', isSameHash, { id, txHash: text(after, 'txHash') });
}

const saidOf = ({ contradictions, contradictionsNotKept, paidOut }: Item) => [
  contradictions,
  contradictionsNotKept,
  paidOut,
];

function checkContradictions(after: Item): void {
  const id = text(after, 'operationId');
  const kept = after['contradictions']?.L ?? [];
  const stands = kept.some(({ M }) => !has(M, 'closedAt')) || has(after, 'contradictionsNotKept');
  must(
    'an operation says exactly while a contradiction stands since when',
    stands === has(after, 'contradictedSince'),
    {
      id,
    },
  );
  must('no more contradictions are kept than ten', kept.length <= 10, { id, kept: kept.length });
  must('while a contradiction stands nobody has decided', !stands || !has(after, 'paidOut'), { id });
}

/** Returns the reason if this write ended the operation; only the service itself gives these reasons. */
function reasonOfEnd({ before, after }: Revision): string {
  const hasEnded = text(before, 'status') !== text(after, 'status');
  return hasEnded ? text(after, 'endReason') : '';
}

/** An unpaid off-ramp ends in time, but not while its hash is polled. */
function checkExpiry({ before, after }: Revision, { ledger, now, skew }: Written): void {
  if (reasonOfEnd({ before, after }) !== 'EXPIRED') return;
  const id = text(after, 'operationId');
  must('no off-ramp ends unpaid before its time', instant(after, 'endsAt') <= now + skew, { id });
  const isLookedFor = has(ledger.verifications.get(id), 'nextCheckAt');
  must('no off-ramp ends unpaid while its hash is looked for', !isLookedFor, { id });
}

/**
 * Nothing is cancelled while the service knows of its deposit, except deposits that the indexes do not show yet. One
 * that was unmatched before is left to a person, even while the custodian holds it.
 */
function checkCancellation({ before, after }: Revision, { ledger, now }: Written): void {
  if (!['CANCELLED_BY_CLIENT', 'EXPIRED'].includes(reasonOfEnd({ before, after }))) return;
  const id = text(after, 'operationId');
  for (const [custodianTransferId, since] of ledger.arriving) {
    const deposit = ledger.deposits.get(custodianTransferId);
    const isLeft = has(deposit, 'firstUnmatchedAt');
    const isOwn =
      text(deposit, 'operationId') === id && deposit !== undefined && !isLeft && fits(after, factsOf(deposit));
    const isKnown = since < now - STALE;
    must('nothing is cancelled whose deposit is known to be on its way', !isOwn || !isKnown, {
      id,
      custodianTransferId,
    });
  }
}

const isWindowEnded = (type: string) => type === 'ramp.deposit_hash.window_ended';
