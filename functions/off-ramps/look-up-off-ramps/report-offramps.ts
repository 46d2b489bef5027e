import type { reportOfframpsContract } from '#shared/off-ramps/contract/operator-lookups.ts';
import { isPaidOut } from '#shared/off-ramps/model/contradictions.ts';
import type { FindDepositStatuses } from '#shared/off-ramps/store/deposit-repository.ts';
import type { ListCredited } from '#shared/off-ramps/store/off-ramp-lists.ts';
import type { Clock } from '#shared/platform/clock.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';
import { unreadableIdsField } from '#shared/platform/operators/list-answer.ts';
import { MOST_LINES, reportDays } from '#shared/platform/operators/report-days.ts';

type Credited = Awaited<ReturnType<ListCredited>>['items'][number];

type Reported = Credited & { readonly custodianTransferId: string };

interface Dependencies {
  readonly listCredited: ListCredited;
  readonly addFundingDeposits: (
    credited: readonly Credited[],
  ) => Promise<{ readonly funded: readonly Reported[]; readonly unfunded: readonly Credited[] }>;
  readonly findDepositStatuses: FindDepositStatuses;
  readonly clock: Clock;
  readonly timeZone: string;
}

export function reportOfframps(deps: Dependencies): UseCase<typeof reportOfframpsContract> {
  return async ({ query }) => {
    const { days, since, upTo, dayOf, isAsked } = reportDays(query(), deps.clock.now(), deps.timeZone);
    const { items, unreadable, nextAt } = await deps.listCredited(since, upTo, MOST_LINES);
    const asked = items.filter(isAsked);
    const { funded, unfunded } = await deps.addFundingDeposits(asked);
    const statuses = await deps.findDepositStatuses(funded.map(({ custodianTransferId }) => custodianTransferId));
    const lines = funded.map((one) => ({
      ...lineOf(one),
      day: dayOf(one.creditedAt),
      depositStatus: statuses.get(one.custodianTransferId),
    }));
    const left = unreadableIdsField([...unreadable, ...unfunded].map(({ operationId }) => ({ operationId })));
    return { body: { ...days, items: lines, ...left, ...(nextAt !== undefined && { nextCursor: nextAt }) } };
  };
}

function lineOf(operation: Reported) {
  const { verifiedTxHash: txHash, payout, derivation } = operation;
  return {
    ...operation,
    txHash,
    isPaidOut: isPaidOut(operation),
    ...{ keyFingerprint: derivation?.fingerprint, keyPath: derivation?.path },
    ...{ payoutAmount: payout?.amount, payoutCurrency: payout?.currency, payoutReference: payout?.reference },
    paidAt: payout?.paidAt,
  };
}
