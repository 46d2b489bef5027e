import type { Network } from '#shared/networks/network.ts';
import {
  type AskForTransfers,
  type Custodians,
  isReadable,
  type Notified,
  type NotifiedTransfer,
} from '#shared/off-ramps/custodians/custodian.ts';
import type { receiveCustodianNotificationContract } from '#shared/off-ramps/custodians/custodian-notification-contract.ts';
import { type AskForTransfer, searchStart } from '#shared/off-ramps/custodians/find-transfers.ts';
import type { ReadNotified, Unreadable } from '#shared/off-ramps/custodians/normal-form.ts';
import { readNotifications } from '#shared/off-ramps/custodians/read-notification.ts';
import type { DepositPoll, SendDepositPoll } from '#shared/off-ramps/store/deposit-polls.ts';
import type { Deposits } from '#shared/off-ramps/store/deposit-repository.ts';
import { CUSTODIAN, type HashSearches } from '#shared/off-ramps/store/hash-searches.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { refuseUnsigned } from '#shared/platform/http/refuse-unsigned.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';
import { log } from '#shared/platform/logger.ts';

interface Dependencies {
  readonly notifiers: Custodians<'readNotification'>;
  readonly isServed: (network: Network) => boolean;
  readonly findTransfers: AskForTransfers;
  readonly findTransfer: AskForTransfer;
  readonly deposits: Pick<Deposits, 'find' | 'remember' | 'rememberUnreadable'>;
  readonly searches: Pick<HashSearches, 'start'>;
  readonly sendPoll: SendDepositPoll;
  readonly clock: Clock;
}

/**
 * Stores and queues every transfer that a signed notification names before it answers. A repeated notification is
 * queued again, to finish the work of a first try that broke off. Any failure answers 5xx, so that the custodian sends
 * the notification again. The sweep finds transfers that were stored but not queued. An unreadable transfer is not
 * lost: a deposit with its id is polled; without one, an alarm and, if the id is known, the list `unreadable` show it
 * to operators. It does not hide the other transfers of the notification. A transfer on a network that the stage does
 * not serve is counted, and the custodian need not send it again (decisions.md 12, Notifications).
 */
export function receiveCustodianNotification(deps: Dependencies): UseCase<typeof receiveCustodianNotificationContract> {
  return async ({ path, bytes, http: { headers, query } }) => {
    const all = [...deps.notifiers.values()];
    const custodian = path.custodian === undefined ? all[0] : all.find(({ name }) => name === path.custodian);
    if (custodian === undefined) throw new ApiError(apiErrors.NOT_FOUND);
    const reading = readNotifications(custodian, { rawBody: bytes(), headers, query });
    const named = await refuseUnsigned('custodian', reading);
    const taken: Taken[] = [];
    for (const one of named) taken.push(...(await take(deps, one)));
    const polls = taken.filter((one) => typeof one !== 'string');
    for (const poll of polls) await deps.sendPoll(poll, 0);
    if (taken.includes('UNREADABLE')) {
      throw new ApiError(apiErrors.SERVICE_UNAVAILABLE, { retryAfterSeconds: SENT_AGAIN_AFTER });
    }
    return { body: { received: polls.length > 0 }, ids: { custodianTransferId: polls[0]?.custodianTransferId } };
  };
}

/** Seconds after which the custodian may send an unreadable notification again: time for a person to look at it. */
const SENT_AGAIN_AFTER = 60;

type Taken = DepositPoll | 'UNREADABLE' | 'UNKNOWN';

/** Stores a named transfer for polling. If only its transaction is named, stores all transfers of that transaction. */
async function take(deps: Dependencies, named: ReadNotified): Promise<readonly Taken[]> {
  if ('unreadableFields' in named || named.custodianTransferId !== undefined) return [await takeOne(deps, named)];
  if (!deps.isServed(named.network)) return [notServed(named)];
  const { deposits, searches, findTransfers, clock } = deps;
  const since = searchStart(clock.now().toISOString());
  const found = (await findTransfers({ ...named, since })).filter(isReadable);
  const polls: Taken[] = [];
  for (const transfer of found) polls.push(await deposits.remember(transfer, clock.now()));
  if (polls.length > 0) return polls;
  const { custodianTransferId, nextPollAt } = await searches.start({ clientId: CUSTODIAN, ...named }, clock.now());
  return nextPollAt === undefined ? [] : [{ custodianTransferId, nextPollAt }];
}

/** Stores one transfer. UNKNOWN: the custodian does not know its own id, or the stage does not serve the network. */
async function takeOne(
  deps: Dependencies,
  named: Exclude<ReadNotified, { custodianTransferId?: undefined; network: unknown }>,
): Promise<Taken> {
  const { deposits, clock } = deps;
  if ('unreadableFields' in named) return takeUnreadable(deps, named);
  const transfer = named.txHash === undefined ? await lookUp(deps, named.custodianTransferId) : named;
  if (transfer === undefined) return 'UNKNOWN';
  if ('unreadableFields' in transfer) return takeUnreadable(deps, transfer);
  return deps.isServed(transfer.network) ? deposits.remember(transfer, clock.now()) : notServed(transfer);
}

/** Logs a transfer on a network that is not served. The lines are counted, and operators are alerted once a day. */
function notServed({ custodianTransferId, network }: Pick<Notified, 'custodianTransferId' | 'network'>) {
  log.warn('ASSET_NOT_SERVED', { ...(custodianTransferId !== undefined && { custodianTransferId }), network });
  return 'UNKNOWN' as const;
}

/** Finds a transfer by its id. @throws {CustodianUnavailable} so that the custodian sends its notification again */
async function lookUp(
  { deposits, findTransfer }: Dependencies,
  custodianTransferId: string,
): Promise<NotifiedTransfer | Unreadable | undefined> {
  return (await deposits.find(custodianTransferId)) ?? findTransfer({ custodianTransferId });
}

async function takeUnreadable({ deposits, clock }: Dependencies, unreadable: Unreadable) {
  const { custodianTransferId, unreadableFields: fields, unknownNetwork: network } = unreadable;
  if (network !== undefined) return notServed({ ...unreadable, network });
  log.error('NOTIFICATION_UNREADABLE', { custodianTransferId, fields });
  if (custodianTransferId === undefined) return 'UNREADABLE';
  const deposit = await deposits.find(custodianTransferId);
  if (deposit !== undefined) return deposits.remember(deposit, clock.now());
  await deposits.rememberUnreadable(custodianTransferId, fields, clock.now());
  return 'UNREADABLE';
}
