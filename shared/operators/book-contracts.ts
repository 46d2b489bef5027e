import * as z from 'zod/mini';
import { network } from '#shared/networks/network.ts';
import { bookDay, difference, explanation } from '#shared/platform/books/book.ts';
import { apiErrors, declareErrors } from '#shared/platform/http/api-errors.ts';
import { command, lookup } from '#shared/platform/http/command.ts';
import { id, instant } from '#shared/platform/http/fields.ts';
import { day, reportLookup } from '#shared/platform/operators/lists.ts';
import { confirmCommand, proposedChange } from '#shared/platform/operators/proposals.ts';

const amount = z.optional(z.string());

/** An asset of a book's day. Amounts of zero are left out. */
const bookLine = z.object({
  book: z.string(),
  asset: z.string(),
  opening: amount,
  in: amount,
  out: amount,
  fees: amount,
  /** The differences of a balance that two persons have explained. */
  adjusted: amount,
  closing: amount,
  /* Movements that are not final yet, and in none of the other amounts. */
  arriving: amount,
  leaving: amount,
  /* The states of what came in: they add up to `in`. */
  credited: amount,
  owed: amount,
  unmatched: amount,
  kept: amount,
  returnRequested: amount,
  returned: amount,
  dust: amount,
  leftOut: amount,
  held: amount,
  own: amount,
  notOurs: amount,
  completed: amount,
  refunded: amount,
  unexplained: amount,
  /* The kinds of what went out: they add up to `out`. */
  returns: amount,
  sweeps: amount,
  unknown: amount,
});

export const bookErrors = declareErrors({
  DIFFERENCE_CONFLICT: [409, 'The books do not allow this change. Look at the difference with books.'],
});

const explained = z.pick(explanation, { reason: true, explainedAt: true, explainedBy: true, confirmedBy: true });

const listedDifference = z.extend(difference, {
  book: z.string(),
  /** Absent until the difference is explained. */
  explained: z.optional(explained),
});

export const readBooksContract = lookup({
  name: 'books',
  summary:
    'The books of a day, by default yesterday: what came in and went out at each custodian and rail, where it stands, and what does not agree. Days are those of the stage.',
  query: z.strictObject({ day: z.optional(day) }),
  answer: z.object({
    day,
    zone: z.string(),
    books: z.array(
      z.object({
        ...z.pick(bookDay, { book: true, from: true, to: true, runAt: true }).shape,
        /** OPEN: late movements still change it. UNDER_WAY: it is being read again. */
        state: z.enum(['UNDER_WAY', 'OPEN', 'CLOSED']),
        differences: bookDay.shape.differenceCount,
      }),
    ),
    lines: z.array(bookLine),
    differences: z.array(listedDifference),
  }),
  errors: [apiErrors.SERVICE_UNAVAILABLE],
});

/** A movement in the service's own records, without personal data. */
export const movementLine = z.object({
  createdAt: instant,
  direction: z.enum(['in', 'out']),
  /** The custodian's id of the movement, with the custodian's name as prefix. */
  id: z.string(),
  network,
  txHash: z.string(),
  assetId: z.string(),
  amount: z.string(),
  /** Where it stands, as the books name it, such as `credited`. Absent while undecided, and for a failed movement. */
  term: z.optional(z.string()),
  /** Only for a return: the deposit that it returns. */
  deposit: z.optional(z.string()),
  operationId: z.optional(id),
  clientId: z.optional(z.string()),
});

export const reportMovementsContract = reportLookup(
  'report-movements',
  "Deposits, by the time at which their custodian first had them, and outgoing movements, to compare with the custodian's own list.",
  movementLine,
);

export const custodianListContract = lookup({
  name: 'custodian-list',
  summary: "A page of a custodian's own list of a day's movements: what it answers, byte for byte, and its SHA-256.",
  query: z.strictObject({
    /** Yesterday by default. */
    day: z.optional(day),
    /** Required if there are several custodians. */
    custodian: z.optional(z.string().check(z.minLength(1), z.maxLength(50))),
    cursor: z.optional(z.string().check(z.minLength(1), z.maxLength(4096))),
  }),
  answer: z.object({
    custodian: z.string(),
    day,
    from: instant,
    to: instant,
    sha256: z.string(),
    answer: z.string(),
    nextCursor: z.optional(z.string()),
  }),
  errors: [apiErrors.NOT_FOUND, apiErrors.SERVICE_UNAVAILABLE],
});

export const runBooksContract = command({
  name: 'run-books',
  subject: ['book'],
  summary:
    'Reads the last 15 days of a book again, or of all, now instead of tonight. It begins within a minute, or after the run that is under way: see books.',
  /** The name of a book, as `books` shows it, or `all`. */
  input: z.strictObject({ book: z.string().check(z.trim(), z.minLength(1), z.maxLength(100)) }),
  answer: z.object({ books: z.array(z.string()) }),
  errors: [apiErrors.NOT_FOUND, apiErrors.SERVICE_UNAVAILABLE],
});

const AMOUNT = /^-?\d{1,30}(\.\d{1,18})?$/;

export const explainDifferenceContract = command({
  name: 'explain-difference',
  subject: ['id'],
  summary:
    'Proposes the reason as the explanation of a difference in the books. Once confirmed, the difference calls nobody any more.',
  /** The difference, as `books` shows it. */
  input: z.strictObject({
    book: z.string().check(z.trim(), z.minLength(1), z.maxLength(100)),
    kind: z.string().check(z.trim(), z.minLength(1), z.maxLength(50)),
    id: z.string().check(z.trim(), z.minLength(1), z.maxLength(300)),
    /** The day of the page that has the difference. Absent for a balance, which belongs to no day. */
    day: z.optional(day),
    /** Only for a balance: how much more the provider has than the book, or less if negative. The amount is booked. */
    amount: z.optional(
      z.string().check(z.regex(AMOUNT, 'must be an amount such as 14.5 or -14.5'), z.regex(/[1-9]/, 'must not be 0')),
    ),
  }),
  answer: z.extend(listedDifference, { proposal: proposedChange }),
  errors: [apiErrors.NOT_FOUND, bookErrors.DIFFERENCE_CONFLICT, apiErrors.SERVICE_UNAVAILABLE],
});

export const confirmDifferenceContract = confirmCommand({
  name: 'confirm-difference',
  subject: 'id',
  of: 'a difference of the books',
  answer: listedDifference,
  errors: [bookErrors.DIFFERENCE_CONFLICT],
});
