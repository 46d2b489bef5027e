import { parseAddress } from '#shared/networks/network.ts';
import { createAskForMovements, createReadBalances } from '#shared/off-ramps/custodians/ask-sendings.ts';
import {
  type BookedCustodians,
  type CustodianTransfer,
  CustodianUnavailable,
} from '#shared/off-ramps/custodians/custodian.ts';
import { isIdOf, type Unreadable } from '#shared/off-ramps/custodians/normal-form.ts';
import type { OutgoingTransfer } from '#shared/off-ramps/custodians/outgoing.ts';
import type { ReturnRoutes } from '#shared/off-ramps/custodians/returns-setting.ts';
import type { Deposit } from '#shared/off-ramps/model/deposit.ts';
import {
  bookIncoming,
  bookOutgoing,
  bookUnlisted,
  bookUnseenReturn,
  type OutgoingKind,
} from '#shared/off-ramps/model/deposit-books.ts';
import { isReturnOf } from '#shared/off-ramps/model/returns.ts';
import type { FindReturnedDeposits } from '#shared/off-ramps/store/claims.ts';
import type { FindDeposits, ListCreated } from '#shared/off-ramps/store/created-deposits.ts';
import type { SendDepositPoll } from '#shared/off-ramps/store/deposit-polls.ts';
import type { Deposits } from '#shared/off-ramps/store/deposit-repository.ts';
import type { FindDepositOfSending } from '#shared/off-ramps/store/return-lists.ts';
import type { ComparedPart } from '#shared/platform/books/day-under-way.ts';
import { type Bookkeeping, keepBook, type Ledger } from '#shared/platform/books/keep-book.ts';
import { describe, log } from '#shared/platform/logger.ts';

interface Dependencies extends Bookkeeping {
  readonly custodians: BookedCustodians;
  readonly listCreated: ListCreated;
  readonly findDeposits: FindDeposits;
  readonly findReturnedDeposits: FindReturnedDeposits;
  readonly findDepositOfSending: FindDepositOfSending;
  readonly deposits: Pick<Deposits, 'rememberFound'>;
  readonly sendPoll: SendDepositPoll;
  /** The stage's own accounts: a movement between them is a sweep. */
  readonly returns: ReturnRoutes;
}

type Custodian = Dependencies['custodians'] extends ReadonlyMap<unknown, infer One> ? One : never;

/** Milliseconds after which a run begins no further part. Leaves time to finish before the function times out. */
export const RUNS_FOR = 35_000;

/** Milliseconds within which the hourly list finds a transfer that nobody has reported. */
const FOUND_WITHIN = 2 * 3600_000;

/** The most movements of a part, unless more have one time. A part is in memory, and repeated after a failure. */
const MOST_OF_PART = 2000;

export const depositBookOf = (custodian: string) => `deposits of ${custodian}`;

/** Keeps the books of custodians that list movements (decisions.md 9, Books). @returns the number of finished days */
export function balanceDeposits(deps: Dependencies) {
  const keep = keepBook(deps);
  return async (): Promise<number> => {
    const until = deps.clock.now().getTime() + RUNS_FOR;
    const books = [...new Set(deps.custodians.values())].map(async (custodian) => {
      try {
        return await keep(ledgerOf(deps, custodian), until);
      } catch (error) {
        if (!(error instanceof CustodianUnavailable)) throw error;
        log.warn('CUSTODIAN_UNAVAILABLE', { custodian: custodian.name, cause: describe(error) });
        return 0;
      }
    });
    // All at the same time, so that a custodian that does not answer delays no other.
    const kept = await Promise.allSettled(books);
    return kept.reduce((sum, one) => {
      if (one.status === 'rejected') throw one.reason;
      return sum + one.value;
    }, 0);
  };
}

function ledgerOf(deps: Dependencies, custodian: Custodian): Ledger {
  const askForMovements = createAskForMovements(custodian, deps.clock);
  return {
    name: depositBookOf(custodian.name),
    read: async ({ from, to, position = from }) => {
      const { listed, end } = await partOf(askForMovements, Date.parse(position), Date.parse(to));
      return {
        ...(await compare(deps, custodian.name, listed, { from: position, to: end })),
        ...(end < to && { position: end }),
      };
    },
    ...balancesOf(deps, custodian),
  };
}

/** The opening of a book: the custodian's balance, with which each later day is compared, or nothing. */
function balancesOf(
  { clock }: Dependencies,
  { name, readBalances }: Custodian,
): Pick<Ledger, 'readBalances' | 'opensWith'> {
  if (readBalances === undefined) return { opensWith: {} };
  const read = createReadBalances({ name, readBalances }, clock);
  return {
    readBalances: async () => Object.fromEntries((await read()).map(({ assetId, amount }) => [assetId, amount])),
  };
}

