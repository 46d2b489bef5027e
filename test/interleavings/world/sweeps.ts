import { Violation } from '#test/interleavings/invariants/violation.ts';
import type { Item } from '#test/simulation/aws/dynamodb/attribute-values.ts';
import type { Script } from './script.ts';
import type { World } from './world.ts';

const MINUTE = 60_000;
const LIMIT_SECONDS = 55;

/** How long sweeps run beside everything else; longer than the windows of the script. */
const MINUTES = 25;

/** After that, a round that is not at its end never comes to it. */
const MOST_SWEEPS = 800;

export async function sweepEveryMinute(world: World): Promise<void> {
  for (let minute = 1; minute <= MINUTES; minute += 1) {
    await world.schedule.clock.sleep(MINUTE);
    await sweep(world);
  }
}

/** Lets time pass until the service has nothing left to do; minutes in which sweeps would find nothing are not played. */
export async function sweepUntilNothingIsDue(world: World, script: Script): Promise<void> {
  const { clock } = world.schedule;
  for (let sweeps = 0; firstDue(world, script) < Number.POSITIVE_INFINITY; sweeps += 1) {
    if (sweeps === MOST_SWEEPS) throw new Violation('everything comes to an end', {});
    world.schedule.start('every minute', async () => {
      await clock.sleep(Math.max(MINUTE, firstDue(world, script) - clock.now().getTime()));
      await sweep(world);
    });
    await world.schedule.run();
  }
}

/** The sweeps that would find something, in the shards where they would. */
async function sweep({ schedule, engine, service }: World): Promise<void> {
  const now = schedule.clock.now().getTime();
  for (const { name, table, at, early, run } of sweepsOf(service)) {
    const entries = engine.tables.get(table)?.indexed('due') ?? [];
    const due = entries.filter((entry) => Date.parse(entry[at]?.S ?? '') < now + early);
    const shards = [...new Set(due.map((entry) => entry['dueShard']?.S ?? ''))];
    if (shards.length > 0) await schedule.invoke(name, LIMIT_SECONDS, () => run(shards));
  }
}

/** How much earlier than its time, in milliseconds, each sweep finds what is due; with a minus, how much later. */
const sweepsOf = ({ restartLostVerifications, releaseDueDeposits }: World['service']) => [
  {
    name: 'restart-lost-verifications',
    table: 'operations',
    at: 'nextCheckAt',
    early: -180_000,
    run: restartLostVerifications,
  },
  { name: 'release-due-deposits', table: 'deposits', at: 'dueAt', early: MINUTE, run: releaseDueDeposits },
];

/** When a sweep finds something again; never, when nothing is to come. */
function firstDue({ engine, service }: World, { quietFrom, isPlayedOut }: Script): number {
  // A hash that was looked for when nothing changed any more is not found later.
  const isFutile = ({ lastDueAt }: Item) => !isPlayedOut && Date.parse(lastDueAt?.S ?? '') > quietFrom;
  const times = sweepsOf(service).flatMap(({ table, at, early }) =>
    (engine.tables.get(table)?.items() ?? [])
      .filter((item) => 'dueShard' in item && !isFutile(item))
      .map((item) => Date.parse(item[at]?.S ?? '') - early + 1),
  );
  return Math.min(...times, Number.POSITIVE_INFINITY);
}
