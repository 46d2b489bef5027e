import { checkFinally } from '#test/interleavings/invariants/finally.ts';
import type { AwsClients } from '#test/simulation/kernel/aws.ts';
import { seeded } from '#test/simulation/kernel/random.ts';
import { takeOverLog } from '#test/simulation/kernel/take-over-log.ts';
import { perform } from './acts.ts';
import { writeScript } from './script.ts';
import { sweepEveryMinute, sweepUntilNothingIsDue } from './sweeps.ts';
import { createWorld, type Watchers } from './world.ts';

/**
 * A script of what happens outside of the service, and one history of what the service does about it: the same for the
 * same seed and number.
 *
 * @throws {Violation} when a rule does not hold.
 */
export async function playRound(
  aws: AwsClients,
  { seed, round }: { readonly seed: number; readonly round: number },
  watchers: Watchers = {},
): Promise<void> {
  const script = writeScript(seeded(seed, round, 0));
  const world = createWorld(aws, script, seeded(seed, round, 1), watchers);
  using _ = takeOverLog({ tell: world.trace, fail: world.schedule.fail });
  for (const [number, act] of script.acts.entries())
    world.schedule.start(`${act.does} ${number}`, () => perform(world, act));
  world.schedule.start('every minute', () => sweepEveryMinute(world));
  await world.schedule.run();
  await sweepUntilNothingIsDue(world, script);
  checkFinally(world, script);
}
