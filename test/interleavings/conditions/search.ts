import { Violation } from '../invariants/violation.ts';
import type { Failure } from '../rounds.ts';
import { conditionsMet, firstFailureWithout } from './without.ts';

/** Conditions without which a rule breaks, though it holds without any fewer of them. */
interface BreakingSet {
  readonly conditions: readonly string[];
  readonly rule: string;
  readonly round: number;
}

const LARGEST = 3;

/**
 * Looks for the smallest sets of conditions whose removal breaks a rule: each condition alone, then those that are in no
 * set yet with every other that does not break a rule alone, and so on.
 */
export async function searchBreakingSets(
  { seed, rounds }: { readonly seed: number; readonly rounds: number },
  tell: (line: string) => void,
): Promise<void> {
  const all = await conditionsMet({ seed, rounds });
  tell(`${all.length} conditions, ${rounds} rounds of seed ${seed} for each set`);
  const breaking: BreakingSet[] = [];
  for (let size = 1; size <= LARGEST; size += 1) {
    const unplaced = all.filter((one) => !breaking.some(({ conditions }) => conditions.includes(one)));
    for (const conditions of setsOf(size, all).filter((set) => set.some((one) => unplaced.includes(one)))) {
      if (breaking.some((smaller) => smaller.conditions.every((one) => conditions.includes(one)))) continue;
      const failure = await firstFailureWithout(conditions, { seed, rounds });
      if (failure === undefined) continue;
      breaking.push({ conditions, rule: ruleOf(failure), round: failure.round });
      tell(JSON.stringify(breaking.at(-1)));
    }
  }
  const unplaced = all.filter((one) => !breaking.some(({ conditions }) => conditions.includes(one)));
  tell(`In no set of up to ${LARGEST}: ${JSON.stringify(unplaced, undefined, 1)}`);
}

function setsOf(size: number, [first, ...others]: readonly string[]): readonly (readonly string[])[] {
  if (size === 0) return [[]];
  if (first === undefined) return [];
  return [...setsOf(size - 1, others).map((rest) => [first, ...rest]), ...setsOf(size, others)];
}

function ruleOf({ error }: Failure): string {
  if (error instanceof Violation) return error.rule;
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
