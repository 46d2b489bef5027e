import { offRampErrors } from '#shared/off-ramps/contract/off-ramp-contract.ts';
import type { putBackContract } from '#shared/off-ramps/contract/operator-commands.ts';
import type { createPutBack } from '#shared/off-ramps/transitions/put-back-operation.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { retryOnConflict } from '#shared/platform/dynamodb/transaction.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';
import type { Change } from '#shared/platform/operators/audited.ts';

const NO_RECORD =
  'No event of the last 114 days has the fields that its creation fixed. Its deposits are in the log as NOT_OURS, and a person sends them back at the custodian.';

/** Puts back an operation that a restore has lost. A repeated call gives the same answer. */
export function putBack(put: ReturnType<typeof createPutBack>, clock: Clock): Change<typeof putBackContract> {
  return async ({ operationId }) => {
    const done = await retryOnConflict(clock, () => put(operationId, clock.now()));
    if (done.outcome === 'NO_RECORD') throw new ApiError(offRampErrors.OFF_RAMP_NOT_FOUND, { detail: NO_RECORD });
    if (done.outcome === 'ADDRESS_TAKEN')
      throw conflict(`Its deposit address belongs to ${done.by}. Nothing was written.`);
    const { clientId, userId, status, createdAt } = done.operation;
    if (done.outcome === 'EXISTS') throw conflict(`It already exists: ${status}, created at ${createdAt}.`);
    return { body: done.operation, ids: { operationId, clientId, userId } };
  };
}

function conflict(detail: string): ApiError {
  return new ApiError(offRampErrors.OPERATION_STATUS_CONFLICT, { detail });
}
