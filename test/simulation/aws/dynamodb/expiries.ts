import type { Item } from './attribute-values.ts';
import type { Lag } from './lag.ts';
import { firstThat } from './sorted.ts';

/** An item to delete, unless its time to live changes meanwhile. */
interface Expiry {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly table: string;
  readonly key: string;
  /** Seconds since 1970, as in the item's attribute. */
  readonly time: string;
}

/** Items that expired longer ago than this are not deleted. */
const YEARS = 5;
const MILLISECONDS_OF_A_YEAR = 365 * 24 * 3600 * 1000;

export interface Expiries {
  /** Plans the deletion of a written item by its time-to-live attribute. */
  watch(item: Omit<Expiry, 'at' | 'time'>, time: Item[string] | undefined): void;
  putOff(expiry: Expiry, milliseconds: number): void;
  /** Takes an item that must be deleted now. */
  take(): Expiry | undefined;
}

export function createExpiries({ now, ofExpiry }: Lag): Expiries {
  /** In the order of deletion. */
  const waiting: Expiry[] = [];

  function add(expiry: Expiry): void {
    const later = firstThat(waiting, ({ at }) => at > expiry.at);
    waiting.splice(later, 0, expiry);
  }

  return {
    watch(item, time) {
      if (ofExpiry === undefined || time?.N === undefined) return;
      const endsAt = Number(time.N) * 1000;
      if (endsAt < now() - YEARS * MILLISECONDS_OF_A_YEAR) return;
      add({ ...item, at: Math.max(endsAt, now()) + ofExpiry(), time: time.N });
    },
    putOff: (expiry, milliseconds) => add({ ...expiry, at: now() + milliseconds }),
    take: () => (waiting[0] !== undefined && waiting[0].at <= now() ? waiting.shift() : undefined),
  };
}
