import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import {
  bookErrors,
  confirmDifferenceContract,
  explainDifferenceContract,
  runBooksContract,
} from '#shared/operators/book-contracts.ts';
import { createBooks } from '#shared/platform/books/book-store.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { createRegisterCommand } from '#shared/platform/operators/audited.ts';
import { createProposals } from '#shared/platform/operators/proposal-repository.ts';
import { proposalErrors, withdrawProposalContract } from '#shared/platform/operators/proposals.ts';
import { type Handler, routeByPath } from '#shared/platform/operators/route-by-path.ts';
import { confirmDifference, explainDifference, noBook } from './explain-difference.ts';

interface Dependencies {
  readonly dynamo: DynamoDBDocumentClient;
  readonly tables: Readonly<Record<'audit' | 'books' | 'proposals', string>>;
  /** The time zone of the books' days. */
  readonly timeZone: string;
  readonly clock: Clock;
  readonly newId: () => string;
}

export function operateBooks({ dynamo, tables, timeZone, clock, newId }: Dependencies): Handler {
  const registerCommand = createRegisterCommand(dynamo, tables.audit, clock, newId);
  const books = createBooks(dynamo, tables.books, clock);
  const confirmedWith = confirmDifferenceContract.name;
  const conflict = bookErrors.DIFFERENCE_CONFLICT;
  const proposals = createProposals(dynamo, tables.proposals, clock, { confirmedWith, conflict });
  // Proposals of any module: the function may withdraw each, but of what they propose it can change only differences.
  const ofAny = createProposals(dynamo, tables.proposals, clock, {
    confirmedWith,
    conflict: proposalErrors.PROPOSAL_CONFLICT,
  });
  const explaining = { dynamo, books, proposals, timeZone, clock };
  return routeByPath(
    new Map([
      registerCommand(runBooksContract, async ({ book }) => {
        const kept = await books.listRuns();
        const names = kept.map(({ name }) => name).filter((name) => book === 'all' || name === book);
        if (names.length === 0) throw noBook(kept);
        await Promise.all(names.map(books.runNow));
        return { body: { books: names }, ids: { book } };
      }),
      registerCommand(explainDifferenceContract, explainDifference(explaining)),
      registerCommand(confirmDifferenceContract, confirmDifference(explaining)),
      registerCommand(withdrawProposalContract, async ({ proposalId }, asked) => {
        const { command, about, withdrawnAt = '' } = await ofAny.withdraw(proposalId, asked);
        return { body: { proposalId, command, about, withdrawnAt }, ids: { about, proposalId } };
      }),
    ]),
  );
}
