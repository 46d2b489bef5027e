import type { listDeadLetters as contract } from '#shared/operators/lists.ts';
import type { NextStep } from '#shared/operators/next-step.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';
import type { CountDeadLetters, DeadLetterCount } from './count-dead-letters.ts';

export function listDeadLetters(countDeadLetters: CountDeadLetters): UseCase<typeof contract> {
  return async () => {
    const counted = await countDeadLetters();
    return { body: { items: counted.filter(({ messages }) => messages > 0).map(rowOf) } };
  };
}

function rowOf({ name, impact, messages }: DeadLetterCount) {
  const next: NextStep = { who: 'FINANCE', what: `${impact} Fixes the cause, and moves the messages back.` };
  return { queue: name, messages, ...next };
}
