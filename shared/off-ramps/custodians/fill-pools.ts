import type { Clock } from '#shared/platform/clock.ts';
import type { Slots } from '#shared/platform/dynamodb/slots.ts';
import { describe, gaugesLine, log } from '#shared/platform/logger.ts';
import { roundRobin, shareAmongConsumers, sweep } from '#shared/platform/sweep.ts';
import type { AddressPool, FreeEntry, PooledAddress, UnfinishedEntry } from './address-pool.ts';
import { CustodianUnavailable, type FillPools, type PoolLevel } from './custodian.ts';

/** The result for an entry: an address, what it still waits for, or a fault that a person has to fix. */
export type MakeResult = PooledAddress | { readonly notYet: string } | { readonly fault: string };

export type KeepVault = (vaultId: string) => Promise<void>;

interface Pool {
  readonly name: string;
  readonly size: number;
  /** The networks on which its addresses must be ready. */
  readonly networks: readonly string[];
}

interface Dependencies<Of extends Pool> {
  readonly store: AddressPool;
  readonly pools: readonly Of[];
  /**
   * Works on an entry. An earlier run may have begun it and may have been cut off at any step.
   *
   * @param keepVault stores the account at the custodian in the entry, once it is known
   * @throws {CustodianUnavailable}
   */
  readonly make: (entry: UnfinishedEntry, pool: Of, keepVault: KeepVault) => Promise<MakeResult>;
  /** True when the run has made all the calls that it may make. */
  readonly isSpent: () => boolean;
  /** The number of entries that are made at the same time, over all pools. */
  readonly atOnce: number;
  readonly clock: Clock;
}

/**
 * The most unfinished entries of a pool, not counting `atOnce`. At this limit no new entry is begun, so that a fault
 * that all entries share cannot make accounts for ever. A run works on no more entries than that, plus `atOnce`.
 */
const MOST_LEFT = 15;

/** Tries, one a minute, after which an unfinished entry is reported to a person; it is reported again after as many. */
const TOLD_AFTER = 60;

/**
 * Fills pools up to their sizes, all pools in turn: first the entries that an earlier run left unfinished, then new
 * ones. A pool gets no new entries in this run after a fault, or after the custodian did not answer for it. If the
 * custodian requests a pause, the run begins no more work at all.
 */
export function createFillPools<Of extends Pool>(deps: Dependencies<Of>): FillPools {
  const { store, pools, atOnce, clock } = deps;
  return async ({ stopsAt, newId }) => {
    const run: Run<Of> = { closed: new Set(), unfinished: new Map(), isOver: false, newId };
    const faults: unknown[] = [];
    const entries = pools.map((pool) => entriesOf(deps, run, pool));
    await sweep(shareAmongConsumers(roundRobin(entries, clock), atOnce), (one) => workOn(deps, run, one), {
      clock,
      until: stopsAt,
      report: ({ pool, entry }, error) => {
        if (!(error instanceof CustodianUnavailable)) return void faults.push(error);
        run.closed.add(pool);
        run.isOver ||= error.retryAfter !== undefined;
        reportUnfinished(pool, entry, describe(error));
      },
    });
    const counts = await Promise.all(pools.map(({ name, size }) => store.count(name, size)));
    if (faults.length > 0) throw faults[0];
    return counts.map(({ level }) => level);
  };
}

interface Run<Of> {
  /** Pools that get no new entries. */
  readonly closed: Set<Of>;
  readonly unfinished: Map<Of, number>;
  isOver: boolean;
  readonly newId: () => string;
}

interface Work<Of> {
  readonly pool: Of;
  readonly entry: UnfinishedEntry;
}

