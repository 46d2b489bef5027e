import { Big } from 'big.js';
import { decimalPlaces } from '#shared/platform/amount.ts';
import type { Item } from '#test/simulation/aws/dynamodb/attribute-values.ts';
import { decimals, minimumDeposits } from '#test/simulation/world/script/assets.ts';
import {
  fits,
  isAwaitedBy,
  isFinal,
  isFinalFrom,
  isNotifiedOfEnd,
  isSentTo,
  ownerOf,
  phaseAt,
  STALE,
} from '../fits.ts';
import { depositStatusOf, has, instant, maybeText, text } from '../items.ts';
import { LONGEST_CALL } from '../longest-call.ts';
import type { TrueTransfer } from '../truth.ts';
import { must } from '../violation.ts';
import { type Aftermath, LATE } from './aftermath.ts';
import { wasToldOtherwise } from './told-otherwise.ts';

/** Milliseconds. */
const HOUR = 3600 * 1000;

/** Checks that each received deposit is credited or listed, and that nothing else is. */
export function checkTransferEnds(aftermath: Aftermath): void {
  const { ledger, truth } = aftermath;
  for (const transfer of truth.transfers) {
    const deposit = ledger.deposits.get(transfer.facts.custodianTransferId);
    const id = transfer.facts.custodianTransferId;
    const isNotified = transfer.notifiedAt.length > 0;
    must('a transfer that was notified is on record', !isNotified || deposit !== undefined, { id });
    if (deposit === undefined) continue;
    checkOwner(transfer, deposit, aftermath);
    checkDepositEnd(transfer, deposit, aftermath);
  }
  const byId = new Map(truth.transfers.map((transfer) => [transfer.facts.custodianTransferId, transfer]));
  for (const [id, deposit] of ledger.deposits) {
    if (has(deposit, 'creditedAt')) checkCredited(deposit, byId.get(id), aftermath);
  }
}

/** The tag decides before the account, and the custodian's own movements belong to nobody. */
function checkOwner({ facts }: TrueTransfer, deposit: Item, { ledger }: Aftermath): void {
  const [id, operationId] = [facts.custodianTransferId, text(deposit, 'operationId')];
  must('what the custodian moves itself is nobody’s deposit', facts.isFromCustodian !== true || operationId === '', {
    id,
    operationId,
  });
  const owner = ownerOf(ledger.operations.values(), facts);
  const isOwners = operationId === '' || operationId === text(owner, 'operationId');
  must(
    'a deposit is of the operation that it was sent to, or that a person credits it to',
    isOwners || isByHand(deposit, ledger),
    {
      id,
      operationId,
    },
  );
}

/** True if people credited it: then only its address and its sender may differ from its operation's. */
function isByHand(deposit: Item, { asked }: Aftermath['ledger']): boolean {
  const of = [...(asked.get(text(deposit, 'custodianTransferId')) ?? [])];
  return has(deposit, 'creditedAt') && of.some((one) => one.startsWith('credit-deposit '));
}

function checkDepositEnd(transfer: TrueTransfer, deposit: Item, aftermath: Aftermath): void {
  const { ledger, now } = aftermath;
  const { custodianTransferId: id, txHash } = transfer.facts;
  const [isCredited, kept] = [has(deposit, 'creditedAt'), text(deposit, 'unmatched')];
  const isPolled = instant(deposit, 'nextPollAt') >= now - LATE;
  must('no deposit waits without a poll', isPolled || !has(deposit, 'nextPollAt'), {
    id,
    at: text(deposit, 'nextPollAt'),
  });
  // Once its return is requested, a deposit has the status of the return.
  if (!has(deposit, 'return')) {
    if (isNotifiedOfEnd(transfer)) checkTakenBack(transfer, deposit, isPolled);
    if (isCredited) checkReversal(transfer, deposit, aftermath);
    checkStatusEnd(transfer, deposit, isPolled);
  }
  // A failed deposit is polled once more; if it comes back after that without a notification, it stays FAILED.
  const isForgotten = depositStatusOf(deposit) === 'FAILED' && !isNotifiedOfEnd(transfer);
  const isThere = isFinalFrom(transfer, now - LATE) && !isForgotten;
  const isDealtWith = has(deposit, 'settled') || has(deposit, 'return');
  const isDone = isCredited || isPolled || kept !== '' || isDealtWith || isLeftOut(transfer, deposit, ledger);
  must('a final transfer is credited, or listed with its reason', !isThere || isDone, { id });
  if (isCredited || !isThere || kept === '') return;
  // Operations younger than the deposit do not count. Deposits whose amount the custodian corrected are left to people,
  // and checkReports covers reported hashes.
  const isCorrected = transfer.phases.some(({ isMisread }) => isMisread === true);
  const waiting = [...ledger.operations.values()].filter(
    (operation) =>
      text(operation, 'status') === 'AWAITING_DEPOSIT' &&
      text(operation, 'createdAt') < text(deposit, 'firstNotifiedAt') &&
      !isCorrected &&
      !(aftermath.writtenOff && wasToldOtherwise(ledger, text(operation, 'operationId'), id)) &&
      isAwaitedBy(operation, transfer.facts, ledger.operations),
  );
  const isFunded = ledger.claims.has(`FUNDED#${txHash}`);
  must('nothing is unmatched that an operation awaits', waiting.length === 0 || isFunded, {
    id,
    waiting: waiting.map((operation) => text(operation, 'operationId')),
  });
}

