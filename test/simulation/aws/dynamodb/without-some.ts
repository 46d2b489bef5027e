import type { BatchGetItemCommandInput, KeysAndAttributes } from '@aws-sdk/client-dynamodb';
import type { Random } from '#test/simulation/kernel/random.ts';
import type { Output } from './engine.ts';

/** Answers some of the keys, at least one, and leaves the others unprocessed. */
export function withoutSome(
  { RequestItems = {} }: BatchGetItemCommandInput,
  random: Random,
  answer: (input: BatchGetItemCommandInput) => Output,
): Output {
  const asked: Record<string, KeysAndAttributes> = {};
  const left: Record<string, KeysAndAttributes> = {};
  for (const [table, one] of Object.entries(RequestItems)) {
    const taken = 1 + random.below(one.Keys?.length ?? 0);
    asked[table] = { ...one, Keys: one.Keys?.slice(0, taken) };
    const rest = one.Keys?.slice(taken) ?? [];
    if (rest.length > 0) left[table] = { ...one, Keys: rest };
  }
  const output = answer({ RequestItems: asked });
  return { ...output, UnprocessedKeys: { ...output.UnprocessedKeys, ...left } };
}