async function* entriesOf<Of extends Pool>(
  { store, isSpent, atOnce }: Dependencies<Of>,
  run: Run<Of>,
  pool: Of,
): AsyncGenerator<Work<Of>> {
  const { name, size, networks } = pool;
  const most = MOST_LEFT + atOnce;
  const { entries: free } = await store.count(name, size);
  const isReady = (one: FreeEntry) => networks.every((network) => one.networks.includes(network));
  for (const one of free.filter((entry) => !isReady(entry)).slice(0, most)) await store.reopen(name, one);

  const unfinished = await store.listUnfinished(name);
  run.unfinished.set(pool, unfinished.length);
  for (const entry of unfinished.slice(0, most)) {
    if (run.isOver || isSpent()) return;
    yield { pool, entry };
  }
  for (let missing = size - free.length - unfinished.length; missing > 0; missing -= 1) {
    if (run.isOver || run.closed.has(pool) || isSpent() || unfinishedOf(run, pool) >= most) return;
    run.unfinished.set(pool, unfinishedOf(run, pool) + 1);
    yield { pool, entry: await store.begin(name, run.newId()) };
  }
}

const unfinishedOf = <Of>(run: Run<Of>, pool: Of) => run.unfinished.get(pool) ?? 0;

async function workOn<Of extends Pool>({ store, make, clock }: Dependencies<Of>, run: Run<Of>, work: Work<Of>) {
  if (run.isOver) return;
  const { pool } = work;
  const changes = { tries: work.entry.tries + 1, workedAt: clock.now().toISOString() };
  let entry = await store.update(pool.name, work.entry, changes);
  if (entry === undefined) return;
  const begun = entry;
  const made = await make(begun, pool, async (vaultId) => {
    entry = await store.update(pool.name, begun, { vaultId });
  });
  if (entry === undefined) return;
  if ('notYet' in made) return reportUnfinished(pool, entry, made.notYet);
  if ('fault' in made) {
    run.closed.add(pool);
    return reportUnfinished(pool, entry, made.fault, 1);
  }
  await store.finish(pool.name, entry, made, pool.networks);
  run.unfinished.set(pool, unfinishedOf(run, pool) - 1);
}

/** A lasting cause needs a person: from try `since` on, it is logged as an error once an hour. */
function reportUnfinished(
  { name: pool }: Pool,
  { id: entryId, tries, vaultId }: UnfinishedEntry,
  cause: string,
  since = TOLD_AFTER,
): void {
  const about = { pool, entryId, vaultId, tries, cause };
  if (tries >= since && (tries - since) % TOLD_AFTER === 0) log.error('ADDRESS_NOT_MADE', about);
  else log.warn('ADDRESS_UNFINISHED', about);
}

/** The dependencies that both functions that fill pools share. */
export interface FillingParts {
  readonly slots: Slots;
  readonly newId: () => string;
  readonly writeLine: (line: string) => void;
  readonly metricsNamespace: string;
  readonly clock: Clock;
}

interface Filling extends FillingParts {
  /** The name of the run's slot: only one run of this name is under way at a time. */
  readonly name: string;
  readonly fillers: readonly FillPools[];
}

/** Milliseconds. Leaves time for the calls under way before the function times out. */
export const RUNS_FOR = 35_000;

/** A metric: the free addresses that the emptiest pool lacks, in percent of its size. */
export const MISSING_ADDRESSES = 'missing deposit addresses';

/**
 * Fills pools in one run, unless another run is under way, and writes its metrics.
 *
 * @returns the levels of the pools; none when another run is under way
 */
export function createFilling({ name, fillers, slots, newId, clock, ...metrics }: Filling) {
  return async (): Promise<readonly PoolLevel[]> => {
    const acquired = await slots.acquire(name, 1, newId());
    if (acquired.state === 'BUSY') return [];
    try {
      const stopsAt = clock.now().getTime() + RUNS_FOR;
      const levels = (await Promise.all(fillers.map((fill) => fill({ stopsAt, newId })))).flat();
      const missing = levels.map(({ free, size }) => Math.round((100 * Math.max(0, size - free)) / size));
      const gauges = Object.fromEntries(levels.map(({ pool, free }) => [`free addresses of ${pool}`, free]));
      const all = { [MISSING_ADDRESSES]: Math.max(0, ...missing), ...gauges };
      metrics.writeLine(gaugesLine(metrics.metricsNamespace, all, clock.now()));
      return levels;
    } finally {
      await slots.release(acquired.slot);
    }
  };
}