/** The movements that the custodian lists for a time. */
interface Listed {
  readonly incoming: readonly CustodianTransfer[];
  readonly outgoing: readonly OutgoingTransfer[];
  readonly unreadable: readonly Unreadable[];
}

/**
 * Reads the movements of one part: from `from` up to `to`, or fewer if there are too many. The list is in the order of
 * creation. A part that is cut ends just before the last time that was read, so that no time is in two parts.
 */
async function partOf(ask: ReturnType<typeof createAskForMovements>, from: number, to: number) {
  const incoming: Page['incoming'][number][] = [];
  const outgoing: Page['outgoing'][number][] = [];
  const query = { createdSince: new Date(from).toISOString(), until: new Date(to).toISOString() };
  let [last, end] = [from, to];
  let cursor: string | undefined;
  do {
    const page = await ask({ ...query, cursor });
    incoming.push(...page.incoming);
    outgoing.push(...page.outgoing);
    last = [...page.incoming, ...page.outgoing].reduce((latest, one) => Math.max(latest, timeOf(one) ?? 0), last);
    cursor = page.cursor;
    // Unreadable movements count, too: strangers can send any number on networks that are not served.
    const isEnough = incoming.length + outgoing.length >= MOST_OF_PART && last > from;
    if (cursor !== undefined && isEnough) end = Math.min(to, last);
  } while (cursor !== undefined && end === to);
  const isOfPart = (one: Page['incoming'][number] | Page['outgoing'][number]) => {
    const time = timeOf(one) ?? from;
    return time >= from && time < end;
  };
  const ofPart = { incoming: incoming.filter(isOfPart), outgoing: outgoing.filter(isOfPart) };
  const listed: Listed = {
    incoming: ofPart.incoming.filter(isReadable),
    outgoing: ofPart.outgoing.filter(isReadable),
    unreadable: unreadableIn(ofPart),
  };
  return { listed, end: new Date(end).toISOString() };
}

function isReadable<Read extends object>(one: Read | Unreadable): one is Read {
  return !('unreadableFields' in one);
}

type Page = Pick<Awaited<ReturnType<ReturnType<typeof createAskForMovements>>>, 'incoming' | 'outgoing'>;

/** Leaves out incoming transfers on networks that are not served: not ours. Outgoing ones are always our money. */
function unreadableIn({ incoming, outgoing }: Page): readonly Unreadable[] {
  const came = incoming.flatMap((one) => ('unreadableFields' in one ? [one] : []));
  const left = outgoing.flatMap((one) => ('unreadableFields' in one ? [one] : []));
  return [...came.filter(({ unknownNetwork }) => unknownNetwork === undefined), ...left];
}

function timeOf({ createdAt }: CustodianTransfer | OutgoingTransfer | Unreadable): number | undefined {
  return createdAt === undefined ? undefined : Date.parse(createdAt);
}

