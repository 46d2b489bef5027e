import type { Network } from '#shared/networks/network.ts';
import { type Custodians, CustodianUnavailable } from '#shared/off-ramps/custodians/custodian.ts';
import { createAskForPage, createAskForScan } from '#shared/off-ramps/custodians/find-transfers.ts';
import type { ReadTransfer } from '#shared/off-ramps/custodians/normal-form.ts';
import type { CustodianList, CustodianLists } from '#shared/off-ramps/store/custodian-lists.ts';
import type { SendDepositPoll } from '#shared/off-ramps/store/deposit-polls.ts';
import type { Deposits } from '#shared/off-ramps/store/deposit-repository.ts';
import { compareAmounts } from '#shared/platform/amount.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { inGroups } from '#shared/platform/collections.ts';
import { describe, log } from '#shared/platform/logger.ts';

interface Dependencies {
  readonly custodians: Custodians<'listTransfers'>;
  readonly chains: Custodians<'scanTransfers'>;
  readonly lists: CustodianLists;
  readonly deposits: Pick<Deposits, 'rememberFound' | 'rememberUnreadable'>;
  /** By the custodian's asset id: less is dust that no off-ramp awaits. */
  readonly dustBelow: Readonly<Record<string, string>>;
  readonly sendPoll: SendDepositPoll;
  readonly clock: Clock;
}

type Custodian = Parameters<typeof createAskForPage>[0];

type Scanning = Parameters<typeof createAskForScan>[0];

/** Milliseconds from the end of a list to the next one. Also the overlap of lists: transfers may appear late. */
const HOUR = 3600_000;

/** Milliseconds that the first list goes back: one of our addresses may have got a transfer before the first run. */
const DAY = 24 * HOUR;

/** Milliseconds after which a run reads no further page. Leaves time to finish before the function times out. */
export const RUNS_FOR = 40_000;

const NEVER = new Date(0).toISOString();

/** The most transfers that are handed over at the same time. */
export const AT_ONCE = 25;

/**
 * Lists each hour the custodians' transfers of every state that were created since an hour before the last list, and
 * scans each minute the networks that are read block by block. Hands over to detection the transfers that nobody has
 * reported (decisions.md 12, Reconciliation), so that a lost notification costs an hour and no deposit. The next run
 * continues a list that was too long or broke off; a cursor moves only past transfers that were handed over.
 *
 * @returns the number of transfers that it handed over
 */
export function reconcileCustodian(deps: Dependencies) {
  return async (): Promise<number> => {
    const stopsAt = deps.clock.now().getTime() + RUNS_FOR;
    const lists = [...new Set(deps.custodians.values())].map((one) => ({
      about: { custodian: one.name },
      read: () => readOn(deps, one, stopsAt),
    }));
    const scans = [...deps.chains].map(([network, one]) => ({
      about: { custodian: one.name, network },
      read: () => scanOn(deps, network, one, stopsAt),
    }));
    // All at the same time, so that a custodian that does not answer delays no other.
    const read = await Promise.allSettled([...lists, ...scans].map((one) => orUnavailable(one)));
    return read.reduce((sum, one) => {
      if (one.status === 'rejected') throw one.reason;
      return sum + one.value;
    }, 0);
  };
}

interface Reading {
  readonly about: Readonly<Record<string, string>>;
  readonly read: () => Promise<number>;
}

async function orUnavailable({ about, read }: Reading): Promise<number> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof CustodianUnavailable)) throw error;
    log.warn('CUSTODIAN_UNAVAILABLE', { ...about, cause: describe(error) });
    return 0;
  }
}

async function readOn(deps: Dependencies, custodian: Custodian, stopsAt: number): Promise<number> {
  const { lists, clock } = deps;
  const askForPage = createAskForPage(custodian, clock);
  let found = 0;
  for (let list = await dueList(deps, custodian.name); list && clock.now().getTime() < stopsAt; ) {
    const { createdSince } = list;
    const { transfers, cursor } = await pageOf(deps, custodian.name, list, askForPage);
    const handedOver = await handOverAll(deps, transfers, () => createdSince, stopsAt);
    found += handedOver.found;
    if (!handedOver.isAll) break;
    const isMoved = await lists.move(custodian.name, { ...list, cursor, isRead: cursor === undefined });
    // Another run reads the same list.
    if (!isMoved || cursor === undefined) break;
    list = { ...list, cursor, version: list.version + 1 };
  }
  return found;
}

/**
 * Reads the next page of a list. A cursor may expire. If a page fails once the next list would be due, its cursor is
 * given up, and the list is read again from its beginning. A pause that the custodian asks for says nothing about the
 * cursor.
 */
async function pageOf(
  { lists, clock }: Dependencies,
  custodian: string,
  list: CustodianList,
  askForPage: ReturnType<typeof createAskForPage>,
) {
  const { createdSince, until, cursor } = list;
  try {
    return await askForPage({ createdSince, until, cursor });
  } catch (error) {
    const isPause = error instanceof CustodianUnavailable && error.retryAfter !== undefined;
    const isOld = clock.now().getTime() >= Date.parse(until) + HOUR;
    if (cursor !== undefined && isOld && !isPause) await lists.move(custodian, { ...list, cursor: undefined });
    throw error;
  }
}

