import type { Item } from '#shared/platform/dynamodb/client.ts';
import { isUnreadable, reportUnreadable } from '#shared/platform/unreadable.ts';

/** The most items on one page of an operators' list. */
export const MOST_LISTED = 50;

/** Sorts before all times. */
const EVER = '0';

/** The start of a list, in the format of stored times. */
export function listStart({ since }: { readonly since?: string | undefined }): string {
  return since === undefined ? EVER : new Date(since).toISOString();
}

/** One page and the time at which the next one begins. Rows that have been dealt with are left out. */
export function listPage<Item>(rows: readonly (Item | undefined)[], nextAt: string | undefined) {
  const items = rows.filter((row) => row !== undefined);
  return { items, ...(nextAt !== undefined && { nextSince: nextAt }) };
}

/** One page of an index, as readFirstEntriesOfShards and similar functions read it. */
interface Page<Entry> {
  readonly items: readonly Entry[];
  /** Keys of unreadable items. */
  readonly unreadable?: readonly Item[];
  readonly nextAt?: string | undefined;
}

/** Like listPage, with unreadable items shown by their id, so that they hide no others. */
export async function readablePage<Entry extends object, Row>(
  { items: entries, unreadable = [], nextAt }: Page<Entry>,
  idOf: (entry: Entry) => string,
  rowOf: (entry: Entry) => Promise<Row | undefined> | Row | undefined,
) {
  const keys = [...unreadable];
  const rows = await Promise.all(
    entries.map(async (entry) => {
      try {
        return await rowOf(entry);
      } catch (error) {
        if (!isUnreadable(error)) throw error;
        keys.push({ id: idOf(entry) });
        return undefined;
      }
    }),
  );
  return { ...listPage(rows, nextAt), ...unreadableIdsField(keys) };
}

/** The field of a list or report for the items that it leaves out. Also logs them. */
export function unreadableIdsField(keys: readonly Item[]) {
  return keys.length > 0 ? { unreadableIds: [...reportUnreadable(keys)] } : {};
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long something has waited, in its two largest units: `3 d 4 h`, `5 h 10 min`, `2 min`. */
export function formatAge(since: string, now: Date): string {
  const age = Math.max(0, now.getTime() - Date.parse(since));
  const days = Math.floor(age / DAY);
  const hours = Math.floor((age % DAY) / HOUR);
  const minutes = Math.floor((age % HOUR) / MINUTE);
  if (days > 0) return `${days} d ${hours} h`;
  return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min`;
}
