import type * as z from 'zod/mini';
import { COMPLIANCE, PAYOUTS } from '#shared/events/incoming-events.ts';
import { offRampErrors } from '#shared/off-ramps/contract/off-ramp-contract.ts';
import type { simulateOperationContract } from '#shared/off-ramps/contract/off-ramp-sandbox-contract.ts';
import {
  OPERATION_STATUS,
  PAYOUT_RETURNED,
  simulatedPayout,
} from '#shared/off-ramps/model/incoming-off-ramp-status.ts';
import { type EndStatus, mayBecome, mayEndAs, type OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import type { HeldPayouts } from '#shared/off-ramps/store/held-payouts.ts';
import type { OffRamps } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { asAttemptError } from '#shared/off-ramps/transitions/begin-attempt.ts';
import type { ExpireOperation } from '#shared/off-ramps/transitions/expire-operation.ts';
import type { EventBus } from '#shared/platform/aws/event-bus.ts';
import { ApiError, invalid } from '#shared/platform/http/api-error.ts';
import { putEvent } from '#shared/platform/http/put-event.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';

type Body = z.infer<typeof simulateOperationContract.body>;

interface Dependencies {
  readonly operations: Pick<OffRamps, 'find'>;
  readonly expire: ExpireOperation;
  readonly payouts: Pick<HeldPayouts, 'hold'>;
  readonly bus: EventBus;
  readonly newId: () => string;
}

/** Changes an operation in the sandbox. Refuses a change that its consumer would ignore, so that the caller sees it. */
export function simulateOperation(deps: Dependencies): UseCase<typeof simulateOperationContract> {
  return async ({ clientId, path, body }) => {
    const operation = await deps.operations.find(path.operation_id);
    if (operation?.clientId !== clientId) throw new ApiError(offRampErrors.OFF_RAMP_NOT_FOUND);
    const asked = body();
    refuseUnclear(asked);
    const { status, reason, expire, payoutReturned } = asked;
    const id = operation.operationId;
    if (status !== undefined) {
      await end(deps, operation, status, reason);
      return { body: { id, status } };
    }
    if (payoutReturned) {
      await returnPayout(deps, operation, reason);
      return { body: { id, status: operation.status } };
    }
    if (expire) {
      const expired = await expireNow(deps, operation);
      return { body: { id, status: expired.status, expiresAt: expired.expiresAt } };
    }
    await holdPayout(deps, operation);
    return { body: { id, status: operation.status } };
  };
}

/** @throws {ApiError} for no action, several actions, or a reason for an action that takes none. */
function refuseUnclear({ status, reason, expire, hold, payoutReturned }: Body): void {
  if ([status, expire, hold, payoutReturned].filter((one) => one !== undefined).length !== 1) {
    const message = 'must have exactly one of status, expire, hold and payoutReturned';
    throw invalid({ path: 'body', code: 'INVALID', message });
  }
  if (reason !== undefined && (status ?? payoutReturned) === undefined) {
    const message = 'is allowed only with status and payoutReturned';
    throw invalid({ path: 'body.reason', code: 'NOT_ALLOWED', message });
  }
}

/** Ends the operation's window, if the operation still awaits its deposit. */
async function expireNow({ expire }: Dependencies, operation: OffRamp): Promise<OffRamp> {
  try {
    const expired = await expire(operation);
    if (expired === undefined) throw new ApiError(offRampErrors.OPERATION_STATUS_CONFLICT);
    return expired;
  } catch (error) {
    throw asAttemptError(error);
  }
}

/** Sends the event by which compliance or payouts would end the operation. */
async function end({ bus, newId }: Dependencies, operation: OffRamp, status: EndStatus, reason: string | undefined) {
  const { operationId } = operation;
  if (!mayEndAs(operation.status, status)) throw new ApiError(offRampErrors.OPERATION_STATUS_CONFLICT);
  const source = status === 'CANCELLED' ? COMPLIANCE : PAYOUTS;
  const payout = status === 'COMPLETED' ? simulatedPayout(operation) : undefined;
  const detail = { operationId, eventId: newId(), status, reason, payout };
  await putEvent(bus, { source, type: OPERATION_STATUS, detail });
}

/** Sends the event for a payout that the bank has returned. */
async function returnPayout({ bus, newId }: Dependencies, operation: OffRamp, reason: string | undefined) {
  const { operationId, status, payout: { reference } = simulatedPayout(operation) } = operation;
  if (status !== 'COMPLETED') throw new ApiError(offRampErrors.OPERATION_STATUS_CONFLICT);
  const detail = { operationId, eventId: newId(), payout: { reference }, reason };
  await putEvent(bus, { source: PAYOUTS, type: PAYOUT_RETURNED, detail });
}

/** Holds the simulated payout. Possible until the payout, which comes a few seconds after the verification. */
async function holdPayout({ payouts }: Dependencies, operation: OffRamp): Promise<void> {
  const isOver = operation.status !== 'PENDING' && !mayBecome(operation.status, 'PENDING');
  if (isOver) throw new ApiError(offRampErrors.OPERATION_STATUS_CONFLICT);
  await payouts.hold(operation.operationId);
}
