import type { Item } from './dynamodb/client.ts';
import { log } from './logger.ts';

/*
 * An unreadable item must not hide the others: a list answers without it, and its log line alerts a person
 * (decisions.md 12, Boundary).
 */

/** Names of the errors of zod, of JSON, and of an invalid time or key. Zod's class is not imported: it would bundle its messages in every language. */
const PARSERS = ['$ZodError', 'SyntaxError', 'RangeError'];

export const isUnreadable = (error: unknown): boolean => error instanceof Error && PARSERS.includes(error.name);

/** Parses an item of a list. An unreadable one is logged and becomes `undefined`, so that the list can leave it out. */
export function parseReadable<Kept>(id: string, parse: () => Kept): Kept | undefined {
  try {
    return parse();
  } catch (error) {
    return leaveOutUnreadable(id)(error);
  }
}

/** Logs the items that a list leaves out, and returns their ids for a list that names them. */
export function reportUnreadable(keys: readonly Item[]): readonly string[] {
  const ids = keys.map((key) => Object.values(key).join(' '));
  for (const id of ids) log.error('ITEM_UNREADABLE', { id });
  return ids;
}

/** For the `catch` of a read: logs an unreadable item and returns `undefined`, and rethrows any other error. */
export function leaveOutUnreadable(id: string): (error: unknown) => undefined {
  return (error) => {
    if (!isUnreadable(error)) throw error;
    log.error('ITEM_UNREADABLE', { id });
    return undefined;
  };
}
