import * as z from 'zod/mini';

/** A function's answer that reports failures one by one. An empty answer means that nothing failed. */
const response = z.nullish(
  z.object({ batchItemFailures: z.nullish(z.array(z.object({ itemIdentifier: z.string() }))) }),
);

/**
 * Returns the ids of the messages that failed according to the answer: all of them if the answer cannot be read, or
 * names a message that is not in the batch.
 */
export function failedIn(value: unknown, ids: readonly string[]): ReadonlySet<string> {
  const { data, success } = response.safeParse(value);
  if (!success) return new Set(ids);
  const failed = new Set(data?.batchItemFailures?.map(({ itemIdentifier }) => itemIdentifier));
  return [...failed].every((id) => ids.includes(id)) ? failed : new Set(ids);
}
