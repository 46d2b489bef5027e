import type { Deployed } from '#test/simulation/aws/aws-in-memory.ts';
import type { Script } from '#test/simulation/world/script/script.ts';
import { failureOf } from './failure.ts';
import { type History, historyOf, type RoundNumber, scriptOf } from './round.ts';
import { smallest } from './smallest.ts';

/** How many histories are tried before something counts as needed: most of what can go goes with few. */
const EFFORTS = [2, 8, 40];

/** A script with a history in which a rule does not hold. */
export interface Broken {
  /** The rule, or what else went wrong. */
  readonly rule: string;
  readonly script: Script;
  readonly history: History;
}

/**
 * The least of a round's script that still breaks the same rule in some history, or what was found of it in so many
 * seconds; `undefined` when the round breaks none.
 */
export async function shrink(deployed: Deployed, failing: RoundNumber, seconds: number): Promise<Broken | undefined> {
  const until = performance.now() + seconds * 1000;
  const isOver = () => performance.now() > until;
  let script = scriptOf(failing);
  let history = historyOf(failing);
  const rule = await failureOf(deployed, script, history);
  if (rule === undefined) return undefined;

  /** The history that broke it last is tried first: often nothing in it depends on what was taken away. */
  async function isEnough(candidate: Script, histories: number): Promise<boolean> {
    for (const tried of [history, ...historiesUpTo(histories)]) {
      if (isOver()) return false;
      if ((await failureOf(deployed, candidate, tried)) !== rule) continue;
      history = tried;
      return true;
    }
    return false;
  }

  for (const effort of EFFORTS) {
    script = await smallest({ script, isEnough: (candidate) => isEnough(candidate, effort), isOver });
  }
  return { rule, script, history: await shortest(deployed, script, rule, [history, ...historiesUpTo(10)]) };
}

/** Histories that are none of a round's. */
export function historiesUpTo(end: number): readonly History[] {
  return Array.from({ length: end }, (_, number) => [number]);
}

/** Of the histories that break the rule, the one with the least to read. */
async function shortest(
  deployed: Deployed,
  script: Script,
  rule: string,
  histories: readonly History[],
): Promise<History> {
  let best: { readonly history: History; readonly lines: number } | undefined;
  for (const history of histories) {
    let lines = 0;
    const tell = () => {
      lines += 1;
    };
    const isBroken = (await failureOf(deployed, script, history, { tell })) === rule;
    if (isBroken && (best === undefined || lines < best.lines)) best = { history, lines };
  }
  return best?.history ?? [];
}
