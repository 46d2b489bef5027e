import { isDeepStrictEqual } from 'node:util';
import type { ContradictionStore } from '#shared/off-ramps/contradiction-store.ts';
import type { OffRamp } from '#shared/off-ramps/off-ramp.ts';
import type { OffRamps } from '#shared/off-ramps/off-ramp-store.ts';
import type { resolveContradiction as contract } from '#shared/off-ramps/operation-commands.ts';
import type { Change } from '#shared/operators/audited.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { retryOnConflict } from '#shared/platform/dynamodb/retry-on-conflict.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';

interface Dependencies {
  readonly operations: Pick<OffRamps, 'find'>;
  readonly contradictions: Pick<ContradictionStore, 'resolve'>;
  readonly clock: Clock;
}

/** A person decides on what was said until now: what is said meanwhile is left to be decided. */
export function resolveContradiction({ operations, contradictions, clock }: Dependencies): Change<typeof contract> {
  return async ({ operationId, outcome }) => {
    const first = await find(operationId);
    const resolved = await retryOnConflict(clock, async () => {
      const seen = await find(operationId);
      if (!isDeepStrictEqual(saidOf(seen), saidOf(first))) {
        throw conflict('Something else was said of it meanwhile: look at it again.');
      }
      return contradictions.resolve(seen, outcome === 'paid');
    });
    const { clientId, userId } = resolved;
    return {
      body: { ...resolved, contradictions: [...(resolved.contradictions ?? [])] },
      ids: { operationId, clientId, userId },
    };
  };

  async function find(operationId: string): Promise<OffRamp> {
    const seen = await operations.find(operationId);
    if (seen === undefined) throw new ApiError('OFF_RAMP_NOT_FOUND');
    // Whoever has decided may be wrong, and decides again.
    if (seen.contradictedSince === undefined && seen.paidOut === undefined) {
      throw conflict('Nothing that was said of it contradicts its status.');
    }
    return seen;
  }
}

/** An end or a payout that its status allows was said too. */
function saidOf({ status, endedBy, payout, contradictions, contradictionsNotKept }: OffRamp) {
  return { status, endedBy, payout, contradictions, contradictionsNotKept };
}

function conflict(detail: string): ApiError {
  return new ApiError('OPERATION_STATUS_CONFLICT', { detail });
}
