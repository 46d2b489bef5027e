import { bookPayment } from '#shared/pay-ins/pay-in-books.ts';
import type { FindPayins } from '#shared/pay-ins/pay-in-lists.ts';
import { RailUnavailable } from '#shared/pay-ins/rails/payment-rail.ts';
import { createListPayments, type Rails } from '#shared/pay-ins/rails/rail-boundary.ts';
import { createRailPauses } from '#shared/pay-ins/rails/rail-pauses.ts';
import type { ComparedPart } from '#shared/platform/books/day-under-way.ts';
import { type Bookkeeping, keepBook, type Ledger } from '#shared/platform/books/keep-book.ts';
import { describe, log } from '#shared/platform/logger.ts';
import { sweep } from '#shared/platform/sweep.ts';

interface Dependencies extends Bookkeeping {
  readonly rails: Rails<'listPayments'>;
  readonly findPayins: FindPayins;
}

interface RailList {
  readonly rail: string;
  readonly list: ReturnType<typeof createListPayments>;
}

/** Milliseconds. Leaves time to finish a page before the function times out. */
export const RUNS_FOR = 35_000;

export const paymentBookOf = (rail: string) => `payments of ${rail}`;

/**
 * Keeps the book of each rail: every completed payment is a completed pay-in of that amount, or a mismatch that was
 * ended (decisions.md 9, Books). A rail that requests a pause gets it. @returns the number of finished days
 */
export function balancePayments(deps: Dependencies) {
  const keep = keepBook(deps);
  const pauses = createRailPauses(deps.clock);
  return async (): Promise<number> => {
    const until = deps.clock.now().getTime() + RUNS_FOR;
    let finished = 0;
    const lists = [...deps.rails].map(([rail, asked]) => [{ rail, list: createListPayments(asked, deps.clock) }]);
    const read = async ({ rail, list }: RailList) => {
      if (pauses.endOf(rail) === undefined) finished += await keep(ledgerOf(deps, rail, list), until);
    };
    const reportFailure = ({ rail }: RailList, error: unknown) => {
      pauses.begin(rail, error);
      report(rail, error);
    };
    await sweep(lists, read, { clock: deps.clock, until, report: reportFailure });
    return finished;
  };
}

function report(rail: string, error: unknown): void {
  const details = { rail, cause: describe(error) };
  if (error instanceof RailUnavailable) log.warn('PAYMENTS_NOT_LISTED', details);
  else log.error('BOOKS_NOT_KEPT', details);
}

function ledgerOf({ findPayins }: Pick<Dependencies, 'findPayins'>, rail: string, list: RailList['list']): Ledger {
  return {
    name: paymentBookOf(rail),
    read: async ({ from, to, position: cursor }) => {
      // The list includes both of its ends, and the next day begins at `to`.
      const until = new Date(Date.parse(to) - 1).toISOString();
      const page = await list({ createdSince: from, until, ...(cursor !== undefined && { cursor }) });
      const payins = await findPayins(page.payments.flatMap(({ reference }) => reference ?? []));
      const booked = page.payments.map(({ reference, payment }) =>
        payment === undefined
          ? { entries: [], differences: [unreadable(reference)] }
          : bookPayment(payment, payins.get(payment.reference)),
      );
      return {
        entries: booked.flatMap(({ entries }) => entries),
        differences: booked.flatMap(({ differences }) => differences),
        position: page.cursor,
      };
    },
  };
}

function unreadable(reference = 'without reference'): ComparedPart['differences'][number] {
  return { kind: 'PAYMENT_UNREADABLE', id: reference, what: 'The rail lists a payment that cannot be read.' };
}
