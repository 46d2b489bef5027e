/** Items of one page of a list of operators. */
export const MOST_LISTED = 50;

/** Before all times. */
const EVER = '0';

/** From when on a list goes, as times are stored. */
export function sinceOf({ since }: { readonly since?: string | undefined }): string {
  return since === undefined ? EVER : new Date(since).toISOString();
}

/** A page of a list, and from when the next one goes on: what is dealt with already is in none. */
export function pageOfList<Item>(rows: readonly (Item | undefined)[], nextAt: string | undefined) {
  const items = rows.filter((row) => row !== undefined);
  return { items, ...(nextAt !== undefined && { nextSince: nextAt }) };
}
