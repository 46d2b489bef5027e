import * as z from 'zod/mini';

/** What a function answers that reports failures of a batch one by one. Nothing at all means that none failed. */
const response = z.nullish(
  z.object({ batchItemFailures: z.nullish(z.array(z.object({ itemIdentifier: z.string() }))) }),
);

/**
 * Ids of messages that the answer of a function calls failed: all of them when it cannot be read, or names a message
 * that is none of the batch.
 */
export function failedIn(value: unknown, ids: readonly string[]): ReadonlySet<string> {
  const { data, success } = response.safeParse(value);
  if (!success) return new Set(ids);
  const failed = new Set(data?.batchItemFailures?.map(({ itemIdentifier }) => itemIdentifier));
  return [...failed].every((id) => ids.includes(id)) ? failed : new Set(ids);
}
