import type { Clock } from '#shared/platform/clock.ts';
import type { Slots } from '#shared/platform/dynamodb/slots.ts';
import { gaugesLine } from '#shared/platform/gauges.ts';
import { describe, log } from '#shared/platform/logger.ts';
import { inTurns, lanes, sweep } from '#shared/platform/sweep.ts';
import type { AddressPool, PooledAddress, UnfinishedEntry } from './address-pool.ts';
import { CustodianUnavailable, type FillPools, type PoolLevel } from './custodian.ts';

/** What became of an entry: an address, nothing yet, or what is wrong with it for good. */
export type Made = PooledAddress | 'NOT_YET' | { readonly fault: string };

export type KeepVault = (vaultId: string) => Promise<void>;

interface Pool {
  readonly name: string;
  readonly size: number;
}

interface Dependencies<Of extends Pool> {
  readonly store: AddressPool;
  readonly pools: readonly Of[];
  /**
   * Works on an entry: a run may have done so before, and may have been cut off anywhere.
   *
   * @param keepVault keeps the account at the custodian with the entry, once it is known
   * @throws {CustodianUnavailable}
   */
  readonly make: (entry: UnfinishedEntry, pool: Of, keepVault: KeepVault) => Promise<Made>;
  /** As many calls were made as a run may make. */
  readonly isSpent: () => boolean;
  readonly clock: Clock;
}

/** Entries that are made at the same time, over all pools. */
const AT_ONCE = 5;

/** Entries that an earlier run left unfinished, of which a run works on the ones that have waited longest. */
const MOST_LEFT_OVER = 20;

/** Tries, one a minute, after each of which a person is told of an entry that is still unfinished. */
const TOLD_AFTER = 60;

/**
 * Fills pools up to their sizes: first what an earlier run has left unfinished, then new entries, of all pools in turns. A
 * pool whose custodian does not answer gets no new entries in this run, and none gets any when it asks for a pause.
 */
export function createFillPools<Of extends Pool>(deps: Dependencies<Of>): FillPools {
  const { store, pools, clock } = deps;
  return async ({ stopsAt, newId }) => {
    const run = { closed: new Set<Of>(), isOver: false, newId };
    const faults: unknown[] = [];
    const entries = pools.map((pool) => entriesOf(deps, run, pool));
    await sweep(lanes(inTurns(entries, clock), AT_ONCE), (one) => workOn(deps, run, one), {
      clock,
      until: stopsAt,
      report: ({ pool, entry }, error) => {
        if (!(error instanceof CustodianUnavailable)) return void faults.push(error);
        run.closed.add(pool);
        run.isOver ||= error.retryAfter !== undefined;
        tell(pool, entry, describe(error));
      },
    });
    const levels = await Promise.all(pools.map(({ name, size }) => store.count(name, size)));
    if (faults.length > 0) throw faults[0];
    return levels;
  };
}

interface Run<Of> {
  /** Pools that get no new entries. */
  readonly closed: Set<Of>;
  isOver: boolean;
  readonly newId: () => string;
}

interface Work<Of> {
  readonly pool: Of;
  readonly entry: UnfinishedEntry;
}

async function* entriesOf<Of extends Pool>(
  { store, isSpent }: Dependencies<Of>,
  run: Run<Of>,
  pool: Of,
): AsyncGenerator<Work<Of>> {
  const { free } = await store.count(pool.name, pool.size);
  const unfinished = await store.listUnfinished(pool.name);
  for (const entry of unfinished.slice(0, MOST_LEFT_OVER)) {
    if (run.isOver || isSpent()) return;
    yield { pool, entry };
  }
  for (let missing = pool.size - free - unfinished.length; missing > 0; missing -= 1) {
    if (run.isOver || run.closed.has(pool) || isSpent()) return;
    yield { pool, entry: await store.begin(pool.name, run.newId()) };
  }
}

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
  if (made === 'NOT_YET') return tell(pool, entry, 'It is not usable yet.');
  if ('address' in made) return store.finish(pool.name, entry, made);
  log.error('ADDRESS_SET_ASIDE', { pool: pool.name, entryId: entry.id, vaultId: entry.vaultId, why: made.fault });
  await store.setAside(pool.name, entry, made.fault);
}

/** What lasts needs a person, who is told once an hour. */
function tell({ name: pool }: Pool, { id: entryId, tries, vaultId }: UnfinishedEntry, cause: string): void {
  const about = { pool, entryId, vaultId, tries, cause };
  if (tries > 0 && tries % TOLD_AFTER === 0) log.error('ADDRESS_NOT_MADE', about);
  else log.warn('ADDRESS_UNFINISHED', about);
}

/** What both functions that fill pools are wired with. */
export interface FillingParts {
  readonly slots: Slots;
  readonly newId: () => string;
  readonly writeLine: (line: string) => void;
  readonly metricsNamespace: string;
  readonly clock: Clock;
}

interface Filling extends FillingParts {
  /** Names the run: there is one at a time. */
  readonly name: string;
  readonly fillers: readonly FillPools[];
}

/** Milliseconds. Leaves time for the calls under way before the function times out. */
const RUNS_FOR = 35_000;

/** A metric, in percent of its size: what is missing in the emptiest pool. */
export const MISSING_ADDRESSES = 'missing deposit addresses';

/**
 * One run of what fills pools, if no other is under way, and the line of its metrics.
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
