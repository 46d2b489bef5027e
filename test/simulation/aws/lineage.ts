import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * How often each function was called by queues since the first message of a chain, by its folder. AWS hands it on in
 * the trace header of messages.
 */
export type Lineage = ReadonlyMap<string, number>;

/** Calls of a function in one chain, after which Lambda stops it. */
export const LONGEST_CHAIN = 16;

export const NO_LINEAGE: Lineage = new Map();

const lineages = new AsyncLocalStorage<Lineage>();

/** What a message has that is sent now. */
export const currentLineage = (): Lineage => lineages.getStore() ?? NO_LINEAGE;

/** Whatever is sent by this work goes on with the chain. */
export function inLineage<T>(lineage: Lineage, work: () => T): T {
  // To enter a store costs more than to ask for it.
  return currentLineage() === lineage ? work() : lineages.run(lineage, work);
}

/** The chain of a function that is called with these messages: the longest of each. */
export function lengthened(lineages: readonly Lineage[], folder: string): Lineage {
  const next = new Map<string, number>();
  for (const lineage of lineages) {
    for (const [one, calls] of lineage) next.set(one, Math.max(calls, next.get(one) ?? 0));
  }
  return next.set(folder, (next.get(folder) ?? 0) + 1);
}
