import { createHash } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createAskForMovements } from '#shared/off-ramps/custodians/ask-sendings.ts';
import type { Custodians } from '#shared/off-ramps/custodians/custodian.ts';
import { createReadCreatedPage } from '#shared/off-ramps/store/created-deposits.ts';
import { custodianListContract, readBooksContract, reportMovementsContract } from '#shared/operators/book-contracts.ts';
import {
  type BookDay,
  type BookRun,
  closingAmounts,
  type Explanation,
  findExplanation,
} from '#shared/platform/books/book.ts';
import { type Books, createBooks } from '#shared/platform/books/book-store.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';
import { createRegisterLookup, type Handler, routeByPath } from '#shared/platform/operators/route-by-path.ts';
import { addDays, dayIn, startOfDay } from '#shared/platform/time-zone.ts';
import { leaveOutUnreadable } from '#shared/platform/unreadable.ts';
import { reportMovements } from './report-movements.ts';

interface Dependencies {
  readonly dynamo: DynamoDBDocumentClient;
  readonly tables: Readonly<Record<'books' | 'deposits', string>>;
  readonly custodians: Custodians<'listMovements'>;
  readonly timeZone: string;
  readonly clock: Clock;
}

/** The books for operators and auditors. This function may read custodians' lists, and can change nothing. */
export function lookUpBooks({ dynamo, tables, custodians, timeZone, clock }: Dependencies): Handler {
  const registerLookup = createRegisterLookup(clock);
  const books = createBooks(dynamo, tables.books, clock);
  const readCreatedPage = createReadCreatedPage(dynamo, tables.deposits, clock);
  return routeByPath(
    new Map([
      registerLookup(readBooksContract, readBooks(books, timeZone, clock)),
      registerLookup(
        reportMovementsContract,
        reportMovements({ readCreatedPage, lines: books.lines, timeZone, clock }),
      ),
      registerLookup(custodianListContract, readCustodianList(custodians, timeZone, clock)),
    ]),
  );
}

function readBooks(books: Books, zone: string, clock: Clock): UseCase<typeof readBooksContract> {
  return async ({ query }) => {
    const { day: asked } = query();
    const day = asked ?? addDays(dayIn(zone)(clock.now()), -1);
    const runs = await books.listRuns();
    const pages = await Promise.all(
      runs.map(async ({ name, underWay }) => ({
        page: await books.findDay(name, day).catch(leaveOutUnreadable(`${name} ${day}`)),
        explained: await books.findExplanations(name, day),
        underWay,
      })),
    );
    const kept = pages.flatMap(({ page, explained, underWay }) =>
      page ? [{ ...page, explained, isUnderWay: underWay?.day === day }] : [],
    );
    return {
      body: {
        day,
        zone,
        books: kept.map(({ differenceCount: differences, closedAs, isUnderWay, ...page }) => ({
          ...page,
          differences,
          state: isUnderWay ? 'UNDER_WAY' : closedAs === undefined ? 'OPEN' : 'CLOSED',
        })),
        lines: kept.flatMap(linesOf),
        differences: differencesOf(kept, asked === undefined ? runs : []),
      },
    };
  };
}

/** Lists the current differences of the balances, then those of the pages. */
function differencesOf(
  pages: readonly (BookDay & { readonly explained: readonly Explanation[] })[],
  runs: readonly BookRun[],
) {
  const now = runs.flatMap(({ name: book, unbalanced = [] }) => unbalanced.map((one) => ({ ...one, book })));
  const known = new Set(now.map(({ book, kind, id }) => `${book} ${kind} ${id}`));
  const others = pages.flatMap(({ book, differences, explained }) =>
    differences.map((one) => ({ ...one, book, explained: findExplanation(one, explained) })),
  );
  return [...now, ...others.filter(({ book, kind, id }) => !known.has(`${book} ${kind} ${id}`))];
}

/** Returns a line for each asset that had a balance or a movement. */
function linesOf(page: BookDay) {
  const { book, openings = {}, sums } = page;
  const closings = closingAmounts(page);
  return [...new Set([...Object.keys(openings), ...Object.keys(sums)])].toSorted().map((asset) => ({
    ...sums[asset],
    ...{ book, asset, opening: closings && (openings[asset] ?? '0'), closing: closings?.[asset] },
  }));
}

function readCustodianList(
  custodians: Custodians<'listMovements'>,
  zone: string,
  clock: Clock,
): UseCase<typeof custodianListContract> {
  return async ({ query }) => {
    const { day = addDays(dayIn(zone)(clock.now()), -1), custodian: asked, cursor } = query();
    const listing = new Map([...custodians.values()].map((one) => [one.name, one]));
    const [only] = listing.size === 1 ? listing.keys() : [];
    const name = asked ?? only ?? '';
    const custodian = listing.get(name);
    if (custodian === undefined) {
      const names = [...listing.keys()].join(', ') || 'none';
      const detail = `Name a custodian that lists its movements. At this stage: ${names}.`;
      throw new ApiError(apiErrors.NOT_FOUND, { detail });
    }
    const from = startOfDay(zone, day).toISOString();
    const to = new Date(startOfDay(zone, addDays(day, 1)).getTime() - 1).toISOString();
    const page = await createAskForMovements(custodian, clock)({ createdSince: from, until: to, cursor });
    const sha256 = createHash('sha256').update(page.answer).digest('hex');
    return { body: { custodian: name, day, from, to, sha256, answer: page.answer, nextCursor: page.cursor } };
  };
}
