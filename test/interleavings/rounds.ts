import { type AwsClients, awsClients } from '#test/simulation/kernel/aws.ts';
import { playRound } from './world/round.ts';
import type { Watchers } from './world/world.ts';

/** One round, by the numbers that make it the same again. */
export interface RoundNumber {
  readonly seed: number;
  readonly round: number;
}

export interface Failure extends RoundNumber {
  readonly error: unknown;
}

let clients: AwsClients | undefined;

/** What went wrong in a round; `undefined` when every rule held. */
async function failureOf(number: RoundNumber, watchers: Watchers = {}): Promise<Failure | undefined> {
  clients ??= awsClients();
  try {
    await playRound(clients, number, watchers);
    return undefined;
  } catch (error) {
    return { ...number, error };
  }
}

/** The first of so many rounds that fails. */
export async function firstFailure(
  { seed, from = 0, rounds }: { readonly seed: number; readonly from?: number; readonly rounds: number },
  watchers: Watchers = {},
): Promise<Failure | undefined> {
  for (let round = from; round < from + rounds; round += 1) {
    const failure = await failureOf({ seed, round }, watchers);
    if (failure !== undefined) return failure;
  }
  return undefined;
}

/** How to play a round again, everything that happens in it, and why it fails if it does. */
export async function report({ seed, round }: RoundNumber): Promise<string> {
  const lines: string[] = [];
  const failure = await failureOf({ seed, round }, { tell: (line) => lines.push(line) });
  return [`npm run interleavings -- --seed ${seed} --round ${round}`, ...lines, outcomeOf(failure)].join('\n');
}

function outcomeOf(failure: Failure | undefined): string {
  if (failure === undefined) return 'Every rule held.';
  return failure.error instanceof Error ? (failure.error.stack ?? '') : String(failure.error);
}
