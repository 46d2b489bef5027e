import * as z from 'zod/mini';
import { WrittenNumber } from './written-number.ts';

/** A decimal, as text or as a JSON number, which is taken exactly as it was written. */
export const amountIn = z.union([
  z.string(),
  z.number(),
  z.pipe(
    z.instanceof(WrittenNumber),
    z.transform((number) => number.text),
  ),
]);
