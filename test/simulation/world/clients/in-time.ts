import type { Outside } from '#test/simulation/world/outside.ts';

/** Waits for a time, in milliseconds since 1970. */
export async function at({ host: { schedule } }: Pick<Outside, 'host'>, time: number): Promise<void> {
  await schedule.clock.sleep(Math.max(0, time - schedule.clock.now().getTime()));
}

/** Starts each act after its own delay in milliseconds; no act waits for another. */
export function inTime<Act extends { readonly after: number }>(
  { host: { schedule } }: Pick<Outside, 'host'>,
  name: string,
  acts: readonly Act[],
  perform: (act: Act) => Promise<void>,
): void {
  for (const act of acts) {
    schedule.start(name, async () => {
      await schedule.clock.sleep(act.after);
      await perform(act);
    });
  }
}
