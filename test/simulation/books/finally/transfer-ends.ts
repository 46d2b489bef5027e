import type { Item } from '#test/simulation/aws/dynamodb/attribute-values.ts';
import { minimumDeposits } from '#test/simulation/world/script/assets.ts';
import { fits, isFinal, isFinalFrom, isNotifiedOfEnd, isSentTo, phaseAt, STALE } from '../fits.ts';
import { depositStatusOf, has, instant, text } from '../items.ts';
import type { TrueTransfer } from '../truth.ts';
import { must } from '../violation.ts';
import { type Aftermath, LATE } from './aftermath.ts';

/** Money that came is credited or listed, and nothing else is. */
export function checkTransferEnds(aftermath: Aftermath): void {
  const { ledger, truth } = aftermath;
  for (const transfer of truth.transfers) {
    const deposit = ledger.deposits.get(transfer.facts.custodianTransferId);
    const id = transfer.facts.custodianTransferId;
    const isNotified = transfer.notifiedAt.length > 0;
    must('a transfer that was notified is on record', !isNotified || deposit !== undefined, { id });
    if (deposit !== undefined) checkDepositEnd(transfer, deposit, aftermath);
  }
  const byId = new Map(truth.transfers.map((transfer) => [transfer.facts.custodianTransferId, transfer]));
  for (const [id, deposit] of ledger.deposits) {
    if (has(deposit, 'creditedTo')) checkCredited(deposit, byId.get(id), aftermath);
  }
}

function checkDepositEnd(transfer: TrueTransfer, deposit: Item, aftermath: Aftermath): void {
  const { ledger, now } = aftermath;
  const { custodianTransferId: id, txHash } = transfer.facts;
  const [isCredited, kept] = [has(deposit, 'creditedTo'), text(deposit, 'unmatched')];
  const isPolled = instant(deposit, 'nextPollAt') >= now - LATE;
  must('no deposit waits without a poll', isPolled || !has(deposit, 'nextPollAt'), {
    id,
    at: text(deposit, 'nextPollAt'),
  });
  if (isNotifiedOfEnd(transfer)) checkTakenBack(transfer, deposit, isPolled);
  checkStatusEnd(transfer, deposit, isPolled);
  const isThere = isFinalFrom(transfer, now - LATE);
  const isDone = isCredited || isPolled || kept !== '' || isLeftOut(transfer, deposit, ledger);
  must('a final transfer is credited, or listed with its reason', !isThere || isDone, { id });
  if (isCredited || !isThere || kept === '') return;
  // An operation that is made when the money is there already has nothing to do with it, and what the custodian corrects
  // is left to people; of a reported hash, checkReports says what has to come of it.
  const isCorrected = transfer.phases.some(({ isMisread }) => isMisread === true);
  const waiting = [...ledger.operations.values()].filter(
    (operation) =>
      text(operation, 'status') === 'AWAITING_DEPOSIT' &&
      text(operation, 'createdAt') < text(deposit, 'firstNotifiedAt') &&
      !isCorrected &&
      fits(operation, transfer.facts),
  );
  const isFunded = ledger.claims.has(`FUNDED#${txHash}`);
  must('nothing is unmatched that an operation awaits', waiting.length === 0 || isFunded, {
    id,
    waiting: waiting.map((operation) => text(operation, 'operationId')),
  });
}

/**
 * What was sent to no address of ours is only counted: the same text is another account on networks of another family. So
 * is dust that nobody awaits.
 */
function isLeftOut({ facts }: TrueTransfer, deposit: Item, { operations }: Aftermath['ledger']): boolean {
  const ours = [...operations.values()].filter((operation) => isSentTo(operation, facts));
  const why = text(deposit, 'leftOut');
  if (why === 'NOT_OURS') return ours.length === 0;
  const minimum = minimumDeposits[facts.assetId];
  const isDust = minimum !== undefined && Number(facts.amount) < Number(minimum);
  return why === 'BELOW_MINIMUM' && isDust && !ours.some((operation) => fits(operation, facts));
}

/** Whoever sent to one of our addresses reads one status of it, which is what became of it. */
function checkStatusEnd(transfer: TrueTransfer, deposit: Item, isPolled: boolean): void {
  if (isPolled || !isNotifiedOfEnd(transfer)) return;
  const last = transfer.phases.at(-1);
  const isCredited = has(deposit, 'creditedTo');
  const [status, id] = [depositStatusOf(deposit), transfer.facts.custodianTransferId];
  const notFinal = last?.state === 'CONFIRMED' || last?.state === 'UNCONFIRMED' ? 'DETECTED' : (last?.state ?? '');
  const ended = isFinal(transfer, last) ? 'UNMATCHED' : notFinal;
  const expected = isCredited ? (last?.state === 'CONFIRMED' ? 'CREDITED' : 'REVERSED') : ended;
  const isNobodys = !has(deposit, 'operationId');
  must('a deposit has the status that its transfer ended with', isNobodys || status === expected, {
    id,
    status,
    expected,
  });
}

function checkTakenBack({ facts, phases }: TrueTransfer, deposit: Item, isPolled: boolean): void {
  const { custodianTransferId: id } = facts;
  const [state, kept] = [phases.at(-1)?.state, text(deposit, 'unmatched')];
  const isTakenBack = has(deposit, 'creditedTo') && state !== 'CONFIRMED';
  must('what was taken back in the end is reported', isPolled || (kept === 'REVERSED') === isTakenBack, {
    id,
    state,
    kept,
  });
  must('what failed is not unmatched', state !== 'FAILED' || kept !== 'UNMATCHED', { id, kept });
}

/** What is credited was there, and was what its operation awaited. */
function checkCredited(deposit: Item, transfer: TrueTransfer | undefined, { ledger }: Aftermath): void {
  const [id, creditedTo] = [text(deposit, 'custodianTransferId'), text(deposit, 'creditedTo')];
  const operation = ledger.operations.get(creditedTo);
  const isFit = transfer !== undefined && operation !== undefined && fits(operation, transfer.facts);
  must('only what an operation awaits is credited to it', isFit, { id, creditedTo, facts: transfer?.facts });
  if (transfer === undefined) return;
  const creditedAt = instant(deposit, 'creditedAt') + STALE;
  const wasThere = transfer.phases.some((phase) => phase.at <= creditedAt && isFinal(transfer, phase));
  must('only money that came is credited', wasThere, { id, creditedTo, phase: phaseAt(transfer, creditedAt) });
}
