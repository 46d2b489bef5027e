import { Big } from 'big.js';
import type { Item } from '#test/simulation/aws/dynamodb/attribute-values.ts';
import { CUSTODIAN } from '#test/simulation/world/providers/custodian.ts';
import { isSweep, treasuryAccount } from '#test/simulation/world/providers/sendings.ts';
import { accountOf, phaseAt } from '../fits.ts';
import { instant, number, text } from '../items.ts';
import { LONGEST_CALL } from '../longest-call.ts';
import { amountsIn } from '../movements.ts';
import type { TrueSending, TrueTransfer } from '../truth.ts';
import { must } from '../violation.ts';
import { type Aftermath, LATE } from './aftermath.ts';
import { type Booking, bookingOf, bookingOut, isUnseenReturn, unlistedOf } from './expected-booking.ts';

/** Kinds of differences whose id is an asset, not a movement. */
const OF_ASSETS = ['BALANCE_DIFFERS', 'CHANGED_AFTER_CLOSING', 'BOOK_NOT_OPENED'];

/** The number of differences that a page names. */
const MOST_NAMED = 100;

/** A page, with the custodian's transfers and sendings of its day. */
interface Page {
  readonly item: Item;
  readonly day: string;
  readonly runAt: number;
  readonly transfers: readonly TrueTransfer[];
  readonly sendings: readonly TrueSending[];
}

/** Checks the deposits book: each movement is in its place, and exactly the real differences are named. */
export function checkDepositBook(aftermath: Aftermath): void {
  const pages = [...aftermath.ledger.bookDays.values()].filter(
    (item) => text(item, 'book') === `deposits of ${CUSTODIAN}`,
  );
  const read = pages.map((item) => pageOf(item, aftermath));
  for (const page of read.filter(({ runAt }) => runAt >= aftermath.truth.quietSince + LATE)) {
    checkMoved(page, aftermath);
    checkDifferences(page, aftermath);
  }
  const last = read.toSorted((one, other) => one.day.localeCompare(other.day)).at(-1);
  if (last !== undefined) checkBalance(last, pages, aftermath);
}

const createdAt = ({ phases: [first] }: TrueTransfer) => first?.at ?? 0;

const ours = ({ ledger, truth }: Aftermath) =>
  truth.transfers.filter(
    ({ facts }) =>
      ledger.accounts.has(accountOf(facts.toAddress)) || facts.toAddress === treasuryAccount(facts.network),
  );

function pageOf(item: Item, aftermath: Aftermath): Page {
  const [from, to] = [instant(item, 'from'), instant(item, 'to')];
  const isOfIt = (at: number) => at >= from && at < to;
  return {
    ...{ item, day: text(item, 'day'), runAt: instant(item, 'runAt') },
    transfers: ours(aftermath).filter((one) => isOfIt(createdAt(one))),
    sendings: aftermath.truth.sendings.filter(({ takenAt }) => isOfIt(takenAt)),
  };
}

/** True if the movement changed shortly before the page was read. */
function isInMotion({ phases }: Pick<TrueSending | TrueTransfer, 'phases'>, { runAt }: Page, { skew }: Aftermath) {
  return phases.some(({ at }) => at > runAt - LATE && at <= runAt + skew);
}

const isMisread = (one: TrueTransfer, { runAt }: Page) => phaseAt(one, runAt)?.isMisread === true;

/** For each asset: the amounts in and out, and the sum of each place. */
function checkMoved(page: Page, aftermath: Aftermath): void {
  const { item, day, runAt, transfers, sendings } = page;
  const unclear = new Set([
    ...transfers
      .filter((one) => isInMotion(one, page, aftermath) || isMisread(one, page))
      .map(({ facts }) => facts.assetId),
    ...sendings
      .filter((one) => isInMotion(one, page, aftermath))
      .flatMap(({ order, fee }) => [order.assetId, fee.assetId]),
  ]);
  const moved = amountsIn(transfers, sendings, runAt);
  const bookings = bookingsOf(page, aftermath);
  const assets = new Set([...moved.map(({ asset }) => asset), ...Object.keys(item['sums']?.M ?? {})]);
  for (const asset of assets) {
    if (unclear.has(asset)) continue;
    const line = item['sums']?.M?.[asset]?.M;
    for (const term of ['in', 'out', 'fees'] as const) {
      const there = sumOf(moved.filter((one) => one.asset === asset && one.term === term));
      const booked = text(line, term) || '0';
      must('a day of a book has what moved', there.eq(booked), { day, asset, term, there, booked });
    }
    const placed = bookings.filter((one) => one.asset === asset);
    if (placed.some(({ id }) => isChanged(id, page, aftermath))) continue;
    for (const [place, all] of Map.groupBy(placed, (one) => one.place)) {
      const [there, booked] = [sumOf(all), text(line, place ?? '') || '0'];
      must('what moved stands where it has to', place === undefined || there.eq(booked), {
        ...{ day, asset, place, there, booked },
      });
    }
  }
}

function bookingsOf({ transfers, sendings, runAt }: Page, { ledger, truth }: Aftermath): readonly Booking[] {
  const isNamed = (one: TrueSending) => isSweep(one) && truth.routed.has(one.order.network);
  return [
    ...transfers.map((one) => bookingOf(one, ledger, runAt)),
    ...sendings.map((one) => bookingOut(one, ledger, runAt, isNamed(one))),
  ];
}

