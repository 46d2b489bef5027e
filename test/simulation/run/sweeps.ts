import type { TableName } from '#infra/platform/table-shapes.ts';
import type { Change } from '#test/simulation/aws/dynamodb/change.ts';
import type { Engine } from '#test/simulation/aws/dynamodb/engine.ts';
import type { Host, Invoke } from '#test/simulation/aws/host.ts';

const MINUTE = 60_000;

/** What a sweep goes through, and how many milliseconds before (with a minus, after) them it takes an entry. */
interface Sweep {
  readonly table: TableName;
  /** The attribute that an item has as long as it is in the index. */
  readonly shard: string;
  readonly at: string;
  readonly early: number;
}

const sweeps: Readonly<Record<string, Sweep>> = {
  'off-ramps/restart-lost-verifications': { table: 'operations', shard: 'dueShard', at: 'nextCheckAt', early: -3 * MINUTE },
  'off-ramps/release-due-deposits': { table: 'deposits', shard: 'dueShard', at: 'dueAt', early: MINUTE },
  'pay-ins/settle-open-payins': { table: 'payins', shard: 'dueShard', at: 'nextPollAt', early: MINUTE },
  'events/publish-overdue-changes': { table: 'events', shard: 'unpublishedIn', at: 'occurredAt', early: -MINUTE },
  'webhooks/release-due-deliveries': { table: 'deliveries', shard: 'dueShard', at: 'dueAt', early: 1.5 * MINUTE },
};

/**
 * Calls the functions that are called every minute, in the minutes in which they may find something: all others change
 * nothing. It rests while nothing is due at any time, so that a round can come to its end.
 */
export function createSweeps({ schedule }: Host, folders: readonly string[], invoke: Invoke, engine: () => Engine) {
  const { clock } = schedule;
  const watched = folders.map((folder) => {
    const sweep = sweeps[folder];
    if (sweep === undefined) throw new Error(`What does functions/${folder} go through? Say it in run/sweeps.ts.`);
    return { folder, ...sweep };
  });
  const tables = new Set<string>(watched.map(({ table }) => table));
  let isRunning = false;

  /** When it may find something, in milliseconds since 1970; never, when its index is empty. */
  function dueAt({ table, shard, at, early }: Sweep): number {
    const items = engine().tables.get(table)?.items() ?? [];
    const times = items.map((item) => (shard in item ? Date.parse(item[at]?.S ?? '') - early : Number.POSITIVE_INFINITY));
    return Math.min(...times, Number.POSITIVE_INFINITY);
  }

  async function run(): Promise<void> {
    for (;;) {
      const now = clock.now().getTime();
      const first = Math.min(...watched.map(dueAt));
      if (first === Number.POSITIVE_INFINITY) break;
      const next = Math.ceil(Math.max(first, now + 1) / MINUTE) * MINUTE;
      await clock.sleep(next - now);
      for (const sweep of watched) {
        if (dueAt(sweep) > next) continue;
        schedule.start(sweep.folder, async () => void (await invoke(sweep.folder, {})));
      }
    }
    isRunning = false;
  }

  return {
    /** Whatever is written may become due, also once the indexes have it. */
    onChange({ table }: Pick<Change, 'table'>): void {
      if (isRunning || !tables.has(table)) return;
      isRunning = true;
      schedule.start('every minute', async () => {
        await clock.sleep(MINUTE);
        await run();
      });
    },
  };
}
