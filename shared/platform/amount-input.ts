import * as z from 'zod/mini';
import { WrittenNumber } from './http/json.ts';

/** A decimal, as text or as a JSON number, taken exactly as written. */
export const amountInput = z.union([
  z.string(),
  z.number(),
  z.pipe(
    z.instanceof(WrittenNumber),
    z.transform((number) => number.text),
  ),
]);
