import { Violation } from '#test/interleavings/invariants/violation.ts';
import type { Failure } from '#test/interleavings/rounds.ts';
import { useCaseOf } from './name-of.ts';
import { firstFailureWithout, type Refusals, refusalsIn } from './without.ts';

/** Conditions without which a rule breaks, though it holds as soon as any of them is there. */
interface BreakingSet {
  readonly conditions: readonly string[];
  readonly rule: string;
  readonly round: number;
}

interface Search {
  readonly all: readonly string[];
  readonly breaking: readonly BreakingSet[];
  tryWithout(conditions: readonly string[]): Promise<BreakingSet | undefined>;
  note(found: BreakingSet): void;
}

/** Of conditions of one use case, whose sets are all tried. */
const LARGEST = 3;

/**
 * Looks for the smallest sets of conditions whose removal breaks a rule: each condition alone, then those of one use
 * case together, then what is in no set yet with all that it could back up anywhere.
 */
export async function searchBreakingSets(
  { seed, rounds }: { readonly seed: number; readonly rounds: number },
  tell: (line: string) => void,
): Promise<void> {
  const refusals = await refusalsIn({ seed, rounds });
  const search = searchIn(refusals, seed, tell);
  tell(`${search.all.length} conditions, and in how many of ${rounds} rounds of seed ${seed} each refuses a write:`);
  for (const one of search.all) tell(`${refusals.get(one)?.size} ${one}`);
  for (let size = 1; size <= LARGEST; size += 1) await tryUseCases(search, size);
  await tryAllTogether(search);
  const unplaced = search.all.filter((one) => !isInASet(search, one));
  tell(`In no set: ${JSON.stringify(unplaced, undefined, 1)}`);
}

function searchIn(refusals: Refusals, seed: number, tell: (line: string) => void): Search {
  const breaking: BreakingSet[] = [];
  return {
    all: [...refusals.keys()].toSorted(),
    breaking,
    async tryWithout(conditions) {
      const failure = await firstFailureWithout(conditions, seed, refusals);
      return failure && { conditions, rule: ruleOf(failure), round: failure.round };
    },
    note(found) {
      breaking.push(found);
      tell(JSON.stringify(found));
    },
  };
}

async function tryUseCases(search: Search, size: number): Promise<void> {
  const useCases = Object.values(Object.groupBy(search.all, useCaseOf));
  for (const set of useCases.flatMap((conditions = []) => setsOf(size, conditions))) {
    if (set.every((one) => isInASet(search, one)) || holdsABreakingSet(search, set)) continue;
    const found = await search.tryWithout(set);
    if (found !== undefined) search.note(found);
  }
}

/** Every condition that is in no set with all others, but for those that would make a set which is known. */
async function tryAllTogether(search: Search): Promise<void> {
  const harmless = new Set<string>();
  for (const one of search.all) {
    while (!isInASet(search, one) && !harmless.has(one)) {
      const most = mostWith(one, search);
      const found = await search.tryWithout(most);
      if (found !== undefined) search.note(await smallestOf(found, one, search));
      else for (const condition of most) harmless.add(condition);
    }
  }
}

function mostWith(one: string, search: Search): readonly string[] {
  let most = [one];
  for (const other of search.all.filter((condition) => condition !== one)) {
    const more = [...most, other];
    if (!holdsABreakingSet(search, more)) most = more;
  }
  return most;
}

/** Puts back one condition after the other, the given one last, where a rule breaks all the same. */
async function smallestOf(found: BreakingSet, last: string, { tryWithout }: Search): Promise<BreakingSet> {
  let smallest = found;
  for (const condition of [...found.conditions.filter((one) => one !== last), last]) {
    const others = smallest.conditions.filter((one) => one !== condition);
    smallest = (await tryWithout(others)) ?? smallest;
  }
  return smallest;
}

function isInASet({ breaking }: Search, one: string): boolean {
  return breaking.some(({ conditions }) => conditions.includes(one));
}

function holdsABreakingSet({ breaking }: Search, set: readonly string[]): boolean {
  return breaking.some(({ conditions }) => conditions.every((condition) => set.includes(condition)));
}

function setsOf(size: number, [first, ...others]: readonly string[]): readonly (readonly string[])[] {
  if (size === 0) return [[]];
  if (first === undefined) return [];
  return [...setsOf(size - 1, others).map((rest) => [first, ...rest]), ...setsOf(size, others)];
}

/** The rule that broke, or what went wrong instead. */
export function ruleOf({ error }: Failure): string {
  if (error instanceof Violation) return error.rule;
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
