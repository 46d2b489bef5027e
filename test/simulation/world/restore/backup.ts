import { restoredTables } from '#infra/stage/table-shapes.ts';
import type { AwsInMemory } from '#test/simulation/aws/aws-in-memory.ts';
import type { Transaction } from '#test/simulation/books/change.ts';
import { kindOf } from '#test/simulation/books/kinds.ts';
import type { Random } from '#test/simulation/kernel/random.ts';
import { at } from '#test/simulation/world/clients/in-time.ts';
import type { Outside } from '#test/simulation/world/outside.ts';
import { MINUTE, SECOND } from '#test/simulation/world/script/moments.ts';
import { type Snapshot, snapshotOf, without } from './tables.ts';

/** The kinds of items of the transaction that is torn: any, or one that decides about a deposit; none is torn without. */
export type Torn = 'ANY' | 'DEPOSIT' | undefined;

interface Backup {
  /** All tables are restored to it, in milliseconds since 1970. */
  readonly second: number;
  readonly tables: Snapshot;
  /** A transaction is in it in part. */
  readonly isTorn: boolean;
}

interface Wanted {
  readonly to: number;
  readonly at: number;
  readonly tears: Torn;
}

/**
 * The tables as a restore to a second gives them. DynamoDB tells its backups of a transaction item by item, so one that was
 * written right before that second may be in them in part, whether its items are of several tables or of one.
 */
export function createBackup({ to, at: restoredAt, tears }: Wanted) {
  let watch: ((written: Transaction) => void) | undefined;
  return {
    /** To be called with all that a request wrote. */
    onTransaction: (written: Transaction): void => watch?.(written),

    /** As they are at `to` or, if one is to be torn, right after the first such transaction from then on. */
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

/** At least one, and not all. */
function someOf(items: Transaction, random: Random): Transaction {
  const some = items.filter(() => random.chance(0.5));
  const one = items[random.below(items.length)];
  return some.length > 0 && some.length < items.length ? some : items.filter((item) => item === one);
}
