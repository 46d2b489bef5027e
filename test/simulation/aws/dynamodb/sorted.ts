/** The place of an entry in its partition: by its sort key, and by the item's key if two are equal. */
export interface Place {
  readonly sort: string;
  readonly key: string;
}

/** Compares by the bytes of UTF-8, like DynamoDB: negative, 0 or positive. */
export function compareTexts(one: string, other: string): number {
  if (one === other) return 0;
  const end = Math.min(one.length, other.length);
  let at = 0;
  while (at < end && one.charCodeAt(at) === other.charCodeAt(at)) at += 1;
  return at === end ? one.length - other.length : rank(one.charCodeAt(at)) - rank(other.charCodeAt(at));
}

/** Surrogates sort after all other UTF-16 units, because they encode the greatest code points. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit;
}

export function comparePlaces(one: Place, other: Place): number {
  return compareTexts(one.sort, other.sort) || compareTexts(one.key, other.key);
}

/** Returns the first position that fits, if all later ones fit too; the length if none fits. */
export function firstThat<Entry>(entries: readonly Entry[], fits: (entry: Entry) => boolean): number {
  let [from, to] = [0, entries.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    const entry = entries[middle];
    if (entry !== undefined && fits(entry)) to = middle;
    else from = middle + 1;
  }
  return from;
}

export function insert<Entry extends Place>(entries: Entry[], entry: Entry): void {
  const last = entries.at(-1);
  // Most sort keys are times, so most entries come last in their partition.
  if (last === undefined || comparePlaces(last, entry) < 0) entries.push(entry);
  else entries.splice(positionOf(entries, entry), 0, entry);
}

export function remove<Entry extends Place>(entries: Entry[], entry: Entry): void {
  entries.splice(positionOf(entries, entry), 1);
}

function positionOf(entries: readonly Place[], place: Place): number {
  return firstThat(entries, (entry) => comparePlaces(entry, place) >= 0);
}
