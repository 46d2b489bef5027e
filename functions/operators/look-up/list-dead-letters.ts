import type * as z from 'zod/mini';
import { type listDeadLetters as contract, type deadLetters, namedIds } from '#shared/operators/lists.ts';
import type { Clock } from '#shared/platform/clock.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';
import { ageOf } from './age-of.ts';
import type { DeadLetters, LookAtDeadLetters } from './look-at-dead-letters.ts';

export function listDeadLetters(lookAtDeadLetters: LookAtDeadLetters, clock: Clock): UseCase<typeof contract> {
  return async () => {
    const found = await lookAtDeadLetters();
    const now = clock.now();
    return { body: { items: found.filter(({ messages }) => messages > 0).map((one) => rowOf(one, now)) } };
  };
}

function rowOf({ name, impact, messages, oldest }: DeadLetters, now: Date): z.infer<typeof deadLetters> {
  return {
    queue: name,
    messages,
    ...(oldest && { since: oldest.since, age: ageOf(oldest.since, now), ...namedIds.parse(oldest.ids) }),
    who: 'FINANCE',
    what: `${impact} Fixes the cause, and moves the messages back.`,
  };
}
