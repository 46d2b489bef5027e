import type { Slots } from '#shared/dynamodb/slots.ts';
import type { Clock } from '#shared/runtime/clock.ts';

/** As the table's: seconds for which a slot is held at most. */
const LEASE = 60;

interface SlotsInMemory extends Slots {
  /** How many slots are held now whose names fit. */
  held(name?: RegExp): number;
}

/** Keeps what the table keeps, under the same conditions, and looks at every slot. */
export function slotsInMemory(clock: Clock): SlotsInMemory {
  const items = new Map<string, { readonly token: string; readonly leaseUntil: number }>();
  const now = () => clock.now().getTime();
  const isHeld = (slot: string) => (items.get(slot)?.leaseUntil ?? 0) > now();
  return {
    held: (name = /./) => [...items.keys()].filter((slot) => name.test(slot) && isHeld(slot)).length,
    async acquire(owner, share, token) {
      const names = Array.from({ length: share }, (_, number) => `slot#${owner}#${number}`);
      const slot = names.find((name) => !isHeld(name) || items.get(name)?.token === token);
      if (slot === undefined) {
        const oldest = Math.min(...names.map((name) => items.get(name)?.leaseUntil ?? 0));
        return { state: 'BUSY', heldSeconds: LEASE - (oldest - now()) / 1000 };
      }
      items.set(slot, { token, leaseUntil: now() + LEASE * 1000 });
      return { state: 'ACQUIRED', slot: { slot, token } };
    },
    async release({ slot, token }) {
      if (items.get(slot)?.token === token) items.delete(slot);
    },
  };
}
