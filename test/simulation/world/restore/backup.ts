import { restoredTables } from '#infra/stage/table-shapes.ts';
import type { AwsInMemory } from '#test/simulation/aws/aws-in-memory.ts';
import type { Transaction } from '#test/simulation/books/change.ts';
import { kindOf } from '#test/simulation/books/kinds.ts';
import type { Random } from '#test/simulation/kernel/random.ts';
import { at } from '#test/simulation/world/clients/in-time.ts';
import type { Outside } from '#test/simulation/world/outside.ts';
import { MINUTE, SECOND } from '#test/simulation/world/script/moments.ts';
import { type Snapshot, snapshotOf, without } from './tables.ts';

/** Which transaction the backup has in part: any, or one that writes a deposit; `undefined` for none. */
export type Torn = 'ANY' | 'DEPOSIT' | undefined;

interface Backup {
  /** The second that all tables are restored to, in milliseconds since 1970. */
  readonly second: number;
  readonly tables: Snapshot;
  /** True if a transaction is in the backup in part. */
  readonly isTorn: boolean;
}

interface Wanted {
  readonly to: number;
  readonly at: number;
  readonly tears: Torn;
}

/**
 * Takes the tables as a restore to a second gives them. DynamoDB backs up a transaction item by item, so the backup may
 * have only some items of one that was written just before that second, in several tables or in one.
 */
export function createBackup({ to, at: restoredAt, tears }: Wanted) {
  let watch: ((written: Transaction) => void) | undefined;
  return {
    /** Must be called with everything that a request wrote. */
    onTransaction: (written: Transaction): void => watch?.(written),

    /** Takes the tables at `to` or, if a transaction is to be torn, right after the first suitable one from then on. */
    async take(parts: Pick<Outside, 'host'> & { readonly aws: Pick<AwsInMemory, 'engine'> }): Promise<Backup> {
      const { schedule, random, trace } = parts.host;
      await at(parts, to);
      let backup: Backup = { second: to, tables: snapshotOf(parts.aws.engine), isTorn: false };
      watch = (written) => {
        const second = Math.ceil(schedule.clock.now().getTime() / SECOND) * SECOND;
        const items = written.filter(({ table }) => restoredTables.some((name) => name === table));
        if (!isTorn(items, tears) || second > restoredAt - MINUTE) return;
        watch = undefined;
        const lost = someOf(items, random);
        schedule.start('a backup', async () => {
          await at(parts, second);
          backup = { second, tables: without(lost, snapshotOf(parts.aws.engine)), isTorn: true };
          for (const { table, key } of lost) trace(() => `a backup without ${table} ${JSON.stringify(key)}`);
        });
      };
      await at(parts, restoredAt);
      watch = undefined;
      return backup;
    },
  };
}

function isTorn(items: Transaction, tears: Torn): boolean {
  if (items.length < 2 || tears === undefined) return false;
  return tears === 'ANY' || items.some((item) => kindOf(item) === 'DEPOSIT');
}

/** Picks at least one item, and not all. */
function someOf(items: Transaction, random: Random): Transaction {
  const some = items.filter(() => random.chance(0.5));
  const one = items[random.below(items.length)];
  return some.length > 0 && some.length < items.length ? some : items.filter((item) => item === one);
}
