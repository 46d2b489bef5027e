import type { Network, NetworkRules } from '#shared/networks/network.ts';
import type { FindAddressOwners } from '#shared/off-ramps/assigned-addresses.ts';
import type { ConfirmDeposit } from '#shared/off-ramps/confirm-deposit.ts';
import type { FindTransfers } from '#shared/off-ramps/custodians/custodian.ts';
import type { CustodianTransfer } from '#shared/off-ramps/custodians/custodian-transfer.ts';
import { arriving, type Deposit, failed, notFound, unmatched } from '#shared/off-ramps/deposit.ts';
import { hasEnoughConfirmations, isAwaitedBy } from '#shared/off-ramps/deposit-match.ts';
import type { DepositPoll } from '#shared/off-ramps/deposit-polls.ts';
import type { Deposits } from '#shared/off-ramps/deposit-store.ts';
import type { OffRamps } from '#shared/off-ramps/off-ramp-store.ts';
import { nextPollTime } from '#shared/off-ramps/poll-schedule.ts';
import { log } from '#shared/platform/logger.ts';
import { type Answer, askForDeposit } from './ask-custodian.ts';
import { checkCredited } from './check-credited.ts';
import { type Conclusion, concludePoll } from './conclude-poll.ts';

interface Dependencies extends Conclusion {
  readonly deposits: Pick<Deposits, 'find'>;
  readonly findTransfers: FindTransfers;
  readonly findAddressOwners: FindAddressOwners;
  readonly operations: Pick<OffRamps, 'find'>;
  readonly confirmDeposit: ConfirmDeposit;
  readonly networkRules: Readonly<Record<Network, NetworkRules>>;
}

/** A deposit as it was read for its poll. */
type PolledDeposit = Deposit & DepositPoll;

/** Seconds: a transfer that is still not confirmed so long after its last notification is left to finance operations. */
const LONGEST_WAIT = 14 * 24 * 3600;

/**
 * One poll of a notified transfer: once it has enough confirmations it is credited to its address's operation, if that
 * awaits it, and else kept as unmatched for finance operations. A poll that was made already, or that another one has
 * replaced, changes nothing.
 */
export function matchDeposit(deps: Dependencies) {
  return async ({ custodianTransferId, nextPollAt }: DepositPoll): Promise<void> => {
    const found = await deps.deposits.find(custodianTransferId);
    if (found === undefined) throw new Error(`There is no deposit ${custodianTransferId}.`);
    if (found.nextPollAt !== nextPollAt) return;
    const deposit: PolledDeposit = { ...found, nextPollAt };
    const answer = await askForDeposit(deps.findTransfers, deposit);
    if (deposit.creditedTo === undefined) return matchUncredited(deps, deposit, answer);
    return checkCredited(deps, deposit, answer, nextPoll(deps, deposit, answer));
  };
}

/** A transfer that can still be credited is, once it has enough confirmations. */
async function matchUncredited(deps: Dependencies, deposit: PolledDeposit, answer: Answer): Promise<void> {
  if (typeof answer === 'string') return pollAgain(deps, deposit, answer);
  if (answer.state === 'FAILED') {
    log.info('NOTIFIED_DEPOSIT_FAILED', { custodianTransferId: deposit.custodianTransferId });
    await concludePoll(deps, deposit, failed(answer), undefined);
    return;
  }
  const { minimumConfirmations } = deps.networkRules[deposit.network];
  if (!hasEnoughConfirmations(answer, minimumConfirmations)) return pollAgain(deps, deposit, answer);
  const creditedTo = await credit(deps, answer);
  if (creditedTo === undefined) return file(deps, deposit, answer);
  await concludePoll(deps, { ...deposit, creditedTo }, {}, undefined);
}

/**
 * When the deposit is due again, in seconds since 1970: at its network's finality, then after growing waits, from its last
 * notification on, or from when it was credited.
 */
function nextPoll({ clock, networkRules }: Dependencies, deposit: Deposit, answer: Answer): number | undefined {
  const { lastNotifiedAt, creditedAt = lastNotifiedAt } = deposit;
  const startsAt = Math.max(Date.parse(lastNotifiedAt), Date.parse(creditedAt)) / 1000;
  return nextPollTime(
    clock.now().getTime() / 1000,
    { startsAt, endsAt: startsAt + LONGEST_WAIT },
    networkRules[deposit.network].finalitySeconds,
    answer !== 'NO_ANSWER',
  );
}

/** Not final yet: it is polled again or, after the longest wait, no longer prevents a cancellation. */
async function pollAgain(deps: Dependencies, deposit: PolledDeposit, answer: Answer): Promise<void> {
  const next = nextPoll(deps, deposit, answer);
  if (next !== undefined) {
    const change = answer === 'NO_ANSWER' ? {} : answer === 'NOT_FOUND' ? notFound : arriving(answer);
    await concludePoll(deps, deposit, change, next);
    return;
  }
  log.error('DEPOSIT_NEVER_CONFIRMED', { custodianTransferId: deposit.custodianTransferId });
  const last = answer === 'NO_ANSWER' ? deposit.transfer : answer === 'NOT_FOUND' ? undefined : answer;
  const change = last === undefined ? notFound : unmatched(deposit, last, deps.clock.now());
  await concludePoll(deps, deposit, change, undefined);
}

/** The operation that the transfer is credited to, by this call or another: no other than its address's operation. */
async function credit(deps: Dependencies, transfer: CustodianTransfer): Promise<string | undefined> {
  const { custodianTransferId, txHash } = transfer;
  const [owner] = (await deps.findAddressOwners(transfer)) ?? [];
  const operation = owner && (await deps.operations.find(owner.operationId));
  if (operation !== undefined && isAwaitedBy(operation, transfer)) {
    const { operationId } = operation;
    const { outcome } = await deps.confirmDeposit(operationId, transfer);
    if (outcome === 'CREDITED') {
      log.info('DEPOSIT_DETECTED', { custodianTransferId, txHash, operationId });
      return operationId;
    }
  }
  return (await deps.deposits.find(custodianTransferId))?.creditedTo;
}

async function file(deps: Dependencies, deposit: PolledDeposit, transfer: CustodianTransfer): Promise<void> {
  const isKept = await concludePoll(deps, deposit, unmatched(deposit, transfer, deps.clock.now()), undefined);
  if (isKept && deposit.unmatched === undefined) {
    log.error('DEPOSIT_UNMATCHED', { custodianTransferId: transfer.custodianTransferId, txHash: transfer.txHash });
  }
}
