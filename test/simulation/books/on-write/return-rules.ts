import { Big } from 'big.js';
import type { Item } from '#test/simulation/aws/dynamodb/attribute-values.ts';
import { accountOf, isOwed } from '../fits.ts';
import { depositStatusOf, differing, has, instant, maybeText, number, text } from '../items.ts';
import type { Ledger } from '../ledger.ts';
import { personOf } from '../persons.ts';
import { isIn, termsOf } from '../terms.ts';
import { must } from '../violation.ts';
import type { Revision, Written } from '../written.ts';

const frozen = ['amount', 'fee', 'assetId', 'from', 'address', 'tag', 'requestedAt', 'requestedBy', 'approversNeeded'];

/** Milliseconds for which a payout may still be reported after the end of its off-ramp. */
const STILL_REPORTED = 24 * 3600_000;

/** Checks a write of a deposit with its return. */
export function checkReturn({ before, after }: Revision, written: Written): void {
  const { ledger } = written;
  checkTerm(after, ledger);
  checkKept({ before, after }, ledger);
  const [id, seen, left] = [text(after, 'custodianTransferId'), before?.['return']?.M, after['return']?.M];
  const [from, to] = [number(before, 'lastSending'), number(after, 'lastSending')];
  checkNumber(from, to, number(before, 'lastGivenUp'), id);
  const isCredited = !has(before, 'creditedAt') && has(after, 'creditedAt');
  must('nothing is credited that is being sent back', !isCredited || (seen === undefined && left === undefined), {
    id,
  });
  if (seen === undefined && left !== undefined) checkRequest(left, { before, after }, written);
  if (seen !== undefined && left === undefined) checkEnd(seen, { before, after }, written);
  if (left === undefined) return;
  const isListed = has(after, 'unmatched') || has(after, 'owed');
  must('what is sent back is in no other list', !isListed, { id });
  must('what is to be sent back is in the list of that', has(after, 'returnState') || has(left, 'returnedAt'), { id });
  must('what is settled is not sent back', !has(after, 'settled'), { id });
  const moved = seen === undefined ? [] : differing(seen, left, frozen);
  must('what is sent back is frozen with its request', moved.length === 0, { id, moved });
  checkApprovals(seen, left, { before, after }, ledger);
  if (to !== from) checkSending(left, after, written);
  checkGivingUp(seen, left, id, written);
  if (seen !== undefined && !has(seen, 'returnedAt') && has(left, 'returnedAt')) checkReturned(left, after, ledger);
}

function checkNumber(from: number, to: number, givenUp: number, id: string): void {
  const isKnown = to === from || to === Math.max(from, givenUp) + 1 || (to > 0 && to <= givenUp);
  must('no sending follows but the next or one given up', isKnown, { id, from, to });
}

/** It takes two persons to keep a deposit. */
function checkKept({ before, after }: Revision, ledger: Ledger): void {
  const kept = after['settled']?.M;
  if (has(before, 'settled') || text(kept, 'outcome') !== 'KEPT') return;
  const [id, by, confirmedBy] = [text(after, 'custodianTransferId'), text(kept, 'by'), text(kept, 'confirmedBy')];
  const isTwo = personOf(by) !== personOf(confirmedBy) && confirmedBy !== '';
  const isAsked = ledger.asked.get(id)?.has(`settle-deposit ${personOf(by)}`) === true;
  must('two persons keep a deposit', isTwo && isAsked, { id, by, confirmedBy });
}

/** A deposit that is there stands in exactly one term of the equation. */
function checkTerm(after: Item, { operations }: Ledger): void {
  const terms = termsOf(after, operations.get(text(after, 'operationId')));
  const [id, most] = [text(after, 'custodianTransferId'), isIn(after)];
  must('a deposit stands in exactly one term of the equation', terms.length <= 1 && (!most || terms.length === 1), {
    id,
    terms,
    status: depositStatusOf(after),
  });
}

/** The requester is a person in the audit, or the deposit's client; nothing is returned that may have been paid out. */
function checkRequest(left: Item, { before, after }: Revision, { ledger, now, skew, terms }: Written): void {
  const [id, by] = [text(after, 'custodianTransferId'), text(left, 'requestedBy')];
  const isClients = by === `client ${text(after, 'clientId')}`;
  const isAsked = isClients || asked(ledger, id, 'request', by);
  must('a return is requested by its client, or by a person of the audit', isAsked, { id, by });
  const transfer = before?.['transfer']?.M;
  must('only what is final is sent back', text(transfer, 'state') === 'CONFIRMED', { id });
  const gross = new Big(text(left, 'amount')).plus(text(left, 'fee'));
  must('what is sent back is what came less the fee', gross.eq(text(transfer, 'amount')), { id });
  const operation = ledger.operations.get(text(after, 'operationId'));
  checkTerms(left, operation, { id, gross, terms });
  must('nothing is sent back that may have been paid out', !mayBePaidOut(operation, after, now + skew), { id });
  must('a client asks for nothing back that was credited', !isClients || !has(after, 'creditedAt'), { id });
}

/** The fee is the stage's, and one approver is enough only for small amounts to the declared wallet. */
function checkTerms(
  left: Item,
  operation: Item | undefined,
  { id, gross, terms: { fees, onePersonUpTo } }: { readonly id: string; readonly gross: Big } & Pick<Written, 'terms'>,
): void {
  const [asset, needed] = [text(left, 'assetId'), number(left, 'approversNeeded')];
  must('the fee of a return is that of the stage', (fees[asset] ?? '0') === text(left, 'fee'), {
    id,
    fee: text(left, 'fee'),
  });
  const isDeclared = accountOf(text(operation, 'senderAddress')).startsWith(accountOf(text(left, 'address')));
  const isLittle = gross.lte(onePersonUpTo[asset] ?? 0);
  must(
    'two persons approve what is much, or goes elsewhere',
    needed === 2 || (needed === 1 && isLittle && isDeclared),
    {
      id,
      needed,
      gross,
    },
  );
}

