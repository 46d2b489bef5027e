import { moneyOf } from '#shared/pay-ins/pay-in.ts';
import type { ListMismatched } from '#shared/pay-ins/pay-in-lists.ts';
import type { listMismatchedContract } from '#shared/pay-ins/pay-in-lookups.ts';
import { payinNextStep } from '#shared/pay-ins/pay-in-next-step.ts';
import type { FindPolledPayin } from '#shared/pay-ins/pay-in-repository.ts';
import type { Clock } from '#shared/platform/clock.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';
import { ageOf, MOST_LISTED, pageOfList, sinceOf } from '#shared/platform/operators/list-answer.ts';

interface Dependencies {
  readonly list: ListMismatched;
  readonly findPayin: FindPolledPayin;
  readonly clock: Clock;
}

export function listMismatched({ list, findPayin, clock }: Dependencies): UseCase<typeof listMismatchedContract> {
  return async ({ query }) => {
    const now = clock.now();
    const { entries, nextAt } = await list(sinceOf(query()), now.toISOString(), MOST_LISTED);
    const found = await Promise.all(entries.map(({ payinId }) => findPayin(payinId)));
    const rows = found.map((payin) => {
      // An operator or the rail has ended it since the index was read.
      if (payin?.mismatchedAt === undefined) return undefined;
      const [{ amount, currency }, since] = [moneyOf(payin), payin.mismatchedAt];
      const { who, what } = payinNextStep(payin);
      return { ...payin, paid: `${amount} ${currency}`, since, age: ageOf(since, now), who, what };
    });
    return { body: pageOfList(rows, nextAt) };
  };
}
