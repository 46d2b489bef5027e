import type { listContradictionsContract } from '#shared/off-ramps/contract/operator-lookups.ts';
import { openContradictions } from '#shared/off-ramps/model/contradictions.ts';
import { contradictionNextStep } from '#shared/off-ramps/model/next-step.ts';
import type { OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import type { ListContradicted } from '#shared/off-ramps/store/off-ramp-lists.ts';
import type { Clock } from '#shared/platform/clock.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';
import { formatAge, listStart, MOST_LISTED, readablePage } from '#shared/platform/operators/list-answer.ts';

export function listContradictions(list: ListContradicted, clock: Clock): UseCase<typeof listContradictionsContract> {
  return async ({ query }) => {
    const now = clock.now();
    const page = await list(listStart(query()), MOST_LISTED);
    const body = await readablePage(
      { ...page, unreadable: page.unreadable.map(({ operationId }) => ({ operationId })) },
      ({ operationId }) => operationId,
      (operation) => rowOf(operation, now),
    );
    return { body };
  };
}

function rowOf(operation: OffRamp, now: Date) {
  const [{ contradictedSince: since }, step] = [operation, contradictionNextStep(operation)];
  // A person has resolved it since the index was read.
  if (since === undefined || step === undefined) return undefined;
  const said = openContradictions(operation).map(({ status }) => status);
  return { ...operation, said, since, age: formatAge(since, now), ...step };
}
