import type { Outside } from '#test/simulation/world/outside.ts';
import type { NoticeScript } from '#test/simulation/world/script/script.ts';

/** Another service puts an event on the bus; this never fails. */
export function sayOnBus(
  { host, putOnBus, memory }: Pick<Outside, 'host' | 'putOnBus' | 'memory'>,
  { source, type, detail }: Omit<NoticeScript, 'at'>,
): void {
  putOnBus({ source, type, detail });
  memory.notices.push({ at: host.schedule.clock.now().getTime(), source, type, detail });
}
