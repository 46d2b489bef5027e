/** Where an entry stands in its partition: by its sort key and, where two have the same, by the key of the item. */
export interface Place {
  readonly sort: string;
  readonly key: string;
}

/** Negative, 0 or positive: by the bytes of their UTF-8, like DynamoDB. */
export function compareTexts(one: string, other: string): number {
  if (one === other) return 0;
  const end = Math.min(one.length, other.length);
  let at = 0;
  while (at < end && one.charCodeAt(at) === other.charCodeAt(at)) at += 1;
  return at === end ? one.length - other.length : rank(one.charCodeAt(at)) - rank(other.charCodeAt(at));
}

/** Of UTF-16's units those of surrogates come last: they begin the greatest code points. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit;
}

export function comparePlaces(one: Place, other: Place): number {
  return compareTexts(one.sort, other.sort) || compareTexts(one.key, other.key);
}

/** The first position whose entry fits, where all that follow fit, too; the length when none does. */
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
  // Times grow: most entries are the last of their partition.
  if (last === undefined || comparePlaces(last, entry) < 0) entries.push(entry);
  else entries.splice(positionOf(entries, entry), 0, entry);
}

export function remove<Entry extends Place>(entries: Entry[], entry: Entry): void {
  entries.splice(positionOf(entries, entry), 1);
}

function positionOf(entries: readonly Place[], place: Place): number {
  return firstThat(entries, (entry) => comparePlaces(entry, place) >= 0);
}