/** True if the service wrote about the movement since the page was read, or shortly before. */
function isChanged(id: string, { runAt, sendings }: Page, { ledger, skew }: Aftermath): boolean {
  const sent = sendings.find(({ movementId }) => id === `${CUSTODIAN}:${movementId}`);
  const of = sent === undefined ? id : (ledger.depositIds.get(sent.depositId) ?? '');
  const subjects = [of, text(ledger.deposits.get(of), 'operationId')];
  return subjects.some((one) => (ledger.writtenAt.get(one) ?? 0) > runAt - LONGEST_CALL - skew);
}

/** The page names exactly the differences that people must examine. */
function checkDifferences(page: Page, aftermath: Aftermath): void {
  const { item, day, runAt, transfers, sendings } = page;
  const { ledger, truth } = aftermath;
  const known = new Set(truth.transfers.map(({ facts }) => facts.custodianTransferId));
  const [from, to] = [text(item, 'from'), text(item, 'to')];
  const created = [...ledger.deposits].filter(
    ([, one]) => text(one, 'createdAt') >= from && text(one, 'createdAt') < to,
  );
  const unlisted = created.filter(([id]) => !known.has(id)).map(([id, one]) => unlistedOf(id, one, ledger));
  const expected = [...bookingsOf(page, aftermath), ...unlisted].flatMap(({ id, difference }) =>
    difference === undefined ? [] : [`${difference} ${id}`],
  );
  for (const [id, one] of created)
    if (isUnseenReturn(one, truth.sendings, runAt)) expected.push(`RETURN_NOT_LISTED ${id}`);
  const named = (item['differences']?.L ?? []).flatMap(({ M }) =>
    OF_ASSETS.includes(text(M, 'kind')) ? [] : [`${text(M, 'kind')} ${text(M, 'id')}`],
  );
  const moving = new Set([
    ...transfers
      .filter((one) => isInMotion(one, page, aftermath) || isMisread(one, page))
      .map(({ facts }) => facts.custodianTransferId),
    ...sendings.filter((one) => isInMotion(one, page, aftermath)).map(({ movementId }) => `${CUSTODIAN}:${movementId}`),
  ]);
  const isClear = (one: string) => {
    const id = one.slice(one.indexOf(' ') + 1);
    return !moving.has(id) && !isChanged(id, page, aftermath);
  };
  const unreal = named.filter((one) => isClear(one) && !expected.includes(one));
  must('what a book calls a difference is one', unreal.length === 0, { day, unreal });
  if (number(item, 'differenceCount') > MOST_NAMED) return;
  const unnamed = expected.filter((one) => isClear(one) && !named.includes(one));
  must('a book names each difference', unnamed.length === 0, { day, unnamed });
}

/** A balance differs exactly if the custodian's differs from the book's, which opened with nothing. */
function checkBalance(page: Page, pages: readonly Item[], aftermath: Aftermath): void {
  const { ledger, truth } = aftermath;
  const { item, day, runAt } = page;
  const all = [...ours(aftermath), ...truth.sendings];
  if (runAt < truth.quietSince + LATE || all.some((one) => isInMotion(one, page, aftermath))) return;
  const has = amountsIn(ours(aftermath), truth.sendings, runAt);
  const differing = (item['differences']?.L ?? []).filter(({ M }) => text(M, 'kind') === 'BALANCE_DIFFERS');
  const [openings, sums] = [item['openings']?.M, item['sums']?.M ?? {}];
  for (const asset of new Set([...has.map((one) => one.asset), ...Object.keys(openings ?? {}), ...Object.keys(sums)])) {
    const of = has.filter((one) => one.asset === asset);
    const there = sumOf(of.filter(({ term }) => term === 'in')).minus(sumOf(of.filter(({ term }) => term !== 'in')));
    const line = sums[asset]?.M;
    const amountOf = (term: string) => text(line, term) || 0;
    const booked = new Big(text(openings, asset) || 0)
      .plus(amountOf('in'))
      .minus(amountOf('out'))
      .minus(amountOf('fees'))
      .plus(amountOf('adjusted'));
    const onItsWay = (term: string) =>
      pages.reduce((sum, one) => sum.plus(text(one['sums']?.M?.[asset]?.M, term) || 0), new Big(0));
    const more = there.minus(booked);
    const differs = more.gt(onItsWay('arriving')) || more.lt(onItsWay('leaving').neg());
    const isNamed = differing.some(({ M }) => text(M, 'id') === asset);
    must('a balance differs where it does', isNamed === differs, { day, asset, there, booked, isNamed });
    const isRight =
      !truth.isQuiet ||
      [...ledger.explanations.values()].some((one) => text(one, 'id') === asset) ||
      truth.transfers.some(({ phases }) => phases.some((one) => one.isMisread === true));
    must('where nothing fails, a book has what there is', isRight || !differs, { day, asset, there, booked });
  }
}

function sumOf(all: readonly { readonly amount: string }[]): Big {
  return all.reduce((sum, { amount }) => sum.plus(amount), new Big(0));
}
