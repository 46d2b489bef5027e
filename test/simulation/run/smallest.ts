import type { Script } from '#test/simulation/world/script/script.ts';
import { ended, type Group, groupsOf, without } from './parts.ts';

/** What it takes away, and what it asks. */
interface Task {
  readonly script: Script;
  /** Whether this part of the script is still enough. */
  readonly isEnough: (candidate: Script) => Promise<boolean>;
  /** Whether there is no time left: what is there by then is the result. */
  readonly isOver: () => boolean;
}

/**
 * Takes away what is not needed, in halves, quarters and so on down to one by one, until no single part can go. That is
 * no proof: two that make up for one another stay.
 */
export async function smallest({ script, isEnough, isOver }: Task): Promise<Script> {
  const atOnce = ended(script);
  let best = (await isEnough(atOnce)) ? atOnce : script;

  async function keepIfEnough(candidate: Script): Promise<boolean> {
    const enough = await isEnough(candidate);
    if (enough) best = candidate;
    return enough;
  }

  /** @returns whether anything was taken away */
  async function thin(index: number): Promise<boolean> {
    let isThinner = false;
    const group = () => groupsOf(best)[index] ?? [];
    for (let size = group().length; size >= 1; size = Math.floor(size / 2)) {
      // From the last on: what was done later hangs on what was done earlier.
      for (let end = group().length; end > 0 && !isOver(); end -= size) {
        const parts: Group = group().slice(Math.max(0, end - size), end);
        if (parts.length > 0 && (await keepIfEnough(without(best, parts)))) isThinner = true;
      }
    }
    return isThinner;
  }

  for (let isThinner = true; isThinner && !isOver(); ) {
    isThinner = false;
    for (let index = 0; index < groupsOf(best).length && !isOver(); index += 1) {
      if (await thin(index)) isThinner = true;
    }
  }
  return best;
}
