import * as z from 'zod/mini';
import { network } from '#shared/networks/network.ts';
import { bookDay, difference, explanation } from '#shared/platform/books/book.ts';
import { apiErrors, declareErrors } from '#shared/platform/http/api-errors.ts';
import { command, lookup } from '#shared/platform/http/command.ts';
import { id, instant } from '#shared/platform/http/fields.ts';
import { day, reportOf } from '#shared/platform/operators/lists.ts';
import { confirmCommand, proposed } from '#shared/platform/operators/proposals.ts';

const amount = z.optional(z.string());

/** An asset of a book's day. What is zero is left out. */
const bookLine = z.object({
  book: z.string(),
  asset: z.string(),
  opening: amount,
  in: amount,
  out: amount,
  fees: amount,
  /** What two persons have explained of a balance. */
  adjusted: amount,
  closing: amount,
  /* What is not final, and in none of the others. */
  arriving: amount,
  leaving: amount,
  /* Where stands what came in: together they are `in`. */
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
  /* What went out: together they are `out`. */
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
  /** Absent while nobody has explained it. */
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
        /** OPEN: what moves late still changes it. UNDER_WAY: it is being read again. */
        state: z.enum(['UNDER_WAY', 'OPEN', 'CLOSED']),
        differences: bookDay.shape.differenceCount,
      }),
    ),
    lines: z.array(bookLine),
    differences: z.array(listedDifference),
  }),
  errors: [apiErrors.SERVICE_UNAVAILABLE],
});

/** A movement as our records have it, with nothing personal. */
export const movementLine = z.object({
  createdAt: instant,
  direction: z.enum(['in', 'out']),
  /** The custodian's id, with its name before it. */
  id: z.string(),
  network,
  txHash: z.string(),
  assetId: z.string(),
  amount: z.string(),
  /** Where it stands; absent while nothing is decided, and of what has failed. */
  term: z.optional(z.string()),
  /** Of a return: the deposit that it returns. */
  deposit: z.optional(z.string()),
  operationId: z.optional(id),
  clientId: z.optional(z.string()),
});

export const reportMovementsContract = reportOf(
  'report-movements',
  "Deposits by the time at which their custodian first had them, and what went out: what is compared with the custodian's own list.",
  movementLine,
);

export const custodianListContract = lookup({
  name: 'custodian-list',
  summary: "A page of a custodian's own list of a day's movements: what it answers, byte for byte, and its SHA-256.",
  query: z.strictObject({
    /** By default yesterday. */
    day: z.optional(day),
    /** Needed where there are several. */
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
  /** Its name, as `books` shows it, or `all`. */
  input: z.strictObject({ book: z.string().check(z.trim(), z.minLength(1), z.maxLength(100)) }),
  answer: z.object({ books: z.array(z.string()) }),
  errors: [apiErrors.NOT_FOUND, apiErrors.SERVICE_UNAVAILABLE],
});

const AMOUNT = /^-?\d{1,30}(\.\d{1,18})?$/;

export const explainDifferenceContract = command({
  name: 'explain-difference',
  subject: ['id'],
  summary: 'Proposes that a difference of the books is explained, by the reason: it calls nobody any more.',
  /** As `books` shows it. */
  input: z.strictObject({
    book: z.string().check(z.trim(), z.minLength(1), z.maxLength(100)),
    kind: z.string().check(z.trim(), z.minLength(1), z.maxLength(50)),
    id: z.string().check(z.trim(), z.minLength(1), z.maxLength(300)),
    /** Of the page that has it. A balance differs on no day. */
    day: z.optional(day),
    /** Of a balance: how much more the provider has than the book, or less. It is booked. */
    amount: z.optional(
      z.string().check(z.regex(AMOUNT, 'must be an amount such as 14.5 or -14.5'), z.regex(/[1-9]/, 'must not be 0')),
    ),
  }),
  answer: z.extend(listedDifference, { proposal: proposed }),
  errors: [apiErrors.NOT_FOUND, bookErrors.DIFFERENCE_CONFLICT, apiErrors.SERVICE_UNAVAILABLE],
});

export const confirmDifferenceContract = confirmCommand({
  name: 'confirm-difference',
  subject: 'id',
  of: 'a difference of the books',
  answer: listedDifference,
  errors: [bookErrors.DIFFERENCE_CONFLICT],
});
