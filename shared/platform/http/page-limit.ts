import * as z from 'zod/mini';

/** How many a page of a list has: 1 to 100, as text; 20 when not given. */
export const pageLimit = z._default(
  z.string().check(z.regex(/^([1-9]\d?|100)$/, 'must be a whole number from 1 to 100')),
  '20',
);
