import type { FindTransfers, NotifiedTransfer } from '#shared/custodian/custodian.ts';
import { type CustodianTransfer, hasEnoughConfirmations } from '#shared/domain/deposit-match.ts';
import { nextLookAt } from '#shared/domain/look-schedule.ts';
import type { Network, NetworkRules } from '#shared/domain/network.ts';
import type { ConfirmDeposit } from '#shared/dynamodb/confirm-deposit.ts';
import type { Deposits } from '#shared/dynamodb/deposits.ts';
import type { Clock } from '#shared/runtime/clock.ts';
import { log } from '#shared/runtime/logger.ts';

interface Dependencies {
  readonly deposits: Pick<Deposits, 'find' | 'keepAsUnmatched' | 'noteArriving' | 'noteFailed'>;
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
    const since = new Date((firstNotifiedAt - SEARCHED_BEFORE_SECONDS) * 1000).toISOString();
    const transfers = await deps.findTransfers({ ...notified, since });
    const transfer = transfers.find((one) => one.custodianTransferId === custodianTransferId);
    const { minimumConfirmations } = deps.networkRules[notified.network];
    if (transfer?.state === 'FAILED') {
      log.info('NOTIFIED_DEPOSIT_FAILED', { custodianTransferId });
      await deps.deposits.noteFailed(custodianTransferId);
    } else if (transfer === undefined || !hasEnoughConfirmations(transfer, minimumConfirmations)) {
      await lookAgain(deps, notified, firstNotifiedAt, transfer);
    } else {
      await credit(deps, transfer);
    }
  };
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

async function credit(deps: Dependencies, transfer: CustodianTransfer): Promise<void> {
  const { custodianTransferId, txHash } = transfer;
  for (let round = 1; round <= ROUNDS; round += 1) {
    const candidates = await deps.candidatesFor(transfer);
    for (const operationId of candidates) {
      const { outcome } = await deps.confirmDeposit(operationId, transfer);
      if (outcome === 'CREDITED') {
        log.info('DEPOSIT_DETECTED', { custodianTransferId, txHash, operationId });
        return;
      }
    }
    if (candidates.length === 0) return keepAsUnmatched(deps, transfer);
  }
  if ((await deps.deposits.find(custodianTransferId))?.creditedTo === undefined) await keepAsUnmatched(deps, transfer);
}

async function keepAsUnmatched({ deposits, clock }: Dependencies, transfer: CustodianTransfer): Promise<void> {
  if (await deposits.keepAsUnmatched(transfer, clock.now())) {
    log.error('DEPOSIT_UNMATCHED', { custodianTransferId: transfer.custodianTransferId, txHash: transfer.txHash });
  }
}
