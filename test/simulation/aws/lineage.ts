import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * How often each function was called by queues since the first message of a chain, by its folder. AWS passes this on in
 * the trace header of messages.
 */
export type Lineage = ReadonlyMap<string, number>;

/** Calls of a function in one chain after which Lambda stops it. */
export const LONGEST_CHAIN = 16;

export const NO_LINEAGE: Lineage = new Map();

const lineages = new AsyncLocalStorage<Lineage>();

/** Returns the lineage of a message that is sent now. */
export const currentLineage = (): Lineage => lineages.getStore() ?? NO_LINEAGE;

/** Runs work whose messages continue the chain. */
export function inLineage<T>(lineage: Lineage, work: () => T): T {
  // Entering a store costs more than reading it.
  return currentLineage() === lineage ? work() : lineages.run(lineage, work);
}

/** Returns the lineage of a function that is called with these messages: the maximum of each count, plus this call. */
export function lengthened(lineages: readonly Lineage[], folder: string): Lineage {
  const next = new Map<string, number>();
  for (const lineage of lineages) {
    for (const [one, calls] of lineage) next.set(one, Math.max(calls, next.get(one) ?? 0));
  }
  return next.set(folder, (next.get(folder) ?? 0) + 1);
}
