import { hasEnoughConfirmations, isAwaitedBy } from '#shared/off-ramps/deposit-match.ts';
import type { OffRamp } from '#shared/off-ramps/off-ramp.ts';
import { type ChainTransfer, transferAt } from '#test/interleavings/world/chain.ts';
import type { Script } from '#test/interleavings/world/script.ts';
import type { World } from '#test/interleavings/world/world.ts';
import { RULES } from '#test/support/off-ramp.ts';
import { checkEvents, createEventStore } from './events.ts';
import { type OperationRecord, type Records, recordsIn } from './records.ts';
import { must } from './violation.ts';

/** So long before the end of its window a deposit is there in time for the last poll. */
const IN_TIME = 2000;
const FOREVER = Number.POSITIVE_INFINITY;

/**
 * What holds when everybody has done what they wanted and nothing is due any more.
 *
 * @throws {Violation}
 */
export function checkFinally({ engine, statusChanges, executions, lostReports }: World, script: Script): void {
  const records = recordsIn(engine);
  const events = createEventStore(engine);
  for (const operation of records.operations) {
    checkEvents(operation, events);
    checkReport(operation, records, script);
    checkEnded(operation, records, script);
  }
  for (const report of lostReports) checkLostReport(report, records, script);
  for (const sent of script.chain) checkTransfer(sent, records, script);
  // Messages of deposits are hints, which the sweep sends again.
  must('no message of another service is given up', statusChanges.deadLetters.length === 0, {});
  const running = [...executions.all.values()].filter(({ status }) => status === 'RUNNING');
  must('every execution ends', running.length === 0, { running: running.length });
}

/** Money that was reported, and was there in its window and ever after, is credited, unless its transaction funds another. */
function checkReport({ id, status, txHash }: OperationRecord, records: Records, { chain, operations }: Script): void {
  const operation = operations.find(({ operationId }) => operationId === id);
  const verification = records.verifications.get(id);
  if (status !== 'AWAITING_DEPOSIT' || operation === undefined || verification === undefined) return;
  const inTime = Date.parse(verification.windowEndsAt) - IN_TIME;
  const isThere = chain.some((sent) => {
    const times = [inTime, ...sent.phases.map(({ at }) => at).filter((at) => at > inTime)];
    return sent.facts.txHash === txHash && times.every((time) => isDepositOf(operation, sent, time));
  });
  must('a deposit that was reported is credited', !isThere || isFunded(records, txHash), { id, txHash });
}

/** Declaring a hash first gains nothing: its deposit goes where it fits, even without a notification. */
function checkLostReport(
  { operation, txHash }: World['lostReports'][number],
  records: Records,
  { chain }: Script,
): void {
  const id = operation.operationId;
  const isWaiting = records.operations.some((one) => one.id === id && one.status === 'AWAITING_DEPOSIT');
  const isThere = chain.some((sent) => sent.facts.txHash === txHash && isDepositOf(operation, sent, FOREVER));
  must('a deposit whose report lost is credited', !isWaiting || !isThere || isFunded(records, txHash), { id, txHash });
}

/** Money with the hash that an operation had declared is known of after its end. */
function checkEnded(
  { id, status, txHash, verifiedTxHash }: OperationRecord,
  records: Records,
  { chain }: Script,
): void {
  if (status === 'AWAITING_DEPOSIT' || verifiedTxHash !== undefined) return;
  const sent = chain.filter((one) => one.facts.txHash === txHash && isFinalAt(one, FOREVER));
  const known = records.deposits.map(({ transferId }) => transferId);
  must(
    'a deposit of an ended operation is known',
    sent.every(({ facts }) => known.includes(facts.custodianTransferId)),
    {
      id,
      txHash,
    },
  );
}

/** A notified deposit is credited or unmatched; one that is not there is neither. */
function checkTransfer(sent: ChainTransfer, records: Records, { operations }: Script): void {
  const { custodianTransferId, txHash } = sent.facts;
  const deposit = records.deposits.find(({ transferId }) => transferId === custodianTransferId);
  if (deposit === undefined) return;
  const last = sent.phases.at(-1);
  const isConfirmed = last?.state === 'CONFIRMED';
  const isLastNotified = Date.parse(deposit.lastNotifiedAt) >= (last?.at ?? 0);
  const isCredited = deposit.creditedTo !== undefined;
  must(
    'what was taken back in the end is reported',
    !isLastNotified || deposit.isReversed === (isCredited && !isConfirmed),
    {
      custodianTransferId,
    },
  );
  must('what failed is not unmatched', !isLastNotified || last?.state !== 'FAILED' || !deposit.isUnmatched, {
    custodianTransferId,
  });
  if (isCredited) return;
  const isFinal = isFinalAt(sent, FOREVER);
  must('a final transfer is credited or unmatched', !isFinal || deposit.isUnmatched, { custodianTransferId });
  must('nothing arrives for ever', !deposit.isArriving, { custodianTransferId });
  // An operation that is made when the money is there already has nothing to do with it.
  const waiting = records.operations.filter(({ id, status }) => {
    const operation = operations.find(({ operationId }) => operationId === id);
    const isWaiting = status === 'AWAITING_DEPOSIT' && operation !== undefined;
    return isWaiting && operation.createdAt < deposit.firstNotifiedAt && isDepositOf(operation, sent, FOREVER);
  });
  must('nothing is unmatched that an operation awaits', waiting.length === 0 || isFunded(records, txHash), {
    custodianTransferId,
    waiting: waiting.map(({ id }) => id).join(),
  });
}

function isDepositOf(operation: OffRamp, sent: ChainTransfer, time: number): boolean {
  const transfer = transferAt(sent, time);
  return transfer !== undefined && isFinalAt(sent, time) && isAwaitedBy(operation, transfer);
}

function isFinalAt(sent: ChainTransfer, time: number): boolean {
  const transfer = transferAt(sent, time);
  return transfer !== undefined && hasEnoughConfirmations(transfer, RULES[transfer.network].minimumConfirmations);
}

function isFunded({ funded }: Records, txHash: string | undefined): boolean {
  return funded.some((claim) => claim.txHash === txHash);
}
