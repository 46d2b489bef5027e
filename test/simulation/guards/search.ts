import { AT_A_TIME, type Base, type Play } from './base.ts';
import type { Guard } from './guard.ts';

/** Guards without which a rule breaks, though it holds as soon as any of them is there. */
export interface BreakingSet {
  readonly guards: readonly Guard[];
  readonly rule: string;
  /** The first one that breaks it. */
  readonly round: number;
}

/** Rounds that are played without a set, of those in which a guard of it is needed. */
export const MOST_ROUNDS = 40;

interface Search {
  readonly play: Play;
  readonly base: Base;
  readonly found: BreakingSet[];
  readonly tell: (line: string) => void;
}

/**
 * Looks for the smallest sets of guards whose removal breaks a rule: each guard alone, then any two that could do each
 * other's work, then what is in no set yet with all that could do its work anywhere.
 */
export async function searchBreakingSets(
  play: Play,
  base: Base,
  tell: (line: string) => void,
): Promise<readonly BreakingSet[]> {
  const search: Search = { play, base, found: [], tell };
  for (const guard of base.guards) await tryOne(search, [guard]);
  for (const [position, one] of base.guards.entries()) {
    const related = base.guards.slice(position + 1).filter((other) => mayBackUp(base, one, other));
    for (const other of related) await tryOne(search, [one, other]);
  }
  await tryAllTogether(search);
  return search.found;
}

/** Whether one could do the other's work: both are of one use case, or guard items of one table and have work there. */
function mayBackUp({ roundsWith }: Base, one: Guard, other: Guard): boolean {
  const areNeeded = [one, other].every(({ name }) => roundsWith(name).length > 0);
  return one.useCase === other.useCase || (one.table === other.table && areNeeded);
}

/** Unless nothing could be learned from it. */
async function tryOne(search: Search, guards: readonly Guard[]): Promise<void> {
  if (guards.every((guard) => isInASet(search, guard)) || holdsABreakingSet(search, guards)) return;
  const set = await breakingSetOf(search, guards);
  if (set !== undefined) note(search, set);
}

/** Every guard that is in no set with all others, but for those that would make a set which is known. */
async function tryAllTogether(search: Search): Promise<void> {
  const harmless = new Set<Guard>();
  for (const guard of search.base.guards) {
    while (!isInASet(search, guard) && !harmless.has(guard)) {
      const most = mostWith(guard, search);
      const set = await breakingSetOf(search, most);
      if (set !== undefined) note(search, await smallestOf(search, set, guard));
      else for (const one of most) harmless.add(one);
    }
  }
}

function mostWith(guard: Guard, search: Search): readonly Guard[] {
  let most = [guard];
  for (const other of search.base.guards.filter((one) => one !== guard)) {
    const more = [...most, other];
    if (!holdsABreakingSet(search, more)) most = more;
  }
  return most;
}

/** Puts back one guard after the other, the given one last, where the round that breaks a rule does so all the same. */
async function smallestOf(search: Search, set: BreakingSet, last: Guard): Promise<BreakingSet> {
  let smallest = set.guards;
  for (const guard of [...set.guards.filter((one) => one !== last), last]) {
    const others = smallest.filter((one) => one !== guard);
    const { rule } = await search.play(set.round, namesOf(others));
    if (rule !== undefined) smallest = others;
  }
  return (await breakingSetOf(search, smallest)) ?? { ...set, guards: smallest };
}

/** What breaks without these guards in the first round that is not the same without them and breaks a rule. */
async function breakingSetOf({ play, base }: Search, guards: readonly Guard[]): Promise<BreakingSet | undefined> {
  const names = namesOf(guards);
  const rounds = [...new Set(names.flatMap(base.roundsWith))].toSorted((one, other) => one - other);
  for (let from = 0; from < Math.min(rounds.length, MOST_ROUNDS); from += AT_A_TIME) {
    const some = rounds.slice(from, from + AT_A_TIME);
    const outcomes = await Promise.all(some.map((round) => play(round, names)));
    const failed = outcomes.findIndex(({ rule }) => rule !== undefined);
    const [rule, round] = [outcomes[failed]?.rule, some[failed]];
    if (rule !== undefined && round !== undefined) return { guards, rule, round };
  }
  return undefined;
}

const namesOf = (guards: readonly Guard[]) => guards.map(({ name }) => name);

function note({ found, base, tell }: Search, set: BreakingSet): void {
  found.push(set);
  tell(`${namesOf(set.guards).join(' + ')}: ${set.rule} (${base.offRampsUpTo(set.round)} off-ramps)`);
}

function isInASet({ found }: Search, guard: Guard): boolean {
  return found.some(({ guards }) => guards.includes(guard));
}

function holdsABreakingSet({ found }: Search, set: readonly Guard[]): boolean {
  return found.some(({ guards }) => guards.every((guard) => set.includes(guard)));
}
