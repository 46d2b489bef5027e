import { type AskForTransfers, CustodianUnavailable, isReadable } from '#shared/off-ramps/custodians/custodian.ts';
import { isDealtWith } from '#shared/off-ramps/model/deposit.ts';
import { hasEnded, hasKnownAddresses, isAwaitedBy } from '#shared/off-ramps/model/deposit-match.ts';
import type { OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import type { Deposits } from '#shared/off-ramps/store/deposit-repository.ts';
import type { HashSearches } from '#shared/off-ramps/store/hash-searches.ts';
import type { Clock } from '#shared/platform/clock.ts';

interface Dependencies {
  readonly deposits: Pick<Deposits, 'isArrivingFor' | 'find'>;
  readonly searches: Pick<HashSearches, 'start'>;
  readonly findTransfers: AskForTransfers;
  readonly clock: Clock;
  /** True if a client waits for the answer. A sweep asks again later. */
  readonly isCancel: boolean;
}

/**
 * Says whether a deposit that the operation awaits is on its way: then the operation must not end. Asks the custodian
 * for the reported hash now. A found transfer that is not being polled starts a search for its hash, because the
 * verification window may be over and the notification lost. A deposit that is credited or left to a person is not on
 * its way, nor is a second record of the same deposit.
 *
 * @throws {CustodianUnavailable} when the custodian's answer does not say whether there is a deposit.
 */
export function createIsDepositOnItsWay({ deposits, searches, findTransfers, clock, isCancel }: Dependencies) {
  return async (operation: OffRamp): Promise<boolean> => {
    if (await deposits.isArrivingFor(operation)) return true;
    const { txHash, network, clientId, createdAt } = operation;
    if (txHash === undefined) return false;
    const asks = isCancel ? { cancelledBy: clientId } : { isReported: true, reportedBy: clientId };
    const transfers = await findTransfers({ network, txHash, since: createdAt, ...asks });
    const readable = transfers.filter(isReadable);
    const possible = readable.filter(
      (transfer) => !hasEnded(transfer) && (!hasKnownAddresses(transfer) || isAwaitedBy(operation, transfer)),
    );
    const found = await Promise.all(possible.map(({ custodianTransferId }) => deposits.find(custodianTransferId)));
    const arriving = found.filter(
      (deposit) => deposit === undefined || !(isDealtWith(deposit) || deposit.ignoredReason === 'RECORDED_TWICE'),
    );
    if (arriving.some((deposit) => deposit?.nextPollAt === undefined))
      await searches.start({ clientId, network, txHash }, clock.now());
    if (arriving.length === 0 && readable.length < transfers.length)
      throw new CustodianUnavailable('A transfer cannot be read.');
    return arriving.length > 0;
  };
}

export type IsDepositOnItsWay = ReturnType<typeof createIsDepositOnItsWay>;