/** Reads new and newly final transfers of a network. The final ones are polled now, even if they were reported. */
async function scanOn(deps: Dependencies, network: Network, custodian: Scanning, stopsAt: number): Promise<number> {
  const { lists, clock } = deps;
  const name = `${custodian.name}:${network}`;
  const scan = createAskForScan(custodian, clock);
  let list = await lists.find(name);
  let found = 0;
  while (clock.now().getTime() < stopsAt) {
    const at = clock.now().toISOString();
    const { transfers, cursor, isAtEnd } = await scan({ network, cursor: list?.cursor });
    const wanted = transfers.filter((one) => !isDustSoFar(deps, one));
    const handedOver = await handOverAll(deps, wanted, (one) => pollsSince(one, list?.until ?? NEVER), stopsAt);
    found += handedOver.found;
    if (!handedOver.isAll) break;
    // A millisecond later than every report until now.
    const until = new Date(clock.now().getTime() + 1).toISOString();
    const moved = { createdSince: list?.createdSince ?? at, until, cursor, isRead: isAtEnd };
    const version = list?.version ?? 0;
    if (!(await lists.move(name, { ...moved, version })) || isAtEnd) break;
    list = { ...moved, version: version + 1 };
  }
  return found;
}

/** True for dust that is not final: strangers send it cheaply to many addresses. The scan finds it again once final. */
function isDustSoFar({ dustBelow }: Dependencies, transfer: ReadTransfer): boolean {
  if (!('state' in transfer) || transfer.state !== 'UNCONFIRMED') return false;
  const { [transfer.assetId]: least } = dustBelow;
  return least !== undefined && compareAmounts(transfer.amount, least) < 0;
}

/**
 * A new transfer is polled unless it was reported since its block; a final one unless it was reported since the
 * cursor moved last, so that a part that is handed over in several runs is polled once.
 */
function pollsSince(transfer: ReadTransfer, movedAt: string): string {
  return 'state' in transfer && transfer.state !== 'CONFIRMED' ? transfer.createdAt : movedAt;
}

/** Hands over in groups, because strangers decide the number of transfers. The next run takes what this one cannot. */
async function handOverAll(
  deps: Dependencies,
  transfers: readonly ReadTransfer[],
  sinceOf: (transfer: ReadTransfer) => string,
  stopsAt: number,
): Promise<{ readonly found: number; readonly isAll: boolean }> {
  // All get one time: otherwise the poll of one transfer hands over the older ones of its transaction again.
  const at = deps.clock.now().toISOString();
  let found = 0;
  for await (const group of inGroups(transfers, AT_ONCE)) {
    if (deps.clock.now().getTime() >= stopsAt) return { found, isAll: false };
    const handedOver = await Promise.all(group.map((one) => handOver(deps, { createdSince: sinceOf(one), at }, one)));
    found += handedOver.filter(Boolean).length;
  }
  return { found, isAll: true };
}

/** The list that must be read now, if any. */
async function dueList({ lists, clock }: Dependencies, custodian: string): Promise<CustodianList | undefined> {
  const last = await lists.find(custodian);
  if (last?.isRead === false) return last;
  const now = clock.now().getTime();
  const readUpTo = last && Date.parse(last.until);
  if (readUpTo !== undefined && now < readUpTo + HOUR) return undefined;
  const createdSince = new Date(readUpTo === undefined ? now - DAY : readUpTo - HOUR).toISOString();
  const due = { createdSince, until: new Date(now).toISOString(), isRead: false, version: last?.version ?? 0 };
  if (last !== undefined) return due;
  // Store the first list before it is read, so that its beginning stays the same while the custodian does not answer.
  return (await lists.move(custodian, due)) ? { ...due, version: 1 } : undefined;
}

/** False for an unreadable transfer, and for one that was reported since `createdSince` and so has its own polls. */
async function handOver(
  { deposits, sendPoll, clock }: Dependencies,
  { createdSince, at }: { readonly createdSince: string; readonly at: string },
  transfer: ReadTransfer,
): Promise<boolean> {
  const { custodianTransferId } = transfer;
  if ('unreadableFields' in transfer) {
    const { unreadableFields: fields, unknownNetwork: network } = transfer;
    if (network !== undefined) {
      log.warn('ASSET_NOT_SERVED', { custodianTransferId, network });
      return false;
    }
    log.error('TRANSFER_UNREADABLE', { custodianTransferId, fields });
    if (custodianTransferId !== undefined) await deposits.rememberUnreadable(custodianTransferId, fields, clock.now());
    return false;
  }
  const poll = await deposits.rememberFound(createdSince, transfer, clock.now(), { at });
  if (poll === undefined) return false;
  await sendPoll(poll, 0);
  log.info('DEPOSIT_FOUND_BY_LIST', { custodianTransferId, txHash: transfer.txHash });
  return true;
}
