import type { BusEntry } from '#shared/platform/aws/event-bus.ts';

/** A bus that keeps the entries that it is sent; a bus that is down takes none. */
export function busInMemory(isDown = false) {
  const sent: BusEntry[] = [];
  const put = async (entries: readonly BusEntry[]): Promise<readonly number[]> => {
    if (isDown) return [...entries.keys()];
    sent.push(...entries);
    return [];
  };
  return { sent, put };
}
