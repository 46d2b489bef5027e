import type { Item } from './dynamodb/client.ts';
import { log } from './logger.ts';

/*
 * One item that cannot be read hides no others: a list answers without it, and a person hears of it (decisions.md 12,
 * Boundary).
 */

/** Names of the errors of zod, of JSON, and of an invalid time or key. Zod's class is not imported: it would bundle its messages in every language. */
const PARSERS = ['$ZodError', 'SyntaxError', 'RangeError'];

export const isUnreadable = (error: unknown): boolean => error instanceof Error && PARSERS.includes(error.name);

/** `undefined` in place of an item that cannot be read, for a list that leaves it out. */
export function readable<Kept>(id: string, parse: () => Kept): Kept | undefined {
  try {
    return parse();
  } catch (error) {
    return leaveOut(id)(error);
  }
}

/** The ids of items that were left out, for a list that says so. */
export function reportUnreadable(keys: readonly Item[]): readonly string[] {
  const ids = keys.map((key) => Object.values(key).join(' '));
  for (const id of ids) log.error('ITEM_UNREADABLE', { id });
  return ids;
}

/** `undefined` in place of it, in the `catch` of its read. */
export function leaveOut(id: string): (error: unknown) => undefined {
  return (error) => {
    if (!isUnreadable(error)) throw error;
    log.error('ITEM_UNREADABLE', { id });
    return undefined;
  };
}
