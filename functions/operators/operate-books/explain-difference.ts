import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type * as z from 'zod/mini';
import {
  bookErrors,
  type confirmDifferenceContract,
  explainDifferenceContract,
} from '#shared/operators/book-contracts.ts';
import { type BookRun, type Difference, type Explanation, findExplanation } from '#shared/platform/books/book.ts';
import type { Books } from '#shared/platform/books/book-store.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { retryOnConflict, transact, WriteConflict } from '#shared/platform/dynamodb/transaction.ts';
import { ApiError, invalid } from '#shared/platform/http/api-error.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import type { Change } from '#shared/platform/operators/audited.ts';
import type { Proposals } from '#shared/platform/operators/proposal-repository.ts';
import { dayIn } from '#shared/platform/time-zone.ts';

interface Dependencies {
  readonly dynamo: DynamoDBDocumentClient;
  readonly books: Books;
  readonly proposals: Proposals;
  /** The time zone of the books' days. */
  readonly timeZone: string;
  readonly clock: Clock;
}

const explainInput = explainDifferenceContract.body.shape.arguments;

type Input = z.infer<typeof explainInput>;

/** Proposes an explanation, which needs a second person: it ends an alarm, and for a balance changes the book. */
export function explainDifference(deps: Dependencies): Change<typeof explainDifferenceContract> {
  return async (input, asked) => {
    const { book, id } = input;
    const { found } = await findDifference(deps, input);
    const of = { command: explainDifferenceContract.name, about: id, arguments: input, seen: seenOf(found) };
    const proposal = await deps.proposals.propose(of, asked);
    return { body: { ...found, book, proposal }, ids: { book, id }, isProposed: true as const };
  };
}

/** Explains a difference as another person has proposed, if it is still as that person saw it. */
export function confirmDifference(deps: Dependencies): Change<typeof confirmDifferenceContract> {
  const { dynamo, books, proposals, timeZone, clock } = deps;
  return ({ proposalId }, asked) =>
    retryOnConflict(clock, async () => {
      const proposal = await proposals.findToConfirm(proposalId, asked);
      const input = explainInput.parse(proposal.arguments);
      const { book, id, amount } = input;
      const { found, run } = await findDifference(deps, input);
      if (proposal.seen['what'] !== found.what) throw proposals.changed();
      const now = clock.now();
      const made: Explanation = {
        ...{ book, kind: found.kind, id, what: found.what, reason: proposal.reason },
        ...{ explainedAt: now.toISOString(), explainedBy: proposal.proposedBy, confirmedBy: asked.who },
        // The next run that compares the balance ends with this day.
        day: input.day ?? run.underWay?.lastDay ?? dayIn(timeZone)(now),
        ...(amount !== undefined && { amount }),
      };
      const failed = await transact(dynamo, {
        explanation: books.explain(made, proposalId),
        proposal: proposals.confirm(proposal, asked),
        ...(amount !== undefined && { run: books.compareAgain(run, id) }),
      });
      if (failed.size > 0) throw new WriteConflict([...failed].join());
      return { body: { ...found, book, explained: made }, ids: { book, id, proposalId } };
    });
}

/** The state that the proposer saw: the text contains the numbers. */
const seenOf = ({ what }: Difference) => ({ what });

/** Finds a difference on a day's page, or in the current balance. @throws {ApiError} if it cannot be explained */
async function findDifference({ books }: Dependencies, input: Input) {
  const { book, kind, id, day } = input;
  const run = await books.findRun(book);
  if (run === undefined) throw noBook(await books.listRuns());
  mustFit(input);
  const differences =
    day === undefined ? (run.unbalanced ?? []) : ((await books.findDay(book, day))?.differences ?? []);
  const ofId = differences.filter((one) => one.kind === kind && one.id === id);
  const explanations = day === undefined ? [] : await books.findExplanations(book, day);
  // One record may differ twice: what is explained does not hide the other.
  const found = ofId.find((one) => findExplanation(one, explanations) === undefined) ?? ofId[0];
  if (found === undefined) throw new ApiError(apiErrors.NOT_FOUND, { detail: `No such difference is ${where(day)}.` });
  const explained = findExplanation(found, explanations);
  if (explained !== undefined) throw conflict(`It was explained at ${explained.explainedAt}: ${explained.reason}`);
  return { found, run };
}

const where = (day: string | undefined) => (day === undefined ? 'in the balance now' : `on the page of ${day}`);

/** A balance is explained by a booked amount, a difference on a day's page by its reason alone. */
function mustFit({ kind, day, amount }: Input): void {
  if (kind === 'BOOK_NOT_OPENED') throw conflict('There is nothing to explain: run-books opens the book.');
  const [needed, other] = kind === 'BALANCE_DIFFERS' ? (['amount', 'day'] as const) : (['day', 'amount'] as const);
  const given = { day, amount };
  const path = (name: string) => `body.arguments.${name}`;
  if (given[needed] === undefined)
    throw invalid({ path: path(needed), code: 'REQUIRED', message: `is required for ${kind}` });
  if (given[other] !== undefined)
    throw invalid({ path: path(other), code: 'NOT_ALLOWED', message: `is not allowed for ${kind}` });
}

/** @param kept the existing books */
export function noBook(kept: readonly BookRun[]): ApiError {
  const names = kept.map(({ name }) => name).join(', ') || 'none';
  const detail = `There is no book with this name. Existing books: ${names}.`;
  return new ApiError(apiErrors.NOT_FOUND, { detail });
}

function conflict(detail: string): ApiError {
  return new ApiError(bookErrors.DIFFERENCE_CONFLICT, { detail });
}