/**
 * True if the transfer is only counted: it went to no address of the service (the same text is another account on other
 * families' networks), is the custodian's own, or is dust that nobody awaits.
 */
function isLeftOut({ facts }: TrueTransfer, deposit: Item, { operations }: Aftermath['ledger']): boolean {
  const ours = [...operations.values()].filter((operation) => isSentTo(operation, facts));
  const why = text(deposit, 'ignoredReason');
  if (why === 'NOT_OURS') return ours.length === 0;
  if (why === 'FROM_CUSTODIAN') return facts.isFromCustodian === true;
  const [minimum, places = 0] = [minimumDeposits[facts.assetId], decimals[facts.assetId]];
  const isDust = minimum !== undefined && new Big(facts.amount).lt(minimum) && decimalPlaces(facts.amount) <= places;
  return why === 'BELOW_MINIMUM' && isDust && !ours.some((operation) => fits(operation, facts));
}

/** A deposit's status is the one that its transfer ended with. */
function checkStatusEnd(transfer: TrueTransfer, deposit: Item, isPolled: boolean): void {
  if (isPolled || !isNotifiedOfEnd(transfer)) return;
  const last = transfer.phases.at(-1);
  const isCredited = has(deposit, 'creditedAt');
  const [status, id] = [depositStatusOf(deposit), transfer.facts.custodianTransferId];
  const notFinal = last?.state === 'CONFIRMED' || last?.state === 'UNCONFIRMED' ? 'DETECTED' : (last?.state ?? '');
  const ended = isFinal(last) ? 'UNMATCHED' : notFinal;
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
  const isTakenBack = has(deposit, 'creditedAt') && state !== 'CONFIRMED';
  must('what was taken back in the end is reported', isPolled || (kept === 'REVERSED') === isTakenBack, {
    id,
    state,
    kept,
  });
  must('what failed is not unmatched', state !== 'FAILED' || kept !== 'UNMATCHED', { id, kept });
}

/** Milliseconds after the credit at which the custodian is polled again, even without a notification. */
const ASKED_AGAIN = [HOUR, 24 * HOUR];

/** A reversal is found by the polls after the credit, even without a notification. */
function checkReversal({ facts, phases }: TrueTransfer, deposit: Item, { truth, now }: Aftermath): void {
  const end = phases.at(-1);
  const isBack = end?.state === 'FAILED' || end?.state === 'HELD';
  const polls = ASKED_AGAIN.map((after) => instant(deposit, 'creditedAt') + after);
  const askedAt = polls.find((at) => at >= (end?.at ?? 0) + STALE) ?? Number.POSITIVE_INFINITY;
  const isLate = now >= Math.max(askedAt, truth.quietSince) + LATE;
  const { custodianTransferId: id } = facts;
  const isReversed = text(deposit, 'unmatched') === 'REVERSED';
  must('what was taken back after its credit is found by a poll', !isBack || !isLate || isReversed, { id, end });
}

/** True if token, network and amount are the expected ones. */
function isWhatItAwaits(operation: Item, { facts }: TrueTransfer): boolean {
  const [toAddress, fromAddress] = [text(operation, 'address'), text(operation, 'senderAddress')];
  return fits(operation, { ...facts, toAddress, toTag: maybeText(operation, 'addressTag'), fromAddress });
}

/** A credited deposit was final, and was what its operation awaited. */
function checkCredited(deposit: Item, transfer: TrueTransfer | undefined, { ledger, skew }: Aftermath): void {
  const [id, creditedTo] = [text(deposit, 'custodianTransferId'), text(deposit, 'operationId')];
  const operation = ledger.operations.get(creditedTo);
  const isFit =
    transfer !== undefined &&
    operation !== undefined &&
    (fits(operation, transfer.facts) || (isByHand(deposit, ledger) && isWhatItAwaits(operation, transfer)));
  must('only what an operation awaits is credited to it', isFit, { id, creditedTo, facts: transfer?.facts });
  if (transfer === undefined) return;
  const creditedAt = instant(deposit, 'creditedAt');
  const known = { from: creditedAt - STALE - LONGEST_CALL - skew, until: creditedAt + skew };
  const seen = [
    phaseAt(transfer, known.from),
    ...transfer.phases.filter(({ at }) => at > known.from && at <= known.until),
  ];
  const wasThere = seen.some((phase) => isFinal(phase));
  must('only money that is there is credited', wasThere, { id, creditedTo, seen });
}