/** True if the off-ramp's payout may be for this deposit, and was made or may still be reported. */
function mayBePaidOut(operation: Item | undefined, deposit: Item, now: number): boolean {
  if (operation === undefined) return false;
  const isCredited = has(deposit, 'creditedAt');
  if (has(operation, 'verifiedTxHash') && !isCredited) return false;
  if (has(operation, 'contradictedSince') || operation['paidOut']?.BOOL === true) return true;
  if (!isCredited) return false;
  if (text(operation, 'status') === 'COMPLETED') return operation['paidOut']?.BOOL !== false;
  return !isOwed(operation) || now < instant(operation, 'endedAt') + STILL_REPORTED;
}

/** Approvers are different persons, all in the audit, and none is the requester. */
function checkApprovals(seen: Item | undefined, left: Item, { after }: Revision, ledger: Ledger): void {
  const id = text(after, 'custodianTransferId');
  const by = approversOf(left);
  const persons = by.map(personOf);
  must(
    'approvals stay',
    approversOf(seen).every((one, place) => by[place] === one),
    { id, by },
  );
  const isOwn = new Set(persons).size === persons.length && !persons.includes(personOf(text(left, 'requestedBy')));
  must('whoever approves has not asked, and approves once', isOwn, { id, by, requestedBy: text(left, 'requestedBy') });
  must(
    'who approves is in the audit',
    by.every((one) => asked(ledger, id, 'approve', one)),
    { id, by },
  );
}

function approversOf(left: Item | undefined): readonly string[] {
  return (left?.['approvals']?.L ?? []).map(({ M }) => text(M, 'by'));
}

function asked({ asked: all }: Ledger, id: string, what: string, by: string): boolean {
  return all.get(id)?.has(`${what}-return ${personOf(by)}`) === true;
}

/** When a sending gets its id, the return is approved, its movement is claimed, and no payout is known. */
function checkSending(left: Item, after: Item, { ledger, now, skew }: Written): void {
  const id = text(after, 'custodianTransferId');
  const [approvals, needed] = [approversOf(left), number(left, 'approversNeeded')];
  must('nothing is sent without its approvals', needed >= 1 && approvals.length >= needed, { id, approvals, needed });
  must('what is sent says since when', has(left, 'sendingAt'), { id });
  const isStarted = [...(ledger.asked.get(id) ?? [])].some(
    (one) => one.startsWith('start-return ') && one !== `start-return ${personOf(text(left, 'requestedBy'))}`,
  );
  must('who sends by hand has not asked for it', !has(left, 'isByHand') || isStarted, { id });
  const operation = ledger.operations.get(text(after, 'operationId'));
  must('nothing is sent that may have been paid out', !mayBePaidOut(operation, after, now + skew), { id });
  const movement = [...ledger.claims].find(([claim, item]) => isMovementOf(claim, item, after));
  must('what is sent back has its movement', movement !== undefined, { id });
}

export function isMovementOf(claim: string, item: Item, deposit: Item): boolean {
  const start = `MOVEMENT#${text(deposit, 'network')}#${text(deposit, 'txHash')}#`;
  return claim.startsWith(start) && text(item, 'custodianTransferId') === text(deposit, 'custodianTransferId');
}

/** One movement out of the stage's accounts returns one deposit. */
function checkReturned(left: Item, after: Item, { claims }: Ledger): void {
  const [id, txHash] = [text(after, 'custodianTransferId'), text(left, 'txHash')];
  const isClaimed = [...claims].some(
    ([claim, item]) =>
      claim.startsWith('RETURN#') && claim.includes(txHash) && text(item, 'custodianTransferId') === id,
  );
  must('what was sent back has the movement that returned it', txHash !== '' && isClaimed, { id, txHash });
}

/** A return that is given up puts the deposit back in its list; once the sending began, it takes two persons. */
function checkEnd(seen: Item, { after }: Revision, written: Written): void {
  const { ledger } = written;
  const id = text(after, 'custodianTransferId');
  must('what was sent back stays so', !has(seen, 'returnedAt'), { id });
  if (has(seen, 'sendingAt') && !has(seen, 'givenUpAt')) checkGivenUp(id, written);
  const isOwing = depositStatusOf(after) === 'CREDITED' && isOwed(ledger.operations.get(text(after, 'operationId')));
  const isUnmatched = !has(after, 'creditedAt') && text(after['transfer']?.M, 'state') === 'CONFIRMED';
  const isListed = (!isUnmatched || has(after, 'unmatched')) && (!isOwing || has(after, 'owed'));
  must('what is not sent back after all is in its list again', isListed && !has(after, 'returnState'), { id });
}

function checkGivingUp(seen: Item | undefined, left: Item, id: string, written: Written): void {
  if (has(left, 'givenUpAt') && !has(seen, 'givenUpAt')) checkGivenUp(id, written);
}

/** Two persons end a sending: by hand at once; one of the service once the custodian reports its failure again. */
function checkGivenUp(id: string, { transaction }: Written): void {
  const proposal = transaction.find(({ table, after: to }) => table === 'proposals' && has(to, 'doneAt'))?.after;
  const persons = ['proposedBy', 'doneBy'].map((name) => personOf(text(proposal, name)));
  const isTwo = new Set(persons).size === 2 && maybeText(proposal, 'about') === id;
  must('only two persons end what is being sent', isTwo, { id, persons });
}
