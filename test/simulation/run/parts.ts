import { HOUR } from '#test/simulation/world/script/moments.ts';
import { quietAfter } from '#test/simulation/world/script/quiet.ts';
import type { Script } from '#test/simulation/world/script/script.ts';

/** Where something is in a script: the names and numbers that lead to it. */
type Path = readonly (string | number)[];

/** Parts of the same kind: any of them can be taken away, or all. */
export type Group = readonly Path[];

/** What is there or not without an empty list. */
const OPTIONAL = ['key', 'payout', 'expiresAfter', 'settings'];

/** Everything that can be taken away from a script, whole lists, then faults, then what is in the lists. */
export function groupsOf({ swarm, ...script }: Script): readonly Group[] {
  const found: { readonly depth: number; readonly group: Group }[] = [];
  const visit = (value: unknown, path: Path): void => {
    if (typeof value !== 'object' || value === null) return;
    const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
    // What is wrong with a transfer is in its fields.
    const isAny = Array.isArray(value) || path.at(-2) === 'transfers';
    const parts = entries.filter(([key]) => isAny || OPTIONAL.includes(String(key)));
    if (parts.length > 0) found.push({ depth: path.length, group: parts.map(([key]) => [...path, key]) });
    for (const [key, inner] of entries) visit(inner, [...path, key]);
  };
  visit(script, []);
  const faults = Object.entries(swarm).flatMap(([part, faultsOfIt]) =>
    Object.entries(faultsOfIt).flatMap(([fault, probability]) => (probability > 0 ? [['swarm', part, fault]] : [])),
  );
  const lists = (isWhole: boolean) => found.filter(({ depth }) => (depth === 1) === isWhole);
  const inner = lists(false).toSorted((one, other) => one.depth - other.depth);
  return [...lists(true).map(({ group }) => group), faults, ...inner.map(({ group }) => group)];
}

/** The script without these parts of one group. It ends as soon as what is left has come to its end. */
export function without(script: Script, parts: Group): Script {
  const rest = structuredClone(script);
  // From the last on: those before keep their places.
  for (const path of parts.toReversed()) remove(rest, path);
  return ended(rest);
}

/** The script, over an hour after everything in it. */
export function ended(script: Script): Script {
  const quietFrom = quietAfter(script);
  return { ...script, quietFrom, endsAt: quietFrom + HOUR };
}

/** How many parts are left that can be taken away. */
export function sizeOf(script: Script): number {
  return groupsOf(script).flat().length;
}

function remove(script: Script, path: Path): void {
  const holder = path.slice(0, -1).reduce<unknown>((value, key) => Reflect.get(Object(value), key), script);
  const key = path.at(-1) ?? '';
  if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else if (path[0] === 'swarm') Reflect.set(Object(holder), key, 0);
  else Reflect.deleteProperty(Object(holder), key);
}
