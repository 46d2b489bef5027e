import type { ListUnmatched } from '#shared/off-ramps/unmatched-deposits.ts';
import type { listUnmatched as contract } from '#shared/operators/lists.ts';
import type { Clock } from '#shared/platform/clock.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';
import { ageOf } from './age-of.ts';
import { depositNextStep } from './deposit-next-step.ts';
import { describeDeposit } from './describe-deposit.ts';
import { EVER, MOST_LISTED, pageOfList } from './list-answer.ts';

export function listUnmatched(list: ListUnmatched, clock: Clock): UseCase<typeof contract> {
  return async ({ query }) => {
    const now = clock.now();
    const { items, nextAt } = await list(query().since ?? EVER, MOST_LISTED);
    const rows = items.map((deposit) => {
      const { unmatchedSince: since, operationId, clientId } = deposit;
      // Somebody has dealt with it since the index was read.
      if (since === undefined) return undefined;
      const { who, what } = depositNextStep(deposit);
      return { ...describeDeposit(deposit), operationId, clientId, since, age: ageOf(since, now), who, what };
    });
    return { body: pageOfList(rows, nextAt) };
  };
}
