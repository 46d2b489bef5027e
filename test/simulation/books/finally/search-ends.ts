import { depositIdOf } from '#shared/off-ramps/model/deposit.ts';
import { textIn } from '../bodies.ts';
import { accountOf, isAwaitedBy, isFinal, isFinalFrom, STALE } from '../fits.ts';
import { has, instant, text } from '../items.ts';
import type { Ledger } from '../ledger.ts';
import { must } from '../violation.ts';
import { type Aftermath, LATE } from './aftermath.ts';

/** Milliseconds: the longest pause between two polls of one hash. */
const LONGEST_PAUSE = 2 * 3600 * 1000;

/** A reported deposit is found: in the window of its attempt, or by a search. */
export function checkSearchEnds(aftermath: Aftermath): void {
  checkReports(aftermath);
  checkLostReports(aftermath);
  const { ledger, truth, now } = aftermath;
  for (const [id, search] of ledger.searches) {
    const isPolled = instant(search, 'nextPollAt') >= now - LATE;
    must('no search waits without a poll', isPolled || !has(search, 'nextPollAt'), { id });
    if (isPolled) continue;
    const ends = instant(search, 'endsAt') - LONGEST_PAUSE;
    const found = truth.transfers.filter(
      ({ facts, phases }) => id.endsWith(`#${facts.network}#${facts.txHash}`) && (phases[0]?.at ?? now) <= ends,
    );
    for (const transfer of found) {
      if (!ledger.accounts.has(accountOf(transfer.facts.toAddress))) continue;
      const { custodianTransferId } = transfer.facts;
      must('what a search looks for is found', ledger.deposits.has(custodianTransferId), { id, custodianTransferId });
    }
  }
}

/** A hash that another operation declared first is also searched for, so that declaring it first gains nothing. */
function checkLostReports({ ledger, truth }: Aftermath): void {
  for (const { path, body, answer } of truth.calls) {
    if (textIn(answer?.body, 'code') !== 'TX_HASH_ALREADY_DECLARED') continue;
    const operation = ledger.operations.get(path.split('/').at(-2) ?? '');
    const [clientId, network] = [text(operation, 'clientId'), text(operation, 'network')];
    const txHash = normalised(textIn(body, 'txHash') ?? '');
    const isKnown =
      ledger.searches.has(`HASH#${clientId}#${network}#${txHash}`) || ledger.claims.has(`FUNDED#${txHash}`);
    must('a hash whose report loses is looked for', isKnown, { path, txHash });
  }
}

/** Hexadecimal hashes are stored in lower case. */
function normalised(given: string): string {
  const hash = given.trim();
  return /^(0x)?[0-9a-f]{64}$/i.test(hash) ? hash.toLowerCase() : hash;
}

/** A reported deposit that is final from the end of its window on is credited, unless its transaction funds another. */
function checkReports({ ledger, truth, now }: Aftermath): void {
  for (const [id, operation] of ledger.operations) {
    const verification = ledger.verifications.get(id);
    if (verification === undefined || text(operation, 'status') !== 'AWAITING_DEPOSIT') continue;
    const isPolled = instant(verification, 'nextCheckAt') >= now - LATE;
    must('no attempt waits without a poll', isPolled || !has(verification, 'nextCheckAt'), {
      id,
      at: text(verification, 'nextCheckAt'),
    });
    // The custodian did not answer for a day after the end of the window, and the service gave up.
    if (isPolled || text(verification, 'reason') === 'CUSTODIAN_UNAVAILABLE') continue;
    const txHash = text(operation, 'txHash');
    const windowEndsAt = instant(verification, 'windowEndsAt');
    const inTime = windowEndsAt - STALE - 2000;
    const there = truth.transfers.filter(
      (transfer) =>
        transfer.facts.txHash === txHash &&
        !isEndedOtherwise(ledger, transfer.facts.custodianTransferId, windowEndsAt) &&
        isAwaitedBy(operation, transfer.facts, ledger.operations) &&
        isFinalFrom(transfer, inTime),
    );
    must('a deposit that was reported is credited', there.length === 0 || ledger.claims.has(`FUNDED#${txHash}`), {
      id,
      txHash,
    });
    checkReasonOf(id, txHash, text(verification, 'reason'), truth);
  }
}

/**
 * True if the deposit was returned or kept, which excludes a credit, or its return was requested before the window
 * ended: if that is declined later, another report or a person must credit it.
 */
function isEndedOtherwise({ deposits, events }: Ledger, custodianTransferId: string, windowEndsAt: number): boolean {
  const deposit = deposits.get(custodianTransferId);
  const depositId = depositIdOf(custodianTransferId);
  const depositEvents = [...events.values()]
    .filter(({ data, occurredAt }) => data.depositId === depositId && Date.parse(occurredAt) <= windowEndsAt)
    .toSorted((one, other) => (one.data.sequence ?? 0) - (other.data.sequence ?? 0));
  return has(deposit, 'settled') || has(deposit, 'return') || depositEvents.at(-1)?.data.status === 'RETURN_REQUESTED';
}

/** The reason concerns the declared hash only: a hash that nobody ever used is NOT_FOUND. */
function checkReasonOf(id: string, txHash: string, reason: string, { transfers }: Aftermath['truth']): void {
  const isSeen = transfers.some((transfer) => transfer.facts.txHash === txHash);
  must('the reason is that of the declared hash', isSeen || reason === '' || reason === 'NOT_FOUND', {
    id,
    txHash,
    reason,
  });
  const isConfirmed = transfers.some((transfer) => transfer.phases.some((phase) => isFinal(phase)));
  must('what funds another is there', reason !== 'FUNDS_ANOTHER_OPERATION' || isConfirmed, { id, txHash });
}
