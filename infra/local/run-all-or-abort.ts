/**
 * Runs several tasks at the same time. The first failure aborts the others, and is thrown once all have ended, so that
 * nothing still runs during the clean-up.
 */
export async function runAllOrAbort(
  signal: AbortSignal,
  works: readonly ((signal: AbortSignal) => Promise<unknown>)[],
): Promise<void> {
  const failed = new AbortController();
  const either = AbortSignal.any([signal, failed.signal]);
  await Promise.all(
    works.map(async (work) => {
      try {
        await work(either);
      } catch (error) {
        failed.abort(error);
      }
    }),
  );
  signal.throwIfAborted();
  failed.signal.throwIfAborted();
}
