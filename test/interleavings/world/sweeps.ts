import { Violation } from '../invariants/violation.ts';
import type { World } from './world.ts';

const MINUTE = 60_000;
const OVERDUE = 180_000;
const LIMIT_SECONDS = 55;

/** How long sweeps run beside everything else; longer than the windows of the script. */
const MINUTES = 25;

/** After that, a round that is not at its end never comes to it. */
const MOST_SWEEPS = 100;

export async function sweepEveryMinute(world: World): Promise<void> {
  for (let minute = 1; minute <= MINUTES; minute += 1) {
    await world.schedule.clock.sleep(MINUTE);
    if (isAnythingDue(world)) await sweep(world);
  }
}

/** Lets time pass until the service has nothing left to do. */
export async function sweepUntilNothingIsDue(world: World): Promise<void> {
  for (let sweeps = 0; isAnythingComing(world); sweeps += 1) {
    if (sweeps === MOST_SWEEPS) throw new Violation('everything comes to an end', {});
    world.schedule.start('every minute', async () => {
      await world.schedule.clock.sleep(MINUTE);
      await sweep(world);
    });
    await world.schedule.run();
  }
}

async function sweep({ schedule, service }: World): Promise<void> {
  await schedule.invoke('sweep', LIMIT_SECONDS, service.restartLostVerifications);
}

/** Whether a sweep would find anything: most find nothing, and need not be played. */
function isAnythingDue({ engine, schedule }: World): boolean {
  const before = new Date(schedule.clock.now().getTime() - OVERDUE).toISOString();
  const due = engine.tables.get('operations')?.entries('due').items ?? [];
  return due.some((entry) => (entry['nextCheckAt']?.S ?? '') < before);
}

function isAnythingComing({ engine }: World): boolean {
  return (engine.tables.get('operations')?.items() ?? []).some((item) => 'dueShard' in item);
}
