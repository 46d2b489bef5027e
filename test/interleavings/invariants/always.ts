import { mayBecome, type OperationStatus, operationStatuses } from '#shared/off-ramps/off-ramp.ts';
import type { Script } from '#test/interleavings/world/script.ts';
import type { Claim, DepositRecord, OperationRecord, Records } from './records.ts';
import { must } from './violation.ts';

/** A wait may end so much before its time. */
const EARLY = 1000;

/**
 * What holds after every write, whoever made it.
 *
 * @throws {Violation}
 */
export function checkAlways(records: Records, now: number, { chain }: Pick<Script, 'chain'>): void {
  for (const operation of records.operations) {
    checkFunding(operation, records);
    checkAddress(operation, records);
    checkDeclaration(operation, records.declared);
    checkTwins(operation, records);
    checkHistory(operation);
    checkSequence(operation, records);
    checkVerification(operation, records, now);
    checkReason(operation, records, chain);
  }
  for (const deposit of records.deposits) checkDeposit(deposit, records.operations);
}

function checkFunding({ id, verifiedTxHash }: OperationRecord, { funded, deposits }: Records): void {
  const claims = funded.filter(({ operationId }) => operationId === id).map(({ txHash }) => txHash);
  const due = verifiedTxHash === undefined ? [] : [verifiedTxHash];
  must('FUNDED is what is verified', sameTexts(claims, due), { id, claims: claims.join(), verifiedTxHash });
  const credited = deposits.filter(({ creditedTo }) => creditedTo === id);
  must('credited once', credited.length === due.length, { id, deposits: credited.map((one) => one.transferId).join() });
}

/** An address belongs to one user for ever. */
function checkAddress({ id, address, userId }: OperationRecord, { operations }: Records): void {
  const others = operations.filter((one) => one.address === address && one.userId !== userId);
  must('an address is one user’s', others.length === 0, { id, others: others.length });
}

/** An operation holds the hash that it declared while it waits for it, and after that hash has funded it. */
function checkDeclaration(operation: OperationRecord, declared: readonly Claim[]): void {
  const { id, status, txHash, verifiedTxHash } = operation;
  const claims = declared.filter(({ operationId }) => operationId === id).map((claim) => claim.txHash);
  const isDue = txHash !== undefined && (status === 'AWAITING_DEPOSIT' || txHash === verifiedTxHash);
  must('no DECLARED leaked, none missing', sameTexts(claims, isDue ? [txHash] : []), { id, claims: claims.join() });
}

/** Of two that a deposit fits, the one that declared its hash has it; and nobody waits for what is another's. */
function checkTwins({ id, verifiedTxHash, expects }: OperationRecord, { operations, declared }: Records): void {
  const declarant = declared.find(({ txHash }) => txHash === verifiedTxHash)?.operationId;
  const twin = operations.find((one) => one.id !== id && one.id === declarant && one.status === 'AWAITING_DEPOSIT');
  must('a declared hash funds no twin', twin?.expects !== expects, { id, twin: twin?.id });
}

function checkHistory(operation: OperationRecord): void {
  const { id, status, history, verifiedTxHash, isInAwaitingIndex } = operation;
  const pending = history.filter((one) => one === 'PENDING').length;
  must('PENDING once, by a deposit', pending === (verifiedTxHash === undefined ? 0 : 1), { id, pending });
  must('the awaiting index is the status', isInAwaitingIndex === (status === 'AWAITING_DEPOSIT'), { id, status });
  const known = history.filter((one): one is OperationStatus => operationStatuses.some((name) => name === one));
  const isLegal = known.every((to, position) => {
    const from = known[position - 1];
    return from === undefined ? to === 'AWAITING_DEPOSIT' : mayBecome(from, to);
  });
  must('statuses follow one another as they may', isLegal && known.at(-1) === status, { id, history: known.join() });
}

/** Every write of an operation changes its status, begins an attempt or ends the window of one. */
function checkSequence({ id, sequence, attempt, history }: OperationRecord, { windowsEnded }: Records): void {
  const ended = windowsEnded.filter(({ operationId }) => operationId === id).map((one) => one.attempt);
  must('a window ends once', new Set(ended).size === ended.length, { id, ended: ended.join() });
  must('the sequence counts the writes', sequence === history.length + attempt + ended.length, {
    id,
    sequence,
    attempt,
  });
}

function checkVerification({ id, status, attempt, txHash }: OperationRecord, records: Records, now: number): void {
  const verification = records.verifications.get(id);
  must('the verification is of the last attempt', (verification?.attempt ?? 0) === attempt, { id, attempt });
  if (verification === undefined) return;
  must('a next poll is due', verification.hasNextPoll === verification.isInDueIndex, { id, attempt });
  if (status !== 'AWAITING_DEPOSIT') return;
  must('the verification looks for the declared hash', verification.txHash === txHash, { id, txHash });
  const isPublished = records.windowsEnded.some((ended) => ended.operationId === id && ended.attempt === attempt);
  must('an attempt has a next poll, or its end was published', verification.isInDueIndex !== isPublished, {
    id,
    attempt,
  });
  const isOpen = now < Date.parse(verification.windowEndsAt) - EARLY;
  must('an open window is not ended', !isOpen || !isPublished, { id, attempt });
}

/** Of a hash that nobody ever used, nothing is said that was seen of another. */
function checkReason({ id, txHash }: OperationRecord, { verifications }: Records, chain: Script['chain']): void {
  const reason = verifications.get(id)?.reason ?? 'NOT_FOUND';
  const isSeen = chain.some(({ facts }) => facts.txHash === txHash);
  const isKnown = isSeen || reason === 'NOT_FOUND' || reason === 'CUSTODIAN_UNAVAILABLE';
  must('the reason is that of the declared hash', isKnown, { id, txHash, reason });
}

function checkDeposit(deposit: DepositRecord, operations: readonly OperationRecord[]): void {
  const { transferId, creditedTo, txHash } = deposit;
  must('what arrives has a poll to come', !deposit.isArriving || deposit.isInDueIndex, { transferId });
  must('only what was credited is taken back', !deposit.isReversed || creditedTo !== undefined, { transferId });
  if (creditedTo === undefined) return;
  const operation = operations.find(({ id }) => id === creditedTo);
  must('a deposit names the operation that it funds', operation?.verifiedTxHash !== undefined, { transferId });
  must('a deposit funds by its own hash', txHash === undefined || operation?.verifiedTxHash === txHash, { transferId });
  must('what is credited is not unmatched', !deposit.isUnmatched && !deposit.isArriving, { transferId });
}

function sameTexts(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text) => other.includes(text));
}