/** Compares all movements that the custodian lists for a time with all deposits and returns that we have for it. */
async function compare(
  deps: Dependencies,
  custodian: string,
  movements: Listed,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<ComparedPart> {
  const incoming = new Map(movements.incoming.map((one) => [one.custodianTransferId, one]));
  const outgoing = new Map(movements.outgoing.map((one) => [one.movementId, one]));
  const differences = movements.unreadable.map(
    ({ custodianTransferId: id = 'without id', unreadableFields }): ComparedPart['differences'][number] => ({
      ...{ kind: 'TRANSFER_UNREADABLE', id, what: `Its ${unreadableFields} cannot be read.` },
    }),
  );
  const listed = [...incoming.keys()];
  const created = (await deps.listCreated(from, to)).filter((id) => isIdOf(custodian, id));
  const found = await deps.findDeposits([...listed, ...created]);
  const ours = created.map((id) => found.get(id)).filter((one) => one !== undefined && one !== 'UNREADABLE');
  const booked = [...incoming.values()].map((one) => bookIncoming(one, found.get(one.custodianTransferId)));
  await handOverMissing(
    deps,
    listed.flatMap((id) => (found.has(id) ? [] : (incoming.get(id) ?? []))),
  );
  const sent = await bookAllOutgoing(deps, custodian, [...outgoing.values()]);
  const unlisted = ours.filter((one) => !incoming.has(one.custodianTransferId)).flatMap(bookUnlisted);
  const unseen = await unseenReturns(deps, custodian, ours);
  return {
    entries: [...booked, ...sent].flatMap((one) => one.entries),
    differences: [...differences, ...[...booked, ...sent].flatMap((one) => one.differences), ...unlisted, ...unseen],
  };
}

/** Hands over to detection the transfers that nobody has reported and no list has found. */
async function handOverMissing({ deposits, sendPoll, clock }: Dependencies, missing: readonly CustodianTransfer[]) {
  const now = clock.now();
  for (const transfer of missing) {
    const { custodianTransferId, txHash, createdAt } = transfer;
    const isLate = Date.parse(createdAt) + FOUND_WITHIN <= now.getTime();
    if (isLate) log.error('DEPOSIT_MISSING', { custodianTransferId, txHash });
    const poll = await deposits.rememberFound(createdAt, transfer, now);
    if (poll !== undefined) await sendPoll(poll, 0);
  }
}

/** Books outgoing movements: each is a return of a deposit or a sweep. Any other movement raises an alarm at once. */
async function bookAllOutgoing(deps: Dependencies, custodian: string, movements: readonly OutgoingTransfer[]) {
  const returned = await deps.findReturnedDeposits(movements);
  const deposits = await deps.findDeposits(returned.flatMap((id) => id ?? []));
  return Promise.all(
    movements.map(async (movement, position) => {
      const id = returned[position];
      const what = outgoingOf(deps.returns, movement, id, id === undefined ? undefined : deposits.get(id));
      const booked = await bookAsKnown(deps, movement, what);
      const { movementId, network, txHash, assetId, amount, createdAt, state } = movement;
      // A failed movement has moved no money, so it is in no sum.
      const term = state === 'FAILED' || state === 'GONE' ? undefined : what.term;
      const [at, line] = [new Date(createdAt).toISOString(), { network, txHash, assetId, amount, term }];
      const isOnItsWay = isNamed(booked, 'RETURN_NOT_RECORDED') || isNamed(booked, 'DEPOSIT_UNREADABLE') || undefined;
      if (isNamed(booked, 'MONEY_WENT_OUT')) {
        const was = await deps.books.findLine('OUT', at, movementId);
        // While the return was on its way, or could not be read, no alarm was raised.
        const isNew = was?.['term'] !== what.term || was['isOnItsWay'] !== undefined;
        // Raised before its line is saved: otherwise a write whose answer was lost would prevent the alarm for ever.
        if (isNew) log.error('MONEY_WENT_OUT', { movementId, network, txHash, assetId, amount });
      }
      await deps.books.saveLine('OUT', at, movementId, { ...line, deposit: id, isOnItsWay });
      if (id !== undefined) await deps.books.saveSeen(depositBookOf(custodian), id);
      return booked;
    }),
  );
}

const isNamed = ({ differences }: ReturnType<typeof bookOutgoing>, as: string) =>
  differences.some(({ kind }) => kind === as);

async function bookAsKnown(deps: Dependencies, movement: OutgoingTransfer, what: OutgoingKind) {
  const now = deps.clock.now();
  const booked = bookOutgoing(movement, what, now);
  const { externalId } = movement;
  // Only where an alarm would be raised: many returns may wait for a signature at the same time.
  if (externalId === undefined || !isNamed(booked, 'MONEY_WENT_OUT')) return booked;
  const sent = await deps.findDepositOfSending(externalId);
  if (sent === 'UNREADABLE') return bookOutgoing(movement, { ...what, deposit: sent }, now);
  return isReturnBeingSent(deps, movement, sent) ? bookOutgoing(movement, { ...what, isBeingSent: true }, now) : booked;
}

/**
 * True if the movement is a return that is still being sent: a sending that has waited for hours may be final long
 * before the service asks for it again.
 */
function isReturnBeingSent(
  { returns: routes }: Dependencies,
  movement: OutgoingTransfer,
  sent: Deposit | undefined,
): boolean {
  if (sent?.return === undefined) return false;
  const { returnedAt, txHash } = sent.return;
  const isReturnedByAnother = returnedAt !== undefined && txHash !== movement.txHash;
  return !isReturnedByAnother && isReturnOf(sent, sent.return, movement, { routes });
}

function outgoingOf(
  routes: ReturnRoutes,
  { network, txHash, toAddress, toAccount = '' }: OutgoingTransfer,
  returned: string | undefined,
  deposit: OutgoingKind['deposit'],
): OutgoingKind {
  // A return that a reorganisation had undone may come back after another movement has returned its deposit.
  const { return: known } = deposit === 'UNREADABLE' ? {} : (deposit ?? {});
  const isUndone = known !== undefined && known.txHash !== txHash;
  if (returned !== undefined && !isUndone) return { term: 'returns', deposit };
  const same = (account: string) => parseAddress(network, account)?.address ?? account;
  const own = Object.values(routes).flatMap(({ from, treasury }) => [from, ...treasury].map(same));
  return { term: own.includes(same(toAddress)) || own.includes(toAccount) ? 'sweeps' : 'unknown' };
}

/** Finds deposits of this time that our records have as returned, but for which the custodian lists no movement out. */
async function unseenReturns({ books, clock }: Dependencies, custodian: string, ours: readonly Deposit[]) {
  const returned = ours.filter((one) => one.return?.returnedAt !== undefined);
  const seen = await books.findSeen(
    depositBookOf(custodian),
    returned.map(({ custodianTransferId }) => custodianTransferId),
  );
  return returned.flatMap((one) => bookUnseenReturn(one, seen.has(one.custodianTransferId), clock.now()));
}
