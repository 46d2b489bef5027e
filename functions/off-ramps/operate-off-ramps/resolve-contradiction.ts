import { offRampErrors } from '#shared/off-ramps/contract/off-ramp-contract.ts';
import type { resolveContradictionContract } from '#shared/off-ramps/contract/operator-commands.ts';
import { openContradictions } from '#shared/off-ramps/model/contradictions.ts';
import type { OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import type { OffRamps } from '#shared/off-ramps/store/off-ramp-repository.ts';
import type { ContradictionStore } from '#shared/off-ramps/transitions/keep-contradiction.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { retryOnConflict } from '#shared/platform/dynamodb/transaction.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';
import type { Change } from '#shared/platform/operators/audited.ts';

interface Dependencies {
  readonly operations: Pick<OffRamps, 'find'>;
  readonly contradictions: Pick<ContradictionStore, 'resolve'>;
  readonly clock: Clock;
}

/** Writes a person's decision on the state that they saw. Refused if it has changed. A decision can be changed. */
export function resolveContradiction({
  operations,
  contradictions,
  clock,
}: Dependencies): Change<typeof resolveContradictionContract> {
  return async ({ operationId, outcome, sequence }) => {
    const resolved = await retryOnConflict(clock, async () => {
      const seen = await operations.find(operationId);
      if (seen === undefined) throw new ApiError(offRampErrors.OFF_RAMP_NOT_FOUND);
      if (seen.sequence !== Number(sequence))
        throw conflict(`It has changed since: ${stateOf(seen)} Look at it again.`);
      if (seen.contradictedSince === undefined && seen.paidOut === undefined) {
        throw conflict('It has no contradiction.');
      }
      return contradictions.resolve(seen, outcome === 'paid');
    });
    const { clientId, userId } = resolved;
    return {
      body: { ...resolved, contradictions: [...(resolved.contradictions ?? [])] },
      ids: { operationId, clientId, userId },
    };
  };
}

/** The current state, which the operator has not seen yet. */
function stateOf(operation: OffRamp): string {
  const { status, sequence, paidOut } = operation;
  const decided = paidOut === undefined ? '' : `, and was found ${paidOut ? 'paid' : 'not-paid'}`;
  const said = openContradictions(operation).map((one) =>
    [one.status, one.payout?.reference].filter(Boolean).join(' '),
  );
  const standing = said.length === 0 ? '' : `, and these reports are open: ${said.join(', ')}`;
  return `its sequence is ${sequence}, it is ${status}${decided}${standing}.`;
}

function conflict(detail: string): ApiError {
  return new ApiError(offRampErrors.OPERATION_STATUS_CONFLICT, { detail });
}
