import * as z from 'zod/mini';
import { bookedDeposit } from '#shared/off-ramps/model/deposit-books.ts';
import type { ReadCreatedPage } from '#shared/off-ramps/store/created-deposits.ts';
import { movementLine, type reportMovementsContract } from '#shared/operators/book-contracts.ts';
import type { Books } from '#shared/platform/books/book-store.ts';
import type { Clock } from '#shared/platform/clock.ts';
import type { Item } from '#shared/platform/dynamodb/client.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';
import { unreadableIdsField } from '#shared/platform/operators/list-answer.ts';
import { MOST_LINES, reportDays } from '#shared/platform/operators/report-days.ts';

interface Dependencies {
  readonly readCreatedPage: ReadCreatedPage;
  readonly lines: Books['lines'];
  readonly timeZone: string;
  readonly clock: Clock;
}

export const outgoingMovement = z.omit(movementLine, { direction: true, operationId: true, clientId: true });

/** Deposits from their own table, not from a custodian's list, and outgoing movements from the books, by time. */
export function reportMovements(deps: Dependencies): UseCase<typeof reportMovementsContract> {
  return async ({ query }) => {
    const asked = query();
    const { days, since, upTo, dayOf } = reportDays(asked, deps.clock.now(), deps.timeZone);
    const { items: deposits, unreadable, nextAt: nextIn } = await deps.readCreatedPage(since, upTo, MOST_LINES);
    const incoming = deposits.flatMap((one) => {
      const { operationId, clientId } = one;
      const booked = bookedDeposit(one);
      return booked === undefined ? [] : [{ ...booked, operationId, clientId }];
    });
    const { outgoing, unreadableLines, nextOut } = await readOutgoing(deps.lines('OUT', since, upTo), nextIn);
    const nextAt = nextOut ?? nextIn;
    const items = [...incoming, ...outgoing]
      .filter(({ createdAt }) => nextAt === undefined || createdAt < nextAt)
      .filter(({ clientId }) => asked.client === undefined || clientId === asked.client)
      .toSorted((one, other) => one.createdAt.localeCompare(other.createdAt))
      .map((line) => ({ ...line, day: dayOf(line.createdAt) }));
    return {
      body: {
        ...days,
        items,
        ...unreadableIdsField([...unreadable, ...unreadableLines]),
        ...(nextAt !== undefined && { nextCursor: nextAt }),
      },
    };
  };
}

/** A page of lines up to the end of the deposits' page; longer if needed, to keep one millisecond's lines together. */
async function readOutgoing(lines: ReturnType<Books['lines']>, upTo: string | undefined) {
  const outgoing: (z.infer<typeof outgoingMovement> & { direction: 'out'; clientId?: undefined })[] = [];
  const unreadableLines: Item[] = [];
  for await (const line of lines) {
    const { data: one } = outgoingMovement.safeParse(line);
    if (one === undefined) {
      unreadableLines.push({ entry: line.entry });
      continue;
    }
    if (upTo !== undefined && one.createdAt >= upTo) break;
    const [first] = outgoing;
    const isFull = outgoing.length >= MOST_LINES && first !== undefined && first.createdAt < one.createdAt;
    if (isFull) return { outgoing, unreadableLines, nextOut: one.createdAt };
    outgoing.push({ ...one, direction: 'out' });
  }
  return { outgoing, unreadableLines, nextOut: undefined };
}
