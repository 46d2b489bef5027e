import type { Deployed } from '#test/simulation/aws/aws-in-memory.ts';
import type { Played } from './played.ts';
import { playRound, type RoundNumber, type Watchers } from './round.ts';

export interface Failure extends RoundNumber {
  readonly error: unknown;
}

type Result = { readonly played: Played } | { readonly failure: Failure };

/** One round: what came of it, or what went wrong in it. */
export async function tryRound(deployed: Deployed, number: RoundNumber, watchers: Watchers = {}): Promise<Result> {
  try {
    return { played: await playRound(deployed, number, watchers) };
  } catch (error) {
    return { failure: { ...number, error } };
  }
}

/** The rule that did not hold and its facts, or where the service failed. */
export function reasonOf({ error }: Failure): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
