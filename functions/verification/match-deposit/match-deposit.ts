import { CustodianUnavailable, type FindTransfers, type NotifiedTransfer } from '#shared/custodian/custodian.ts';
import { type CustodianTransfer, hasEnoughConfirmations } from '#shared/domain/deposit-match.ts';
import { nextLookAt } from '#shared/domain/look-schedule.ts';
import type { Network, NetworkRules } from '#shared/domain/network.ts';
import type { ConfirmDeposit } from '#shared/dynamodb/confirm-deposit.ts';
import type { Deposits } from '#shared/dynamodb/deposits.ts';
import type { Clock } from '#shared/runtime/clock.ts';
import { describe, log } from '#shared/runtime/logger.ts';

interface Dependencies {
  readonly deposits: Pick<Deposits, 'find' | 'keepAsUnmatched' | 'noteArriving' | 'noteGone'>;
  readonly findTransfers: FindTransfers;
  /** Ids of the operations that a confirmed transfer can go to, the first choice first. */
  readonly candidatesFor: (transfer: CustodianTransfer) => Promise<readonly string[]>;
  readonly confirmDeposit: ConfirmDeposit;
  readonly lookAgain: (transfer: NotifiedTransfer, delaySeconds: number) => Promise<void>;
  readonly networkRules: Readonly<Record<Network, NetworkRules>>;
  readonly clock: Clock;
}

const DAY = 24 * 3600;

/** A transfer that is still not confirmed so long after its first notification is left to finance operations. */
const PATIENCE_SECONDS = 14 * DAY;

/** How far before its first notification a transfer can have been made: custodians send again for a month. */
const SEARCHED_BEFORE_SECONDS = 31 * DAY;

/** Longer than an index of the operations lags behind. */
const INDEX_LAG_SECONDS = 15;

/** Lost races, each with other candidates, after which a person has to look. */
const ROUNDS = 3;

/**
 * Brings a notified transfer to the operation that awaits it, once it has confirmations enough. Handling it again
 * changes nothing; a transfer that nobody awaits is kept as unmatched for finance operations.
 */
export function matchDeposit(deps: Dependencies) {
  return async (notified: NotifiedTransfer): Promise<void> => {
    const { custodianTransferId } = notified;
    const deposit = await deps.deposits.find(custodianTransferId);
    if (deposit === undefined) throw new Error(`The notification of ${custodianTransferId} was queued but not stored.`);
    if (deposit.creditedTo !== undefined) return;

    const firstNotifiedAt = Date.parse(deposit.firstNotifiedAt) / 1000;
    const transfer = await lookUp(deps, notified, firstNotifiedAt);
    if (transfer === 'NO_ANSWER') return lookAgain(deps, notified, firstNotifiedAt, undefined);
    if (transfer !== undefined && transfer.state !== 'FAILED') return bring(deps, notified, firstNotifiedAt, transfer);
    await deps.deposits.noteGone(custodianTransferId);
    if (transfer === undefined) return lookAgain(deps, notified, firstNotifiedAt, undefined);
    log.info('NOTIFIED_DEPOSIT_FAILED', { custodianTransferId });
  };
}

/** A transfer that can still be credited goes to its operation, once it has confirmations enough. */
async function bring(
  deps: Dependencies,
  notified: NotifiedTransfer,
  firstNotifiedAt: number,
  transfer: CustodianTransfer,
): Promise<void> {
  const { minimumConfirmations } = deps.networkRules[notified.network];
  if (!hasEnoughConfirmations(transfer, minimumConfirmations)) {
    await lookAgain(deps, notified, firstNotifiedAt, transfer);
  } else if (!(await credit(deps, transfer))) {
    await file(deps, notified, firstNotifiedAt, transfer);
  }
}

/** The transfer as the custodian has it now. */
async function lookUp(
  { findTransfers }: Dependencies,
  notified: NotifiedTransfer,
  firstNotifiedAt: number,
): Promise<CustodianTransfer | undefined | 'NO_ANSWER'> {
  const since = new Date((firstNotifiedAt - SEARCHED_BEFORE_SECONDS) * 1000).toISOString();
  try {
    const transfers = await findTransfers({ ...notified, since });
    return transfers.find((one) => one.custodianTransferId === notified.custodianTransferId);
  } catch (error) {
    if (!(error instanceof CustodianUnavailable)) throw error;
    log.warn('CUSTODIAN_UNAVAILABLE', { custodianTransferId: notified.custodianTransferId, cause: describe(error) });
    return 'NO_ANSWER';
  }
}

async function lookAgain(
  { lookAgain: queueLook, deposits, networkRules, clock }: Dependencies,
  notified: NotifiedTransfer,
  firstNotifiedAt: number,
  transfer: CustodianTransfer | undefined,
): Promise<void> {
  const now = clock.now().getTime() / 1000;
  const window = { startsAt: firstNotifiedAt, endsAt: firstNotifiedAt + PATIENCE_SECONDS };
  const next = nextLookAt(now, window, networkRules[notified.network].finalitySeconds, true);
  if (next !== undefined) {
    if (transfer !== undefined) await deposits.noteArriving(transfer);
    return queueLook(notified, next - now);
  }
  log.error('DEPOSIT_NEVER_CONFIRMED', { custodianTransferId: notified.custodianTransferId });
  if (transfer !== undefined) await deposits.keepAsUnmatched(transfer, clock.now());
}

/** Whether the transfer needs nothing more: it is credited, by this call or another. */
async function credit(deps: Dependencies, transfer: CustodianTransfer): Promise<boolean> {
  const { custodianTransferId, txHash } = transfer;
  for (let round = 1; round <= ROUNDS; round += 1) {
    const candidates = await deps.candidatesFor(transfer);
    for (const operationId of candidates) {
      const { outcome } = await deps.confirmDeposit(operationId, transfer);
      if (outcome === 'CREDITED') {
        log.info('DEPOSIT_DETECTED', { custodianTransferId, txHash, operationId });
        return true;
      }
    }
    if (candidates.length === 0) break;
  }
  return (await deps.deposits.find(custodianTransferId))?.creditedTo !== undefined;
}

/** The index that finds operations may lag behind: a transfer that was only just notified is looked at once more. */
async function file(
  deps: Dependencies,
  notified: NotifiedTransfer,
  firstNotifiedAt: number,
  transfer: CustodianTransfer,
): Promise<void> {
  const now = deps.clock.now();
  if (now.getTime() / 1000 - firstNotifiedAt < INDEX_LAG_SECONDS) {
    return lookAgain(deps, notified, firstNotifiedAt, transfer);
  }
  if (await deps.deposits.keepAsUnmatched(transfer, now)) {
    log.error('DEPOSIT_UNMATCHED', { custodianTransferId: transfer.custodianTransferId, txHash: transfer.txHash });
  }
}
