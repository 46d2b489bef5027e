import { operationOf } from '#shared/off-ramps/deposit.ts';
import type { ListUnmatched } from '#shared/off-ramps/unmatched-deposits.ts';
import type { listUnmatched as contract } from '#shared/operators/lists.ts';
import type { Clock } from '#shared/platform/clock.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';
import { ageOf } from './age-of.ts';
import { depositNextStep } from './deposit-next-step.ts';
import { describeDeposit } from './describe-deposit.ts';
import { MOST_LISTED, pageOfList, sinceOf } from './list-answer.ts';

export function listUnmatched(list: ListUnmatched, clock: Clock): UseCase<typeof contract> {
  return async ({ query }) => {
    const now = clock.now();
    const { items, nextAt } = await list(sinceOf(query()), MOST_LISTED);
    const rows = items.map((deposit) => {
      const { unmatchedSince: since, clientId } = deposit;
      // Somebody has dealt with it since the index was read.
      if (since === undefined) return undefined;
      const { who, what } = depositNextStep(deposit);
      return {
        ...describeDeposit(deposit),
        operationId: operationOf(deposit),
        clientId,
        since,
        age: ageOf(since, now),
        who,
        what,
      };
    });
    return { body: pageOfList(rows, nextAt) };
  };
}
